package book

import (
	"fmt"
	"slices"
	"strings"
)

// Operations on tables are pure: each returns a new table that shares the rows
// it did not change, so that the editor, the tools and imports agree
// (sandbox.md 6.4). Rows and columns count from 0. An error says what is wrong
// in one sentence, and the table stays as it was.

// NewTable makes a table from rows of cells. A cell covered by a merge may be
// left out of its row, as in HTML, or stand in it empty. Rows that are too short
// are filled with empty cells.
func NewTable(rows [][]Cell, headerRows int) (*Table, error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("a table has at least one row")
	}
	n := 0
	for _, r := range rows {
		n += len(r)
	}
	if n > maxCells {
		return nil, fmt.Errorf("the table has %d cells; at most %d are taken", n, maxCells)
	}
	t := &Table{HeaderRows: headerRows}
	var err error
	if t.Rows, err = fullRows(rows); err != nil {
		if t.Rows, err = flowedRows(rows); err != nil {
			return nil, err
		}
	}
	if why := t.Fault(); why != "" {
		return nil, fmt.Errorf("%s", why)
	}
	return t, nil
}

// fullRows reads rows in which covered cells stand: all have one length.
func fullRows(rows [][]Cell) ([][]Cell, error) {
	cols := len(rows[0])
	out := make([][]Cell, len(rows))
	for r, row := range rows {
		if len(row) != cols {
			return nil, fmt.Errorf("row %d has %d cells, the first %d", r+1, len(row), cols)
		}
		out[r] = slices.Clone(row)
		for c := range out[r] {
			out[r][c].HiddenBy = nil
		}
	}
	for r := range out {
		for c := range out[r] {
			cell := &out[r][c]
			rs, cs := cell.span()
			if cell.HiddenBy != nil || rs == 1 && cs == 1 {
				continue
			}
			if r+rs > len(out) || c+cs > cols {
				return nil, fmt.Errorf("row %d, cell %d: the merge leads out of the table", r+1, c+1)
			}
			for y := r; y < r+rs; y++ {
				for x := c; x < c+cs; x++ {
					if y == r && x == c {
						continue
					}
					if under := &out[y][x]; under.HiddenBy != nil || under.Content != "" || under.ColSpan > 1 || under.RowSpan > 1 {
						return nil, fmt.Errorf("row %d, cell %d: a merge covers it, and it has content", y+1, x+1)
					}
					out[y][x] = Cell{HiddenBy: &CellPlace{r, c}}
				}
			}
		}
	}
	return out, nil
}

// flowedRows reads rows in which covered cells are left out.
func flowedRows(rows [][]Cell) ([][]Cell, error) {
	out := make([][]Cell, len(rows))
	taken := make([]map[int]CellPlace, len(rows))
	cols := 0
	for r, row := range rows {
		c := 0
		for _, cell := range row {
			cell.HiddenBy = nil
			for {
				if _, is := taken[r][c]; !is {
					break
				}
				c++
			}
			rs, cs := cell.span()
			if cs > maxColumns || c+cs > maxColumns {
				return nil, fmt.Errorf("row %d reaches over more than %d columns", r+1, maxColumns)
			}
			if r+rs > len(rows) {
				return nil, fmt.Errorf("row %d: a rowSpan of %d leads out of the table of %d rows", r+1, rs, len(rows))
			}
			if rs*cs > maxCells {
				return nil, fmt.Errorf("row %d: a merge covers more than %d cells", r+1, maxCells)
			}
			for y := r; y < r+rs; y++ {
				if taken[y] == nil {
					taken[y] = map[int]CellPlace{}
				}
				for x := c; x < c+cs; x++ {
					if _, is := taken[y][x]; is {
						return nil, fmt.Errorf("row %d, cell %d: two merges overlap", y+1, x+1)
					}
					taken[y][x] = CellPlace{r, c}
				}
			}
			for len(out[r]) <= c {
				out[r] = append(out[r], Cell{})
			}
			out[r][c] = cell
			c += cs
			cols = max(cols, c)
		}
	}
	for r := range out {
		for len(out[r]) < cols {
			out[r] = append(out[r], Cell{})
		}
		for c, by := range taken[r] {
			if by != (CellPlace{r, c}) {
				out[r][c] = Cell{HiddenBy: &by}
			}
		}
	}
	return out, nil
}

