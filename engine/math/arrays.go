package math

import "strings"

// environments by name; the columns of those without a fixed number repeat.
var environments = map[string]array{
	"matrix":      {cols: []column{{align: 'c'}}, sep: 1000, strut: 840},
	"pmatrix":     {cols: []column{{align: 'c'}}, sep: 1000, strut: 840, open: '(', shut: ')'},
	"bmatrix":     {cols: []column{{align: 'c'}}, sep: 1000, strut: 840, open: '[', shut: ']'},
	"Bmatrix":     {cols: []column{{align: 'c'}}, sep: 1000, strut: 840, open: '{', shut: '}'},
	"vmatrix":     {cols: []column{{align: 'c'}}, sep: 1000, strut: 840, open: '|', shut: '|'},
	"Vmatrix":     {cols: []column{{align: 'c'}}, sep: 1000, strut: 840, open: '‖', shut: '‖'},
	"smallmatrix": {cols: []column{{align: 'c'}}, sep: 278, strut: 560, cell: script},
	"array":       {sep: 1000, edge: 500, strut: 840},
	"cases":       {cols: []column{{align: 'l'}}, sep: 1000, strut: 1008, open: '{'},
	"dcases":      {cols: []column{{align: 'l'}}, sep: 1000, strut: 1008, open: '{', cell: display},
	"rcases":      {cols: []column{{align: 'l'}}, sep: 1000, strut: 1008, shut: '}'},
	"drcases":     {cols: []column{{align: 'l'}}, sep: 1000, strut: 1008, shut: '}', cell: display},
	"aligned":     {cols: pair, sep: 2000, strut: 840, jot: 300, cell: display},
	"alignedat":   {cols: pair, strut: 840, jot: 300, cell: display},
	"split":       {cols: pair, sep: 2000, strut: 840, jot: 300, cell: display},
	"gathered":    {cols: []column{{align: 'c'}}, strut: 840, jot: 300, cell: display},
	"align":       {cols: pair, sep: 2000, strut: 840, jot: 300, cell: display, spread: true},
	"flalign":     {cols: pair, sep: 2000, strut: 840, jot: 300, cell: display, spread: true},
	"alignat":     {cols: pair, strut: 840, jot: 300, cell: display, spread: true},
	"eqnarray":    {cols: relations, strut: 840, jot: 300, cell: display, spread: true},
	"gather":      {cols: []column{{align: 'c'}}, strut: 840, jot: 300, cell: display, spread: true},
	"multline":    {cols: []column{{align: 'c'}}, strut: 840, jot: 300, cell: display, spread: true, stair: true},
	"subarray":    {cols: []column{{align: 'c'}}, strut: 620, cell: script},
}

var (
	pair = []column{{align: 'r'}, {align: 'l'}}
	// A relation between its sides keeps the thick space of relations, not the
	// wider one of LaTeX's eqnarray.
	relations = []column{{align: 'r'}, {align: 'c', gap: 278}, {align: 'l', gap: 278}}
)

// Limits of an array.
const (
	maxColumns = 64
	maxRules   = 8
)

// begin reads an environment.
func begin(p *parser, _ string, at int) []*node {
	name := p.raw("begin")
	if p.err != nil {
		return nil
	}
	starred := strings.HasSuffix(name, "*")
	base := strings.TrimSuffix(name, "*")
	switch base {
	case "equation", "displaymath", "math":
		return p.bare(name, at)
	}
	env, ok := environments[base]
	if !ok {
		p.fail(at, "there is no environment %s; there are matrix, pmatrix, bmatrix, cases, array, aligned, align, gather, split and their kin", name)
		return nil
	}
	a := &env
	a.top = 'c'
	if env.cell == 0 && base != "dcases" && base != "drcases" && env.jot == 0 {
		a.cell = text
	}
	top := strings.TrimSpace(p.envBracket(base))
	switch base {
	case "array", "subarray":
		if top == "t" || top == "b" {
			a.top = top[0]
		}
		p.blank()
		from := p.pos
		p.columns(a, p.raw(name), from)
	case "alignat", "alignedat":
		p.raw(name) // the number of pairs; there are as many as there are
	case "aligned", "gathered", "split":
		if top == "t" || top == "b" {
			a.top = top[0]
		}
	default:
		if starred && len(top) == 1 && strings.Contains("lcr", top) {
			a.cols = []column{{align: top[0]}}
		}
	}
	if p.err != nil {
		return nil
	}
	if a.spread && p.row == nil {
		a.spread = false // inside a group it is but aligned lines
	}
	p.rows(a, name, nil, at)
	if p.err != nil {
		return nil
	}
	if starred {
		for i := range a.rows {
			if r := &a.rows[i].label; !r.Tagged {
				r.Silent = true
			}
		}
	}
	p.relationColumn(a)
	return []*node{{what: arrays, class: inner, at: at, array: a, ink: p.ink}}
}

