package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
)

// maxProfile is the most bytes of a colour profile or EXIF block.
const maxProfile = 4 << 20

// header is what is known of a bitmap before it is decoded.
type header struct {
	format        string
	width, height int
	orient        uint8
	dpi           float64
	icc           []byte
	cmyk          bool
}

func readHeader(data []byte) (h header, err error) {
	h.orient = 1
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		h.format = "png"
		err = h.png(data[8:])
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		h.format = "jpeg"
		err = h.jpeg(data[2:])
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		h.format = "webp"
		err = h.webp(data[12:])
	case len(data) >= 10 && (string(data[:6]) == "GIF87a" || string(data[:6]) == "GIF89a"):
		h.format = "gif"
		h.width, h.height = int(binary.LittleEndian.Uint16(data[6:])), int(binary.LittleEndian.Uint16(data[8:]))
	default:
		return h, fmt.Errorf("%w: PNG, JPEG, WebP, GIF and SVG are read", ErrFormat)
	}
	if h.orient < 1 || h.orient > 8 {
		h.orient = 1
	}
	return h, err
}

// png walks the chunks up to the pixels.
func (h *header) png(b []byte) error {
	for len(b) >= 12 {
		n := binary.BigEndian.Uint32(b)
		name := string(b[4:8])
		if uint64(n)+12 > uint64(len(b)) {
			if name == "IDAT" && h.width > 0 {
				return nil // cut short; decoding will say so
			}
			break
		}
		c := b[8 : 8+n]
		switch name {
		case "IHDR":
			if n >= 8 {
				h.width, h.height = side(binary.BigEndian.Uint32(c)), side(binary.BigEndian.Uint32(c[4:]))
			}
		case "pHYs":
			if n == 9 && c[8] == 1 {
				h.dpi = float64(float64(binary.BigEndian.Uint32(c)) * 0.0254)
			}
		case "iCCP":
			h.icc = inflateProfile(c)
		case "eXIf":
			h.exif(c)
		case "IDAT", "IEND":
			if h.width == 0 {
				return fmt.Errorf("%w: the PNG has no header", ErrFormat)
			}
			return nil
		}
		b = b[12+n:]
	}
	return fmt.Errorf("%w: the PNG ends before its pixels", ErrFormat)
}

// side is a side's pixels, kept below what an int holds in wasm.
func side(v uint32) int { return int(min(v, 1<<30)) }

// inflateProfile reads an iCCP chunk: a name, a method, Deflate.
func inflateProfile(c []byte) []byte {
	k := bytes.IndexByte(c, 0)
	if k < 0 || k+2 > len(c) {
		return nil
	}
	z, err := zlib.NewReader(bytes.NewReader(c[k+2:]))
	if err != nil {
		return nil // a profile that cannot be read is none
	}
	out, err := io.ReadAll(io.LimitReader(z, maxProfile+1))
	if err != nil || len(out) > maxProfile {
		return nil
	}
	return out
}

// jpeg walks the markers up to the frame header.
func (h *header) jpeg(b []byte) error {
	var parts [256][]byte // of the profile, by number
	total := 0
	for len(b) >= 4 {
		if b[0] != 0xff {
			b = b[1:] // padding or rubbish between segments
			continue
		}
		m := b[1]
		if m == 0xff {
			b = b[1:]
			continue
		}
		if m == 0 || m == 1 || m >= 0xd0 && m <= 0xd8 {
			b = b[2:]
			continue
		}
		n := int(binary.BigEndian.Uint16(b[2:]))
		if m == 0xd9 || m == 0xda || n < 2 || n+2 > len(b) {
			break
		}
		c := b[4 : 2+n]
		switch {
		case m == 0xe0 && len(c) >= 12 && string(c[:5]) == "JFIF\x00":
			x := float64(binary.BigEndian.Uint16(c[8:]))
			switch c[7] {
			case 1:
				h.dpi = x
			case 2:
				h.dpi = float64(x * 2.54)
			}
		case m == 0xe1 && len(c) > 6 && string(c[:6]) == "Exif\x00\x00":
			h.exif(c[6:])
		case m == 0xe2 && len(c) > 14 && string(c[:12]) == "ICC_PROFILE\x00":
			if total += len(c) - 14; total <= maxProfile {
				parts[c[12]] = c[14:]
			}
		case m >= 0xc0 && m <= 0xcf && m != 0xc4 && m != 0xc8 && m != 0xcc:
			if len(c) < 6 {
				return fmt.Errorf("%w: the JPEG's frame header is too short", ErrFormat)
			}
			h.height, h.width = int(binary.BigEndian.Uint16(c[1:])), int(binary.BigEndian.Uint16(c[3:]))
			h.cmyk = c[5] == 4
			// Profiles stand before the frame; all parts are gathered.
			for i := range parts {
				h.icc = append(h.icc, parts[i]...)
			}
			return nil
		}
		b = b[2+n:]
	}
	return fmt.Errorf("%w: the JPEG has no frame header", ErrFormat)
}