// edit is a table in the course of an operation: rows are copied before they are
// written to.
func (t *Table) edit() *Table {
	n := *t
	n.Rows = make([][]Cell, len(t.Rows))
	for i, r := range t.Rows {
		n.Rows[i] = slices.Clone(r)
	}
	n.Widths = slices.Clone(t.Widths)
	return &n
}

func (t *Table) inside(row, col int) error {
	if row < 0 || row >= len(t.Rows) {
		return fmt.Errorf("there is no row %d: the table has %d", row+1, len(t.Rows))
	}
	if col < 0 || col >= len(t.Rows[row]) {
		return fmt.Errorf("there is no column %d: the table has %d", col+1, t.Columns())
	}
	return nil
}

// visible is the cell that shows at a place: the merge's when one covers it.
func (t *Table) visible(row, col int) (int, int) {
	if h := t.Rows[row][col].HiddenBy; h != nil && h.Row >= 0 && h.Row < len(t.Rows) && h.Col >= 0 && h.Col < len(t.Rows[h.Row]) {
		return h.Row, h.Col
	}
	return row, col
}

// SetCell replaces what a cell holds and how it looks; its merge stays. A covered
// place means the cell that covers it.
func (t *Table) SetCell(row, col int, change func(*Cell)) (*Table, error) {
	if err := t.inside(row, col); err != nil {
		return nil, err
	}
	row, col = t.visible(row, col)
	n := *t
	n.Rows = slices.Clone(t.Rows)
	n.Rows[row] = slices.Clone(t.Rows[row])
	cell := t.Rows[row][col]
	was := cell
	change(&cell)
	cell.RowSpan, cell.ColSpan, cell.HiddenBy = was.RowSpan, was.ColSpan, was.HiddenBy
	if why := cell.fault(); why != "" {
		return nil, fmt.Errorf("row %d, cell %d: %s", row+1, col+1, why)
	}
	n.Rows[row][col] = cell
	return &n, nil
}

// shiftRows moves what points at rows from at on by d.
func (t *Table) shiftRows(at, d int) {
	for _, row := range t.Rows {
		for c := range row {
			if h := row[c].HiddenBy; h != nil && h.Row >= at {
				row[c].HiddenBy = &CellPlace{h.Row + d, h.Col}
			}
		}
	}
}

func (t *Table) shiftColumns(at, d int) {
	for _, row := range t.Rows {
		for c := range row {
			if h := row[c].HiddenBy; h != nil && h.Col >= at {
				row[c].HiddenBy = &CellPlace{h.Row, h.Col + d}
			}
		}
	}
}

// InsertRow adds an empty row before row at; at the number of rows, after the
// last. A merge it falls into grows by it, and within the header so does the
// header.
func (t *Table) InsertRow(at int) (*Table, error) {
	cols := t.Columns()
	switch {
	case at < 0 || at > len(t.Rows):
		return nil, fmt.Errorf("a row is inserted at 1 to %d, not %d", len(t.Rows)+1, at+1)
	case (len(t.Rows)+1)*cols > maxCells:
		return nil, fmt.Errorf("the table would have more than %d cells", maxCells)
	}
	n := t.edit()
	row := make([]Cell, cols)
	model := max(at-1, 0)
	if at == t.HeaderRows && at < len(t.Rows) {
		model = at // the first row after the header is like the body
	}
	for c := range row {
		row[c].Align, row[c].VerticalAlign = t.Rows[model][c].Align, t.Rows[model][c].VerticalAlign
	}
	n.shiftRows(at, 1)
	if at > 0 && at < len(t.Rows) {
		for c := 0; c < cols; c++ {
			or, oc := t.visible(at, c)
			if or >= at {
				continue
			}
			if c == oc {
				n.Rows[or][oc].RowSpan++
			}
			row[c] = Cell{HiddenBy: &CellPlace{or, oc}}
		}
	}
	n.Rows = slices.Insert(n.Rows, at, row)
	if at < t.HeaderRows {
		n.HeaderRows++
	}
	return n, nil
}

