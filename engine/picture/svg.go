package picture

import (
	"fmt"
	"slices"
	"strings"

	"postext/engine/font"
	"postext/engine/unit"
)

// FaceFunc gives a face for a family an SVG names, at a weight and slant; known
// is false when another family had to stand in, and the face nil when there is
// none at all.
type FaceFunc func(family string, weight int, italic bool) (face *font.Face, known bool)

// Limits of a drawing. What is beyond is left out with a note.
const (
	maxOps   = 300_000
	maxUses  = 12 // use inside use
	maxMatch = 4_000_000
	maxSteps = 2_000_000 // of all paths
	askEvery = 1024      // elements between two calls of Stop
)

// clipKey names a clip as it stands in the drawing.
type clipKey struct {
	id string
	m  matrix
}

// builder turns the tree into a display list.
type builder struct {
	d     *Drawing
	face  FaceFunc
	ids   map[string]*element
	rules sheet
	work  int // rules tried
	ops   int
	steps int
	uses  int
	notes map[string]bool
	clips map[string]bool // being read, against circles
	made  map[clipKey]*Clip

	stop    func() bool
	asked   int
	stopped bool
}

// unwanted reports that the reading is given up.
func (b *builder) unwanted() bool {
	if b.asked++; b.stop != nil && !b.stopped && b.asked%askEvery == 0 {
		b.stopped = b.stop()
	}
	return b.stopped
}

// readSVG reads an SVG file.
func readSVG(data []byte, face FaceFunc, stop func() bool) (*Drawing, error) {
	if len(data) > maxSVG {
		return nil, fmt.Errorf("the SVG has %d MB; at most %d are read", len(data)>>20, maxSVG>>20)
	}
	stopped := false
	root := readXML(strings.ToValidUTF8(string(data), "\uFFFD"), func() bool {
		stopped = stop != nil && stop()
		return stopped
	})
	if stopped {
		return nil, ErrStopped
	}
	if root == nil {
		return nil, fmt.Errorf("%w: the file has no <svg> element", ErrFormat)
	}
	b := &builder{d: &Drawing{}, face: face, ids: map[string]*element{}, notes: map[string]bool{}, clips: map[string]bool{}, made: map[clipKey]*Clip{}, stop: stop}
	b.index(root)
	b.rules.sorted()
	s := b.style(root, initial())
	box := numbers(root.attr("viewBox"), 4)
	if len(box) < 4 || !(box[2] > 0 && box[3] > 0) {
		box = nil
	}
	size := func(name string, i int, other float64) float64 {
		whole := other
		if box != nil {
			whole = box[i]
		}
		if v, ok := lengthIn(root.attr(name), whole, s.size); ok && v > 0 {
			return v
		}
		return 0
	}
	w, h := size("width", 2, 300), size("height", 3, 150)
	switch {
	case w == 0 && h == 0 && box != nil:
		w, h = box[2], box[3]
	case w == 0 && box != nil:
		w = float64(h*box[2]) / box[3]
	case h == 0 && box != nil:
		h = float64(w*box[3]) / box[2]
	case w == 0 && h == 0:
		w, h = 300, 150
	case w == 0:
		w = float64(h * 2)
	case h == 0:
		h = w / 2
	}
	if !finite(w, h) || w > 1e6 || h > 1e6 || float64(w*2000) < h || float64(h*2000) < w {
		return nil, fmt.Errorf("the SVG measures %.4g × %.4g", w, h)
	}
	if box == nil {
		box = []float64{0, 0, w, h}
	}
	const px = 0.75 // points in a user unit of 1/96 inch
	b.d.W, b.d.H = max(1, unit.FromPt(float64(w*px))), max(1, unit.FromPt(float64(h*px)))
	m := viewMatrix(box, float64(w*px), float64(h*px), root.attr("preserveAspectRatio"))
	if b.d.Ops = b.children(root, s, m, viewport{box[2], box[3]}, 0); b.stopped {
		return nil, ErrStopped
	}
	return b.d, nil
}

