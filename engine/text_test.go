package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"postext/engine/frame"
	"postext/engine/settings"
	"postext/engine/unit"
)

// with is the tiny page with further settings.
func with(more string) string {
	return strings.TrimSuffix(fmt.Sprintf(tiny, "false", "any"), "}") + ", " + more + "}"
}

const prose = "Winter was long that year, and the bees had been shut in since the first week of November; it was March before anyone saw one fly."

// TestDropCap: the letter stands on the baseline of the line it drops into, its
// top level with the capitals of the first line, and the lines beside it are
// shorter by it (settings.md 8.5).
func TestDropCap(t *testing.T) {
	b := lay(t, with(`"bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "firstLineIndent": {"value": 0, "unit": "pt"}}`),
		"# A {dropcap=2}\n\n"+prose+"\n\nNext.")
	bl := blocksOf(b, frame.Paragraph)[0]
	cap := bl.Lines[0].Runs[0]
	if cap.Words[0].Shape.Text != "W" || cap.Words[0].Start != 0 || cap.Words[0].End != 1 {
		t.Fatalf("the first run is %q", cap.Words[0].Shape.Text)
	}
	if got, want := -cap.Rise, bl.Lines[1].Baseline-bl.Lines[0].Baseline; got != want {
		t.Errorf("lowered by %v, want %v", got.Pt(), want.Pt())
	}
	text := bl.Lines[0].Runs[1]
	capTop := unit.Scale(cap.Face.CapHeight, cap.Size, cap.Face.UPem) + cap.Rise
	textTop := unit.Scale(text.Face.CapHeight, text.Size, text.Face.UPem)
	if d := capTop - textTop; d > unit.Pt/50 || d < -unit.Pt/50 {
		t.Errorf("its top stands %v above the capitals", d.Pt())
	}
	first := bl.Lines[0].X + text.Words[0].X
	if d := bl.Lines[1].X - first; d > 16 || d < -16 {
		t.Errorf("the second line begins at %v, the first's text at %v", bl.Lines[1].X.Pt(), first.Pt())
	}
	if bl.Lines[2].X != bl.Box.X {
		t.Error("the third line is set in")
	}
	for i := range bl.Lines[:len(bl.Lines)-1] {
		l := &bl.Lines[i]
		if l.X+l.Width > bl.Box.Right()+16 {
			t.Errorf("line %d leaves the measure", i)
		}
	}
	if next := blocksOf(b, frame.Paragraph)[1]; next.Lines[0].Runs[0].Size != 10*unit.Pt {
		t.Error("the next paragraph has a drop cap too")
	}
}

