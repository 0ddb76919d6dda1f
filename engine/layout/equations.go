package layout

import (
	"strings"

	"postext/engine/markup"
	"postext/engine/math"
)

// numberRows gives the rows of a display what is printed beside them, and counts
// (document-format.md 4.7): a tag as it is, a label by the counter, nothing else.
func (j *job) numberRows(rows []math.Row) []string {
	out := make([]string, len(rows))
	for i := range rows {
		_, out[i] = j.numberRow(&rows[i])
	}
	return out
}

// numberRow is a row's number, and how it is printed.
func (j *job) numberRow(r *math.Row) (number, printed string) {
	m := &j.d.Math
	switch {
	case r.Tagged:
		return strings.Trim(r.Tag, "()"), r.Tag
	case len(r.Labels) == 0 || r.Silent || !m.Numbered:
		return "", ""
	}
	j.st.Equations++
	count := counter(j.st.Equations, m.Counter)
	number = fillTemplate(m.Template, func(name, format string) (string, bool, bool) {
		switch {
		case name == "n" && format == "":
			return count, true, true
		case name == "n":
			return counter(j.st.Equations, format), true, true
		case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
			n := j.st.Counters[name[1]-'1']
			return counter(n, format), n != 0, true
		}
		return "", false, false
	})
	return number, strings.ReplaceAll(m.Format, "{n}", number)
}

// resetEquations begins the count of equations anew where a heading asks for it.
func (j *job) resetEquations(level int) {
	if r := j.d.Math.Reset; r > 0 && level <= r {
		j.st.Equations = 0
	}
}

// equations counts a display formula without setting it.
func (j *job) equations(b *markup.Block) (out []Target) {
	if !j.d.Math.Enabled || !strings.Contains(b.Literal, `\label`) && b.ID == "" {
		return nil
	}
	tree, err := math.Parse(b.Literal)
	if err != nil {
		return nil
	}
	rows := tree.Rows()
	for i := range rows {
		number, printed := j.numberRow(&rows[i])
		for _, id := range rows[i].Labels {
			out = append(out, Target{ID: id, Kind: "equation", Number: number, Printed: printed})
		}
		if i == 0 && b.ID != "" && (len(out) == 0 || out[0].ID != b.ID) {
			out = append(out, Target{ID: b.ID, Kind: "equation", Number: number, Printed: printed})
		}
	}
	return out
}