// viewMatrix fits a view box into a viewport (SVG 2, 8.2).
func viewMatrix(box []float64, w, h float64, ratio string) matrix {
	sx, sy := w/box[2], h/box[3]
	f := strings.Fields(ratio)
	align := "xMidYMid"
	if len(f) > 0 && f[0] != "defer" {
		align = f[0]
	}
	var tx, ty float64
	if align != "none" {
		s := min(sx, sy)
		if len(f) > 1 && f[1] == "slice" {
			s = max(sx, sy)
		}
		sx, sy = s, s
		place := func(min, mid string, room float64) float64 {
			switch {
			case strings.Contains(align, min):
				return 0
			case strings.Contains(align, mid):
				return room / 2
			}
			return room
		}
		tx = place("xMin", "xMid", w-float64(s*box[2]))
		ty = place("YMin", "YMid", h-float64(s*box[3]))
	}
	return matrix{a: sx, d: sy, e: tx - float64(sx*box[0]), f: ty - float64(sy*box[1])}
}

// index finds ids and style sheets.
func (b *builder) index(e *element) {
	if id := e.attr("id"); id != "" && b.ids[id] == nil {
		b.ids[id] = e
	}
	if e.name == "style" {
		var css strings.Builder
		for _, k := range e.kids {
			css.WriteString(k.text)
		}
		b.rules.read(css.String())
		return
	}
	for _, k := range e.kids {
		b.index(k)
	}
}

// note records once that something is not painted.
func (b *builder) note(s string) {
	if !b.notes[s] && len(b.notes) < 20 {
		b.notes[s] = true
		b.d.notes = append(b.d.notes, s)
	}
}

// viewport is what percentages count of.
type viewport struct{ w, h float64 }

// target is the element a reference inside the file leads to; references out of
// it lead nowhere.
func (b *builder) target(href string) *element {
	id, ok := strings.CutPrefix(strings.TrimSpace(href), "#")
	if !ok {
		return nil
	}
	return b.ids[id]
}

// urlID reads url(#id).
func urlID(s string) (id, rest string, ok bool) {
	s, ok = strings.CutPrefix(strings.TrimSpace(s), "url(")
	if !ok {
		return "", "", false
	}
	id, rest, _ = strings.Cut(s, ")")
	id = strings.Trim(id, `"' `)
	id, ok = strings.CutPrefix(id, "#")
	return id, strings.TrimSpace(rest), ok
}

func (b *builder) children(e *element, s style, m matrix, v viewport, depth int) []Op {
	var out []Op
	for _, k := range e.kids {
		if k.name == "" {
			continue
		}
		out = append(out, b.element(k, s, m, v, depth+1)...)
	}
	return out
}

// element turns one element into steps.
func (b *builder) element(e *element, up style, m matrix, v viewport, depth int) []Op {
	if b.unwanted() {
		return nil
	}
	if b.ops > maxOps || b.steps > maxSteps || depth > maxNesting+40 {
		b.note("the drawing has more than is painted; the rest is left out")
		return nil
	}
	switch e.name {
	case "defs", "symbol", "clipPath", "mask", "marker", "pattern", "linearGradient", "radialGradient", "style", "title", "desc", "metadata", "script", "filter", "namedview", "font", "animate", "animateTransform", "set":
		return nil
	case "foreignObject", "image":
		b.note("<" + e.name + "> is left out")
		return nil
	}
	s := b.style(e, up)
	if s.hidden {
		return nil
	}
	if t := e.attr("transform"); t != "" {
		m = m.mul(transformOf(t))
	}
	if !finite(m.a, m.b, m.c, m.d, m.e, m.f) {
		return nil
	}
	var ops []Op
	switch e.name {
	case "g", "a":
		ops = b.children(e, s, m, v, depth)
	case "svg":
		ops = b.nested(e, s, m, v, depth, "", "")
	case "switch":
		for _, k := range e.kids {
			if k.name != "" && k.name != "foreignObject" {
				ops = b.element(k, s, m, v, depth+1)
				break
			}
		}
	case "use":
		ops = b.use(e, s, m, v, depth)
	case "text":
		ops = b.text(e, s, m, v)
	default:
		if p, ok := b.shape(e, s, v); ok {
			ops = b.painted(p, s, m, v)
		}
	}
	return b.grouped(ops, e, &s, m, v)
}

