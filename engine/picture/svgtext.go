package picture

import (
	"slices"
	"strings"

	"postext/engine/font"
)

// maxRun bounds the characters of one piece of text.
const maxRun = 2000

// setter sets the text of one <text> element: pieces with one pen, in chunks
// that begin at each place given, each placed by its anchor.
type setter struct {
	b    *builder
	v    viewport
	m    matrix
	x, y float64
	out  []Op
	// The chunk under way.
	from   int // in out
	start  float64
	anchor string
	blank  bool // the last character was a space, or nothing has been set
}

func (b *builder) text(e *element, s style, m matrix, v viewport) []Op {
	t := &setter{b: b, v: v, m: m, blank: true, anchor: s.anchor}
	t.element(e, s, 0)
	t.endChunk()
	return t.out
}

// element sets an element's text and the elements inside it.
func (t *setter) element(e *element, s style, depth int) {
	if s.hidden || depth > 40 {
		return
	}
	if e.name == "textPath" {
		t.b.note("text along a path is set straight")
	}
	xs, ys := lengths(e.attr("x"), t.v.w, s.size), lengths(e.attr("y"), t.v.h, s.size)
	dx, dy := lengths(e.attr("dx"), t.v.w, s.size), lengths(e.attr("dy"), t.v.h, s.size)
	if len(xs) > 0 || len(ys) > 0 {
		t.endChunk()
		if len(xs) > 0 {
			t.x = xs[0]
		}
		if len(ys) > 0 {
			t.y = ys[0]
		}
		t.begin(s.anchor)
	}
	if len(dx) > 0 {
		t.x += dx[0]
	}
	if len(dy) > 0 {
		t.y += dy[0]
	}
	single := len(xs) > 1 || len(ys) > 1 // every character has a place of its own
	at := 0
	for _, k := range e.kids {
		if k.name != "" {
			if k.name == "tspan" || k.name == "a" || k.name == "textPath" {
				t.element(k, t.b.style(k, s), depth+1)
			}
			continue
		}
		text := t.collapse(k.text, s.preserve)
		if text == "" {
			continue
		}
		if !single {
			t.set(text, s)
			continue
		}
		for _, r := range text {
			if at > 0 && (at < len(xs) || at < len(ys)) {
				t.endChunk()
				if at < len(xs) {
					t.x = xs[at]
				}
				if at < len(ys) {
					t.y = ys[at]
				}
				t.begin(s.anchor)
			}
			at++
			t.set(string(r), s)
		}
	}
}

func lengths(s string, whole, em float64) []float64 {
	var out []float64
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' }) {
		v, ok := lengthIn(f, whole, em)
		if !ok || len(out) >= maxRun {
			break
		}
		out = append(out, v)
	}
	return out
}

// collapse reads white space as one space, at the beginning as none.
func (t *setter) collapse(s string, preserve bool) string {
	if len(s) > maxRun {
		s = strings.ToValidUTF8(s[:maxRun], "")
		t.b.note("a long text is cut")
	}
	if preserve {
		t.blank = false
		return strings.NewReplacer("\n", " ", "\t", " ", "\r", "").Replace(s)
	}
	var b strings.Builder
	for _, r := range s {
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
			if !t.blank {
				b.WriteByte(' ')
			}
			t.blank = true
			continue
		}
		t.blank = false
		b.WriteRune(r)
	}
	return b.String()
}

func (t *setter) begin(anchor string) {
	t.from, t.start, t.anchor = len(t.out), t.x, anchor
	t.blank = true
}

// endChunk moves the chunk by its anchor.
func (t *setter) endChunk() {
	w := t.x - t.start
	shift := 0.0
	switch t.anchor {
	case "middle":
		shift = -w / 2
	case "end":
		shift = -w
	}
	if shift != 0 {
		for i := t.from; i < len(t.out); i++ {
			t.out[i].Matrix = t.out[i].Matrix.mul(matrix{a: 1, d: 1, e: shift})
		}
	}
	t.from, t.start = len(t.out), t.x
}

// set sets a piece of text at the pen.
func (t *setter) set(text string, s style) {
	f := t.b.faceFor(&s)
	if f == nil {
		t.b.note("its text is left out: there is no font for it")
		return
	}
	k := s.size / float64(f.UPem)
	base := t.y - float64(s.shift*s.size)
	switch s.baseline {
	case "middle":
		base += float64(float64(f.XHeight)*k) / 2
	case "central":
		base += float64(float64(f.Ascent+f.Descent)*k) / 2
	case "hanging", "text-before-edge", "before-edge":
		base += float64(float64(f.Ascent)*k) * 0.8
	}
	var p path
	pen := 0.0
	shape := f.Shape(text, font.Features{})
	for _, g := range shape.Glyphs {
		if g.ID != font.Invisible {
			p.glyph(f.Outline(g.ID), pen+float64(float64(g.X)*k), float64(float64(-g.Y)*k), k/font.OutlineUnit)
		}
		pen += float64(float64(g.Advance)*k) + s.spacing
	}
	if len(p) > 0 {
		t.b.steps += len(p)
		t.out = append(t.out, t.b.painted(p, s, t.m.mul(matrix{a: 1, d: 1, e: t.x, f: base}), t.v)...)
	}
	t.x += pen
}

// glyph appends an outline at a place, k user units to an outline unit.
func (p *path) glyph(o *font.Outline, x, y, k float64) {
	at := func(q font.Point) (float64, float64) {
		return x + float64(float64(q.X)*k), y - float64(float64(q.Y)*k)
	}
	open := false
	for i := range o.Segments {
		s := &o.Segments[i]
		ax, ay := at(s.P[0])
		switch s.Op {
		case font.MoveTo:
			if open {
				p.close()
			}
			open = true
			p.move(ax, ay)
		case font.LineTo:
			p.line(ax, ay)
		case font.QuadTo:
			bx, by := at(s.P[1])
			p.quad(ax, ay, bx, by)
		case font.CubeTo:
			bx, by := at(s.P[1])
			cx, cy := at(s.P[2])
			p.cube(ax, ay, bx, by, cx, cy)
		}
	}
	if open {
		p.close()
	}
}

// faceFor finds the face of a style: the first family of its list that there is.
func (b *builder) faceFor(s *style) *font.Face {
	if b.face == nil {
		return nil
	}
	var fallback *font.Face
	names := strings.Split(s.family, ",")
	for _, n := range names[:min(len(names), 8)] {
		n = strings.Trim(strings.TrimSpace(n), `"'`)
		f, known := b.face(n, s.weight, s.italic)
		if known && f != nil {
			return f
		}
		if fallback == nil {
			fallback = f
		}
	}
	if first := strings.Trim(strings.TrimSpace(names[0]), `"'`); first != "" && !slices.Contains(b.d.missing, first) && len(b.d.missing) < 20 {
		b.d.missing = append(b.d.missing, first)
	}
	return fallback
}