// DeleteRow removes a row. A merge that begins in it goes on in the next row,
// one that reaches into it shrinks.
func (t *Table) DeleteRow(at int) (*Table, error) {
	if err := t.inside(at, 0); err != nil {
		return nil, err
	}
	if len(t.Rows) == 1 {
		return nil, fmt.Errorf("the only row cannot be deleted; delete the table")
	}
	n := t.edit()
	for c := range t.Rows[at] {
		or, oc := t.visible(at, c)
		cell := &n.Rows[or][oc]
		if c != oc {
			continue
		}
		rs, cs := cell.span()
		switch {
		case rs == 1:
		case or < at:
			cell.RowSpan--
		default: // it begins here
			moved := *cell
			moved.RowSpan--
			n.Rows[at+1][oc] = moved
			for y := at + 1; y < at+rs; y++ {
				for x := oc; x < oc+cs; x++ {
					if y != at+1 || x != oc {
						n.Rows[y][x].HiddenBy = &CellPlace{at + 1, oc}
					}
				}
			}
		}
	}
	n.shiftRows(at+1, -1)
	n.Rows = slices.Delete(n.Rows, at, at+1)
	if at < t.HeaderRows {
		n.HeaderRows--
	}
	return n, nil
}

// InsertColumn adds an empty column before column at; at the number of columns,
// after the last. With widths given it gets their mean.
func (t *Table) InsertColumn(at int) (*Table, error) {
	cols := t.Columns()
	switch {
	case at < 0 || at > cols:
		return nil, fmt.Errorf("a column is inserted at 1 to %d, not %d", cols+1, at+1)
	case cols+1 > maxColumns || len(t.Rows)*(cols+1) > maxCells:
		return nil, fmt.Errorf("the table would have more than %d columns or %d cells", maxColumns, maxCells)
	}
	n := t.edit()
	n.shiftColumns(at, 1)
	for r := range n.Rows {
		cell := Cell{}
		if at > 0 && at < cols {
			if or, oc := t.visible(r, at); oc < at {
				if r == or {
					n.Rows[or][oc].ColSpan++
				}
				cell.HiddenBy = &CellPlace{or, oc}
			}
		}
		n.Rows[r] = slices.Insert(n.Rows[r], at, cell)
	}
	if len(n.Widths) > 0 {
		sum := 0.0
		for _, w := range n.Widths {
			sum += w
		}
		n.Widths = slices.Insert(n.Widths, at, sum/float64(len(n.Widths)))
	}
	return n, nil
}

// DeleteColumn removes a column.
func (t *Table) DeleteColumn(at int) (*Table, error) {
	if err := t.inside(0, at); err != nil {
		return nil, err
	}
	if t.Columns() == 1 {
		return nil, fmt.Errorf("the only column cannot be deleted; delete the table")
	}
	n := t.edit()
	for r := range t.Rows {
		or, oc := t.visible(r, at)
		if r != or {
			continue
		}
		cell := &n.Rows[or][oc]
		rs, cs := cell.span()
		switch {
		case cs == 1:
		case oc < at:
			cell.ColSpan--
		default:
			moved := *cell
			moved.ColSpan--
			n.Rows[or][at+1] = moved
			for y := or; y < or+rs; y++ {
				for x := at + 1; x < at+cs; x++ {
					if y != or || x != at+1 {
						n.Rows[y][x].HiddenBy = &CellPlace{or, at + 1}
					}
				}
			}
		}
	}
	n.shiftColumns(at+1, -1)
	for r := range n.Rows {
		n.Rows[r] = slices.Delete(n.Rows[r], at, at+1)
	}
	if len(n.Widths) > 0 {
		n.Widths = slices.Delete(n.Widths, at, at+1)
	}
	return n, nil
}