// envBracket reads an environment's optional argument; the [ of a matrix's
// first cell is none.
func (p *parser) envBracket(base string) string {
	switch base {
	case "array", "subarray", "aligned", "alignedat", "gathered", "split":
		return p.rawBracket()
	case "matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix":
		if len(p.src) > p.pos+2 && p.src[p.pos] == '[' && p.src[p.pos+2] == ']' && strings.IndexByte("lcr", p.src[p.pos+1]) >= 0 {
			return p.rawBracket()
		}
	}
	return ""
}

// bare reads an environment that is but a formula.
func (p *parser) bare(name string, at int) []*node {
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	body := p.list()
	if p.err == nil && strings.HasPrefix(p.src[p.pos:], `\\`) {
		p.fail(p.pos, "%s has one line: put several between \\begin{aligned} and \\end{aligned}", name)
	}
	p.end(name, at)
	if p.err != nil {
		return nil
	}
	return body
}

// end takes \end{name}.
func (p *parser) end(name string, at int) {
	if p.err != nil {
		return
	}
	if p.peek() != "end" {
		if p.pos >= len(p.src) {
			p.fail(at, "\\begin{%s} is never ended: add \\end{%s}", name, name)
		} else {
			p.stray()
		}
		return
	}
	was := p.pos
	p.command()
	if got := p.raw("end"); p.err == nil && got != name {
		p.fail(was, "\\end{%s} meets \\begin{%s}: end %s first", got, name, name)
	}
}

// rows reads the rows of an array up to its end; with a first cell already read
// the array has no name and ends with the formula.
func (p *parser) rows(a *array, name string, first []*node, at int) {
	if name != "" {
		if !p.enter() {
			return
		}
		defer func() { p.depth-- }()
	}
	row, opt, fence := p.row, p.optional, p.fence
	p.optional, p.fence = false, 0
	defer func() { p.row, p.optional, p.fence = row, opt, fence }()
	var r arrayRow
	outer := p.row
	set := func() {
		if a.spread {
			p.row = &r.label
		} else {
			p.row = nil
		}
	}
	set()
	if name == "" {
		r.label = *outer
		*outer = Row{}
	}
	for p.err == nil {
		if first == nil {
			p.horizontals(a, len(a.rows))
		}
		cell := first
		if cell == nil {
			cell = p.list()
		}
		first = nil
		if p.err != nil {
			return
		}
		r.cells = append(r.cells, cell)
		if len(r.cells) > maxColumns {
			p.fail(p.pos, "a row has more than %d cells", maxColumns)
			return
		}
		if p.at("&") {
			p.pos++
			continue
		}
		switch n := p.peek(); {
		case n == "\\" || n == "cr" || n == "newline":
			p.command()
			if p.at("*") {
				p.pos++
			}
			if p.at("[") {
				q := parser{src: p.rawBracket()}
				r.gap = q.dimension()
				if q.err != nil {
					p.fail(p.pos, "%s", q.err.Msg)
					return
				}
			}
			a.rows = append(a.rows, r)
			r = arrayRow{}
			set()
			continue
		}
		// The line after the last \\ is empty: it is no row.
		if len(r.cells) > 1 || len(r.cells[0]) > 0 || r.label.Tagged || len(r.label.Labels) > 0 {
			a.rows = append(a.rows, r)
		}
		if name != "" {
			p.end(name, at)
		}
		return
	}
}