// grouped wraps an element's steps when it has an opacity or a clip.
func (b *builder) grouped(ops []Op, e *element, s *style, m matrix, v viewport) []Op {
	if len(ops) == 0 || s.opacity <= 0 {
		return nil
	}
	var clip *Clip
	if s.clip != "" {
		clip = b.clip(s.clip, ops, m, v)
	}
	if s.mask {
		b.note("masks and filters are left out")
	}
	if s.opacity >= 1 && clip == nil {
		return ops
	}
	if len(ops) == 1 && clip == nil && ops[0].Group == nil && ops[0].Paint.Gradient == nil {
		c := &ops[0].Paint.Color
		c.A = byteOf(float64(float64(c.A) * s.opacity))
		return ops
	}
	b.ops++
	return []Op{{Group: ops, Opacity: min(s.opacity, 1), Clip: clip}}
}

// nested sets an inner svg or a symbol in its viewport.
func (b *builder) nested(e *element, s style, m matrix, v viewport, depth int, width, height string) []Op {
	get := func(name, given string, whole float64) float64 {
		if given == "" {
			given = e.attr(name)
		}
		if x, ok := lengthIn(given, whole, s.size); ok && x > 0 {
			return x
		}
		return whole
	}
	w, h := get("width", width, v.w), get("height", height, v.h)
	if e.name == "svg" {
		x, _ := lengthIn(e.attr("x"), v.w, s.size)
		y, _ := lengthIn(e.attr("y"), v.h, s.size)
		m = m.mul(matrix{a: 1, d: 1, e: x, f: y})
	}
	box := numbers(e.attr("viewBox"), 4)
	if len(box) == 4 && box[2] > 0 && box[3] > 0 {
		m = m.mul(viewMatrix(box, w, h, e.attr("preserveAspectRatio")))
		v = viewport{box[2], box[3]}
	} else {
		v = viewport{w, h}
	}
	return b.children(e, s, m, v, depth)
}

// use paints an element of the same file again.
func (b *builder) use(e *element, s style, m matrix, v viewport, depth int) []Op {
	t := b.target(e.attr("href"))
	if t == nil || b.uses >= maxUses {
		return nil
	}
	b.uses++
	b.ops++
	defer func() { b.uses-- }()
	x, _ := lengthIn(e.attr("x"), v.w, s.size)
	y, _ := lengthIn(e.attr("y"), v.h, s.size)
	m = m.mul(matrix{a: 1, d: 1, e: x, f: y})
	if t.name == "symbol" || t.name == "svg" {
		in := b.style(t, s)
		if in.hidden {
			return nil
		}
		return b.grouped(b.nested(t, in, m, v, depth+1, e.attr("width"), e.attr("height")), t, &in, m, v)
	}
	return b.element(t, s, m, v, depth+1)
}

// shape gives the path of a basic shape.
func (b *builder) shape(e *element, s style, v viewport) (path, bool) {
	diag := float64(v.w+v.h) / 2
	get := func(name string, whole float64) float64 {
		x, _ := lengthIn(e.attr(name), whole, s.size)
		return x
	}
	var p path
	switch e.name {
	case "path":
		p = pathData(e.attr("d"))
	case "rect":
		w, h := get("width", v.w), get("height", v.h)
		if w <= 0 || h <= 0 {
			return nil, false
		}
		rx, okx := lengthIn(e.attr("rx"), v.w, s.size)
		ry, oky := lengthIn(e.attr("ry"), v.h, s.size)
		if !okx {
			rx = ry
		}
		if !oky {
			ry = rx
		}
		p.rect(get("x", v.w), get("y", v.h), w, h, rx, ry)
	case "circle":
		r := get("r", diag)
		if r <= 0 {
			return nil, false
		}
		p.ellipse(get("cx", v.w), get("cy", v.h), r, r)
	case "ellipse":
		rx, ry := get("rx", v.w), get("ry", v.h)
		if rx <= 0 || ry <= 0 {
			return nil, false
		}
		p.ellipse(get("cx", v.w), get("cy", v.h), rx, ry)
	case "line":
		p.move(get("x1", v.w), get("y1", v.h))
		p.line(get("x2", v.w), get("y2", v.h))
	case "polyline", "polygon":
		n := numbers(e.attr("points"), 2*maxPath)
		for i := 0; i+1 < len(n); i += 2 {
			if i == 0 {
				p.move(n[0], n[1])
			} else {
				p.line(n[i], n[i+1])
			}
		}
		if len(p) > 0 && e.name == "polygon" {
			p.close()
		}
	default:
		return nil, false
	}
	for i := range p {
		if !finite(p[i].p[:]...) {
			return nil, false
		}
	}
	b.steps += len(p)
	return p, len(p) > 0
}

