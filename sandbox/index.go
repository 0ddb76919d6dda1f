package sandbox

import "postext/book"

// textIndex is a text's index as the tools count: lines and columns from 1, and
// no line after a final line end.
type textIndex struct {
	*book.Index
	src string
}

func indexText(src string) *textIndex { return &textIndex{book.NewIndex(src), src} }

// count is the number of lines.
func (t *textIndex) count() int {
	n := t.Lines()
	if last, _ := t.Index.Line(n - 1); n > 1 && last == "" {
		n--
	}
	return n
}

// text is line n without its end.
func (t *textIndex) text(n int) string {
	s, _ := t.Index.Line(n - 1)
	return s
}

// line is the number of the line that holds byte off.
func (t *textIndex) line(off int) int { return t.LineAt(off) + 1 }

// utf16 is the UTF-16 offset of a byte offset.
func (t *textIndex) utf16(off int) int { return t.UTF16(off) }

// column is the place of a byte on its line, in UTF-16 code units.
func (t *textIndex) column(off int) int {
	_, c := t.Position(off)
	return c + 1
}
