package sandbox

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"postext/book"
	"postext/bridge"
)

// Tables as tools write them: rows of texts, or of cells with formatting, and
// rows and columns counted from 1.

// tableForm is a table in the form of sandbox_save_resource's table.
type tableForm struct {
	Rows         [][]cellArg `json:"rows" doc:"cells under a merge are left out or \"\""`
	HeaderRows   *int        `json:"headerRows,omitempty" min:"0" doc:"1 when left out of a new table"`
	ColumnWidths *[]float64  `json:"columnWidths,omitempty" doc:"weights; [] makes them equal"`
	StyleID      *string     `json:"styleId,omitempty" maxLen:"100" doc:"a table style; \"\" is the document's"`
}

// cellArg is a cell: its text, or an object in the form a book stores.
type cellArg struct{ raw json.RawMessage }

// SchemaJSON gives the schema of a cell.
func (cellArg) SchemaJSON() string {
	return `{"type":["string","object"],"properties":{"content":{"type":"string"},"colSpan":{"type":"integer"},"rowSpan":{"type":"integer"},"align":{"enum":["left","center","right","start","end",null]},"verticalAlign":{"enum":["top","middle","bottom",null]},"background":{"type":["string","object","null"]},"isHeader":{"type":"boolean"},"image":{"type":["object","null"]}},"additionalProperties":false}`
}

// UnmarshalJSON keeps the cell as written.
func (c *cellArg) UnmarshalJSON(data []byte) error {
	c.raw = bytes.Clone(data)
	return nil
}

// MarshalJSON writes it.
func (c cellArg) MarshalJSON() ([]byte, error) {
	if c.raw == nil {
		return []byte(`""`), nil
	}
	return c.raw, nil
}

// cellMembers are what a cell may have; hiddenBy follows from the merges.
var cellMembers = []string{"content", "colSpan", "rowSpan", "align", "verticalAlign", "background", "isHeader", "image"}

// cell reads a new cell.
func (c cellArg) cell() (book.Cell, error) {
	var cell book.Cell
	var members map[string]json.RawMessage
	if len(c.raw) > 0 && c.raw[0] == '{' && json.Unmarshal(c.raw, &members) == nil {
		for _, k := range slices.Sorted(maps.Keys(members)) {
			if !slices.Contains(cellMembers, k) {
				return cell, bridge.Refuse("a cell has no member %s; it may have %s", bridge.Quote(k), strings.Join(cellMembers, ", "))
			}
		}
	}
	if err := json.Unmarshal(c.raw, &cell); err != nil {
		return cell, bridge.Refuse("a cell is a text or {content, colSpan, rowSpan, align, verticalAlign, background, isHeader, image}: %v", err)
	}
	cell.Content = book.CleanText(cell.Content)
	cell.HiddenBy = nil
	return cell, nil
}

// over lays what is given over a cell; null takes a member away.
func (c cellArg) over(cell *book.Cell) error {
	if len(c.raw) > 0 && c.raw[0] == '"' {
		if err := json.Unmarshal(c.raw, &cell.Content); err != nil {
			return err
		}
		cell.Content = book.CleanText(cell.Content)
		return nil
	}
	text, err := json.Marshal(*cell)
	if err != nil {
		return err
	}
	var have, given map[string]json.RawMessage
	if err := json.Unmarshal(text, &have); err != nil {
		return err
	}
	if err := json.Unmarshal(c.raw, &given); err != nil {
		return bridge.Refuse("cell is a text or an object: %v", err)
	}
	for k, v := range given {
		if !slices.Contains(cellMembers, k) {
			return bridge.Refuse("a cell has no member %s; it may have %s", bridge.Quote(k), strings.Join(cellMembers, ", "))
		}
		have[k] = v // null counts as absent
	}
	if text, err = json.Marshal(have); err != nil {
		return err
	}
	var next book.Cell
	if err := json.Unmarshal(text, &next); err != nil {
		return bridge.Refuse("cell: %v", err)
	}
	next.Content = book.CleanText(next.Content)
	*cell = next
	return nil
}

// formOf writes a table so that saving it again makes the same one.
func formOf(t *book.Table) *tableForm {
	header, widths, style := t.HeaderRows, t.Widths, t.StyleID
	f := &tableForm{Rows: make([][]cellArg, len(t.Rows)), HeaderRows: &header, StyleID: &style, ColumnWidths: &widths}
	if widths == nil {
		f.ColumnWidths = &[]float64{}
	}
	for y, row := range t.Rows {
		f.Rows[y] = make([]cellArg, len(row))
		for x := range row {
			cell := row[x]
			if cell.HiddenBy != nil {
				continue
			}
			text, err := json.Marshal(cell)
			if err != nil {
				continue // a cell is made of texts and numbers: it has a JSON form
			}
			var members map[string]json.RawMessage
			if json.Unmarshal(text, &members) == nil && len(members) == 1 {
				text = members["content"] // a plain text
			}
			f.Rows[y][x].raw = text
		}
	}
	return f
}

