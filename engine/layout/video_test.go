package layout

import (
	"strings"
	"testing"

	qr "github.com/piglig/go-qr"

	"postext/book"
	"postext/engine/frame"
	"postext/engine/paint"
	"postext/engine/picture"
	"postext/engine/settings"
	"postext/engine/unit"
)

// The address print leads to: the video's page from its start; nothing for what
// names no video of its platform (document-format.md 14).
func TestVideoAddress(t *testing.T) {
	for _, c := range []struct{ source, url, want, problem string }{
		{"youtube", "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=x", "https://youtu.be/dQw4w9WgXcQ?t=12", ""},
		{"youtube", "https://youtu.be/dQw4w9WgXcQ?si=abc", "https://youtu.be/dQw4w9WgXcQ?t=12", ""},
		{"youtube", "m.youtube.com/shorts/dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcQ?t=12", ""},
		{"youtube", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcQ?t=12", ""},
		{"youtube", "https://www.youtube.com/@somebody", "", "videoUrlInvalid"},
		{"youtube", "https://example.org/watch?v=dQw4w9WgXcQ", "", "videoUrlInvalid"},
		{"youtube", "", "", "videoUrlInvalid"},
		{"vimeo", "https://vimeo.com/76979871", "https://vimeo.com/76979871#t=12s", ""},
		{"vimeo", "https://vimeo.com/76979871/abc123", "https://vimeo.com/76979871/abc123#t=12s", ""},
		{"vimeo", "https://player.vimeo.com/video/76979871?h=abc123", "https://vimeo.com/76979871/abc123#t=12s", ""},
		{"vimeo", "https://vimeo.com/about", "", "videoUrlInvalid"},
		{"file", "https://films.example.org/a.mp4", "https://films.example.org/a.mp4", ""},
		{"file", "", "", "videoWithoutUrl"},
		{"file", "javascript:alert(1)", "", "videoUrlInvalid"},
	} {
		got, problem := videoAddress(&book.Video{Source: c.source, URL: c.url, Start: 12.7})
		if got != c.want || problem != c.problem {
			t.Errorf("%s %q: %q %q, want %q %q", c.source, c.url, got, problem, c.want, c.problem)
		}
	}
}

// A printed QR code is read by a reader: what was drawn is decoded again, at every
// correction.
func TestQRCodeIsReadable(t *testing.T) {
	const address = "https://youtu.be/dQw4w9WgXcQ?t=12"
	for _, level := range []string{"L", "M", "Q", "H"} {
		svg := qrCode(address, &settings.QRCode{Correction: level, Quiet: 4, Color: unit.Color{A: 255}, Ground: unit.Color{R: 255, G: 255, B: 255, A: 255}}, 50*unit.Pt)
		p, err := picture.Open([]byte(svg), picture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		box := unit.Rect{W: 100 * unit.Pt, H: 100 * unit.Pt}
		page := &frame.Page{Width: box.W, Height: box.H, Floats: []*frame.Block{{Over: []frame.Item{{Box: box, Image: "q", Picture: p}}}}}
		var painter paint.Painter
		m, err := painter.Page(t.Context(), page, paint.Options{Width: 600})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := qr.Decode(m.RGBA()); err != nil || got != address {
			t.Errorf("%s: read %q, %v", level, got, err)
		}
	}
	if qrCode(strings.Repeat("x", 5000), &settings.QRCode{Correction: "H"}, unit.Pt) != "" {
		t.Error("a code for an address that fits none")
	}
}

// Merged cells that lie over others, or leave the table, are no rectangle
// (warnings.md 4.2).
func TestOverlappingCells(t *testing.T) {
	hidden := book.Cell{HiddenBy: &book.CellPlace{}}
	for _, c := range []struct {
		rows [][]book.Cell
		n    int
	}{
		{[][]book.Cell{{{}, {}}, {{}, {}}}, 0},
		{[][]book.Cell{{{ColSpan: 2}, hidden}, {{}, {}}}, 0},
		{[][]book.Cell{{{ColSpan: 2}, {}}, {{}, {}}}, 1},
		{[][]book.Cell{{{RowSpan: 2}, {}}, {{}, {}}}, 1},
		{[][]book.Cell{{{ColSpan: 3}, hidden}, {{}, {}}}, 1},
		{[][]book.Cell{{{}, {}}, {{RowSpan: 2}, {}}}, 1},
	} {
		if n, _, _ := overlaps(&book.Table{Rows: c.rows}, 2); n != c.n {
			t.Errorf("%v: %d, want %d", c.rows, n, c.n)
		}
	}
}
