package cite

import (
	"strings"
)

// printer prints one work by a style: in a citation, in the list, or as the key
// it is sorted by.
type printer struct {
	s    *Set
	st   *style
	t    *terms
	part *element // citation or bibliography
	w    *Work
	it   *Item // of a citation; nil in the list
	role role

	budget
	silent map[string]bool
	// substituting is the names element whose form its substitutes take.
	substituting *element

	more     // what tells works apart
	author   authorMode
	met      bool // the first names have been printed
	firsts   []string
	replaced *replacement
	bare     bool // numbers without their brackets
	dated    bool // the letter of the year is out
}

// role is what is printed.
type role uint8

const (
	inText role = iota
	inList
	forSort
)

// authorMode says which part of a citation is printed.
type authorMode uint8

const (
	whole authorMode = iota
	authorOnly
	withoutAuthor
)

// piece is what an element printed, and what CSL's groups ask of it: whether it
// called a variable, and whether one was not empty.
type piece struct {
	rich
	called, filled bool
}

// children prints the elements in an element.
func (p *printer) children(e *element, delimiter string) piece {
	var out piece
	parts := make([]rich, 0, len(e.kids))
	for _, k := range e.kids {
		one := p.element(k)
		out.called = out.called || one.called
		out.filled = out.filled || one.filled
		parts = append(parts, one.rich)
		if p.author == authorOnly && p.met {
			break
		}
	}
	out.rich = p.join(parts, delimiter)
	return out
}

func (p *printer) element(e *element) piece {
	if !p.step() {
		return piece{}
	}
	switch e.name {
	case "text":
		return p.textOf(e)
	case "number":
		return p.numberOf(e)
	case "label":
		return p.labelOf(e)
	case "names":
		return p.namesOf(e)
	case "date":
		return p.dateOf(e)
	case "group":
		out := p.children(e, e.get("delimiter"))
		if out.called && !out.filled {
			return piece{called: true}
		}
		out.rich = p.finish(e, out.rich)
		return out
	case "choose":
		for _, k := range e.kids {
			if k.name == "else" || (k.name == "if" || k.name == "else-if") && p.holds(k) {
				return p.children(k, "")
			}
		}
	}
	return piece{}
}

// finish gives a text its case, its look, its quotation marks and, outside of
// these, its affixes.
func (p *printer) finish(e *element, r rich) rich {
	if r.empty() {
		return nil
	}
	if e.get("strip-periods") == "true" {
		out := append(rich(nil), r...)
		for i := range out {
			out[i].Text = strings.ReplaceAll(out[i].Text, ".", "")
		}
		r = out
	}
	if how := e.get("text-case"); how != "" {
		r = letters(r, how, p.english())
	}
	r = dress(e, r)
	if e.get("quotes") == "true" && p.role != forSort {
		r = p.quote(r)
	}
	return p.affixed(e, r)
}

func (p *printer) affixed(e *element, r rich) rich {
	if r.empty() {
		return nil
	}
	before, after := e.get("prefix"), e.get("suffix")
	if p.bare && before+after != "" && strings.Trim(before+after, " ()[]{}〔〕［］（）") == "" && p.st.prints(e, "citation-number") {
		before, after = "", ""
	}
	if before != "" {
		r = p.add(said(before), r)
	}
	if after != "" {
		r = p.add(r, said(after))
	}
	return r
}

// english reports whether a work's titles are in English (CSL 1.0.2, text-case
// title): by its language, else by the document's.
func (p *printer) english() bool {
	if l := p.w.Text["language"]; l != "" {
		return languageOf(l) == "en"
	}
	return p.t.lang == "en"
}

func (p *printer) textOf(e *element) piece {
	switch {
	case e.has("variable"):
		name := e.get("variable")
		v := p.variable(name, e.get("form"))
		out := piece{called: true, filled: v != ""}
		if v == "" {
			return out
		}
		r := field(v)
		if name == "page" {
			r = said(p.pages(v))
		}
		out.rich = p.linked(name, v, e, p.finish(e, r))
		return out
	case e.has("macro"):
		m := p.st.macros[e.get("macro")]
		if m == nil {
			return piece{}
		}
		out := p.children(m, "")
		out.rich = p.finish(e, out.rich)
		return out
	case e.has("term"):
		v := p.t.term(e.get("term"), e.get("form"), e.get("plural") == "true")
		return piece{rich: p.finish(e, said(v))}
	case e.has("value"):
		return piece{rich: p.finish(e, said(e.get("value")))}
	}
	return piece{}
}