// Merge makes one cell of a rectangle of cells, which grows to whole merges
// where it cuts through some. The contents follow one another as paragraphs.
func (t *Table) Merge(row, col, toRow, toCol int) (*Table, error) {
	if err := t.inside(row, col); err != nil {
		return nil, err
	}
	if err := t.inside(toRow, toCol); err != nil {
		return nil, err
	}
	row, toRow = min(row, toRow), max(row, toRow)
	col, toCol = min(col, toCol), max(col, toCol)
	for grown := true; grown; {
		grown = false
		for r := row; r <= toRow; r++ {
			for c := col; c <= toCol; c++ {
				or, oc := t.visible(r, c)
				rs, cs := t.Rows[or][oc].span()
				if or < row || oc < col || or+rs-1 > toRow || oc+cs-1 > toCol {
					row, col, toRow, toCol = min(row, or), min(col, oc), max(toRow, or+rs-1), max(toCol, oc+cs-1)
					grown = true
				}
			}
		}
	}
	if row == toRow && col == toCol {
		return nil, fmt.Errorf("a merge takes two cells or more")
	}
	n := t.edit()
	var parts []string
	first := t.Rows[row][col]
	for r := row; r <= toRow; r++ {
		for c := col; c <= toCol; c++ {
			cell := &t.Rows[r][c]
			if cell.HiddenBy == nil && strings.TrimSpace(cell.Content) != "" {
				parts = append(parts, cell.Content)
			}
			if first.Image == nil {
				first.Image = cell.Image
			}
			n.Rows[r][c] = Cell{HiddenBy: &CellPlace{row, col}}
		}
	}
	first.Content = strings.Join(parts, "\n")
	first.HiddenBy, first.RowSpan, first.ColSpan = nil, toRow-row+1, toCol-col+1
	n.Rows[row][col] = first
	return n, nil
}

// Split takes a merge apart: its first cell keeps the content.
func (t *Table) Split(row, col int) (*Table, error) {
	if err := t.inside(row, col); err != nil {
		return nil, err
	}
	row, col = t.visible(row, col)
	rs, cs := t.Rows[row][col].span()
	if rs == 1 && cs == 1 {
		return nil, fmt.Errorf("row %d, cell %d is not merged", row+1, col+1)
	}
	n := t.edit()
	first := n.Rows[row][col]
	first.RowSpan, first.ColSpan = 0, 0
	for r := row; r < row+rs; r++ {
		for c := col; c < col+cs; c++ {
			n.Rows[r][c] = Cell{Align: first.Align, VerticalAlign: first.VerticalAlign}
		}
	}
	n.Rows[row][col] = first
	return n, nil
}

// WithWidths gives the columns relative weights; nil makes them equal.
func (t *Table) WithWidths(widths []float64) (*Table, error) {
	n := *t
	n.Widths = slices.Clone(widths)
	if why := n.Fault(); why != "" {
		return nil, fmt.Errorf("%s", why)
	}
	return &n, nil
}

// WithHeaderRows says how many rows are the header.
func (t *Table) WithHeaderRows(rows int) (*Table, error) {
	n := *t
	n.HeaderRows = rows
	if why := n.Fault(); why != "" {
		return nil, fmt.Errorf("%s", why)
	}
	return &n, nil
}

// WithHeaderColumn marks the cells of the first column as headers, or takes the
// mark away.
func (t *Table) WithHeaderColumn(on bool) *Table {
	n := t.edit()
	for r := range n.Rows {
		if len(n.Rows[r]) > 0 && n.Rows[r][0].HiddenBy == nil {
			n.Rows[r][0].IsHeader = on
		}
	}
	return n
}

// ParseCells reads the rows of a pasted text: lines with tabs between the cells
// or, where no line has a tab, simple CSV with commas (or semicolons) and
// double quotes.
func ParseCells(text string) [][]string {
	text = strings.TrimRight(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	if strings.Contains(text, "\t") {
		var rows [][]string
		for line := range strings.SplitSeq(text, "\n") {
			rows = append(rows, strings.Split(line, "\t"))
		}
		return rows
	}
	comma := byte(',')
	if first, _, _ := strings.Cut(text, "\n"); strings.Count(first, ";") > strings.Count(first, ",") {
		comma = ';'
	}
	var rows [][]string
	var row []string
	var cell strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '"' && i+1 < len(text) && text[i+1] == '"':
			cell.WriteByte('"')
			i++
		case c == '"' && (quoted || cell.Len() == 0):
			quoted = !quoted
		case !quoted && c == comma:
			row = append(row, cell.String())
			cell.Reset()
		case !quoted && c == '\n':
			rows = append(rows, append(row, cell.String()))
			row = nil
			cell.Reset()
		default:
			cell.WriteByte(c)
		}
	}
	return append(rows, append(row, cell.String()))
}
