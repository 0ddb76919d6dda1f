package font_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"postext/engine/font"
	"postext/engine/font/fonttest"
)

var plain font.Features

func ids(s *font.Shape) string {
	var b strings.Builder
	for _, g := range s.Glyphs {
		fmt.Fprintf(&b, "%d ", g.ID)
	}
	return b.String()
}

func TestMetrics(t *testing.T) {
	for _, c := range []struct {
		family                               string
		upem, asc, desc, capital, x, space32 int32
	}{
		{"EB Garamond", 1000, 1007, -298, 650, 400, 200},
		{"Open Sans", 2048, 2189, -600, 1462, 1096, 532},
		{"JetBrains Mono", 1000, 1020, -300, 730, 550, 600},
	} {
		f := fonttest.Face(t, c.family, 400, false)
		if f.UPem != c.upem || f.Ascent != c.asc || f.Descent != c.desc || f.CapHeight != c.capital || f.XHeight != c.x || f.Space != c.space32 {
			t.Errorf("%v: %d units, ascent %d, descent %d, capitals %d, x %d, space %d", f, f.UPem, f.Ascent, f.Descent, f.CapHeight, f.XHeight, f.Space)
		}
		if f.UnderlinePos >= 0 || f.UnderlineHeight <= 0 || f.StrikePos <= 0 || f.SupPos <= 0 || f.SubPos <= 0 || f.SubSize < f.UPem/4 {
			t.Errorf("%v: %+v", f, *f)
		}
	}
}

func TestOneShapeForEachWord(t *testing.T) {
	f := fonttest.Face(t, "EB Garamond", 400, false)
	text := "a chapter of words"
	a := f.Shape(text[2:9], plain)
	if b := f.Shape("chapter", plain); a != b {
		t.Error("the same word has two shapes")
	}
	if b := f.Shape("chapter", font.Features{SmallCaps: true}); a == b || ids(a) == ids(b) {
		t.Error("small capitals are the letters themselves")
	}
	if f.Shape("chapter", plain) != a {
		t.Error("another feature set drove the word out")
	}
	n := testing.AllocsPerRun(100, func() { f.Shape(text[2:9], plain) })
	if n != 0 {
		t.Errorf("a word in the cache allocates %v times", n)
	}
}

func TestCacheForgetsAndKeepsWhatIsInUse(t *testing.T) {
	f := fonttest.Face(t, "JetBrains Mono", 400, false)
	first := f.Shape("first", plain)
	seen := map[*font.Shape]bool{}
	for i := range 60_000 {
		s := f.Shape(fmt.Sprintf("w%d", i%50_000), plain)
		if i < 50 {
			seen[s] = true
		}
		if i%1000 == 0 && f.Shape("first", plain) != first {
			t.Fatalf("a word in use was forgotten after %d others", i)
		}
	}
}

func TestLigaturesAndKerning(t *testing.T) {
	f := fonttest.Face(t, "EB Garamond", 400, false)
	if s := f.Shape("office", plain); len(s.Glyphs) != 4 || s.Glyphs[2].Cluster != 4 {
		t.Errorf("office: %s", ids(s))
	}
	if s := f.Shape("office", font.Features{NoLigatures: true}); len(s.Glyphs) != 6 {
		t.Errorf("office without ligatures: %s", ids(s))
	}
	if a, b := f.Shape("AV", plain), f.Shape("AV", font.Features{NoKerning: true}); a.Advance >= b.Advance {
		t.Errorf("AV is %d wide, without kerning %d", a.Advance, b.Advance)
	}
	if a, b := f.Shape("123", font.Features{Figures: font.Lining}), f.Shape("123", font.Features{Figures: font.OldStyle}); ids(a) == ids(b) {
		t.Error("old-style figures are lining")
	}
	for _, s := range []*font.Shape{f.Shape("office", plain), f.Shape("Wörter", plain)} {
		sum := int32(0)
		for _, g := range s.Glyphs {
			sum += g.Advance
		}
		if sum != s.Advance {
			t.Errorf("%q: advance %d, sum %d", s.Text, s.Advance, sum)
		}
	}
	for tag, want := range map[string]bool{"smcp": true, "onum": true, "kern": true, "nope": false, "": false} {
		if f.HasFeature(tag) != want {
			t.Errorf("feature %q: %v", tag, !want)
		}
	}
}