// TestDropCapForms: punctuation, raised initials, lead-ins, and what cannot be set
// (document-format.md 4.9).
func TestDropCapForms(t *testing.T) {
	styled := func(cap, text string) (*frame.Book, *frame.Block) {
		b := lay(t, with(`"paragraphStyles": [{"id": "s", "firstLineIndent": {"value": 0, "unit": "pt"}, "dropCap": {`+cap+`}}]`),
			":::paragraphs{style=s}\n"+text+"\n:::")
		return b, blocksOf(b, frame.Paragraph)[0]
	}
	reason := func(b *frame.Book) string {
		for _, p := range b.Chapters[0].Problems {
			if p.Kind == "dropCap" {
				return p.Fields[0].Value
			}
		}
		return ""
	}
	if _, bl := styled(`"lines": 2`, "“"+prose+"”"); bl.Lines[0].Runs[0].Words[0].Shape.Text != "“" || bl.Lines[0].Runs[0].Size < 15*unit.Pt {
		t.Error("with-cap: the quote is not enlarged with the letter")
	}
	if _, bl := styled(`"lines": 2, "punctuation": "hang"`, "“"+prose+"”"); bl.Lines[0].Runs[0].Words[0].X >= 0 {
		t.Error("hang: the quote does not hang out")
	}
	if _, bl := styled(`"lines": 2, "punctuation": "text"`, "“"+prose+"”"); bl.Lines[0].Runs[0].Size != 10*unit.Pt {
		t.Error("text: the quote is enlarged")
	}
	if _, bl := styled(`"lines": 3, "sink": 1`, prose); bl.Lines[0].Runs[0].Rise != 0 || bl.Lines[1].X != bl.Box.X || bl.Box.Y != 20*unit.Pt+24*unit.Pt {
		t.Errorf("raised: rise %v, second line %v, top %v", bl.Lines[0].Runs[0].Rise.Pt(), (bl.Lines[1].X - bl.Box.X).Pt(), bl.Box.Y.Pt())
	}
	if _, bl := styled(`"lines": 2, "characters": 3`, prose); bl.Lines[0].Runs[0].Words[0].Shape.Text != "Win" {
		t.Errorf("three letters: %q", bl.Lines[0].Runs[0].Words[0].Shape.Text)
	}
	// Small capitals of a lead-in are glyphs of their own: the runs part.
	_, plain := styled(`"lines": 2`, prose)
	_, words := styled(`"lines": 2, "leadIn": {"words": 3}`, prose)
	_, line := styled(`"lines": 2, "leadIn": {"words": "line"}`, prose)
	if len(plain.Lines[0].Runs) != 2 || len(words.Lines[0].Runs) != 3 || len(line.Lines[0].Runs) != 2 {
		t.Errorf("runs of the first line: %d, %d with three words, %d with the line", len(plain.Lines[0].Runs), len(words.Lines[0].Runs), len(line.Lines[0].Runs))
	}
	if len(line.Lines[1].Runs) != 1 {
		t.Error("the second line has small capitals")
	}
	for _, c := range []struct{ cap, text, want string }{
		{`"lines": 2`, prose, ""}, {`"lines": 3`, "Short.", "shortParagraph"}, {`"lines": 2`, "— — —", "noLetter"},
		{`"lines": 2`, "السلام عليكم ورحمة الله وبركاته", "joiningScript"}, {`"lines": 20`, strings.Repeat("Word ", 300), "split"},
	} {
		b, _ := styled(c.cap, c.text)
		if got := reason(b); got != c.want {
			t.Errorf("%.20q: %q, want %q", c.text, got, c.want)
		}
	}
	// A paragraph too short keeps the room beside the letter.
	b := lay(t, with(`"paragraphStyles": [{"id": "s", "dropCap": {"lines": 3}}]`), ":::paragraphs{style=s}\nShort.\n:::\n\nNext.")
	ps := blocksOf(b, frame.Paragraph)
	if d := ps[1].Box.Y - ps[0].Box.Y; d < 36*unit.Pt {
		t.Errorf("the next paragraph begins %v below", d.Pt())
	}
}

// TestDropCapStaysWhole: the lines beside a drop cap are not parted.
func TestDropCapStaysWhole(t *testing.T) {
	for n := range 6 {
		b := lay(t, with(`"paragraphStyles": [{"id": "s", "dropCap": {"lines": 3}}]`), strings.Repeat("x\\\n", n)+"x\n\n:::paragraphs{style=s}\n"+prose+"\n:::")
		for _, bl := range blocksOf(b, frame.Paragraph) {
			if strings.HasPrefix(bl.Text.Plain, "W") && !bl.Continued && len(bl.Lines) < 3 {
				t.Errorf("%d lines before: %d lines beside the letter", n+1, len(bl.Lines))
			}
		}
	}
}