// linked makes an address of a DOI or a URL, with what the style puts before it.
func (p *printer) linked(name, v string, e *element, r rich) rich {
	to := ""
	switch name {
	case "DOI":
		to = "https://doi.org/" + v
	case "URL":
		to = v
	case "PMID":
		to = "https://pubmed.ncbi.nlm.nih.gov/" + v
	case "PMCID":
		to = "https://www.ncbi.nlm.nih.gov/pmc/articles/" + v
	}
	if p.s.o.DOI == "text" || p.role == forSort || !strings.HasPrefix(to, "http://") && !strings.HasPrefix(to, "https://") {
		return r
	}
	// An address printed whole is one link; a label before it is not part of it.
	out := append(rich(nil), r...)
	for i := range out {
		at := strings.Index(out[i].Text, to)
		n := len(to)
		if at < 0 {
			at, n = strings.Index(out[i].Text, v), len(v)
		}
		if at < 0 {
			continue
		}
		s := out[i]
		cut := rich{s, s, s}
		cut[0].Text, cut[1].Text, cut[2].Text, cut[1].Link = s.Text[:at], s.Text[at:at+n], s.Text[at+n:], to
		whole := append(out[:i:i], cut...)
		var full rich
		for _, c := range append(whole, out[i+1:]...) {
			if c.Text != "" {
				full = append(full, c)
			}
		}
		return full
	}
	return out
}

// variable is the text of a variable; the short form of a title is its own
// variable, and the whole title where there is none.
func (p *printer) variable(name, form string) string {
	if p.silent[name] {
		return ""
	}
	if form == "short" {
		if v := p.w.Text[name+"-short"]; v != "" {
			return v
		}
		if name == "container-title" && p.w.Text["journalAbbreviation"] != "" {
			return p.w.Text["journalAbbreviation"]
		}
	}
	switch name {
	case "citation-number":
		if n := p.s.numberOf(p.w.ID); n > 0 {
			return itoa(n)
		}
		return ""
	case "citation-label":
		return p.s.trigraph(p.w)
	case "year-suffix":
		if p.letter != "" {
			p.dated = true
		}
		return p.letter
	case "locator":
		if p.it != nil {
			return p.locatorOf(p.it)
		}
		return ""
	case "first-reference-note-number":
		if p.it != nil && p.it.Place.First > 0 && p.it.Place.Position != First {
			return itoa(p.it.Place.First)
		}
		return ""
	case "DOI":
		if p.s.o.DOI == "hide" {
			return ""
		}
	case "URL":
		if v := p.w.Text[name]; p.s.o.DOI == "hide" && strings.Contains(v, "//doi.org/") {
			return ""
		}
	case "title-short":
		if v := p.w.Text["shortTitle"]; v != "" {
			return v
		}
	case "page-first":
		first, _, _ := strings.Cut(p.w.Text["page"], "–")
		first, _, _ = strings.Cut(first, ",")
		return strings.TrimSpace(first)
	}
	return p.w.Text[name]
}

// locatorOf is a citation's locator; those of pages are written as pages are.
func (p *printer) locatorOf(it *Item) string {
	if it.Label == "page" {
		return p.pages(it.Locator)
	}
	return it.Locator
}

// holds tests a condition of CSL's choose.
func (p *printer) holds(e *element) bool {
	any, none := e.get("match") == "any", e.get("match") == "none"
	tested := false
	for _, a := range e.attr {
		var test func(v string) bool
		switch a.Name.Local {
		case "type":
			test = func(v string) bool { return p.w.Type == v }
		case "variable":
			test = p.hasVariable
		case "is-numeric":
			test = func(v string) bool { return numeric(p.variable(v, "")) }
		case "is-uncertain-date":
			test = func(v string) bool { return p.w.Dates[v].Circa }
		case "locator":
			test = func(v string) bool { return p.it != nil && p.it.Locator != "" && p.it.Label == v }
		case "position":
			test = p.stands
		case "disambiguate":
			test = func(v string) bool { return (v == "true") == p.apart }
		default:
			continue
		}
		for _, v := range strings.Fields(a.Value) {
			ok := test(v)
			switch {
			case any && ok:
				return true
			case none && ok:
				return false
			case !any && !none && !ok:
				return false
			}
			tested = true
		}
	}
	if none {
		return true
	}
	return tested && !any
}

func (p *printer) hasVariable(v string) bool {
	switch {
	case p.silent[v]:
		return false
	case nameVariables[v]:
		return len(p.w.Names[v]) > 0
	case dateVariables[v]:
		d := p.w.Dates[v]
		return d.Year != 0 || d.Literal != ""
	}
	return p.variable(v, "") != ""
}

// stands tests a citation's position (CSL 1.0.2, position): in the list there is
// none. A later citation is subsequent whatever else it is.
func (p *printer) stands(v string) bool {
	if p.it == nil || p.role == inList {
		return false
	}
	at := p.it.Place
	switch v {
	case "first":
		return at.Position == First
	case "subsequent":
		return at.Position != First
	case "ibid":
		return at.Position == Ibid || at.Position == IbidWithLocator
	case "ibid-with-locator":
		return at.Position == IbidWithLocator
	case "near-note":
		return at.Near
	}
	return false
}