// webp walks the RIFF chunks.
func (h *header) webp(b []byte) error {
	for len(b) >= 8 {
		name, n := string(b[:4]), uint64(binary.LittleEndian.Uint32(b[4:]))
		c := b[8:]
		if n < uint64(len(c)) {
			c = c[:n]
		}
		switch name {
		case "VP8X":
			if len(c) >= 10 {
				if c[0]&2 != 0 {
					return fmt.Errorf("%w: the WebP is animated; save one of its images", ErrFormat)
				}
				h.width, h.height = 1+int(uint32(c[4])|uint32(c[5])<<8|uint32(c[6])<<16), 1+int(uint32(c[7])|uint32(c[8])<<8|uint32(c[9])<<16)
			}
		case "VP8 ":
			if len(c) >= 10 && h.width == 0 {
				h.width, h.height = int(binary.LittleEndian.Uint16(c[6:])&0x3fff), int(binary.LittleEndian.Uint16(c[8:])&0x3fff)
			}
		case "VP8L":
			if len(c) >= 5 && h.width == 0 {
				v := binary.LittleEndian.Uint32(c[1:])
				h.width, h.height = 1+int(v&0x3fff), 1+int(v>>14&0x3fff)
			}
		case "ICCP":
			if len(c) <= maxProfile {
				h.icc = c
			}
		case "EXIF":
			h.exif(bytes.TrimPrefix(c, []byte("Exif\x00\x00")))
		}
		n += n & 1
		if n+8 > uint64(len(b)) {
			break
		}
		b = b[8+n:]
	}
	if h.width == 0 {
		return fmt.Errorf("%w: the WebP holds no image", ErrFormat)
	}
	return nil
}

// exif reads orientation and resolution from the first directory (EXIF 2.32,
// 4.6.4): a TIFF header, then entries of 12 bytes.
func (h *header) exif(b []byte) {
	if len(b) < 8 || len(b) > maxProfile {
		return
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(b[:2]) {
	case "MM":
		order = binary.BigEndian
	case "II":
	default:
		return
	}
	at := uint64(order.Uint32(b[4:]))
	if at+2 > uint64(len(b)) {
		return
	}
	n := int(order.Uint16(b[at:]))
	dpi, inches := 0.0, 1.0
	for e := at + 2; n > 0 && e+12 <= uint64(len(b)); e, n = e+12, n-1 {
		tag, typ, v := order.Uint16(b[e:]), order.Uint16(b[e+2:]), b[e+8:]
		switch {
		case tag == 0x0112 && typ == 3:
			h.orient = uint8(min(order.Uint16(v), 9))
		case tag == 0x0128 && typ == 3 && order.Uint16(v) == 3:
			inches = 2.54
		case tag == 0x011a && typ == 5:
			if off := uint64(order.Uint32(v)); off+8 <= uint64(len(b)) {
				if den := order.Uint32(b[off+4:]); den > 0 {
					dpi = float64(order.Uint32(b[off:])) / float64(den)
				}
			}
		}
	}
	if dpi > 0 {
		h.dpi = float64(dpi * inches)
	}
}