// painted gives the fill and the stroke of a path.
func (b *builder) painted(p path, s style, m matrix, v viewport) []Op {
	if s.invisible {
		return nil
	}
	var out []Op
	if c, ok := b.paint(s.fill, s.fillOpacity, &s, p); ok {
		out = append(out, Op{Path: p, Matrix: m, Paint: c, EvenOdd: s.evenOdd})
	}
	if s.stroke != "" && s.strokeWidth > 0 {
		if c, ok := b.paint(s.stroke, s.strokeOpacity, &s, p); ok {
			out = append(out, Op{Path: p, Matrix: m, Paint: c, Stroke: &Stroke{Width: s.strokeWidth, Cap: s.cap, Join: s.join, Miter: s.miter,
				Dashes: s.dashes, Offset: s.dashOffset}})
			if s.markers {
				b.note("markers (arrow heads) are left out")
			}
		}
	}
	b.ops += len(out)
	return out
}

// paint reads a paint value; false when nothing is painted.
func (b *builder) paint(value string, opacity float64, s *style, p path) (Paint, bool) {
	if id, rest, ok := urlID(value); ok {
		if t := b.ids[id]; t != nil && (t.name == "linearGradient" || t.name == "radialGradient") {
			if g, c, ok := b.gradient(t, opacity, s, p); ok {
				return Paint{Gradient: g, Color: c}, true
			}
			return Paint{}, false
		}
		if b.ids[id] != nil {
			b.note("patterns are left out")
		}
		if value = rest; value == "" {
			return Paint{}, false
		}
	}
	switch value {
	case "", "none":
		return Paint{}, false
	case "currentColor", "currentcolor":
		value = s.color
	}
	c, ok := colour(value)
	if !ok {
		return Paint{}, false
	}
	c.A = byteOf(float64(float64(c.A) * opacity))
	return Paint{Color: c}, c.A > 0
}

// gradient reads a gradient; a single stop is a colour.
func (b *builder) gradient(e *element, opacity float64, s *style, p path) (*Gradient, unit.Color, bool) {
	// A gradient takes what it does not say from the one it refers to.
	chain := []*element{e}
	for t := b.target(e.attr("href")); t != nil && len(chain) < 10 && !slices.Contains(chain, t); t = b.target(t.attr("href")) {
		chain = append(chain, t)
	}
	get := func(name string) string {
		for _, c := range chain {
			if v := c.attr(name); v != "" {
				return v
			}
		}
		return ""
	}
	g := &Gradient{Radial: e.name == "radialGradient", Matrix: unity}
	for _, c := range chain {
		for _, k := range c.kids {
			if k.name != "stop" || len(g.Stops) >= 200 {
				continue
			}
			st := b.style(k, *s)
			at, _ := lengthIn(k.attr("offset"), 1, 1)
			at = min(max(at, 0), 1)
			if n := len(g.Stops); n > 0 {
				at = max(at, g.Stops[n-1].At)
			}
			col := st.stopColor
			if col == "currentColor" {
				col = st.color
			}
			cc, ok := colour(col)
			if !ok {
				cc = unit.Black
			}
			cc.A = byteOf(float64(float64(float64(cc.A)*st.stopOpacity) * opacity))
			g.Stops = append(g.Stops, Stop{at, cc})
		}
		if len(g.Stops) > 0 {
			break
		}
	}
	if len(g.Stops) == 0 {
		return nil, unit.Color{}, false
	}
	last := g.Stops[len(g.Stops)-1].Color
	if len(g.Stops) == 1 {
		return nil, last, last.A > 0
	}
	switch get("spreadMethod") {
	case "reflect":
		g.Spread = spreadReflect
	case "repeat":
		g.Spread = spreadRepeat
	}
	user := get("gradientUnits") == "userSpaceOnUse"
	num := func(name string, def float64) float64 {
		v := get(name)
		if v == "" {
			return def
		}
		x, _ := lengthIn(v, 1, s.size)
		return x
	}
	if !user {
		x0, y0, x1, y1, ok := p.bounds()
		if !ok || x1 == x0 || y1 == y0 {
			return nil, last, last.A > 0
		}
		g.Matrix = matrix{a: x1 - x0, d: y1 - y0, e: x0, f: y0}
	}
	if t := get("gradientTransform"); t != "" {
		g.Matrix = g.Matrix.mul(transformOf(t))
	}
	if g.Radial {
		g.X2, g.Y2, g.R = num("cx", 0.5), num("cy", 0.5), num("r", 0.5)
		g.X1, g.Y1 = num("fx", g.X2), num("fy", g.Y2)
		if g.R <= 0 {
			return nil, last, last.A > 0
		}
	} else {
		g.X1, g.Y1, g.X2, g.Y2 = num("x1", 0), num("y1", 0), num("x2", 1), num("y2", 0)
		if g.X1 == g.X2 && g.Y1 == g.Y2 {
			return nil, last, last.A > 0
		}
	}
	return g, last, true
}

