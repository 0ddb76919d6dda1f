package font

import (
	"math"

	otfont "github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
)

// OutlineUnit is the number of outline units in a font unit. Points between
// two control points and scaled components fall between whole font units.
const OutlineUnit = 64

// Op is what a segment of an outline does.
type Op uint8

// Outline operations; each contour begins with a MoveTo and is closed.
const (
	MoveTo Op = iota
	LineTo
	QuadTo
	CubeTo
)

// Point is a point of an outline, in 1/OutlineUnit font units; Y grows upwards.
type Point struct{ X, Y int32 }

// Segment is one step of an outline; To is the last point of P in use:
// P[0] for moves and lines, P[1] for quadratics, P[2] for cubics.
type Segment struct {
	Op Op
	P  [3]Point
}

// End is the point the segment ends at.
func (s *Segment) End() Point {
	switch s.Op {
	case QuadTo:
		return s.P[1]
	case CubeTo:
		return s.P[2]
	}
	return s.P[0]
}

// Outline is the path of one glyph, filled by the nonzero rule. Outlines are
// shared and must not be changed.
type Outline struct {
	Segments []Segment
	// Bounds of all points, control points included.
	MinX, MinY, MaxX, MaxY int32
}

// maxSegments are kept per face.
const maxSegments = 400_000

// Outline returns a glyph's path, empty for a glyph that paints nothing. It is
// safe for concurrent use.
func (f *Face) Outline(id uint32) *Outline {
	im := f.impl
	im.mu.Lock()
	defer im.mu.Unlock()
	if o := im.outlines[id]; o != nil {
		return o
	}
	o := f.outline(id)
	if im.segments += len(o.Segments) + 1; im.segments > maxSegments {
		clear(im.outlines)
		im.segments = len(o.Segments) + 1
	}
	im.outlines[id] = o
	return o
}

func (f *Face) outline(id uint32) (out *Outline) {
	out = &Outline{}
	if id > 0xFFFF {
		return out
	}
	defer func() {
		if recover() != nil { // damaged glyph data: nothing is drawn
			out = &Outline{}
		}
	}()
	g, ok := f.impl.drawing.GlyphDataOutline(otfont.GID(id))
	if !ok || len(g.Segments) > maxPoints {
		return out
	}
	limit := float64(16*f.UPem) * OutlineUnit
	out.Segments = make([]Segment, 0, len(g.Segments))
	for i := range g.Segments {
		in := &g.Segments[i]
		s := Segment{Op: Op(in.Op)}
		n := 1
		switch in.Op {
		case ot.SegmentOpQuadTo:
			n = 2
		case ot.SegmentOpCubeTo:
			n = 3
		}
		for k := range n {
			x, y := float64(in.Args[k].X)*OutlineUnit, float64(in.Args[k].Y)*OutlineUnit
			if !(math.Abs(x) <= limit && math.Abs(y) <= limit) {
				return &Outline{} // out of any reason, or NaN
			}
			p := Point{int32(math.Round(x)), int32(math.Round(y))}
			if len(out.Segments) == 0 && k == 0 {
				out.MinX, out.MaxX, out.MinY, out.MaxY = p.X, p.X, p.Y, p.Y
			}
			out.MinX, out.MaxX = min(out.MinX, p.X), max(out.MaxX, p.X)
			out.MinY, out.MaxY = min(out.MinY, p.Y), max(out.MaxY, p.Y)
			s.P[k] = p
		}
		out.Segments = append(out.Segments, s)
	}
	return out
}
