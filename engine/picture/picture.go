// Package picture reads pictures: PNG, JPEG, WebP and GIF (its first image) into
// pixels, SVG into a display list (svg.go), and paints both at the size asked
// for.
//
// What layout needs (size, orientation, resolution) is read from the file's
// header; nothing is decoded before it is painted, and what a header asks too
// much for is refused before memory is taken. The same file gives the same
// pixels natively and in wasm: sampling and colour are computed in integers.
//
// Colour: a profile of three primaries and tone curves, or of one grey curve
// (ICC.1:2010 8.3, 8.4), is converted to sRGB. Profiles made of tables are not;
// such a picture, like one in CMYK, is taken at its plain values and says so in
// Notes.
//
// A Picture is immutable and safe for concurrent use.
package picture

import (
	"errors"
	"fmt"
	"hash/fnv"

	"postext/book"
	"postext/engine/unit"
)

// maxBytes is the most bytes of a file; the limits of a bitmap's size are book's.
const maxBytes = 256 << 20

// ErrFormat is wrapped by the errors about files that are no picture we read.
var ErrFormat = errors.New("not a picture")

// Picture is a picture whose header has been read.
type Picture struct {
	// Format is "png", "jpeg", "webp", "gif" or "svg".
	Format string
	// Width and Height are pixels as seen (the orientation applied); for an SVG
	// the natural size in points, rounded up.
	Width, Height int
	// DPI is the resolution the file states, 0 when it states none. 72 and 96
	// are what programs write that know none; they count as none.
	DPI float64
	// Drawing is an SVG's display list, nil for a bitmap.
	Drawing *Drawing
	// Hash identifies the content.
	Hash uint64
	// Notes tell what of the file is not honoured.
	Notes []string
	// Missing are the font families an SVG names that could not be had.
	Missing []string

	data   []byte
	orient uint8 // of EXIF: 1 upright … 8
	color  *transform
}

// Options say how a file is read.
type Options struct {
	// Face gives faces for the text of an SVG; without it such text is left out.
	Face FaceFunc
	// Stop, when not nil, is asked now and then while an SVG is read; once it says
	// true Open gives up with ErrStopped.
	Stop func() bool
}

// ErrStopped is the error of a reading that was given up.
var ErrStopped = errors.New("the reading was stopped")

// Open reads a picture's header, or the whole of an SVG.
func Open(data []byte, o Options) (*Picture, error) {
	if len(data) > maxBytes {
		return nil, fmt.Errorf("the file has %d MB; at most %d are read", len(data)>>20, maxBytes>>20)
	}
	h := fnv.New64a()
	h.Write(data)
	p := &Picture{Hash: h.Sum64(), data: data, orient: 1}
	if looksLikeSVG(data) {
		p.Format = "svg"
		d, err := readSVG(data, o.Face, o.Stop)
		if err != nil {
			return nil, err
		}
		p.Drawing, p.Notes, p.Missing, p.data = d, d.notes, d.missing, nil
		p.Width, p.Height = int((d.W+unit.Pt-1)/unit.Pt), int((d.H+unit.Pt-1)/unit.Pt)
		return p, nil
	}
	head, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	w, ht := head.width, head.height
	if err := book.CheckPixels(w, ht); err != nil {
		return nil, err
	}
	p.Format, p.Width, p.Height, p.orient, p.DPI = head.format, w, ht, head.orient, head.dpi
	if p.orient >= 5 {
		p.Width, p.Height = ht, w
	}
	if d := p.DPI; d < 1 || d > 100_000 || d == 72 || d == 96 {
		p.DPI = 0
	}
	if len(head.icc) > 0 {
		var note string
		if p.color, note = readProfile(head.icc); note != "" {
			p.Notes = append(p.Notes, note)
		}
	}
	if head.cmyk {
		p.color = nil
		p.Notes = append(p.Notes, "its CMYK values are converted to RGB by formula, without a profile")
	}
	return p, nil
}

// Natural is the picture's size in points at a resolution in pixels to the inch;
// an SVG has its own.
func (p *Picture) Natural(dpi float64) (w, h unit.Sp) {
	if p.Drawing != nil {
		return p.Drawing.W, p.Drawing.H
	}
	if !(dpi > 0) {
		dpi = 300
	}
	size := func(px int) unit.Sp {
		return max(1, unit.FromPt(float64(float64(px)*72)/dpi))
	}
	return size(p.Width), size(p.Height)
}
