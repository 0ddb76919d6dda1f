package font

import (
	"encoding/binary"
	"fmt"
	"sort"

	"postext/engine/font/brotli"
)

// WOFF2 (W3C Recommendation, 2022) packs the tables of a font in one Brotli
// stream, the outlines and the horizontal metrics taken apart so that they pack
// better. unpackWOFF2 puts a font together again as an ordinary SFNT file.

var woff2Tags = [63]string{
	"cmap", "head", "hhea", "hmtx", "maxp", "name", "OS/2", "post", "cvt ", "fpgm", "glyf", "loca", "prep", "CFF ", "VORG", "EBDT",
	"EBLC", "gasp", "hdmx", "kern", "LTSH", "PCLT", "VDMX", "vhea", "vmtx", "BASE", "GDEF", "GPOS", "GSUB", "EBSC", "JSTF", "MATH",
	"CBDT", "CBLC", "COLR", "CPAL", "SVG ", "sbix", "acnt", "avar", "bdat", "bloc", "bsln", "cvar", "fdsc", "feat", "fmtx", "fvar",
	"gvar", "hsty", "just", "lcar", "mort", "morx", "opbd", "prop", "trak", "Zapf", "Silf", "Glat", "Gloc", "Feat", "Sill",
}

// stream reads big-endian numbers; beyond its end it gives zeros and is bad.
type stream struct {
	data []byte
	bad  bool
}

func (s *stream) take(n int) []byte {
	if n < 0 || n > len(s.data) {
		s.bad = true
		return make([]byte, min(max(n, 0), 8))
	}
	out := s.data[:n:n]
	s.data = s.data[n:]
	return out
}

func (s *stream) u8() int    { return int(s.take(1)[0]) }
func (s *stream) u16() int   { return int(binary.BigEndian.Uint16(s.take(2))) }
func (s *stream) i16() int   { return int(int16(binary.BigEndian.Uint16(s.take(2)))) }
func (s *stream) u32() int64 { return int64(binary.BigEndian.Uint32(s.take(4))) }

// u128 is the UIntBase128 of the format, short the 255UInt16.
func (s *stream) u128() int64 {
	v := int64(0)
	for i := range 5 {
		b := s.u8()
		if i == 0 && b == 0x80 || v>>25 != 0 {
			break
		}
		v = v<<7 | int64(b&0x7f)
		if b < 0x80 {
			return v
		}
	}
	s.bad = true
	return 0
}

func (s *stream) short() int {
	switch c := s.u8(); c {
	case 253:
		return s.u16()
	case 254:
		return s.u8() + 506
	case 255:
		return s.u8() + 253
	default:
		return c
	}
}

type woffTable struct {
	tag       string
	transform bool
	size      int64 // as it is in the font
	packed    int64 // as it is in the stream
	data      []byte
}

type woffFont struct {
	flavor uint32
	tables []int
}

var errWOFF2 = fmt.Errorf("the WOFF2 file is damaged")

// unpackWOFF2 returns font number index of a WOFF2 file (0 where it holds one)
// as an SFNT file.
func unpackWOFF2(data []byte, index int) ([]byte, error) {
	s := &stream{data: data}
	if string(s.take(4)) != "wOF2" {
		return nil, errWOFF2
	}
	flavor := uint32(s.u32())
	s.take(4)
	n := s.u16()
	s.take(2 + 4)
	packed := s.u32()
	s.take(24)
	if s.bad || n == 0 || n > maxTables {
		return nil, errWOFF2
	}
	tables := make([]woffTable, n)
	total := int64(0)
	for i := range tables {
		t := &tables[i]
		f := s.u8()
		if f&63 == 63 {
			t.tag = string(s.take(4))
		} else {
			t.tag = woff2Tags[f&63]
		}
		t.size = s.u128()
		t.packed = t.size
		outline := t.tag == "glyf" || t.tag == "loca"
		version := f >> 6
		if outline && version != 3 || !outline && version != 0 {
			t.transform = true
			t.packed = s.u128()
			if t.tag == "loca" && t.packed != 0 || outline && version != 0 || !outline && (t.tag != "hmtx" || version != 1) {
				return nil, errWOFF2
			}
		}
		if total += t.packed; s.bad || total > maxFile || t.size > maxFile {
			return nil, fmt.Errorf("the font unpacks to more than %d MB", maxFile>>20)
		}
	}
	fonts := []woffFont{{flavor: flavor}}
	if flavor == 0x74746366 { // ttcf
		s.take(4)
		count := s.short()
		if s.bad || count == 0 || count > maxFonts {
			return nil, errWOFF2
		}
		fonts = make([]woffFont, count)
		for i := range fonts {
			k := s.short()
			fonts[i].flavor = uint32(s.u32())
			if s.bad || k == 0 || k > maxTables {
				return nil, errWOFF2
			}
			for range k {
				at := s.short()
				if s.bad || at >= n {
					return nil, errWOFF2
				}
				fonts[i].tables = append(fonts[i].tables, at)
			}
		}
	} else {
		for i := range n {
			fonts[0].tables = append(fonts[0].tables, i)
		}
	}
	if index < 0 || index >= len(fonts) {
		return nil, fmt.Errorf("the file holds %d fonts; there is no font %d", len(fonts), index+1)
	}
	if packed > int64(len(s.data)) {
		return nil, errWOFF2
	}
	raw, err := brotli.Decode(s.data[:packed], int(total))
	if err != nil {
		return nil, err
	}
	if int64(len(raw)) != total {
		return nil, errWOFF2
	}
	for i := range tables {
		t := &tables[i]
		t.data, raw = raw[:t.packed:t.packed], raw[t.packed:]
	}
	return fonts[index].sfnt(tables)
}

