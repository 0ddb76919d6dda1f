package picture

import (
	"math"
	"sync"

	"postext/engine/unit"
)

// Inked is an SVG recoloured to tints of one ink (settings.md 28): a colour of
// relative luminance Y (WCAG 2.2) becomes the ink at the strength 1 − Y on white
// paper, so that black prints the ink itself and white stays paper. Opacities
// stay. A bitmap is returned as it is.
func (p *Picture) Inked(ink unit.Color) *Picture {
	if p.Drawing == nil {
		return p
	}
	out, d := *p, *p.Drawing
	d.Ops = inkedOps(d.Ops, ink)
	out.Drawing = &d
	out.Hash = (p.Hash ^ (uint64(ink.R)<<16 | uint64(ink.G)<<8 | uint64(ink.B) | 1<<24)) * 0x100000001b3
	return &out
}

func inkedOps(ops []Op, ink unit.Color) []Op {
	out := append([]Op(nil), ops...)
	for i := range out {
		o := &out[i]
		if o.Group != nil {
			o.Group = inkedOps(o.Group, ink)
		}
		o.Paint.Color = tint(o.Paint.Color, ink)
		if g := o.Paint.Gradient; g != nil {
			c := *g
			c.Stops = append([]Stop(nil), g.Stops...)
			for k := range c.Stops {
				c.Stops[k].Color = tint(c.Stops[k].Color, ink)
			}
			o.Paint.Gradient = &c
		}
	}
	return out
}

// tint is the ink at the strength of a colour's darkness.
func tint(c, ink unit.Color) unit.Color {
	l := light()
	y := (2126*l[c.R] + 7152*l[c.G] + 722*l[c.B]) / 10000 // of 65535
	part := func(v uint8) uint8 { return uint8(255 - ((255-int64(v))*(65535-y)+32767)/65535) }
	return unit.Color{R: part(ink.R), G: part(ink.G), B: part(ink.B), A: c.A}
}

// light is sRGB's curve from tone to light, in 1/65535.
var light = sync.OnceValue(func() *[256]int64 {
	var out [256]int64
	for i := range out {
		v := float64(i) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow(float64(v+0.055)/1.055, 2.4)
		}
		out[i] = int64(math.Round(float64(v * 65535)))
	}
	return &out
})
