package book

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Picture is what a picture file says of itself in its first bytes.
type Picture struct {
	Format string // png, jpeg, gif, webp, svg
	// Width and Height are pixels of a bitmap as it is to be seen (a photograph
	// turned by its camera is turned), points of an SVG; 0 for an SVG that gives
	// neither a size nor a viewBox.
	Width, Height float64
	// Resolution is the pixels per inch the file states, 0 for none; 72 and 96
	// are what programs write when they know none, and count as none
	// (sandbox.md 6.2).
	Resolution float64
}

// Limits of a bitmap: what is larger is refused by its header, before anything is
// decoded, when it is taken in and when a page is set. A pixel takes four bytes
// while it is sampled.
const (
	MaxPixels = 50_000_000
	MaxSide   = 30_000 // pixels
)

// CheckPixels refuses a bitmap that is too large to be set, or empty.
func CheckPixels(width, height int) error {
	switch {
	case width < 1 || height < 1:
		return errors.New("the picture has no width or no height")
	case width > MaxSide || height > MaxSide || int64(width)*int64(height) > MaxPixels:
		return fmt.Errorf("the picture has %d × %d pixels; at most %d a side and %d million in all are taken: scale it down", width, height, MaxSide, MaxPixels/1_000_000)
	}
	return nil
}

// Kind is the kind of resource the picture is.
func (p Picture) Kind() string {
	if p.Format == "svg" {
		return KindSVG
	}
	return KindBitmap
}

// Ext is the extension of the picture's files.
func (p Picture) Ext() string {
	if p.Format == "jpeg" {
		return ".jpg"
	}
	return "." + p.Format
}

// ReadPicture reads the header of a picture file. Content decides what it is,
// never a name. Only the header is read: a file it accepts may still be damaged.
func ReadPicture(data []byte) (Picture, error) {
	p := Picture{}
	ok := false
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		p.Format, ok = "png", p.png(data)
	case bytes.HasPrefix(data, []byte("\xFF\xD8\xFF")):
		p.Format, ok = "jpeg", p.jpeg(data)
	case bytes.HasPrefix(data, []byte("GIF87a")) || bytes.HasPrefix(data, []byte("GIF89a")):
		p.Format, ok = "gif", p.gif(data)
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		p.Format, ok = "webp", p.webp(data)
	default:
		if at := svgRoot(data); at >= 0 {
			p.Format, ok = "svg", true
			p.svg(string(data[at:min(len(data), at+maxTag)]))
		}
	}
	switch {
	case p.Format == "":
		return p, errors.New("it is no PNG, JPEG, WebP, GIF or SVG file")
	case !ok:
		return p, errors.New("its header is damaged: it is no whole " + strings.ToUpper(p.Format) + " file")
	case p.Format == "svg":
		return p, nil
	}
	if err := CheckPixels(int(min(p.Width, 1<<30)), int(min(p.Height, 1<<30))); err != nil {
		return p, err
	}
	if p.Resolution = math.Round(p.Resolution*100) / 100; p.Resolution == 72 || p.Resolution == 96 || p.Resolution < 1 || p.Resolution > 100_000 {
		p.Resolution = 0
	}
	return p, nil
}

func (p *Picture) size(w, h uint32) bool {
	p.Width, p.Height = float64(w), float64(h)
	return true
}

// png reads IHDR, and pHYs when it comes before the pixels.
func (p *Picture) png(d []byte) bool {
	if len(d) < 33 || string(d[12:16]) != "IHDR" || binary.BigEndian.Uint32(d[8:]) != 13 {
		return false
	}
	p.size(binary.BigEndian.Uint32(d[16:]), binary.BigEndian.Uint32(d[20:]))
	for at := uint64(33); at+8 <= uint64(len(d)); {
		n, name := uint64(binary.BigEndian.Uint32(d[at:])), string(d[at+4:at+8])
		if name == "IDAT" {
			break
		}
		if name == "pHYs" && n >= 9 && at+17 <= uint64(len(d)) && d[at+16] == 1 {
			p.Resolution = float64(float64(binary.BigEndian.Uint32(d[at+8:])) * 0.0254)
		}
		at += 12 + n
	}
	return true
}

