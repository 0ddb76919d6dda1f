package sandbox

import (
	"fmt"
	"testing"

	"postext/book"
)

// What stands on its side is found where it is seen: a point of the turned caption
// leads to the caption, and its lines and boxes are those of the page.
func TestInspectPointOfATurnedFigure(t *testing.T) {
	b := smallBook()
	b.Chapters = b.Chapters[:1]
	b.Chapters[0].Markdown = "See :ref{id=\"plan\"}.\n"
	b.Resources = []*book.Resource{{ID: "plan", Kind: book.KindSVG, TypeID: "figure", Name: "plan.svg", Caption: "A plan of the apiary.",
		Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="300pt" height="100pt"/>`), Placement: &book.Placement{Rotate: "ccw"}}}
	s := typeset(t, b, nil)
	m := checked(t, s, "sandbox_inspect_pages", `{"chapter":1,"position":2,"lines":true}`)
	for i, part := range []string{"picture", "caption"} {
		box := within(t, m, "pages", 0, "floats", i, "box").(map[string]any)
		if within(t, m, "pages", 0, "floats", i, "rotate") != "ccw" || box["height"].(float64) < box["width"].(float64) {
			t.Errorf("the %s: %v", part, within(t, m, "pages", 0, "floats", i))
		}
	}
	line := within(t, m, "pages", 0, "floats", 1, "lineList", 0, "box").(map[string]any)
	x, y := line["x"].(float64)+line["width"].(float64)/2, line["y"].(float64)
	at := func(y float64) map[string]any {
		return checked(t, s, "sandbox_inspect_point", fmt.Sprintf(`{"chapter":1,"position":2,"x":%v,"y":%v}`, x, y))
	}
	low, high := at(y+line["height"].(float64)*0.95), at(y+line["height"].(float64)*0.05)
	for _, m := range []map[string]any{low, high} {
		if within(t, m, "resource", "id") != "plan" || within(t, m, "resource", "part") != "caption" || within(t, m, "block", "line") != 1.0 {
			t.Errorf("at the caption stands %v", m)
		}
	}
	if m := checked(t, s, "sandbox_inspect_point", fmt.Sprintf(`{"chapter":1,"position":2,"x":%v,"y":%v}`, x-0.1, y)); within(t, m, "resource", "part") != "picture" {
		t.Errorf("left of the caption stands %v", m)
	}
}