// sfnt builds the font file of one font.
func (f *woffFont) sfnt(tables []woffTable) ([]byte, error) {
	out := map[string][]byte{}
	var glyf, hmtx *woffTable
	for _, i := range f.tables {
		t := &tables[i]
		if _, twice := out[t.tag]; twice {
			return nil, errWOFF2
		}
		switch {
		case !t.transform:
		case t.tag == "glyf":
			glyf = t
		case t.tag == "hmtx":
			hmtx = t
		}
		out[t.tag] = t.data
	}
	var xMin []int16
	if glyf != nil {
		g, err := unpackGlyf(glyf.data)
		if err != nil {
			return nil, err
		}
		out["glyf"], out["loca"], xMin = g.glyf, g.loca, g.xMin
		head := append([]byte(nil), out["head"]...)
		if len(head) < 54 {
			return nil, errWOFF2
		}
		head[50], head[51] = 0, 1 // offsets are long
		out["head"] = head
	}
	if hmtx != nil {
		hhea := out["hhea"]
		if len(hhea) < 36 || xMin == nil {
			return nil, errWOFF2
		}
		m, err := unpackHmtx(hmtx.data, int(binary.BigEndian.Uint16(hhea[34:])), xMin)
		if err != nil {
			return nil, err
		}
		out["hmtx"] = m
	}
	return buildSFNT(f.flavor, out), nil
}

// buildSFNT writes a font file of tables, in the order of their tags.
func buildSFNT(flavor uint32, tables map[string][]byte) []byte {
	tags := make([]string, 0, len(tables))
	size := 12
	for tag, data := range tables {
		tags = append(tags, tag)
		size += 16 + (len(data)+3)&^3
	}
	sort.Strings(tags)
	be := binary.BigEndian
	out := make([]byte, 12+16*len(tags), size)
	be.PutUint32(out, flavor)
	n, log := len(tags), 0
	for 2<<log <= n {
		log++
	}
	be.PutUint16(out[4:], uint16(n))
	be.PutUint16(out[6:], uint16(16<<log))
	be.PutUint16(out[8:], uint16(log))
	be.PutUint16(out[10:], uint16(16*n-16<<log))
	sum := func(b []byte) (s uint32) {
		for ; len(b) >= 4; b = b[4:] {
			s += be.Uint32(b)
		}
		var last [4]byte
		copy(last[:], b)
		return s + be.Uint32(last[:])
	}
	headAt := -1
	for i, tag := range tags {
		data := tables[tag]
		at := len(out)
		out = append(out, data...)
		for len(out)&3 != 0 {
			out = append(out, 0)
		}
		if tag == "head" && len(data) >= 12 {
			headAt = at
			be.PutUint32(out[at+8:], 0)
		}
		e := out[12+16*i:]
		copy(e, tag)
		be.PutUint32(e[4:], sum(out[at:at+len(data)]))
		be.PutUint32(e[8:], uint32(at))
		be.PutUint32(e[12:], uint32(len(data)))
	}
	if headAt >= 0 {
		be.PutUint32(out[headAt+8:], 0xB1B0AFBA-sum(out))
	}
	return out
}

func unpackHmtx(data []byte, metrics int, xMin []int16) ([]byte, error) {
	s := &stream{data: data}
	flags := s.u8()
	if flags&^3 != 0 || flags == 0 || metrics < 1 || metrics > len(xMin) {
		return nil, errWOFF2
	}
	advances := s.take(2 * metrics)
	out := make([]byte, 0, 2*metrics+2*len(xMin))
	var left [2]*stream
	for i, n := range [...]int{metrics, len(xMin) - metrics} {
		if flags>>i&1 == 0 {
			left[i] = &stream{data: s.take(2 * n)}
		}
	}
	if s.bad {
		return nil, errWOFF2
	}
	for g, x := range xMin {
		part := 0
		if g >= metrics {
			part = 1
		}
		if left[part] != nil {
			x = int16(left[part].i16())
		}
		if part == 0 {
			out = append(out, advances[2*g], advances[2*g+1])
		}
		out = binary.BigEndian.AppendUint16(out, uint16(x))
	}
	return out, nil
}

// Extract returns one font of a file that holds several as a file of its own;
// other files are returned as they are.
func Extract(data []byte, index int) ([]byte, error) {
	switch {
	case len(data) > minFile && string(data[:8]) == "wOF2ttcf":
		return unpackWOFF2(data, index)
	case len(data) < minFile || string(data[:4]) != "ttcf":
		return data, nil
	}
	if err := checkDirectory(data); err != nil {
		return nil, err
	}
	be := binary.BigEndian
	if n := int(be.Uint32(data[8:])); index < 0 || index >= n {
		return nil, fmt.Errorf("the file holds %d fonts; there is no font %d", n, index+1)
	}
	at := int(be.Uint32(data[12+4*index:]))
	tables := map[string][]byte{}
	for i := range int(be.Uint16(data[at+4:])) {
		e := data[at+12+16*i:]
		from, size := int64(be.Uint32(e[8:])), int64(be.Uint32(e[12:]))
		if from+size > int64(len(data)) {
			return nil, errTruncated
		}
		tables[string(e[:4])] = data[from : from+size]
	}
	return buildSFNT(be.Uint32(data[at:]), tables), nil
}

// Format names the form of a font file: woff2, woff, otf, ttf or ttc; "" for
// something else.
func Format(data []byte) string {
	if len(data) < 4 {
		return ""
	}
	switch string(data[:4]) {
	case "wOF2":
		return "woff2"
	case "wOFF":
		return "woff"
	case "OTTO":
		return "otf"
	case "ttcf":
		return "ttc"
	case "\x00\x01\x00\x00", "true":
		return "ttf"
	}
	return ""
}
