package sandbox

import (
	"fmt"
	"testing"

	"postext/book"
)

// A cell is named alike by who looks and who changes: rows and columns from 1.
func TestThePointOfACellNamesItAsTableEditsDo(t *testing.T) {
	s := typeset(t, &book.Book{Name: "Prices", Language: "en", Chapters: []*book.Chapter{{ID: "c", Title: "Prices", Markdown: "# Prices\n\n::resource{id=\"prices\"}\n"}}}, nil)
	checked(t, s, "sandbox_save_resource", `{"id":"prices","table":{"rows":[["Item","Price"],["Bread","2 d"],["Ink","6 d"]]},"placement":{"position":"here"}}`)
	m := checked(t, s, "sandbox_inspect_pages", `{"position":1}`)
	cells := 0
	for _, list := range []string{"blocks", "floats"} {
		blocks, _ := m["pages"].([]any)[0].(map[string]any)[list].([]any)
		for _, b := range blocks {
			if b := b.(map[string]any); b["part"] == "cell" {
				cells++
				box := b["box"].(map[string]any)
				at := checked(t, s, "sandbox_inspect_point", fmt.Sprintf(`{"position":1,"x":%v,"y":%v}`,
					box["x"].(float64)+box["width"].(float64)/2, box["y"].(float64)+box["height"].(float64)/2))
				row, column := within(t, at, "resource", "row"), within(t, at, "resource", "column")
				checked(t, s, "sandbox_save_resource", fmt.Sprintf(`{"id":"prices","tableEdits":[{"action":"set_cell","row":%v,"column":%v,"cell":"%v changed"}]}`, row, column, b["text"]))
			}
		}
	}
	if cells != 6 {
		t.Fatalf("%d cells", cells)
	}
	table := within(t, checked(t, s, "sandbox_list_resources", `{"id":"prices"}`), "table", "rows")
	if got := fmt.Sprint(table); got != "[[Item changed Price changed] [Bread changed 2 d changed] [Ink changed 6 d changed]]" {
		t.Errorf("the cells are %s", got)
	}
}