func (p *Picture) gif(d []byte) bool {
	return len(d) >= 10 && p.size(uint32(binary.LittleEndian.Uint16(d[6:])), uint32(binary.LittleEndian.Uint16(d[8:])))
}

// webp reads the first chunk: VP8 (lossy), VP8L (lossless) or VP8X (extended).
func (p *Picture) webp(d []byte) bool {
	if len(d) < 30 {
		return false
	}
	switch string(d[12:16]) {
	case "VP8 ":
		if d[23] != 0x9d || d[24] != 0x01 || d[25] != 0x2a {
			return false
		}
		return p.size(uint32(binary.LittleEndian.Uint16(d[26:])&0x3fff), uint32(binary.LittleEndian.Uint16(d[28:])&0x3fff))
	case "VP8L":
		if d[20] != 0x2f {
			return false
		}
		v := binary.LittleEndian.Uint32(d[21:])
		return p.size(v&0x3fff+1, v>>14&0x3fff+1)
	case "VP8X":
		u24 := func(at int) uint32 { return uint32(d[at]) | uint32(d[at+1])<<8 | uint32(d[at+2])<<16 }
		return p.size(u24(24)+1, u24(27)+1)
	}
	return false
}

// jpeg reads the segments up to the frame header: the density of JFIF and of
// Exif, and Exif's orientation.
func (p *Picture) jpeg(d []byte) bool {
	turned := false
	for at := 2; at+4 <= len(d); {
		if d[at] != 0xFF {
			return false
		}
		marker := d[at+1]
		if marker == 0xFF { // fill
			at++
			continue
		}
		n := int(binary.BigEndian.Uint16(d[at+2:]))
		if n < 2 || at+2+n > len(d) {
			return false
		}
		body := d[at+4 : at+2+n]
		switch {
		case marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
			if len(body) < 5 {
				return false
			}
			h, w := uint32(binary.BigEndian.Uint16(body[1:])), uint32(binary.BigEndian.Uint16(body[3:]))
			if turned {
				w, h = h, w
			}
			return p.size(w, h)
		case marker == 0xE0 && len(body) >= 12 && string(body[:5]) == "JFIF\x00" && p.Resolution == 0:
			p.Resolution = perInch(float64(binary.BigEndian.Uint16(body[8:])), int(body[7]))
		case marker == 0xE1 && len(body) > 14 && string(body[:6]) == "Exif\x00\x00":
			orientation, density := exif(body[6:])
			turned = orientation >= 5 && orientation <= 8
			if density > 0 {
				p.Resolution = density
			}
		case marker == 0xDA || marker == 0xD9:
			return false // the picture begins without a frame header
		}
		at += 2 + n
	}
	return false
}

// perInch is a density in its unit (1 inches, 2 centimetres) per inch.
func perInch(v float64, unit int) float64 {
	switch unit {
	case 1:
		return v
	case 2:
		return float64(v * 2.54)
	}
	return 0
}

// exif reads orientation and density from the first directory of a TIFF
// structure.
func exif(d []byte) (orientation int, density float64) {
	var order binary.ByteOrder = binary.BigEndian
	if d[0] == 'I' {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(d[4:]))
	if at < 8 || at+2 > int64(len(d)) {
		return 0, 0
	}
	unit, x := 2, 0.0
	n := int64(order.Uint16(d[at:]))
	for i := int64(0); i < n && at+2+12*(i+1) <= int64(len(d)); i++ {
		e := d[at+2+12*i:]
		short := int(order.Uint16(e[8:]))
		switch order.Uint16(e) {
		case 0x0112:
			orientation = short
		case 0x0128:
			unit = short
		case 0x011A: // XResolution, a fraction elsewhere
			if k := int64(order.Uint32(e[8:])); k+8 <= int64(len(d)) {
				if den := order.Uint32(d[k+4:]); den != 0 {
					x = float64(order.Uint32(d[k:])) / float64(den)
				}
			}
		}
	}
	return orientation, perInch(x, unit-1)
}

