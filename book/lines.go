package book

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Index finds lines, columns and UTF-16 offsets in one text. Everything inside
// counts bytes; JavaScript and the tools count UTF-16 code units. An Index is
// immutable and holds for the text it was made of, which must be well-formed
// UTF-8 and shorter than 2 GiB.
//
// Lines and columns are counted from 0, columns in UTF-16 units. Offsets out of
// range are clamped; an offset inside a character is that of its start.
type Index struct {
	text  string
	start []int32 // byte offset of each line; the first is 0
	// marks[k] is the UTF-16 offset of the character that holds byte k·stride;
	// nil when the text is ASCII and both offsets are the same.
	marks []int32
	total int // length in UTF-16 units
}

// stride is the distance of marks in bytes: how much is counted anew for one
// conversion, at most.
const stride = 1024

// NewIndex reads a text once.
func NewIndex(text string) *Index {
	x := &Index{text: text, total: len(text)}
	x.start = make([]int32, 1, strings.Count(text, "\n")+1)
	for at := 0; ; {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		x.start = append(x.start, int32(at))
	}
	if isASCII(text) {
		return x
	}
	units, at := 0, 0
	for k := 0; k < len(text); k += stride {
		next := charStart(text, k)
		units += UTF16Len(text[at:next])
		at = next
		x.marks = append(x.marks, int32(units))
	}
	x.total = units + UTF16Len(text[at:])
	return x
}

func isASCII(s string) bool {
	for ; len(s) >= 8; s = s[8:] {
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&0x80 != 0 {
			return false
		}
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// charStart moves an offset back to the start of its character.
func charStart(s string, offset int) int {
	for offset > 0 && offset < len(s) && !utf8.RuneStart(s[offset]) {
		offset--
	}
	return offset
}

// UTF16Len is the length of well-formed UTF-8 in UTF-16 code units.
func UTF16Len(s string) int {
	n := len(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c < 0x80:
		case c < 0xC0: // a character goes on
			n--
		case c >= 0xF0: // a pair of surrogates
			n++
		}
	}
	return n
}

// Lines is the number of lines. A line end at the very end starts one more,
// empty line.
func (x *Index) Lines() int { return len(x.start) }

// Len is the length of the text in bytes.
func (x *Index) Len() int { return len(x.text) }

// UTF16Len is the length of the text in UTF-16 code units.
func (x *Index) UTF16Len() int { return x.total }

// Line returns the text of a line without its line end, and the byte offset at
// which it starts. Before the first line it is empty at 0, past the last empty
// at the end of the text.
func (x *Index) Line(line int) (text string, start int) {
	switch {
	case line < 0:
		return "", 0
	case line >= len(x.start):
		return "", len(x.text)
	case line+1 < len(x.start):
		start = int(x.start[line])
		return x.text[start : x.start[line+1]-1], start
	}
	start = int(x.start[line])
	return x.text[start:], start
}

// LineAt is the line that holds a byte offset.
func (x *Index) LineAt(offset int) int {
	line, found := slices.BinarySearch(x.start, int32(min(max(offset, 0), len(x.text))))
	if !found {
		line--
	}
	return line
}

// UTF16 converts a byte offset to one in UTF-16 units.
func (x *Index) UTF16(offset int) int {
	offset = charStart(x.text, min(max(offset, 0), len(x.text)))
	if x.marks == nil {
		return offset
	}
	k := min(offset/stride, len(x.marks)-1)
	return int(x.marks[k]) + UTF16Len(x.text[charStart(x.text, k*stride):offset])
}

// Byte converts an offset in UTF-16 units to one in bytes. An offset between
// the two halves of a pair is that of the pair.
func (x *Index) Byte(units int) int {
	units = min(max(units, 0), x.total)
	if x.marks == nil {
		return units
	}
	k, found := slices.BinarySearch(x.marks, int32(units))
	if !found {
		k--
	}
	at := charStart(x.text, k*stride)
	for n := units - int(x.marks[k]); n > 0 && at < len(x.text); {
		if x.text[at] >= 0xF0 {
			n--
			if n == 0 {
				break
			}
		}
		n--
		at++
		for at < len(x.text) && !utf8.RuneStart(x.text[at]) {
			at++
		}
	}
	return at
}

// Position is the line and column of a byte offset.
func (x *Index) Position(offset int) (line, column int) {
	line = x.LineAt(offset)
	return line, x.UTF16(offset) - x.UTF16(int(x.start[line]))
}

// Offset is the byte offset of a line and column; a column past the end of its
// line is that end.
func (x *Index) Offset(line, column int) int {
	text, start := x.Line(line)
	if column <= 0 || text == "" {
		return start
	}
	return min(x.Byte(x.UTF16(start)+min(column, len(text))), start+len(text))
}
