package book

import (
	"encoding/json"
	"fmt"
)

// Table is the content of a table resource. Every row keeps all its cells: one
// that a merge covers stays in its row with HiddenBy (document-format.md 13.1).
type Table struct {
	Rows       [][]Cell
	HeaderRows int
	// Widths are relative weights of the columns; nil for equal ones.
	Widths    []float64
	StyleID   string
	Direction string

	extra, modelExtra object
}

// Cell is a cell of a table.
type Cell struct {
	Content          string // inline Markdown
	ColSpan, RowSpan int    // 0 is 1
	HiddenBy         *CellPlace
	IsHeader         bool
	Align            string // left, center, right, start, end
	VerticalAlign    string // top, middle, bottom
	Background       *Color
	Image            *CellImage

	extra object
}

// CellPlace is a row and a column, from 0.
type CellPlace struct {
	Row int `json:"row"`
	Col int `json:"col"`
}

// CellImage is a picture drawn above a cell's text, Width a fraction of the
// cell's; 0 is all of it.
type CellImage struct {
	ResourceID string  `json:"resourceId"`
	Width      float64 `json:"width,omitempty"`
}

// Color is a colour as settings store it: written in full, or as the text
// "#rrggbb".
type Color struct {
	Hex       string
	Model     string
	PaletteID string

	extra object
}

// Limits of a table.
const (
	maxCells   = 100_000
	maxColumns = 500
)

func (t *Table) fields(model *tableModel) []field {
	return []field{{"model", model, true}, {"styleId", &t.StyleID, false}, {"direction", &t.Direction, false}}
}

// tableModel is the member model of a stored table.
type tableModel struct{ *Table }

func (m tableModel) fields() []field {
	return []field{{"rows", &m.Rows, true}, {"headerRowCount", &m.HeaderRows, false}, {"columnWidths", &m.Widths, false}}
}

func (m *tableModel) UnmarshalJSON(data []byte) (err error) {
	m.modelExtra, err = readFields(data, m.fields())
	return err
}

func (m *tableModel) MarshalJSON() ([]byte, error) { return writeFields(m.fields(), m.modelExtra) }

// UnmarshalJSON reads a stored table.
func (t *Table) UnmarshalJSON(data []byte) (err error) {
	*t = Table{}
	t.extra, err = readFields(data, t.fields(&tableModel{t}))
	return err
}

// MarshalJSON writes it.
func (t *Table) MarshalJSON() ([]byte, error) {
	c := *t
	return writeFields(c.fields(&tableModel{&c}), c.extra)
}

func (c *Cell) fields() []field {
	return []field{
		{"content", &c.Content, true}, {"colSpan", &c.ColSpan, false}, {"rowSpan", &c.RowSpan, false},
		{"hiddenBy", &c.HiddenBy, false}, {"isHeader", &c.IsHeader, false},
		{"align", &c.Align, false}, {"verticalAlign", &c.VerticalAlign, false},
		{"background", &c.Background, false}, {"image", &c.Image, false},
	}
}

// UnmarshalJSON reads a stored cell, or a text as the cell that holds it.
func (c *Cell) UnmarshalJSON(data []byte) (err error) {
	*c = Cell{}
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &c.Content)
	}
	c.extra, err = readFields(data, c.fields())
	return err
}

// MarshalJSON writes it.
func (c Cell) MarshalJSON() ([]byte, error) { return writeFields(c.fields(), c.extra) }

// UnmarshalJSON reads a colour in either form.
func (c *Color) UnmarshalJSON(data []byte) (err error) {
	*c = Color{}
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &c.Hex)
	}
	c.extra, err = readFields(data, c.fields())
	return err
}

func (c *Color) fields() []field {
	return []field{{"hex", &c.Hex, false}, {"model", &c.Model, false}, {"paletteId", &c.PaletteID, false}}
}

// MarshalJSON writes it, as a text when it is nothing else.
func (c *Color) MarshalJSON() ([]byte, error) {
	if c.Model == "" && c.PaletteID == "" && len(c.extra) == 0 {
		return marshal(c.Hex)
	}
	d := *c
	return writeFields(d.fields(), d.extra)
}

