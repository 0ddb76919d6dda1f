package book

import (
	"bytes"
	"encoding/json"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestResourcesKeepEveryFieldAndUnknownOnes(t *testing.T) {
	for _, text := range []string{
		`{"id":"hive","typeId":"figure","kind":"svg","file":"resources/hive.svg","pdfFile":"resources/hive.pdf","width":120,"height":80,"inlineFonts":false,"caption":"The *hive*","note":"Drawn in 1911","altText":"A hive","safeArea":{"x":0.1,"y":0,"width":0.5,"height":1},"placement":{"position":"top","span":"page","columns":2,"width":0.5,"align":"center","captionSide":true,"captionMeasure":"body","rotate":"ccw","shrink":"slot","minScale":0.6,"wrap":"left","wrapGap":{"value":4,"unit":"mm"},"citingPage":false,"later":[1,2]},"anchors":[{"who":"Ada"}]}`,
		`{"id":"photo","typeId":"figure","kind":"bitmap","file":"resources/photo.jpg","width":3000,"height":2000,"resolution":300,"fileResolution":240}`,
		`{"id":"prices","typeId":"table","kind":"table","caption":"Prices","table":{"model":{"rows":[[{"content":"Item","colSpan":2,"isHeader":true},{"content":"","hiddenBy":{"row":0,"col":0}}],[{"content":"Ink","align":"left","verticalAlign":"middle","background":"#ffeecc","image":{"resourceId":"photo","width":0.5}},{"content":"6 d","background":{"hex":"#112233","model":"hex","paletteId":"main"},"rot":90}]],"headerRowCount":1,"columnWidths":[2,1],"x":1},"styleId":"ruled","direction":"ltr","y":2}}`,
		`{"id":"talk","typeId":"video","kind":"video","file":"resources/talk.mp4","posterFile":"resources/talk.jpg","video":{"source":"file","url":"https://example.org/talk","format":"mp4","width":1920,"height":1080,"duration":63.5,"posterTime":2,"start":1,"end":60,"player":{"autoplay":false,"controls":true},"z":"kept"}}`,
	} {
		var r Resource
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(&r); err != nil || string(got) != text {
			t.Errorf("%v\nread  %s\nwrote %s", err, text, got)
		}
		if f := r.Faults(); f != nil {
			t.Errorf("%s: %v", r.ID, f)
		}
	}
}

func TestStorageFieldsOfResourcesAreNotWritten(t *testing.T) {
	var r Resource
	if err := json.Unmarshal([]byte(`{"id":"a","typeId":"figure","kind":"bitmap","createdAt":1,"updatedAt":2,"fileId":"x"}`), &r); err != nil {
		t.Fatal(err)
	}
	if got, _ := json.Marshal(&r); string(got) != `{"id":"a","typeId":"figure","kind":"bitmap"}` {
		t.Errorf("%s", got)
	}
}

func TestAWrongTypeNamesTheMember(t *testing.T) {
	for text, want := range map[string]string{
		`{"id":7}`: "id: it is a number, not a text",
		`{"id":"a","placement":{"width":"wide"}}`:                  "placement: width: it is a string, not a number",
		`{"id":"a","table":{"model":{"rows":[[{"colSpan":{}}]]}}}`: "colSpan",
		`{"id":"a","safeArea":[1]}`:                                "safeArea: it is a array, not an object",
	} {
		var r Resource
		if err := json.Unmarshal([]byte(text), &r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}

func TestFieldsOfResourcesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		`{"kind":"bitmap"}`:                                                                    "id is empty",
		`{"id":"a","kind":"sculpture"}`:                                                        "kind is one of bitmap, svg, table, video",
		`{"id":"a","kind":"svg","placement":{"position":"left"}}`:                              "placement.position is one of auto, top, bottom, here",
		`{"id":"a","kind":"svg","placement":{"width":1.5}}`:                                    "placement.width is 0.01 to 1",
		`{"id":"a","kind":"svg","safeArea":{"x":0.6,"y":0,"width":0.5,"height":1}}`:            "inside the picture",
		`{"id":"a","kind":"svg","safeArea":{"x":0,"y":0,"width":0.01,"height":1}}`:             "under 0.02",
		`{"id":"a","kind":"video","video":{"source":"vhs"}}`:                                   "video.source is one of youtube",
		`{"id":"a","kind":"video","video":{"start":5,"end":2}}`:                                "does not come after",
		`{"id":"a","kind":"table"}`:                                                            "table is missing",
		`{"id":"a","kind":"table","table":{"model":{"rows":[["a"],["b","c"]]}}}`:               "cells",
		`{"id":"a","kind":"table","table":{"model":{"rows":[[{"content":"a","colSpan":2}]]}}}`: "leads out",
	} {
		var r Resource
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Faults(), "; "); !strings.Contains(got, want) {
			t.Errorf("%s: %q; want %q", text, got, want)
		}
	}
}

