package font

import (
	"encoding/binary"
	"errors"
	"fmt"

	ps "github.com/go-text/typesetting/font/cff/interpreter"
	ot "github.com/go-text/typesetting/font/opentype"
)

// A charstring may call subroutines ten deep, and each may call others as often
// as it likes: a few bytes can ask for 10^40 steps. checkCFF runs every
// charstring of a font once, drawing nothing and counting steps, and refuses a
// font that would take too many. An ordinary glyph takes some hundred.
const (
	maxSteps     = 200_000    // of a glyph
	maxStepsFont = 40_000_000 // of all glyphs together; Japanese fonts take 4 million
)

var errCFF = errors.New("the font's outlines (CFF) are damaged")

// checkCFF refuses CFF fonts that cannot be drawn in bounded time. What is
// merely wrong in it is left to the reader, which stops at errors.
func checkCFF(ld *ot.Loader) error {
	if ld.HasTable(ot.MustNewTag("CFF2")) {
		return errors.New("variable OpenType fonts with CFF2 outlines are not read; take the TTF version")
	}
	if !ld.HasTable(ot.MustNewTag("CFF ")) {
		return nil
	}
	table, err := ld.RawTable(ot.MustNewTag("CFF "))
	if err != nil {
		return fmt.Errorf("the font's outlines cannot be read: %w", err)
	}
	c, err := readCFF(table)
	if err != nil {
		return err
	}
	left := maxStepsFont
	for id, code := range c.glyphs {
		n := stepCounter{left: min(maxSteps, left)}
		start := n.left
		var m ps.Machine
		err := m.Run(code, c.local[c.fd(id)], c.global, &n)
		if errors.Is(err, errSteps) {
			return fmt.Errorf("glyph %d of the font takes too many steps to draw", id)
		}
		left -= start - n.left
	}
	return nil
}

var errSteps = errors.New("too many steps")

// stepCounter follows a charstring as far as is needed to know where it goes:
// calls, and the hints, whose number decides how long a hint mask is.
type stepCounter struct {
	hints ps.CharstringReader
	left  int
}

func (*stepCounter) Context() ps.Context { return ps.Type2Charstring }

// Apply takes one operator (Adobe Technical Note 5177, appendix A).
func (c *stepCounter) Apply(m *ps.Machine, op ps.Operator) error {
	if c.left--; c.left <= 0 {
		return errSteps
	}
	if op.IsEscaped {
		m.ArgStack.Clear()
		return nil
	}
	switch op.Operator {
	case 10:
		return ps.LocalSubr(m)
	case 29:
		return ps.GlobalSubr(m)
	case 11:
		return m.Return()
	case 14: // endchar
		return ps.ErrInterrupt
	case 1, 18:
		c.hints.Hstem(m)
	case 3, 23:
		c.hints.Vstem(m)
	case 19, 20:
		c.hints.Hintmask(m)
		return nil // it has cleared the stack itself
	}
	m.ArgStack.Clear()
	return nil
}

// cff is what is needed to run charstrings.
type cff struct {
	glyphs, global [][]byte
	local          [][][]byte // by font dictionary
	dict           []uint8    // font dictionary by glyph, nil when there is one
}

func (c *cff) fd(glyph int) int {
	if glyph >= len(c.dict) || int(c.dict[glyph]) >= len(c.local) {
		return 0
	}
	return int(c.dict[glyph])
}

// readCFF finds the charstrings and subroutines of a CFF table (Adobe Technical
// Note 5176).
func readCFF(table []byte) (*cff, error) {
	if len(table) < 4 || table[0] != 1 || int(table[2]) > len(table) {
		return nil, errCFF
	}
	names, rest, err := readIndex(table[table[2]:])
	if err != nil || len(names) != 1 {
		return nil, errCFF
	}
	tops, rest, err := readIndex(rest)
	if err != nil || len(tops) != 1 {
		return nil, errCFF
	}
	_, rest, err = readIndex(rest) // strings
	if err != nil {
		return nil, err
	}
	c := &cff{}
	if c.global, _, err = readIndex(rest); err != nil {
		return nil, err
	}
	top, err := readDict(tops[0])
	if err != nil {
		return nil, err
	}
	part := func(at int) ([]byte, error) {
		if at < 0 || at > len(table) {
			return nil, errCFF
		}
		return table[at:], nil
	}
	at, err := part(top.charStrings)
	if err != nil {
		return nil, err
	}
	if c.glyphs, _, err = readIndex(at); err != nil {
		return nil, err
	}
	dicts := []dict{*top}
	if top.fdArray != 0 {
		if at, err = part(top.fdArray); err != nil {
			return nil, err
		}
		list, _, err := readIndex(at)
		if err != nil || len(list) == 0 || len(list) > 256 {
			return nil, errCFF
		}
		dicts = dicts[:0]
		for _, raw := range list {
			d, err := readDict(raw)
			if err != nil {
				return nil, err
			}
			dicts = append(dicts, *d)
		}
		if at, err = part(top.fdSelect); err != nil {
			return nil, err
		}
		if c.dict, err = readSelect(at, len(c.glyphs)); err != nil {
			return nil, err
		}
	}
	for _, d := range dicts {
		local, err := d.subroutines(table)
		if err != nil {
			return nil, err
		}
		c.local = append(c.local, local)
	}
	return c, nil
}

