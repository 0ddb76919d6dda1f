package font

import (
	"encoding/binary"
	"fmt"

	ot "github.com/go-text/typesetting/font/opentype"
)

// maxPoints is the most points a glyph may have, its components counted in.
const maxPoints = 1 << 16

// checkGlyf refuses a font with a TrueType glyph that expands to more than
// maxPoints points. A glyph may be made of others, twenty deep, so a file of a
// few kilobytes can describe a million million points; this counts them without
// expanding anything.
func checkGlyf(ld *ot.Loader) error {
	glyf, err := ld.RawTable(ot.MustNewTag("glyf"))
	if err != nil {
		return nil // no TrueType outlines
	}
	head, errHead := ld.RawTable(ot.MustNewTag("head"))
	loca, errLoca := ld.RawTable(ot.MustNewTag("loca"))
	if errHead != nil || errLoca != nil || len(head) < 54 {
		return nil // the reader has no outlines then either
	}
	long := binary.BigEndian.Uint16(head[50:]) != 0
	c := counter{glyf: glyf, loca: loca, long: long}
	c.cost = make([]int32, c.len())
	for id := range c.cost {
		if c.count(id, 0) > maxPoints {
			return fmt.Errorf("glyph %d of the font has more than %d points", id, maxPoints)
		}
	}
	return nil
}

type counter struct {
	glyf, loca []byte
	long       bool
	cost       []int32 // 0 unknown, -1 being counted, else points + 1
}

func (c *counter) len() int {
	if c.long {
		return max(0, min(len(c.loca)/4-1, 0x10000))
	}
	return max(0, min(len(c.loca)/2-1, 0x10000))
}

func (c *counter) glyph(id int) []byte {
	var from, to int
	if c.long {
		from, to = int(binary.BigEndian.Uint32(c.loca[4*id:])), int(binary.BigEndian.Uint32(c.loca[4*id+4:]))
	} else {
		from, to = 2*int(binary.BigEndian.Uint16(c.loca[2*id:])), 2*int(binary.BigEndian.Uint16(c.loca[2*id+2:]))
	}
	if from < 0 || from >= to || to > len(c.glyf) {
		return nil
	}
	return c.glyf[from:to]
}

func (c *counter) count(id, depth int) int32 {
	if id >= len(c.cost) || depth > 32 {
		return 1
	}
	switch v := c.cost[id]; {
	case v < 0: // a loop; the reader breaks it, but what it costs is unclear
		return maxPoints + 1
	case v > 0:
		return v
	}
	c.cost[id] = -1
	total := c.expand(c.glyph(id), depth)
	c.cost[id] = total
	return total
}

func (c *counter) expand(g []byte, depth int) int32 {
	if len(g) < 10 {
		return 1
	}
	contours := int(int16(binary.BigEndian.Uint16(g)))
	if contours >= 0 {
		if len(g) < 10+2*contours || contours == 0 {
			return 1
		}
		return int32(binary.BigEndian.Uint16(g[10+2*contours-2:])) + 2
	}
	total := int32(1)
	for g = g[10:]; len(g) >= 4; {
		flags := binary.BigEndian.Uint16(g)
		total += c.count(int(binary.BigEndian.Uint16(g[2:])), depth+1)
		if total > maxPoints {
			return maxPoints + 1
		}
		n := 6
		if flags&1 != 0 { // arguments are words
			n = 8
		}
		switch {
		case flags&8 != 0: // one scale
			n += 2
		case flags&0x40 != 0: // two scales
			n += 4
		case flags&0x80 != 0: // a matrix
			n += 8
		}
		if flags&0x20 == 0 || n > len(g) { // no more components
			break
		}
		g = g[n:]
	}
	return total
}