func encoded(t *testing.T, f func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPicturesAreKnownByTheirContent(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 31, 17))
	pngs := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, m) })
	withDensity := append(append(append([]byte{}, pngs[:33]...), "\x00\x00\x00\x09pHYs\x00\x00\x2e\x23\x00\x00\x2e\x23\x01\x78\xa5\x3f\x76"...), pngs[33:]...)
	jpegs := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, m, nil) })
	jfif := append(append([]byte{}, "\xFF\xD8\xFF\xE0\x00\x10JFIF\x00\x01\x01\x01\x01\x2C\x01\x2C\x00\x00"...), jpegs[2:]...)
	screen := append(append([]byte{}, "\xFF\xD8\xFF\xE0\x00\x10JFIF\x00\x01\x01\x01\x00\x48\x00\x48\x00\x00"...), jpegs[2:]...)
	turned := append(append([]byte{}, "\xFF\xD8\xFF\xE1\x00\x22Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"...), jpegs[2:]...)
	for _, c := range []struct {
		name string
		data []byte
		want Picture
	}{
		{"png", pngs, Picture{"png", 31, 17, 0}},
		{"png of 300 ppi", withDensity, Picture{"png", 31, 17, 300}},
		{"jpeg", jpegs, Picture{"jpeg", 31, 17, 0}},
		{"jpeg of 300 ppi", jfif, Picture{"jpeg", 31, 17, 300}},
		{"jpeg of the screen's 72 ppi", screen, Picture{"jpeg", 31, 17, 0}},
		{"jpeg turned by its camera", turned, Picture{"jpeg", 17, 31, 0}},
		{"gif", encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, m, nil) }), Picture{"gif", 31, 17, 0}},
		{"lossy webp", []byte("RIFF\x24\x00\x00\x00WEBPVP8 \x18\x00\x00\x00\x30\x01\x00\x9d\x01\x2a\x1f\x00\x11\x00\x00\x00"), Picture{"webp", 31, 17, 0}},
		{"lossless webp", []byte("RIFF\x24\x00\x00\x00WEBPVP8L\x18\x00\x00\x00\x2f\x1e\x00\x04\x00\x00\x00\x00\x00\x00"), Picture{"webp", 31, 17, 0}},
		{"extended webp", []byte("RIFF\x24\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x1e\x00\x00\x10\x00\x00"), Picture{"webp", 31, 17, 0}},
		{"svg in points", []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="31" height="17pt">`), Picture{"svg", 31, 17, 0}},
		{"svg in inches", []byte("\uFEFF<?xml version=\"1.0\"?>\n<!-- made by hand -->\n<!DOCTYPE svg [ <!ENTITY a \"b\"> ]>\n<svg width='1in' height='0.5in'/>"), Picture{"svg", 72, 36, 0}},
		{"svg of a viewBox", []byte(`<svg viewBox="0,0 31 17"/>`), Picture{"svg", 31, 17, 0}},
		{"svg of one side", []byte(`<svg width="62" viewBox="0 0 31 17"/>`), Picture{"svg", 62, 34, 0}},
		{"svg in percent", []byte(`<svg width="100%" height="100%"/>`), Picture{"svg", 0, 0, 0}},
	} {
		got, err := ReadPicture(c.data)
		if err != nil || got != c.want {
			t.Errorf("%s: %v %v, want %v", c.name, got, err, c.want)
		}
	}
}

func TestPicturesRefused(t *testing.T) {
	bomb := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0DIHDR\x00\x00\xEA\x60\x00\x00\xEA\x60\x08\x00\x00\x00\x00\x00\x00\x00\x00")
	for data, want := range map[string]string{
		string(bomb):                     "60000 × 60000 pixels",
		"GIF89a\x00":                     "damaged",
		"\xFF\xD8\xFF\xD9":               "damaged",
		"%PDF-1.7":                       "no PNG",
		"<html><svg/></html>":            "no PNG",
		"<!-- <svg/> ":                   "no PNG",
		"":                               "no PNG",
		"GIF89a\x00\x00\x00\x00\x00\x00": "no width",
	} {
		if _, err := ReadPicture([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", data, err, want)
		}
	}
}

func FuzzReadPicture(f *testing.F) {
	for _, s := range []string{"\x89PNG\r\n\x1a\n", "\xFF\xD8\xFF\xE1\x00\x10Exif\x00\x00II*\x00\x08\x00\x00\x00", "GIF89a", "<svg width='1in' viewBox='0 0 1 1'>", "<!DOCTYPE a [>]><svg"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadPicture(data)
		if err == nil && (p.Width < 0 || p.Height < 0 || p.Format == "") {
			t.Fatal(p)
		}
	})
}

// shape draws a table: a letter for each cell by its content, the same letter in
// the places a merge covers.
func shape(tb *Table) string {
	var b strings.Builder
	for r, row := range tb.Rows {
		if r > 0 {
			b.WriteByte('/')
		}
		for c := range row {
			vr, vc := tb.visible(r, c)
			s := tb.Rows[vr][vc].Content
			if s == "" {
				s = "."
			}
			b.WriteString(strings.ReplaceAll(s, "\n", "+"))
			b.WriteByte(' ')
		}
	}
	return strings.ReplaceAll(b.String(), " /", "/")
}

func grid(t *testing.T, text string) *Table {
	t.Helper()
	var rows [][]Cell
	for line := range strings.SplitSeq(text, "/") {
		var row []Cell
		for s := range strings.FieldsSeq(line) {
			row = append(row, Cell{Content: s})
		}
		rows = append(rows, row)
	}
	tb, err := NewTable(rows, 1)
	if err != nil {
		t.Fatal(err)
	}
	return tb
}

func TestTableOperations(t *testing.T) {
	type op func(*Table) (*Table, error)
	insRow := func(at int) op { return func(t *Table) (*Table, error) { return t.InsertRow(at) } }
	delRow := func(at int) op { return func(t *Table) (*Table, error) { return t.DeleteRow(at) } }
	insCol := func(at int) op { return func(t *Table) (*Table, error) { return t.InsertColumn(at) } }
	delCol := func(at int) op { return func(t *Table) (*Table, error) { return t.DeleteColumn(at) } }
	merge := func(a, b, c, d int) op { return func(t *Table) (*Table, error) { return t.Merge(a, b, c, d) } }
	split := func(a, b int) op { return func(t *Table) (*Table, error) { return t.Split(a, b) } }
	const three = "a b c/d e f/g h i"
	for _, c := range []struct {
		name string
		ops  []op
		want string
	}{
		{"a row between rows", []op{insRow(1)}, "a b c/. . ./d e f/g h i "},
		{"a row at the end", []op{insRow(3)}, "a b c/d e f/g h i/. . . "},
		{"a column between columns", []op{insCol(1)}, "a . b c/d . e f/g . h i "},
		{"contents of a merge follow one another", []op{merge(0, 0, 1, 1)}, "a+b+d+e a+b+d+e c/a+b+d+e a+b+d+e f/g h i "},
		{"corners in any order", []op{merge(1, 1, 0, 0)}, "a+b+d+e a+b+d+e c/a+b+d+e a+b+d+e f/g h i "},
		{"a merge grows to whole merges", []op{merge(0, 0, 0, 1), merge(0, 1, 1, 1)}, "a+b+d+e a+b+d+e c/a+b+d+e a+b+d+e f/g h i "},
		{"split leaves the content in the first cell", []op{merge(0, 0, 1, 1), split(1, 1)}, "a+b+d+e . c/. . f/g h i "},
		{"a row into a merge", []op{merge(0, 0, 1, 0), insRow(1)}, "a+d b c/a+d . ./a+d e f/g h i "},
		{"a row above a merge", []op{merge(1, 0, 2, 0), insRow(1)}, "a b c/. . ./d+g e f/d+g h i "},
		{"a column into a merge", []op{merge(0, 0, 0, 1), insCol(1)}, "a+b a+b a+b c/d . e f/g . h i "},
		{"the first row of a merge goes", []op{merge(0, 0, 1, 1), delRow(0)}, "a+b+d+e a+b+d+e f/g h i "},
		{"the last row of a merge goes", []op{merge(0, 0, 1, 1), delRow(1)}, "a+b+d+e a+b+d+e c/g h i "},
		{"the first column of a merge goes", []op{merge(0, 0, 1, 1), delCol(0)}, "a+b+d+e c/a+b+d+e f/h i "},
		{"the last column of a merge goes", []op{merge(0, 1, 2, 2), delCol(2)}, "a b+c+e+f+h+i/d b+c+e+f+h+i/g b+c+e+f+h+i "},
		{"a row above moves a merge up", []op{merge(1, 1, 2, 2), delRow(0)}, "d e+f+h+i e+f+h+i/g e+f+h+i e+f+h+i "},
		{"a column before moves a merge", []op{merge(1, 1, 2, 2), delCol(0)}, "b c/e+f+h+i e+f+h+i/e+f+h+i e+f+h+i "},
	} {
		tb := grid(t, three)
		before := shape(tb)
		var err error
		for _, f := range c.ops {
			if tb, err = f(tb); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if why := tb.Fault(); why != "" {
				t.Fatalf("%s: %s", c.name, why)
			}
		}
		if got := shape(tb); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if fresh := shape(grid(t, three)); fresh != before {
			t.Errorf("%s changed its table", c.name)
		}
	}
}

func TestTableEditsThatCannotBe(t *testing.T) {
	one := grid(t, "a")
	for name, f := range map[string]func() error{
		"only row":    func() error { _, err := one.DeleteRow(0); return err },
		"only column": func() error { _, err := one.DeleteColumn(0); return err },
		"no row 3":    func() error { _, err := one.SetCell(2, 0, func(*Cell) {}); return err },
		"row at -1":   func() error { _, err := one.InsertRow(-1); return err },
		"one cell":    func() error { _, err := one.Merge(0, 0, 0, 0); return err },
		"no merge":    func() error { _, err := one.Split(0, 0); return err },
		"widths":      func() error { _, err := one.WithWidths([]float64{1, 2}); return err },
		"alignment":   func() error { _, err := one.SetCell(0, 0, func(c *Cell) { c.Align = "up" }); return err },
	} {
		if f() == nil {
			t.Errorf("%s is not refused", name)
		}
	}
}

func TestTableHeaderAndWidthsFollowRowsAndColumns(t *testing.T) {
	tb, err := grid(t, "a b c/d e f").WithWidths([]float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	n, _ := tb.InsertRow(0)
	if n.HeaderRows != 2 {
		t.Errorf("a row inserted in the header makes %d header rows", n.HeaderRows)
	}
	if n, _ = tb.InsertRow(1); n.HeaderRows != 1 {
		t.Errorf("a row inserted under the header makes %d header rows", n.HeaderRows)
	}
	if n, _ = tb.DeleteRow(0); n.HeaderRows != 0 {
		t.Errorf("the header row gone leaves %d", n.HeaderRows)
	}
	if n, _ = tb.InsertColumn(1); !reflect.DeepEqual(n.Widths, []float64{1, 2, 2, 3}) {
		t.Errorf("widths %v", n.Widths)
	}
	if n, _ = tb.DeleteColumn(0); !reflect.DeepEqual(n.Widths, []float64{2, 3}) {
		t.Errorf("widths %v", n.Widths)
	}
	if n, _ = tb.WithWidths(nil); n.Widths != nil {
		t.Errorf("equal widths are %v", n.Widths)
	}
}

func TestTablesFromRowsOfEitherForm(t *testing.T) {
	wide := Cell{Content: "w", ColSpan: 2}
	tall := Cell{Content: "t", RowSpan: 2}
	c := func(s string) Cell { return Cell{Content: s} }
	for _, x := range []struct {
		name string
		rows [][]Cell
		want string
	}{
		{"covered cells left out", [][]Cell{{wide, c("a")}, {c("b"), c("c"), c("d")}}, "w w a/b c d "},
		{"covered cells there", [][]Cell{{wide, c(""), c("a")}, {c("b"), c("c"), c("d")}}, "w w a/b c d "},
		{"a tall cell", [][]Cell{{tall, c("a")}, {c("b")}}, "t a/t b "},
		{"short rows are filled", [][]Cell{{c("a"), c("b")}, {c("c")}}, "a b/c . "},
	} {
		tb, err := NewTable(x.rows, 0)
		if err != nil || shape(tb) != x.want {
			t.Errorf("%s: %v %v", x.name, tb, err)
		}
	}
	for name, rows := range map[string][][]Cell{
		"none":        {},
		"out below":   {{tall}},
		"too wide":    {{{ColSpan: 600}}},
		"a huge span": {{{ColSpan: 1 << 40, RowSpan: 1}}},
	} {
		if tb, err := NewTable(rows, 0); err == nil {
			t.Errorf("%s: %v", name, tb)
		}
	}
}

func TestAnyTableEditsLeaveASoundTable(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		tb := grid(t, "a b c d/e f g h/i j k l/m n o p")
		for range 25 {
			rows, cols := len(tb.Rows), tb.Columns()
			var n *Table
			var err error
			switch r.IntN(6) {
			case 0:
				n, err = tb.InsertRow(r.IntN(rows + 1))
			case 1:
				n, err = tb.DeleteRow(r.IntN(rows))
			case 2:
				n, err = tb.InsertColumn(r.IntN(cols + 1))
			case 3:
				n, err = tb.DeleteColumn(r.IntN(cols))
			case 4:
				n, err = tb.Merge(r.IntN(rows), r.IntN(cols), r.IntN(rows), r.IntN(cols))
			case 5:
				n, err = tb.Split(r.IntN(rows), r.IntN(cols))
			}
			if err != nil {
				continue
			}
			if why := n.Fault(); why != "" {
				t.Fatalf("%s\nfrom %s\nto %s", why, shape(tb), shape(n))
			}
			tb = n
		}
	}
}

func TestPastedCells(t *testing.T) {
	for text, want := range map[string][][]string{
		"a\tb\nc\td\n":          {{"a", "b"}, {"c", "d"}},
		"a,b\r\nc,\"d, \"\"e\"": {{"a", "b"}, {"c", `d, "e`}},
		"a;b\nc;1,5":            {{"a", "b"}, {"c", "1,5"}},
		"one":                   {{"one"}},
	} {
		if got := ParseCells(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}