// document-format.md 7.6, and default ignorables.
func TestSpacesAndInvisibleCharacters(t *testing.T) {
	for _, family := range []string{"EB Garamond", "Open Sans", "JetBrains Mono"} {
		f := fonttest.Face(t, family, 400, false)
		ab := f.Shape("a", plain).Advance + f.Shape("b", plain).Advance
		digit, _ := f.Glyph('0')
		for _, c := range []struct {
			between string
			want    int32
		}{
			{"\u00ad", 0}, {"\u2060", 0}, {"\u200b", 0}, {"\u200d", 0}, {"\ufeff", 0}, {"\x01", 0},
			{"\u00a0", f.Space}, {" ", f.Space}, {"\t", f.Space}, {"\u202f", f.Space / 2},
			{"\u2007", f.GlyphAdvance(digit)},
		} {
			s := f.Shape("a"+c.between+"b", plain)
			got := s.Advance - ab
			// A face with its own narrow or figure space keeps its width.
			if r := []rune(c.between)[0]; r == 0x202F || r == 0x2007 {
				if id, ok := f.Glyph(r); ok {
					c.want = f.GlyphAdvance(id)
				}
			}
			if got != c.want || s.Missing {
				t.Errorf("%s: %q is %d wide, want %d; missing %v", family, c.between, got, c.want, s.Missing)
			}
			if c.want == 0 && len(s.Glyphs) != 2 {
				t.Errorf("%s: %q leaves a glyph", family, c.between)
			}
			if !f.Has([]rune(c.between)[0]) {
				t.Errorf("%s: %q counts as missing", family, c.between)
			}
		}
	}
}

func TestMissingGlyphs(t *testing.T) {
	f := fonttest.Face(t, "EB Garamond", 400, false)
	if s := f.Shape("a日b", plain); !s.Missing || s.Glyphs[1].ID != 0 {
		t.Errorf("%s missing %v", ids(s), s.Missing)
	}
	for r, want := range map[rune]bool{'a': true, 'é': true, 'Ω': true, '日': false, 0x10FFFF: false, -1: false} {
		if f.Has(r) != want {
			t.Errorf("Has(%q) is %v", r, !want)
		}
	}
}

func TestRightToLeft(t *testing.T) {
	f := fonttest.Face(t, "Open Sans", 400, false)
	s := f.Shape("שלום", plain)
	if !s.RTL || s.Missing || s.Glyphs[0].Cluster != 6 {
		t.Errorf("Hebrew: %+v", s)
	}
	s = f.Shape("אב12", plain)
	if !s.RTL || len(s.Glyphs) != 4 || s.Glyphs[0].Cluster != 4 || s.Glyphs[1].Cluster != 5 || s.Glyphs[3].Cluster != 0 {
		t.Errorf("Hebrew with figures: %+v", s)
	}
	s = f.Shape("abcב", plain)
	if s.RTL || s.Glyphs[0].Cluster != 0 || s.Glyphs[3].Cluster != 3 {
		t.Errorf("Latin with Hebrew: %+v", s)
	}
	if s = f.Shape("abc", font.Features{Direction: font.RightToLeft}); !s.RTL || s.Glyphs[0].Cluster != 2 {
		t.Errorf("a Latin word said to run from right to left does not: %+v", s)
	}
	if s = f.Shape("(א)", font.Features{Direction: font.RightToLeft}); len(s.Glyphs) != 3 || s.Glyphs[0].ID != f.Shape("(", plain).Glyphs[0].ID || s.Glyphs[0].Cluster != 3 {
		t.Errorf("brackets are not mirrored: %+v", s)
	}
}

