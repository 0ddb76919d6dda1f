package book

import (
	"slices"
	"strings"
	"unicode"
)

// Chapters divided and joined (sandbox.md 4.1). White space at the seam is
// dropped on both sides, so that dividing and joining again changes nothing but
// blank lines.

// SplitChapter divides chapter i at a byte of its text: what stands before keeps
// the chapter, what follows becomes the chapter fresh right behind it. fresh
// carries the id and perhaps a title; without one it is named after its text,
// else "<old title> (2)". The same book when nothing but white space follows. i
// must be a position in the book and at lie in its text, on a character's start.
func (b *Book) SplitChapter(i, at int, fresh *Chapter) *Book {
	old := b.Chapters[i]
	after := strings.TrimLeftFunc(old.Markdown[at:], unicode.IsSpace)
	if after == "" {
		return b
	}
	c := *fresh
	c.Markdown = after
	if c.Title = strings.TrimSpace(c.Title); c.Title == "" {
		c.Title = DeriveTitle(after, old.Title+" (2)")
	}
	return b.WithText(i, strings.TrimRightFunc(old.Markdown[:at], unicode.IsSpace)).InsertChapter(i+1, &c)
}

// SplitPoints are the bytes at which a text is divided into one chapter for each
// level-1 heading: none when it has fewer than two. Directives that prepare a
// heading (a part, a page break, a numbering) go with it. A heading that only
// white space or front matter comes before stays where it is.
func SplitPoints(markdown string) []int {
	list := Headings(markdown)
	if len(list) < 2 {
		return nil
	}
	_, body := FrontMatter(markdown)
	var points []int
	for k, h := range list {
		floor := body
		if k > 0 {
			floor = list[k-1].Offset
		}
		at := prepared(markdown, floor, h.Offset)
		if k == 0 && strings.TrimSpace(markdown[body:at]) == "" {
			continue
		}
		points = append(points, at)
	}
	return points
}

// SplitAtHeadings divides chapter i at its level-1 headings; freshID names the
// new chapters. The same book when there are fewer than two headings.
func (b *Book) SplitAtHeadings(i int, freshID func() string) *Book {
	old := b.Chapters[i]
	points := SplitPoints(old.Markdown)
	if len(points) == 0 {
		return b
	}
	list := make([]*Chapter, 0, len(points))
	for k, at := range points {
		end := len(old.Markdown)
		if k+1 < len(points) {
			end = points[k+1]
		}
		text := strings.TrimLeftFunc(old.Markdown[at:end], unicode.IsSpace)
		if k+1 < len(points) {
			text = strings.TrimRightFunc(text, unicode.IsSpace)
		}
		list = append(list, &Chapter{ID: freshID(), Markdown: text, Title: DeriveTitle(text, old.Title+" (2)")})
	}
	n := b.WithText(i, strings.TrimRightFunc(old.Markdown[:points[0]], unicode.IsSpace))
	if n == b {
		m := *b
		n = &m
	}
	n.Chapters = slices.Insert(slices.Clone(n.Chapters), i+1, list...)
	return n
}

// prepared moves the start of a heading up over the directives right above it:
// single-line `:::numbering` and `:::pagebreak`, and a `:::part` block, with the
// blank lines between. It does not go above floor.
func prepared(text string, floor, heading int) int {
	start := heading
	for at := heading; at > floor; {
		from := strings.LastIndexByte(text[:at-1], '\n') + 1
		if from < floor {
			break
		}
		line := strings.TrimSpace(text[from:at])
		switch {
		case line == "":
			at = from
		case isDirective(line, "numbering"), isDirective(line, "pagebreak"), isDirective(line, "part"):
			at, start = from, from
		case line == ":::":
			open := opening(text, floor, from)
			if open < 0 {
				return start
			}
			at, start = open, open
		default:
			return start
		}
	}
	return start
}

// opening finds the `:::part` line that the closing line at close ends; −1 when
// the block is another one.
func opening(text string, floor, close int) int {
	for at := close; at > floor; {
		from := strings.LastIndexByte(text[:at-1], '\n') + 1
		if from < floor {
			return -1
		}
		line := strings.TrimSpace(text[from:at])
		switch {
		case isDirective(line, "part"):
			return from
		case strings.HasPrefix(line, ":::"):
			return -1
		}
		at = from
	}
	return -1
}

// isDirective reports whether a line opens the directive name.
func isDirective(line, name string) bool {
	rest, ok := strings.CutPrefix(line, ":::")
	if !ok {
		return false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t"), name)
	return ok && (rest == "" || rest[0] == '{' || rest[0] == ' ' || rest[0] == '\t')
}

// MergeChapter appends the text of chapter i to the one before it, after a blank
// line and without its front matter, and takes the chapter away. i must be a
// position in the book other than 0.
func (b *Book) MergeChapter(i int) *Book {
	_, body := FrontMatter(b.Chapters[i].Markdown)
	head := strings.TrimRightFunc(b.Chapters[i-1].Markdown, unicode.IsSpace)
	tail := strings.TrimLeft(b.Chapters[i].Markdown[body:], "\n")
	text := head
	switch {
	case strings.TrimSpace(tail) == "":
		text = b.Chapters[i-1].Markdown
	case head == "":
		text = tail
	default:
		text = head + "\n\n" + tail
	}
	return b.WithText(i-1, text).RemoveChapter(i)
}