// TestParagraphStyles: a group's paragraphs take its style, its other blocks keep
// theirs; space stands between and around; attributes win (document-format.md 6.2).
func TestParagraphStyles(t *testing.T) {
	config := with(`"paragraphStyles": [{"id": "s", "fontSize": {"value": 8, "unit": "pt"}, "italic": true, "textAlign": "right", "indent": {"value": 10, "unit": "pt"},
		"endIndent": {"value": 6, "unit": "pt"}, "hangingIndent": {"value": 4, "unit": "pt"}, "spaceBetween": {"value": 3, "unit": "pt"}, "marginTop": {"value": 5, "unit": "pt"}}]`)
	b := lay(t, config, "Before.\n\n:::paragraphs{style=s}\nOne.\n\n- item\n\nTwo which is long enough to be set in more than a single line.\n\nThree.\n:::\n\nAfter.")
	ps := blocksOf(b, frame.Paragraph)
	one, two, three, after := ps[1], ps[2], ps[3], ps[4]
	if r := one.Lines[0].Runs[0]; r.Size != 8*unit.Pt || !r.Face.Italic {
		t.Errorf("set at %v, italic %v", r.Size.Pt(), r.Face.Italic)
	}
	if one.Box.X != ps[0].Box.X+10*unit.Pt || one.Box.W != ps[0].Box.W-16*unit.Pt {
		t.Errorf("the measure is %v", one.Box)
	}
	if one.Box.Y-ps[0].Box.Bottom() != 5*unit.Pt {
		t.Errorf("margin above %v", (one.Box.Y - ps[0].Box.Bottom()).Pt())
	}
	if three.Box.Y-two.Box.Bottom() != 3*unit.Pt {
		t.Errorf("space between %v", (three.Box.Y - two.Box.Bottom()).Pt())
	}
	if li := blocksOf(b, frame.ListItem)[0]; li.Lines[0].Runs[0].Size != 10*unit.Pt || li.Lines[0].Runs[0].Face.Italic {
		t.Error("the list takes the style")
	}
	p := b.Chapters[0].Pages[0]
	if (after.Lines[0].Baseline-p.GridTop)%p.GridPitch != 0 {
		t.Error("the text after the group stands off the grid")
	}
	b = lay(t, config, ":::paragraphs{style=s align=left indent=2}\nOne.\n:::\n\n:::paragraphs{style=nosuch}\nTwo.\n:::")
	ps = blocksOf(b, frame.Paragraph)
	if x := ps[0].Box.X - 20*unit.Pt; x != 16*unit.Pt || ps[0].Lines[0].X != ps[0].Box.X {
		t.Errorf("indent=2 sets in by %v", x.Pt())
	}
	if ps[1].Lines[0].Runs[0].Size != 10*unit.Pt || b.Chapters[0].Problems[0].Kind != "unknownParagraphStyle" {
		t.Error("an unknown style is no body text, or not told of")
	}
}

// TestChips: a chip is one unbreakable run on a plate: its width counts its
// padding, leading does not change, a word beside it keeps its distance
// (settings.md 15).
func TestChips(t *testing.T) {
	config := with(`"chipStyles": [{"id": "k", "paddingX": {"value": 3, "unit": "pt"}, "paddingY": {"value": 1, "unit": "pt"}, "borderWidth": {"value": 1, "unit": "pt"}, "gap": {"value": 5, "unit": "pt"}}]`)
	b := lay(t, config, "Press :chip[Ctrl *X*] now, or a:chip[b]c, or :chip[d]. "+prose)
	bl := blocksOf(b, frame.Paragraph)[0]
	var plates []frame.Plate
	for i := range bl.Lines {
		if bl.Lines[i].Height != 12*unit.Pt {
			t.Error("leading changes")
		}
		plates = append(plates, bl.Lines[i].Plates...)
	}
	if len(plates) != 3 {
		t.Fatalf("%d plates", len(plates))
	}
	p := plates[0]
	if p.Above != 8*unit.Pt+2*unit.Pt || p.Below != 25*unit.Pt/10+2*unit.Pt || p.Line != unit.Pt {
		t.Errorf("plate %v above, %v below", p.Above.Pt(), p.Below.Pt())
	}
	// Press | Ctrl X: the text stands 4 pt inside the plate.
	l := &bl.Lines[0]
	var words []frame.Word
	for _, r := range l.Runs {
		words = append(words, r.Words...)
	}
	k := slices.IndexFunc(words, func(w frame.Word) bool { return strings.HasPrefix(w.Shape.Text, "Ctrl") })
	if d := words[k].X - p.X; d != 4*unit.Pt {
		t.Errorf("the text stands %v inside", d.Pt())
	}
	press := words[k-1]
	if gap := p.X - press.X - unit.Scale(press.Shape.Advance, 10*unit.Pt, press.Shape.Face.UPem); gap < 5*unit.Pt-16 {
		t.Errorf("the chip stands %v behind the word", gap.Pt())
	}
}