// readIndex reads an INDEX and returns what follows it.
func readIndex(b []byte) (items [][]byte, rest []byte, err error) {
	if len(b) < 2 {
		return nil, nil, errCFF
	}
	n := int(binary.BigEndian.Uint16(b))
	if n == 0 {
		return nil, b[2:], nil
	}
	if len(b) < 3 {
		return nil, nil, errCFF
	}
	size := int(b[2])
	if size < 1 || size > 4 || len(b) < 3+size*(n+1) {
		return nil, nil, errCFF
	}
	offset := func(i int) int {
		v := 0
		for _, x := range b[3+size*i : 3+size*(i+1)] {
			v = v<<8 | int(x)
		}
		return v
	}
	data := b[3+size*(n+1)-1:] // offsets count from 1
	items = make([][]byte, n)
	from := offset(0)
	for i := range items {
		to := offset(i + 1)
		if from < 1 || to < from || to > len(data) {
			return nil, nil, errCFF
		}
		items[i], from = data[from:to], to
	}
	return items, data[from:], nil
}

// dict holds the operands we need of a DICT.
type dict struct {
	charStrings, fdArray, fdSelect int
	privateSize, privateAt         int
	subrs                          int
}

// dictReader collects them.
type dictReader struct{ dict }

func (*dictReader) Context() ps.Context { return ps.TopDict }

func (d *dictReader) Apply(m *ps.Machine, op ps.Operator) error {
	arg := func(fromTop int32) int {
		if m.ArgStack.Top <= fromTop {
			return 0
		}
		v := m.ArgStack.Vals[m.ArgStack.Top-1-fromTop]
		if !(v >= 0 && v < 1<<30) {
			return 0
		}
		return int(v)
	}
	switch {
	case op.IsEscaped && op.Operator == 36:
		d.fdArray = arg(0)
	case op.IsEscaped && op.Operator == 37:
		d.fdSelect = arg(0)
	case !op.IsEscaped && op.Operator == 17:
		d.charStrings = arg(0)
	case !op.IsEscaped && op.Operator == 18:
		d.privateSize, d.privateAt = arg(1), arg(0)
	case !op.IsEscaped && op.Operator == 19:
		d.subrs = arg(0)
	}
	m.ArgStack.Clear()
	return nil
}

func readDict(b []byte) (*dict, error) {
	var r dictReader
	var m ps.Machine
	if err := m.Run(b, nil, nil, &r); err != nil {
		return nil, errCFF
	}
	return &r.dict, nil
}

// subroutines reads the local subroutines a font dictionary's private part
// points to, counted from that part.
func (d *dict) subroutines(table []byte) ([][]byte, error) {
	if d.privateSize == 0 {
		return nil, nil
	}
	if d.privateAt+d.privateSize > len(table) {
		return nil, errCFF
	}
	private, err := readDict(table[d.privateAt : d.privateAt+d.privateSize])
	if err != nil {
		return nil, err
	}
	if private.subrs == 0 {
		return nil, nil
	}
	if d.privateAt+private.subrs > len(table) {
		return nil, errCFF
	}
	list, _, err := readIndex(table[d.privateAt+private.subrs:])
	return list, err
}

// readSelect reads which font dictionary each glyph uses.
func readSelect(b []byte, glyphs int) ([]uint8, error) {
	if len(b) < 3 {
		return nil, errCFF
	}
	switch b[0] {
	case 0:
		if len(b) < 1+glyphs {
			return nil, errCFF
		}
		return b[1 : 1+glyphs], nil
	case 3:
		n := int(binary.BigEndian.Uint16(b[1:]))
		if len(b) < 3+3*n+2 {
			return nil, errCFF
		}
		out := make([]uint8, glyphs)
		for i := range n {
			r := b[3+3*i:]
			from, to := int(binary.BigEndian.Uint16(r)), int(binary.BigEndian.Uint16(r[3:]))
			for g := from; g < to && g < glyphs; g++ {
				out[g] = r[2]
			}
		}
		return out, nil
	}
	return nil, errCFF
}
