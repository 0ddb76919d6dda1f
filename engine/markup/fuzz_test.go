package markup

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkTree reports the first invariant a document breaks (see the package's
// doc comment).
func checkTree(doc *Document) error {
	if err := checkBlocks(doc, doc.Blocks, 0, len(doc.Source), 0); err != nil {
		return err
	}
	for _, n := range doc.Notes {
		if n.Start < 0 || n.End < n.Start || n.End > len(doc.Source) {
			return fmt.Errorf("note %s: span %d..%d", n.ID, n.Start, n.End)
		}
		if err := checkBlocks(doc, n.Blocks, n.Start, n.End, 0); err != nil {
			return fmt.Errorf("note %s: %w", n.ID, err)
		}
	}
	last := 0
	for _, p := range doc.Problems {
		if p.Start < last || p.End < p.Start || p.End > len(doc.Source) {
			return fmt.Errorf("problem %s: span %d..%d after %d", p.Kind, p.Start, p.End, last)
		}
		last = p.Start
		if p.Detail == "" {
			return fmt.Errorf("problem %s says nothing", p.Kind)
		}
	}
	return nil
}

func checkBlocks(doc *Document, blocks []*Block, from, to, depth int) error {
	if depth > 3*maxDepth {
		return fmt.Errorf("the tree is %d deep", depth)
	}
	at := from
	for _, b := range blocks {
		if b.Start < at || b.End < b.Start || b.End > to {
			return fmt.Errorf("block %s: span %d..%d does not lie in %d..%d", kindNames[b.Kind], b.Start, b.End, at, to)
		}
		at = b.End
		var err error
		check := func(list []Inline) {
			if err == nil {
				err = checkInlines(doc, list, b.Start, b.End)
			}
		}
		if b.Kind == Image {
			check(b.Caption)
			if err == nil {
				err = checkInlines(doc, b.Inlines, b.Start, b.End)
			}
		} else {
			b.EachText(check)
		}
		if err != nil {
			return fmt.Errorf("block %s: %w", kindNames[b.Kind], err)
		}
		if b.Kind == Code || b.Kind == Formula || b.Kind == Raw {
			if err := checkLiteral(doc, b); err != nil {
				return err
			}
		}
		if err := checkBlocks(doc, b.Children, b.Start, b.End, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func checkLiteral(doc *Document, b *Block) error {
	if b.LitStart < b.Start || b.LitStart > b.End {
		return fmt.Errorf("literal starts at %d, outside of %d..%d", b.LitStart, b.Start, b.End)
	}
	if b.LineStarts == nil {
		if !strings.HasPrefix(doc.Source[b.LitStart:], b.Literal) {
			return fmt.Errorf("literal %q is not at %d", b.Literal, b.LitStart)
		}
		return nil
	}
	lines := strings.Split(b.Literal, "\n")
	if len(lines) != len(b.LineStarts) {
		return fmt.Errorf("literal of %d lines, %d starts", len(lines), len(b.LineStarts))
	}
	for i, l := range lines {
		if !strings.HasPrefix(doc.Source[b.LineStarts[i]:], strings.TrimLeft(l, " ")) &&
			!strings.HasPrefix(strings.TrimLeft(doc.Source[b.LineStarts[i]:], " "), strings.TrimLeft(l, " ")) {
			return fmt.Errorf("line %q is not at %d", l, b.LineStarts[i])
		}
	}
	return nil
}

func checkInlines(doc *Document, list []Inline, from, to int) error {
	at := from
	for i, a := range list {
		if a.Start < at || a.End < a.Start || a.End > to {
			return fmt.Errorf("inline %d %q: span %d..%d does not lie in %d..%d", i, a.Text, a.Start, a.End, at, to)
		}
		at = a.Start
		if a.Kind != Anchor && a.Kind != IndexMark {
			at = a.End
		}
		if a.Kind != Text {
			continue
		}
		src := doc.Source[a.Start:a.End]
		switch {
		case a.Text == "":
			return fmt.Errorf("inline %d is empty", i)
		case a.Text == "\u00a0" && src == "~":
		case a.Text == " " && (src == "\n" || src == "\r"):
		case a.Text != src:
			return fmt.Errorf("inline %d: text %q, source %q", i, a.Text, src)
		}
	}
	return nil
}

func FuzzParse(f *testing.F) {
	for _, c := range ruleCases {
		f.Add(c.src, uint8(0))
	}
	for _, c := range problemCases {
		f.Add(c.src, uint8(1))
	}
	for _, h := range hostile {
		f.Add(strings.Repeat(h, 20), uint8(3))
	}
	f.Fuzz(func(t *testing.T, src string, bits uint8) {
		o := Options{FirstChapter: bits&1 != 0, IndentedCode: bits&2 != 0, NoHardBreaks: bits&4 != 0, NoCodeBlocks: bits&8 != 0, NoHeadingMarks: bits&16 != 0}
		doc := Parse(src, o)
		if err := checkTree(doc); err != nil {
			t.Fatalf("%v\n%q\n%s", err, src, dump(doc))
		}
		Title(doc)
		Words(doc)
		headings := Headings(src)
		if !utf8.ValidString(src) || o != (Options{FirstChapter: true}) {
			return
		}
		// The quick scan agrees with the reader.
		n := 0
		Walk(doc.Blocks, func(b *Block) bool {
			if b.Kind == Heading && n < len(headings) && headings[n].Start == b.Start {
				n++
			}
			return b.Kind == Container
		})
		if n != len(headings) {
			t.Fatalf("Headings: %d, the tree has %d of them\n%q", len(headings), n, src)
		}
	})
}