// horizontals reads the \hline's before a row.
func (p *parser) horizontals(a *array, row int) {
	for p.err == nil {
		p.blank()
		switch n := p.peek(); n {
		case "hline", "toprule", "midrule", "bottomrule", "hdashline":
			p.command()
			if len(a.rules) < maxRules*8 {
				a.rules = append(a.rules, row)
			}
		case "cline", "cmidrule":
			p.fail(p.pos, "\\%s is not set: \\hline rules across all columns", n)
		default:
			return
		}
	}
}

// columns reads the preamble of an array.
func (p *parser) columns(a *array, spec string, at int) {
	a.cols = nil
	rules := 0
	tight := false
	q := parser{src: spec}
	var read func(s string, depth int)
	read = func(s string, depth int) {
		q := &parser{src: s}
		for q.pos < len(q.src) && p.err == nil {
			c := q.src[q.pos]
			q.pos++
			switch c {
			case ' ', '\n', '\t':
			case '|', ':':
				rules = min(rules+1, maxRules)
			case 'l', 'c', 'r', 'p', 'm', 'b':
				if c == 'p' || c == 'm' || c == 'b' {
					q.raw("array")
					c = 'l'
				}
				col := column{align: c, rules: rules}
				if len(a.cols) > 0 && !tight {
					col.gap = a.sep
				}
				rules, tight = 0, false
				a.cols = append(a.cols, col)
			case '@', '!':
				q.raw("array")
				tight = c == '@'
				if tight && len(a.cols) == 0 {
					a.edge = 0
				}
			case '>', '<':
				q.raw("array")
			case '*':
				n := 0
				for _, d := range strings.TrimSpace(q.raw("array")) {
					if d >= '0' && d <= '9' {
						n = min(n*10+int(d-'0'), maxColumns)
					}
				}
				sub := q.raw("array")
				for range n {
					if depth < 2 && len(a.cols) <= maxColumns {
						read(sub, depth+1)
					}
				}
			default:
				p.fail(at, "\\begin{array}{%s}: the columns are l, c or r, with | for rules between", spec)
			}
			if q.err != nil {
				p.fail(at, "\\begin{array}{%s}: %s", spec, q.err.Msg)
			}
		}
	}
	read(q.src, 0)
	if len(a.cols) > maxColumns {
		p.fail(at, "an array has at most %d columns", maxColumns)
	}
	if len(a.cols) == 0 {
		a.cols = []column{{align: 'c'}}
	}
	if rules > 0 { // behind the last column
		a.cols = append(a.cols, column{align: 'x', rules: rules})
	}
}

// relationColumn reads three columns of which the middle one has nothing but
// relations as eqnarray's, whatever their environment: a habit of converters
// that align's wide gap would tear apart.
func (p *parser) relationColumn(a *array) {
	if len(a.cols) != 2 || a.jot == 0 || a.stair {
		return
	}
	any := false
	for i := range a.rows {
		c := a.rows[i].cells
		if len(c) > 3 {
			return
		}
		if len(c) < 2 {
			continue
		}
		if len(c[1]) > 1 || len(c[1]) == 1 && c[1][0].class != rel {
			return
		}
		any = any || len(c) == 3 && len(c[1]) == 1
	}
	if any {
		a.cols = relations
		a.sep = 0
	}
}

// substack stacks lines under an operator.
func substack(p *parser, name string, at int) []*node {
	p.blank()
	if !p.at("{") {
		p.fail(at, "\\substack wants its lines in braces")
		return nil
	}
	a := environments["subarray"]
	a.top = 'c'
	start := p.pos
	p.pos++
	if !p.enter() {
		return nil
	}
	row, opt, fence := p.row, p.optional, p.fence
	p.row, p.optional, p.fence = nil, false, 0
	for p.err == nil {
		a.rows = append(a.rows, arrayRow{cells: [][]*node{p.list()}})
		if p.err == nil && p.peek() == "\\" {
			p.command()
			continue
		}
		break
	}
	p.row, p.optional, p.fence = row, opt, fence
	p.depth--
	p.close(start)
	return []*node{{what: arrays, class: ord, at: at, array: &a, ink: p.ink}}
}