// TestSwatches: a square of three quarters of the size on the baseline, outlined;
// a palette's colour is known by its id (document-format.md 7.7).
func TestSwatches(t *testing.T) {
	b := lay(t, with(`"colorPalette": [{"id": "main-color", "value": {"hex": "#123456", "model": "hex"}}]`),
		"a :swatch{color=\"#c1dfd6\"} b :swatch{color=main-color} c :swatch{color=nosuch}")
	ps := blocksOf(b, frame.Paragraph)[0].Lines[0].Plates
	if len(ps) != 3 {
		t.Fatalf("%d swatches", len(ps))
	}
	want := []unit.Color{{R: 0xc1, G: 0xdf, B: 0xd6, A: 255}, {R: 0x12, G: 0x34, B: 0x56, A: 255}, {}}
	for i, p := range ps {
		if p.Fill != want[i] || p.W != 75*unit.Pt/10 || p.Above != p.W || p.Below != 0 || p.Stroke.A != 255 {
			t.Errorf("swatch %d: %+v", i, p)
		}
	}
}

// TestInlineCodeGround: a span of code has one plate on each line it stands on.
func TestInlineCodeGround(t *testing.T) {
	b := lay(t, with(`"codeStyle": {"inline": {"fontFamily": "JetBrains Mono", "background": {"hex": "#eeeeee", "model": "hex"}, "paddingX": {"value": 2, "unit": "pt"}}}`),
		"Words and `a span of code that is long enough to be broken over the end of its line` and more words.")
	bl := blocksOf(b, frame.Paragraph)[0]
	lines := 0
	for i := range bl.Lines {
		l := &bl.Lines[i]
		code := slices.ContainsFunc(l.Runs, func(r frame.Run) bool { return strings.Contains(r.Face.Family, "JetBrains") })
		if (len(l.Plates) == 1) != code {
			t.Errorf("line %d: %d plates", i, len(l.Plates))
		}
		if code {
			lines++
			if p := l.Plates[0]; p.X < -16 || p.X+p.W > bl.Box.W+16 {
				t.Errorf("line %d: the plate leaves the line", i)
			}
		}
	}
	if lines < 2 {
		t.Errorf("the span stands on %d lines", lines)
	}
}

// TestSpanLanguage: the words of a span are divided by its language's rules.
func TestSpanLanguage(t *testing.T) {
	text := "Donaudampfschifffahrtsgesellschaftskapitän "
	divided := func(src string) string {
		var out []string
		for _, bl := range blocksOf(lay(t, with(`"bodyText": {"fontSize": {"value": 12, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}}`), src), frame.Paragraph) {
			for i := range bl.Lines {
				if l := &bl.Lines[i]; l.Hyphenated {
					out = append(out, bl.Text.Plain[l.Start:l.End])
				}
			}
		}
		return strings.Join(out, "|")
	}
	en, de := divided(strings.Repeat(text, 4)), divided(":ltr["+strings.TrimSpace(strings.Repeat(text, 4))+"]{lang=de}")
	if en == de || de == "" {
		t.Errorf("English breaks %q, German %q", en, de)
	}
}

