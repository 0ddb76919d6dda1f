package check

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"postext/book"
)

// pictureOf is a PNG of a size.
func pictureOf(t *testing.T, w, h int) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := png.Encode(&buf, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func table(rows ...int) *book.Table {
	var t book.Table
	for _, n := range rows {
		t.Rows = append(t.Rows, make([]book.Cell, n))
	}
	return &t
}

func bitmap(t *testing.T, w int, placement *book.Placement) *book.Resource {
	return &book.Resource{ID: "r", Kind: book.KindBitmap, Name: "r.png", Width: float64(w), Height: float64(w), Data: pictureOf(t, w, w), Resolution: 20, Placement: placement}
}

func film(url, source string, poster bool, t *testing.T) *book.Resource {
	r := &book.Resource{ID: "r", Kind: book.KindVideo, Video: &book.Video{Source: source, URL: url}}
	if poster {
		r.Poster = &book.File{Name: "p.png", Data: pictureOf(t, 64, 36)}
	}
	return r
}

// TestFigureKinds: the kinds of resources the text uses, each with a near miss.
func TestFigureKinds(t *testing.T) {
	const tube = "https://youtu.be/aaaaaaaaaaa"
	styled := table(2, 2)
	styled.StyleID = "none"
	for _, c := range []struct {
		kind      string
		bad, good *book.Resource
	}{
		{"raggedTableGrid", &book.Resource{ID: "r", Kind: book.KindTable, Table: table(3, 2)}, &book.Resource{ID: "r", Kind: book.KindTable, Table: table(2, 2)}},
		{"unknownTableStyle", &book.Resource{ID: "r", Kind: book.KindTable, Table: styled}, &book.Resource{ID: "r", Kind: book.KindTable, Table: table(2, 2)}},
		{"danglingTypeRef", &book.Resource{ID: "r", Kind: book.KindTable, TypeID: "map", Table: table(2, 2)}, &book.Resource{ID: "r", Kind: book.KindTable, TypeID: "table", Table: table(2, 2)}},
		{"bitmapTooSmall", bitmap(t, 40, nil), bitmap(t, 4000, nil)},
		{"missingImage", &book.Resource{ID: "r", Kind: book.KindBitmap, Name: "r.png", Data: []byte("no picture")}, bitmap(t, 4000, nil)},
		{"videoWithoutPoster", film(tube, "youtube", false, t), film(tube, "youtube", true, t)},
		{"videoUrlInvalid", film("https://youtu.be/", "youtube", true, t), film(tube, "youtube", true, t)},
		{"videoWithoutUrl", film("", "file", true, t), film("https://example.org/a.mp4", "file", true, t)},
	} {
		check := func(r *book.Resource) (*Report, []Warning) {
			b := one(`{}`, "See :ref{id=\"r\"}.\n\n::resource{id=\"r\"}\n")
			b.Resources = []*book.Resource{r}
			var k Checker
			rep := k.Check(laid(t, b))
			return rep, find(rep, c.kind)
		}
		r, ws := check(c.bad)
		if len(ws) != 1 || ws[0].Resource != "r" || ws[0].Chapter != 0 || ws[0].Start < 0 {
			t.Errorf("%s: %v", c.kind, names(r))
		}
		if _, ws := check(c.good); len(ws) > 0 {
			t.Errorf("near miss of %s: %s", c.kind, ws[0].Detail)
		}
	}
}

// TestChapterFrontmatterIgnored: only the first chapter's front matter counts.
func TestChapterFrontmatterIgnored(t *testing.T) {
	b := one(`{}`, "---\ntitle: T\n---\nx")
	b.Chapters = append(b.Chapters, &book.Chapter{ID: "b", Title: "B", Markdown: "---\ntitle: T\n---\nx"})
	var c Checker
	ws := find(c.Check(laid(t, b)), "chapterFrontmatterIgnored")
	if len(ws) != 1 || ws[0].Chapter != 1 || ws[0].Start != 0 || ws[0].End != 0 {
		t.Errorf("%+v", ws)
	}
}
