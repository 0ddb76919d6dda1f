package cite

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits of a style's file. The longest style of the CSL repository has 0.3 MB.
const (
	maxStyle    = 1 << 20
	maxElements = 50_000
	maxDeep     = 100
)

// element is an element of a style's XML.
type element struct {
	name string
	attr []xml.Attr
	kids []*element
	text string
}

//go:noinline
func (e *element) get(name string) string {
	if e == nil {
		return ""
	}
	for i := range e.attr {
		if e.attr[i].Name.Local == name {
			return e.attr[i].Value
		}
	}
	return ""
}

//go:noinline
func (e *element) has(name string) bool {
	if e == nil {
		return false
	}
	for i := range e.attr {
		if e.attr[i].Name.Local == name {
			return true
		}
	}
	return false
}

// kid is the first child of a name, or nil.
//
//go:noinline
func (e *element) kid(name string) *element {
	if e != nil {
		for _, k := range e.kids {
			if k.name == name {
				return k
			}
		}
	}
	return nil
}

// style is a CSL style, ready to print.
type style struct {
	root           *element
	macros         map[string]*element
	locales        []*element
	citation, list *element // list is nil when the style lists nothing
	notes          bool     // it cites in notes
	numbered       bool     // it cites by number
}

// parseStyle reads a style in CSL 1.0.2; shared are macros it may call beside its
// own. Its errors say what to do.
func parseStyle(src string, shared map[string]*element) (*style, error) {
	if len(src) > maxStyle {
		return nil, fmt.Errorf("the style has %d KB; at most %d KB are read", len(src)>>10, maxStyle>>10)
	}
	root, err := readXML(src)
	if err != nil {
		return nil, err
	}
	if root.name != "style" {
		return nil, fmt.Errorf("the file begins with <%s>, not with <style>: give the text of a .csl file", root.name)
	}
	s := &style{root: root, macros: map[string]*element{}, notes: root.get("class") == "note"}
	for _, k := range root.kids {
		switch k.name {
		case "macro":
			if s.macros[k.get("name")] == nil {
				s.macros[k.get("name")] = k
			}
		case "locale":
			s.locales = append(s.locales, k)
		case "citation":
			s.citation = k
		case "bibliography":
			s.list = k
		}
	}
	if s.citation == nil {
		for _, l := range root.kid("info").all("link") {
			if l.get("rel") == "independent-parent" {
				at := l.get("href")
				return nil, fmt.Errorf("the style says no more than that it is %s under another name: give that style's file, or its id if it is one of those there are", at[strings.LastIndexByte(at, '/')+1:])
			}
		}
		return nil, errors.New("the style has no <citation>: give the whole text of a .csl file")
	}
	if s.citation.kid("layout") == nil {
		return nil, errors.New("the style's <citation> has no <layout>")
	}
	if s.list.kid("layout") == nil {
		s.list = nil
	}
	for name, m := range shared {
		if s.macros[name] == nil {
			s.macros[name] = m
		}
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.numbered = s.prints(s.citation.kid("layout"), "citation-number")
	return s, nil
}

//go:noinline
func (e *element) all(name string) (out []*element) {
	if e != nil {
		for _, k := range e.kids {
			if k.name == name {
				out = append(out, k)
			}
		}
	}
	return out
}

// readXML reads a document into a tree, white space between elements dropped.
func readXML(src string) (*element, error) {
	d := xml.NewDecoder(strings.NewReader(src))
	d.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("its letters are in %s, not in UTF-8", label)
	}
	var root *element
	var open []*element
	count := 0
	for {
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("no readable CSL: %w", err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			if count++; count > maxElements || len(open) >= maxDeep {
				return nil, fmt.Errorf("the style has more than %d elements, or %d inside one another", maxElements, maxDeep)
			}
			e := &element{name: t.Name.Local, attr: t.Attr}
			if len(open) > 0 {
				up := open[len(open)-1]
				up.kids = append(up.kids, e)
			} else if root == nil {
				root = e
			}
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				up := open[len(open)-1]
				up.text += string(t)
			}
		}
	}
	if root == nil {
		return nil, errors.New("there is no XML in it: give the text of a .csl file")
	}
	return root, nil
}

// check finds macros that are not there or call themselves.
func (s *style) check() error {
	const open, done = 1, 2
	state := map[string]int{}
	var walk func(e *element) error
	visit := func(name string) error {
		m := s.macros[name]
		switch {
		case m == nil:
			return fmt.Errorf("the style calls a macro %q that it does not have", name)
		case state[name] == open:
			return fmt.Errorf("the style's macro %q calls itself", name)
		case state[name] == done:
			return nil
		}
		state[name] = open
		err := walk(m)
		state[name] = done
		return err
	}
	walk = func(e *element) error {
		if name := e.get("macro"); name != "" && (e.name == "text" || e.name == "key") {
			if err := visit(name); err != nil {
				return err
			}
		}
		for _, k := range e.kids {
			if err := walk(k); err != nil {
				return err
			}
		}
		return nil
	}
	for _, e := range []*element{s.citation, s.list} {
		if e != nil {
			if err := walk(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// prints reports whether an element prints a variable, itself or by a macro.
func (s *style) prints(e *element, variable string) bool {
	seen := map[*element]bool{}
	var in func(e *element) bool
	in = func(e *element) bool {
		if e == nil || seen[e] {
			return false
		}
		seen[e] = true
		if e.name == "text" || e.name == "number" {
			if e.get("variable") == variable || in(s.macros[e.get("macro")]) {
				return true
			}
		}
		for _, k := range e.kids {
			if in(k) {
				return true
			}
		}
		return false
	}
	return in(e)
}

// option is an option of names: the element's own, else that of the citation or
// the list it stands in, else the style's.
func (s *style) option(own, part *element, name, inherited string) string {
	if own.has(name) {
		return own.get(name)
	}
	if inherited == "" {
		inherited = name
	}
	if part.has(inherited) {
		return part.get(inherited)
	}
	return s.root.get(inherited)
}