// maxTag is how far into a file the root of an SVG is looked for, and how long
// its opening tag may be.
const maxTag = 64 << 10

// svgRoot is where the opening tag of an SVG's root begins, −1 when the file is
// none: before it only declarations, comments and white space may stand.
func svgRoot(data []byte) int {
	d := data[:min(len(data), maxTag)]
	at := 0
	if bytes.HasPrefix(d, []byte("\uFEFF")) {
		at = 3
	}
	skip := func(end string) bool {
		i := bytes.Index(d[at:], []byte(end))
		if i < 0 {
			return false
		}
		at += i + len(end)
		return true
	}
	for at < len(d) {
		rest := d[at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			at++
		case bytes.HasPrefix(rest, []byte("<!--")):
			if !skip("-->") {
				return -1
			}
		case bytes.HasPrefix(rest, []byte("<?")):
			if !skip("?>") {
				return -1
			}
		case bytes.HasPrefix(rest, []byte("<!")):
			// A document type may hold declarations in brackets.
			end, inner := bytes.IndexByte(rest, '>'), bytes.IndexByte(rest, '[')
			if inner >= 0 && inner < end && !skip("]") || !skip(">") {
				return -1
			}
		default:
			if rest[0] != '<' {
				return -1
			}
			name, _, _ := strings.Cut(string(rest[1:min(len(rest), 64)]), ">")
			if f := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" \t\r\n/", r) }); len(f) > 0 && (f[0] == "svg" || strings.HasSuffix(f[0], ":svg")) {
				return at
			}
			return -1
		}
	}
	return -1
}

// svg takes the size from width and height of the root, else from its viewBox.
// A number without a unit, and px, are taken as points.
func (p *Picture) svg(tag string) {
	attrs := rootAttributes(tag)
	w, okW := svgLength(attrs["width"])
	h, okH := svgLength(attrs["height"])
	box := strings.FieldsFunc(attrs["viewBox"], func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' || r == '\r' })
	var bw, bh float64
	if len(box) == 4 {
		bw, _ = svgLength(box[2])
		bh, _ = svgLength(box[3])
	}
	switch {
	case okW && okH:
	case okW && bw > 0 && bh > 0:
		h = float64(w*bh) / bw
	case okH && bw > 0 && bh > 0:
		w = float64(h*bw) / bh
	case bw > 0 && bh > 0:
		w, h = bw, bh
	default:
		return
	}
	p.Width, p.Height = w, h
}

// rootAttributes reads the attributes of an opening tag.
func rootAttributes(tag string) map[string]string {
	attrs := map[string]string{}
	i := strings.IndexAny(tag, " \t\r\n>")
	for i >= 0 && i < len(tag) {
		rest := strings.TrimLeft(tag[i:], " \t\r\n")
		eq := strings.IndexAny(rest, "=>")
		if eq < 0 || rest[eq] == '>' {
			break
		}
		name := strings.TrimSpace(rest[:eq])
		value := strings.TrimLeft(rest[eq+1:], " \t\r\n")
		if value == "" || value[0] != '"' && value[0] != '\'' {
			break
		}
		end := strings.IndexByte(value[1:], value[0])
		if end < 0 {
			break
		}
		if _, twice := attrs[name]; !twice {
			attrs[name] = value[1 : 1+end]
		}
		i = len(tag) - len(value) + end + 2
	}
	return attrs
}

// svgUnits are the absolute units of SVG in points.
var svgUnits = []struct {
	unit string
	pt   float64
}{{"mm", 72 / 25.4}, {"cm", 72 / 2.54}, {"in", 72}, {"pt", 1}, {"pc", 12}, {"px", 1}, {"", 1}}

// svgLength is a positive length in points; a percentage and units relative to a
// font are none.
func svgLength(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	for _, u := range svgUnits {
		if n, ok := strings.CutSuffix(s, u.unit); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(n), 64)
			return float64(v * u.pt), err == nil && v > 0 && v < 1e6
		}
	}
	return 0, false
}