func TestStackFallsBackByCluster(t *testing.T) {
	garamond, sans := fonttest.Face(t, "EB Garamond", 400, false), fonttest.Face(t, "Open Sans", 400, false)
	st := font.Stack{Faces: []*font.Face{garamond, sans}}
	for _, c := range []struct{ text, want string }{
		{"plain", "E:plain"},
		{"aשb", "E:a O:ש E:b"},
		{"שלום", "O:שלום"},
		{"a日b", "E:a日b"},
		{"ש\u0301a", "O:ש\u0301 E:a"},
		{"e\u0301ש", "E:e\u0301 O:ש"},
	} {
		var got []string
		for _, s := range st.Shape(nil, c.text, plain) {
			got = append(got, s.Face.Family[:1]+":"+s.Text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: %v, want %s", c.text, got, c.want)
		}
	}
	var lacking []rune
	for _, s := range st.Shape(nil, "日a語ש", plain) {
		s.Lacking(func(_ int, r rune) { lacking = append(lacking, r) })
	}
	if string(lacking) != "日語" {
		t.Errorf("lacking %q", string(lacking))
	}
	if got := st.Shape(nil, "", plain); len(got) != 0 {
		t.Errorf("no text gives %v", got)
	}
}

func TestNearestWeight(t *testing.T) {
	for _, c := range []struct {
		have string
		want int
		it   bool
		find string
	}{
		{"300 400 700", 400, false, "400"},
		{"300 500 700", 400, false, "500"},
		{"300 700", 400, false, "300"},
		{"600 700", 450, false, "600"},
		{"450 500", 400, false, "450"},
		{"300 400", 500, false, "400"},
		{"200 400 600", 300, false, "200"},
		{"400 600", 300, false, "400"},
		{"400 600 800", 700, false, "800"},
		{"400 600", 700, false, "600"},
		{"400 700i", 700, false, "400"},
		{"400 400i 700", 700, true, "400i"},
		{"400", 700, true, "400"},
		{"", 400, false, ""},
	} {
		var styles []font.Style
		fields := strings.Fields(c.have)
		for _, s := range fields {
			var st font.Style
			if _, err := fmt.Sscanf(s, "%d", &st.Weight); err != nil {
				t.Fatal(err)
			}
			st.Italic = strings.HasSuffix(s, "i")
			styles = append(styles, st)
		}
		got := ""
		if i := font.Nearest(styles, c.want, c.it); i >= 0 {
			got = fields[i]
		}
		if got != c.find {
			t.Errorf("%d italic %v of %q is %q, want %q", c.want, c.it, c.have, got, c.find)
		}
	}
}

func TestSet(t *testing.T) {
	w := fonttest.World(t)
	var set font.Set
	var first *font.Face
	for _, it := range []bool{false, true} {
		file, err := w.Font(context.Background(), "eb-garamond", 400, it)
		if err != nil {
			t.Fatal(err)
		}
		f, err := set.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		again, err := set.Load(file)
		if err != nil || again != f {
			t.Errorf("loading twice gives two faces (%v)", err)
		}
		file.Data = append([]byte(nil), file.Data...)
		if again, err = set.Load(file); err != nil || again != f {
			t.Errorf("the same bytes elsewhere give two faces (%v)", err)
		}
		if first == nil {
			first = f
		}
	}
	if len(set.Faces()) != 2 || len(set.Families()) != 1 {
		t.Errorf("%d faces, families %v", len(set.Faces()), set.Families())
	}
	if f := set.Lookup("EB GARAMOND", 700, true); f == nil || !f.Italic || f.Weight != 400 {
		t.Errorf("bold italic: %v", f)
	}
	if set.Lookup("EBGaramond", 400, false) != first || set.Lookup("Garamond", 400, false) != nil {
		t.Error("lookup by name")
	}
	if _, err := set.Load(font.File{}); err == nil {
		t.Error("no bytes give a face")
	}
}

func TestKeyTellsFilesApart(t *testing.T) {
	a, b := fonttest.Face(t, "EB Garamond", 400, false), fonttest.Face(t, "EB Garamond", 400, true)
	c := fonttest.Face(t, "EB Garamond", 400, false)
	if a.Key == b.Key || a.Key != c.Key {
		t.Errorf("keys %x %x %x", a.Key, b.Key, c.Key)
	}
}

func TestOutlines(t *testing.T) {
	f := fonttest.Face(t, "EB Garamond", 400, false)
	id, _ := f.Glyph('H')
	o := f.Outline(id)
	if len(o.Segments) < 12 || o.Segments[0].Op != font.MoveTo {
		t.Fatalf("H has %d segments", len(o.Segments))
	}
	if h := o.MaxY / font.OutlineUnit; h < 640 || h > 660 {
		t.Errorf("H is %d high", h)
	}
	if o != f.Outline(id) {
		t.Error("the outline is not shared")
	}
	space, _ := f.Glyph(' ')
	for _, id := range []uint32{space, font.Invisible, 0xFFFF, 1 << 20} {
		if n := len(f.Outline(id).Segments); n != 0 {
			t.Errorf("glyph %d has %d segments", id, n)
		}
	}
}

// exercise does with a face what layout and paint do.
func exercise(f *font.Face) {
	for _, s := range []string{"office", "e\u0301 AV\u00ad12", "שלום", "क्षि", "مرحبا", strings.Repeat("fi", 200)} {
		for _, ft := range []font.Features{{}, {SmallCaps: true, Language: "tr", Figures: font.OldStyle, Fractions: true}} {
			for _, g := range f.Shape(s, ft).Glyphs {
				f.Outline(g.ID)
			}
		}
	}
	f.Hyphen(font.Features{})
}

func TestDamagedFontsAreSafe(t *testing.T) {
	for _, family := range []string{"JetBrains Mono", "EB Garamond"} {
		file, err := fonttest.World(t).Font(context.Background(), family, 400, false)
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(1, 2))
		for range 60 {
			data := append([]byte(nil), file.Data...)
			for range 1 + rnd.IntN(400) {
				data[rnd.IntN(len(data))] = byte(rnd.Uint32())
			}
			if f, err := font.Parse(data, "x", 400, false); err == nil {
				exercise(f)
			}
		}
		for range 20 { // only the directory and the tables' heads
			data := append([]byte(nil), file.Data...)
			for range 1 + rnd.IntN(6) {
				data[rnd.IntN(400)] = byte(rnd.Uint32())
			}
			if f, err := font.Parse(data, "x", 400, false); err == nil {
				exercise(f)
			}
		}
		for n := 0; n < len(file.Data); n += len(file.Data)/15 + 1 {
			if f, err := font.Parse(file.Data[:n], "x", 400, false); err == nil {
				exercise(f)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	file, err := fonttest.World(f).Font(context.Background(), "JetBrains Mono", 100, false)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file.Data)
	f.Add([]byte("wOFF" + strings.Repeat("\xff", 200)))
	f.Add([]byte("ttcf" + strings.Repeat("\x00\x01", 100)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if face, err := font.Parse(data, "x", 400, false); err == nil {
			exercise(face)
		}
	})
}

func FuzzShape(f *testing.F) {
	for _, s := range []string{"office", "\u0301", "a\u200d\u0301", "12שa", "\xff\xfe", "क्षि", "\u202e"} {
		f.Add(s, false)
	}
	face := fonttest.Face(f, "Open Sans", 400, false)
	dirs := map[bool]font.Features{false: {}, true: {Direction: font.RightToLeft}}
	f.Fuzz(func(t *testing.T, s string, rtl bool) {
		sh := face.Shape(s, dirs[rtl])
		for _, g := range sh.Glyphs {
			if g.Cluster < 0 || int(g.Cluster) >= len(s) {
				t.Fatalf("%q: cluster %d", s, g.Cluster)
			}
		}
	})
}

func BenchmarkShapeHit(b *testing.B) {
	f := fonttest.Face(b, "EB Garamond", 400, false)
	words := strings.Fields(strings.Repeat("the quick brown fox jumps over a lazy dog and runs away through the meadows ", 10))
	for _, w := range words {
		f.Shape(w, font.Features{Language: "en-us"})
	}
	ft := font.Features{Language: "en-us"}
	i := 0
	for b.Loop() {
		f.Shape(words[i], ft)
		if i++; i == len(words) {
			i = 0
		}
	}
}

func BenchmarkShapeMiss(b *testing.B) {
	f := fonttest.Face(b, "EB Garamond", 400, false)
	i := 0
	for b.Loop() {
		f.Shape(fmt.Sprintf("meadows%d", i), plain)
		i++
	}
}

func BenchmarkParse(b *testing.B) {
	file, err := fonttest.World(b).Font(context.Background(), "EB Garamond", 400, false)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := font.Parse(file.Data, file.Family, 400, false); err != nil {
			b.Fatal(err)
		}
	}
}