// clip reads a clipPath.
func (b *builder) clip(id string, ops []Op, m matrix, v viewport) *Clip {
	e := b.ids[id]
	if e == nil || e.name != "clipPath" || b.clips[id] {
		return nil
	}
	if c := b.made[clipKey{id, m}]; c != nil {
		return c
	}
	key := clipKey{id, m}
	b.clips[id] = true
	defer delete(b.clips, id)
	s := b.style(e, initial())
	if e.attr("clipPathUnits") == "objectBoundingBox" {
		box, ok := boundsOf(ops)
		if !ok {
			return nil
		}
		m = m.mul(box)
		key.m = m
	}
	if t := e.attr("transform"); t != "" {
		m = m.mul(transformOf(t))
	}
	c := &Clip{}
	for _, k := range e.kids {
		if k.name == "" {
			continue
		}
		// What clips is the shape, whatever its paint.
		in := b.style(k, s)
		in.fill, in.stroke, in.fillOpacity, in.evenOdd = "#000", "", 1, in.clipEvenOdd
		km := m
		if t := k.attr("transform"); t != "" {
			km = km.mul(transformOf(t))
		}
		switch {
		case in.hidden:
		case k.name == "use":
			if t := b.target(k.attr("href")); t != nil {
				x, _ := lengthIn(k.attr("x"), v.w, in.size)
				y, _ := lengthIn(k.attr("y"), v.h, in.size)
				if p, ok := b.shape(t, in, v); ok {
					c.Ops = append(c.Ops, Op{Path: p, Matrix: km.mul(matrix{a: 1, d: 1, e: x, f: y}).mul(transformOf(t.attr("transform"))), EvenOdd: in.evenOdd, Paint: Paint{Color: unit.Black}})
				}
			}
		case k.name == "text":
			c.Ops = append(c.Ops, b.text(k, in, km, v)...)
		default:
			if p, ok := b.shape(k, in, v); ok {
				c.Ops = append(c.Ops, Op{Path: p, Matrix: km, EvenOdd: in.evenOdd, Paint: Paint{Color: unit.Black}})
			}
		}
	}
	b.ops += len(c.Ops) + 1
	if s.clip != "" && s.clip != id {
		c.Outer = b.clip(s.clip, ops, m, v)
	}
	b.made[key] = c
	return c
}

// boundsOf is the matrix from the unit square to the box of the steps in the
// units of the first.
func boundsOf(ops []Op) (m matrix, ok bool) {
	if len(ops) == 0 || ops[0].Group != nil {
		return m, false
	}
	x0, y0, x1, y1, ok := ops[0].Path.bounds()
	return matrix{a: x1 - x0, d: y1 - y0, e: x0, f: y0}, ok
}