// table makes the table; what is left out stays as in old, nil for a new one.
func (f *tableForm) table(old *book.Table) (*book.Table, error) {
	rows := make([][]book.Cell, len(f.Rows))
	for y, row := range f.Rows {
		for _, c := range row {
			cell, err := c.cell()
			if err != nil {
				return nil, err
			}
			rows[y] = append(rows[y], cell)
		}
	}
	header := 1
	if old != nil {
		header = min(old.HeaderRows, len(rows))
	}
	if f.HeaderRows != nil {
		header = *f.HeaderRows
	}
	made, err := book.NewTable(rows, header)
	if err != nil {
		return nil, bridge.Refuse("table: %v", err)
	}
	t := *made
	if old != nil {
		t = *old
		t.Rows, t.HeaderRows = made.Rows, made.HeaderRows
		if len(t.Widths) != t.Columns() {
			t.Widths = nil
		}
	}
	if f.ColumnWidths != nil {
		t.Widths = *f.ColumnWidths
		if len(t.Widths) == 0 {
			t.Widths = nil
		}
	}
	if f.StyleID != nil {
		t.StyleID = *f.StyleID
	}
	if why := t.Fault(); why != "" {
		return nil, bridge.Refuse("table: %s", why)
	}
	return &t, nil
}

// tableEdit is one operation on a table; rows and columns count from 1.
type tableEdit struct {
	Action   string    `json:"action" enum:"set_cell,insert_row,delete_row,insert_column,delete_column,merge,split"`
	Row      int       `json:"row,omitempty" min:"1" doc:"from 1; left out of insert_row: the end"`
	Column   int       `json:"column,omitempty" min:"1"`
	ToRow    int       `json:"toRow,omitempty" min:"1" doc:"merge: the other corner"`
	ToColumn int       `json:"toColumn,omitempty" min:"1"`
	Cell     *cellArg  `json:"cell,omitempty" types:"string,object" doc:"set_cell: text, or members to change"`
	Cells    []cellArg `json:"cells,omitempty" types:"string,object" doc:"insert_row, insert_column"`
}

// applyTableEdits makes the edits in order, all or none.
func applyTableEdits(t *book.Table, edits []tableEdit) (*book.Table, error) {
	for k, e := range edits {
		next, err := e.apply(t)
		if err != nil {
			return nil, bridge.Refuse("tableEdits[%d]: %v", k, err)
		}
		t = next
	}
	return t, nil
}

// editTakes says which arguments each action needs, and which it may have besides.
var editTakes = map[string]struct{ needs, may []string }{
	"set_cell":      {needs: []string{"row", "column", "cell"}},
	"insert_row":    {may: []string{"row", "cells"}},
	"delete_row":    {needs: []string{"row"}},
	"insert_column": {may: []string{"column", "cells"}},
	"delete_column": {needs: []string{"column"}},
	"merge":         {needs: []string{"row", "column", "toRow", "toColumn"}},
	"split":         {needs: []string{"row", "column"}},
}

func (e tableEdit) check() error {
	takes := editTakes[e.Action]
	for _, g := range []struct {
		name string
		is   bool
	}{{"row", e.Row != 0}, {"column", e.Column != 0}, {"toRow", e.ToRow != 0}, {"toColumn", e.ToColumn != 0}, {"cell", e.Cell != nil}, {"cells", e.Cells != nil}} {
		needed := slices.Contains(takes.needs, g.name)
		if needed && !g.is {
			return bridge.Refuse("%s needs %s", e.Action, g.name)
		}
		if g.is && !needed && !slices.Contains(takes.may, g.name) {
			return bridge.Refuse("%s does not go with action %q, which takes %s", g.name, e.Action, strings.Join(append(slices.Clone(takes.needs), takes.may...), ", "))
		}
	}
	return nil
}

func (e tableEdit) apply(t *book.Table) (*book.Table, error) {
	row, col := e.Row-1, e.Column-1
	switch e.Action {
	case "set_cell":
		var wrong error
		next, err := t.SetCell(row, col, func(c *book.Cell) { wrong = e.Cell.over(c) })
		if wrong != nil {
			return nil, wrong
		}
		return next, err
	case "insert_row":
		if e.Row == 0 {
			row = len(t.Rows)
		}
		next, err := t.InsertRow(row)
		for x := 0; err == nil && x < len(e.Cells); x++ {
			next, err = tableEdit{Action: "set_cell", Row: row + 1, Column: x + 1, Cell: &e.Cells[x]}.apply(next)
		}
		return next, err
	case "insert_column":
		if e.Column == 0 {
			col = t.Columns()
		}
		next, err := t.InsertColumn(col)
		for y := 0; err == nil && y < len(e.Cells); y++ {
			next, err = tableEdit{Action: "set_cell", Row: y + 1, Column: col + 1, Cell: &e.Cells[y]}.apply(next)
		}
		return next, err
	case "delete_row":
		return t.DeleteRow(row)
	case "delete_column":
		return t.DeleteColumn(col)
	case "merge":
		return t.Merge(row, col, e.ToRow-1, e.ToColumn-1)
	case "split":
		return t.Split(row, col)
	}
	return nil, bridge.Refuse("action is set_cell, insert_row, delete_row, insert_column, delete_column, merge or split, not %s", bridge.Quote(e.Action))
}
