package sandbox

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"
)

// settings.md 5, tools.md 3: with crop marks the picture of a page shows its sheet,
// and whatever counts in fractions of the page counts in fractions of that picture:
// boxes, points, crops, the caret, the pages of the window. The text stands where it
// stood on the trimmed page, which trimmed: true still shows alone.
func TestPicturesAndPlacesAgreeWithCropMarks(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	id := s.cur.book.Chapters[0].ID
	rendered := func(args string) map[string]any {
		t.Helper()
		text := within(t, good(t, s, "sandbox_render_page", args), "content", 0, "text").(string)
		var v map[string]any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return within(t, v, "pages", 0).(map[string]any)
	}
	box := func() (trim any, size, first map[string]any) {
		t.Helper()
		p := within(t, good(t, s, "sandbox_inspect_pages", `{"position":1}`), "pages", 0).(map[string]any)
		for _, b := range p["blocks"].([]any) {
			if b.(map[string]any)["kind"] == "paragraph" {
				return p["trim"], p["size"].(map[string]any), b.(map[string]any)["box"].(map[string]any)
			}
		}
		t.Fatal("no paragraph on the page")
		return nil, nil, nil
	}
	trim, size, was := box()
	if trim != nil {
		t.Errorf("without crop marks the page is cut out of %v", trim)
	}
	w, h := size["width"].(float64), size["height"].(float64)
	caret := func() CaretPlace {
		t.Helper()
		c, err := s.Caret(t.Context(), id, 30)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	caretWas := caret()
	list, _, _ := s.PageList()
	keyWas, trimmedWas := list[0].Key, rendered(`{"position":1,"width":300,"trimmed":true}`)

	good(t, s, "sandbox_set_config", `{"changes":[{"path":"page.cutLines.enabled","value":true},{"path":"page.cutLines.bleed","value":"4mm"}]}`)
	const margin = 12. // 4 mm of bleed, 3 before a mark, 5 of the mark
	trim, size, is := box()
	if size["width"] != w+2*margin || size["height"] != h+2*margin {
		t.Errorf("the sheet of a page of %v × %v measures %v", w, h, size)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 2e-4 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	at := trim.(map[string]any)
	near("the page's left edge", at["x"].(float64), margin/(w+2*margin))
	near("the page's height", at["height"].(float64), h/(h+2*margin))
	near("the text's left edge", is["x"].(float64), (was["x"].(float64)*w+margin)/(w+2*margin))
	near("the text's head", is["y"].(float64), (was["y"].(float64)*h+margin)/(h+2*margin))
	near("the text's width", is["width"].(float64), was["width"].(float64)*w/(w+2*margin))
	near("the caret", caret().X, (caretWas.X*w+margin)/(w+2*margin))

	point := good(t, s, "sandbox_inspect_point", fmt.Sprintf(`{"position":1,"x":%v,"y":%v}`, is["x"].(float64)+.01, is["y"].(float64)+.005))
	if point["where"] != "text" || within(t, point, "block", "kind") != "paragraph" {
		t.Errorf("in the paragraph's box there is %v", point)
	}
	if corner := good(t, s, "sandbox_inspect_point", `{"position":1,"x":0.01,"y":0.01}`); corner["where"] != "outside" {
		t.Errorf("beyond the bleed a point is %v", corner["where"])
	}

	page := rendered(`{"position":1,"width":300}`)
	near("the picture's height in millimetres", within(t, page, "mm", "height").(float64), h+2*margin)
	near("the picture's trim", within(t, page, "trim", "x").(float64), at["x"].(float64))
	if cut := rendered(`{"position":1,"width":300,"trimmed":true}`); cut["bytes"] != trimmedWas["bytes"] || cut["trim"] != nil || within(t, cut, "mm", "width") != w {
		t.Errorf("trimmed, the page is %v, and was %v", cut, trimmedWas)
	}
	list, _, _ = s.PageList()
	near("the window's page", list[0].Width, math.Round((w+2*margin)/25.4*96*100)/100)
	if list[0].Key == keyWas {
		t.Error("the window does not paint the page anew")
	}
	key := list[0].Key
	good(t, s, "sandbox_set_config", `{"changes":[{"path":"page.cutLines.color","value":"#00a0e0"}]}`)
	if list, _, _ = s.PageList(); list[0].Key == key {
		t.Error("marks of another colour are not painted anew")
	}
}

// settings.md 36: debug.pageNegative shows the pages of the window in negative, as
// the view's own switch does; no answer and no cover is turned round by it.
func TestTheDesignMayShowPagesInNegative(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	id := s.cur.book.Chapters[0].ID
	corner := func() (shown byte, rendered any) {
		t.Helper()
		m, key, err := s.Paint(t.Context(), PaintRequest{Chapter: id, Position: 1, Width: 100})
		if err != nil {
			t.Fatal(err)
		}
		if pages, _, _ := s.PageList(); pages[0].Key != key {
			t.Errorf("the list says %s, the picture is %s", pages[0].Key, key)
		}
		return m.Pix[0], within(t, good(t, s, "sandbox_render_page", `{"position":1,"width":100}`), "content", 1, "data")
	}
	light, picture := corner()
	good(t, s, "sandbox_set_config", `{"changes":[{"path":"debug.pageNegative.enabled","value":true}]}`)
	dark, same := corner()
	if light != 255 || dark > 60 {
		t.Errorf("the paper is %d, in negative %d", light, dark)
	}
	if same != picture {
		t.Error("a tool's picture is in negative")
	}
}