// TestNoteNumbers: how notes are counted and marked (settings.md 21).
func TestNoteNumbers(t *testing.T) {
	filler := strings.Repeat("word ", 40)
	text := "# A\n\na[^1] b[^2] " + filler + "\n\nc[^3] a again[^1]\n\n# B\n\nd[^4]\n\n[^1]: One.\n\n[^2]: Two.\n\n[^3]: Three.\n\n[^4]: Four.\n"
	for _, c := range []struct{ notes, want string }{
		{`{}`, "1 2 3 1"},
		{`{"numbering": "document"}`, "1 2 3 4"},
		{`{"numbering": "page"}`, "1 2 1 1"}, // a and b, c, d on three pages
		{`{"numberFormat": "symbols"}`, "* † * *"},
		{`{"numberFormat": "symbols", "numbering": "document", "symbols": ["a", "b"]}`, "a b aa bb"},
		{`{"numberFormat": "lower-alpha", "markerTemplate": "({n})"}`, "(a) (b) (c) (a)"},
		{`{"placement": "chapterEnd"}`, "1 2 3 1"},
	} {
		b := lay(t, with(`"footnotes": `+c.notes), text)
		numbers := map[string]string{}
		for _, bl := range blocksOf(b, frame.Note) {
			if bl.ID != "" && !bl.Continued {
				numbers[bl.ID] = bl.Number
			}
		}
		got := strings.Join([]string{numbers["1"], numbers["2"], numbers["3"], numbers["4"]}, " ")
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.notes, got, c.want)
		}
		if !b.Chapters[0].Converged {
			t.Errorf("%s: not converged", c.notes)
		}
	}
}

// TestNotesAtChapterEnd: notes stand after the last block of their chapter, at the
// foot of its column or under its text, and the next chapter's are its own.
func TestNotesAtChapterEnd(t *testing.T) {
	for _, align := range []string{"foot", "text"} {
		b := lay(t, with(`"footnotes": {"placement": "chapterEnd", "chapterEndAlign": "`+align+`"}`),
			"# A\n\na[^1]\n\n:::pagebreak\n\nb[^2]\n\n[^1]: One.\n\n[^2]: Two.", "# C\n\nc[^3]\n\n[^3]: Three.")
		first, second := b.Chapters[0], b.Chapters[1]
		if got := len(first.Pages); got != 2 {
			t.Fatalf("%s: %d pages", align, got)
		}
		col := &first.Pages[1].Columns[0]
		notes := col.Blocks[len(col.Blocks)-2:]
		if notes[0].ID != "1" || notes[1].ID != "2" || itemOf(notes[0], "noteRule") == nil {
			t.Errorf("%s: the chapter ends in %q %q", align, notes[0].ID, notes[1].ID)
		}
		under := notes[0].Box.Y - col.Blocks[0].Box.Bottom()
		if low := under > 20*unit.Pt; low != (align == "foot") {
			t.Errorf("%s: the notes stand %v under the text", align, under.Pt())
		}
		if n := len(second.Pages[0].Columns[0].Blocks); n != 3 {
			t.Errorf("%s: %d blocks in the next chapter", align, n)
		}
	}
}

// TestTokenNamesMatch: the highlighter's kinds are those of the settings.
func TestTokenNamesMatch(t *testing.T) {
	want := "keyword string number comment function type variable meta output prompt operator punctuation"
	if got := strings.Join(settings.TokenNames[:], " "); got != want {
		t.Errorf("%s", got)
	}
}

// TestLocalForms: a language's own letter forms are set where the face has them, in
// the document's language or a span's.
func TestLocalForms(t *testing.T) {
	glyphs := func(src, more string) string {
		var out []string
		for _, bl := range blocksOf(lay(t, with(more), src), frame.Paragraph) {
			for _, r := range bl.Lines[0].Runs {
				for _, w := range r.Words {
					for _, g := range w.Shape.Glyphs {
						out = append(out, fmt.Sprint(g.ID))
					}
				}
			}
		}
		return strings.Join(out, " ")
	}
	en, tr, span := glyphs("fiş", `"locale": "en"`), glyphs("fiş", `"locale": "tr"`), glyphs(":ltr[fiş]{lang=tr}", `"locale": "en"`)
	if en == tr {
		t.Error("the Turkish i loses its dot in a ligature")
	}
	if tr != span {
		t.Errorf("in a span %s, in a Turkish book %s", span, tr)
	}
}
