package sandbox

import "postext/engine/frame"

// shortColumn is a column that ends above its last line, and the rule that stopped it
// (layout.md 14).
type shortColumn struct {
	Column int     `json:"column"`
	Fill   float64 `json:"fill"` // part of its height, to two decimals
	Ended  string  `json:"ended"`
	Why    string  `json:"why"`
}

// endings says in words what ended a column: the values of frame.Column.Short.
var endings = map[string]string{
	"end":          "the text ends here",
	"break":        "a page break follows",
	"columnbreak":  "a column break follows",
	"opener":       "the next chapter or part begins on a page of its own",
	"keepWithNext": "the headings that follow stand with their text, and both do not fit",
	"orphans":      "too few lines of the paragraph would head the next column",
	"widows":       "too few lines of the paragraph would stand at the foot",
	"keep":         "what follows stays together and does not fit",
	"height":       "what follows does not fit: a figure, a table, a formula, a line with its notes",
	"notes":        "notes take the rest",
	"float":        "figures, tables or boxes that float take the rest",
	"levelled":     "it is cut level with the columns beside it",
}

// shortColumns are the columns of a page that end above their last line.
func shortColumns(p *frame.Page) (out []shortColumn) {
	for i := range p.Columns {
		if c := &p.Columns[i]; c.Short != "" && !c.Span && !p.Blank {
			out = append(out, shortColumn{i + 1, fillOf(c), c.Short, endings[c.Short]})
		}
	}
	return out
}

// fillOf is the part of a column's height that is used, to two decimals.
func fillOf(c *frame.Column) float64 {
	if c.Box.H <= 0 {
		return 0
	}
	return round(float64(c.Used)/float64(c.Box.H), 2)
}