// Columns is the number of columns.
func (t *Table) Columns() int {
	n := 0
	for _, r := range t.Rows {
		n = max(n, len(r))
	}
	return n
}

// span is how many rows and columns a cell covers, at least one each.
func (c *Cell) span() (rows, cols int) { return max(c.RowSpan, 1), max(c.ColSpan, 1) }

// Fault says what is wrong with the table in one sentence, "" when nothing is:
// its rows have one length, a merge lies inside the table, covers cells that say
// so and overlaps no other.
func (t *Table) Fault() string {
	cols := t.Columns()
	switch {
	case len(t.Rows) == 0 || cols == 0:
		return "a table has at least one row with one cell"
	case cols > maxColumns || len(t.Rows)*cols > maxCells:
		return fmt.Sprintf("the table has %d rows and %d columns; at most %d columns and %d cells are taken", len(t.Rows), cols, maxColumns, maxCells)
	case t.HeaderRows < 0 || t.HeaderRows > len(t.Rows):
		return fmt.Sprintf("headerRows is 0 to %d, the number of rows, not %d", len(t.Rows), t.HeaderRows)
	case len(t.Widths) != 0 && len(t.Widths) != cols:
		return fmt.Sprintf("columnWidths has %d weights for %d columns", len(t.Widths), cols)
	}
	for i, w := range t.Widths {
		if !(w > 0 && w <= 1e6) {
			return fmt.Sprintf("columnWidths[%d] is a weight above 0, not %v", i, w)
		}
	}
	owner := make([]int, len(t.Rows)*cols) // 1 + index of the merge's cell
	for r, row := range t.Rows {
		if len(row) != cols {
			return fmt.Sprintf("row %d has %d cells, others %d", r+1, len(row), cols)
		}
		for c := range row {
			if why := row[c].fault(); why != "" {
				return fmt.Sprintf("row %d, cell %d: %s", r+1, c+1, why)
			}
			rs, cs := row[c].span()
			if row[c].HiddenBy != nil || rs == 1 && cs == 1 {
				continue
			}
			if r+rs > len(t.Rows) || c+cs > cols {
				return fmt.Sprintf("row %d, cell %d: the merge leads out of the table", r+1, c+1)
			}
			for y := r; y < r+rs; y++ {
				for x := c; x < c+cs; x++ {
					if owner[y*cols+x] != 0 {
						return fmt.Sprintf("row %d, cell %d: two merges overlap", y+1, x+1)
					}
					owner[y*cols+x] = 1 + r*cols + c
				}
			}
		}
	}
	for r, row := range t.Rows {
		for c := range row {
			h, is := row[c].HiddenBy, owner[r*cols+c]
			switch {
			case h == nil && is != 0 && is != 1+r*cols+c:
				return fmt.Sprintf("row %d, cell %d: a merge covers it, and hiddenBy does not say so", r+1, c+1)
			case h != nil && (is == 0 || is == 1+r*cols+c || is != 1+h.Row*cols+h.Col):
				return fmt.Sprintf("row %d, cell %d: hiddenBy names no merge that covers it", r+1, c+1)
			}
		}
	}
	return ""
}

func (c *Cell) fault() string {
	in := func(v string, list ...string) bool {
		for _, w := range list {
			if v == w {
				return true
			}
		}
		return v == ""
	}
	switch {
	case !in(c.Align, "left", "center", "right", "start", "end"):
		return fmt.Sprintf("align is left, center, right, start or end, not %q", c.Align)
	case !in(c.VerticalAlign, "top", "middle", "bottom"):
		return fmt.Sprintf("verticalAlign is top, middle or bottom, not %q", c.VerticalAlign)
	case c.RowSpan < 0 || c.ColSpan < 0:
		return "colSpan and rowSpan are 1 or more"
	case c.Image != nil && !(c.Image.Width >= 0 && c.Image.Width <= 1):
		return fmt.Sprintf("image.width is a fraction 0 to 1 of the cell, not %v", c.Image.Width)
	}
	return ""
}
