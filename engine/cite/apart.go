package cite

import "strings"

// Works whose citations would print the same are told apart in CSL's order: more
// names, given names, the style's own way, a letter behind the year.

// tellApart finds the works of a set that would print the same.
func (s *Set) tellApart() {
	c := s.st.citation
	if s.st.numbered {
		return
	}
	addNames, addGiven := c.get("disambiguate-add-names") == "true", c.get("disambiguate-add-givenname") == "true"
	letters := c.get("disambiguate-add-year-suffix") == "true"
	if addGiven {
		s.knownNames(c.get("givenname-disambiguation-rule"))
	}
	own := s.st.tests(s.st.root, "disambiguate")
	if !addNames && !addGiven && !letters && !own {
		return
	}
	for _, group := range s.alike(s.order) {
		if addNames {
			group = s.moreNames(group)
		}
		for _, same := range s.alike(group) {
			if rule := c.get("givenname-disambiguation-rule"); addGiven && (rule == "" || rule == "by-cite") {
				s.givenNames(same)
			}
			for _, same := range s.alike(same) {
				if own {
					for _, k := range same {
						s.change(k, func(m *more) { m.apart = true })
					}
					rest := s.alike(same)
					if len(rest) == 0 {
						continue
					}
				}
				if letters {
					for i, k := range s.sortedList(same) {
						s.change(k, func(m *more) { m.letter = letterOf(i) })
					}
				}
			}
		}
	}
}

// tests reports whether a style has a condition.
func (s *style) tests(e *element, condition string) bool {
	if (e.name == "if" || e.name == "else-if") && e.has(condition) {
		return true
	}
	for _, k := range e.kids {
		if s.tests(k, condition) {
			return true
		}
	}
	return false
}

// change changes what tells a work apart.
func (s *Set) change(key string, how func(*more)) {
	m := s.more[key]
	how(&m)
	s.more[key] = m
}

// alike groups the keys whose citations print the same, in their order; those
// that print alone are left out.
func (s *Set) alike(keys []string) (out [][]string) {
	groups := map[string][]string{}
	var order []string
	for _, k := range keys {
		text := s.sample(k)
		if groups[text] == nil {
			order = append(order, text)
		}
		groups[text] = append(groups[text], k)
	}
	for _, text := range order {
		if len(groups[text]) > 1 {
			out = append(out, groups[text])
		}
	}
	return out
}

// sample is a citation of a work as it prints without anything around it; in
// notes that of a later citation, which is shorter.
func (s *Set) sample(key string) string {
	it := Item{Key: key}
	if s.st.notes {
		it.Place.Position = Subsequent
	}
	p := s.printer(s.works[key], inText)
	p.it = &it
	return p.children(s.st.citation.kid("layout"), "").plain()
}

// moreNames shows more names of works that print the same as far as that helps.
func (s *Set) moreNames(group []string) []string {
	most := 0
	for _, k := range group {
		for _, v := range []string{"author", "editor"} {
			most = max(most, len(s.works[k].Names[v]))
		}
	}
	best, at := len(group)+1, 0
	for n := 1; n <= most && n*len(group) <= 10_000; n++ {
		s.show(group, n)
		same := 0
		for _, g := range s.alike(group) {
			same += len(g)
		}
		if same < best {
			best, at = same, n
		}
		if same == 0 {
			break
		}
	}
	s.show(group, at)
	return group
}

func (s *Set) show(group []string, n int) {
	for _, k := range group {
		s.change(k, func(m *more) { m.shown = n })
	}
}

// givenNames shows given names of works that print the same, initials where these
// do.
func (s *Set) givenNames(group []string) {
	var other []bool // by place in the list of names
	for i := range s.namesOf(group[0]) {
		other = append(other, s.differs(group, i))
	}
	for level := uint8(initialsOf); level <= fullName; level++ {
		for _, k := range group {
			m := s.more[k]
			given := make([]uint8, len(s.namesOf(k)))
			for i := range given {
				given[i] = level
				if i < len(m.given) {
					given[i] = max(level, m.given[i])
				}
				if i >= len(other) || !other[i] {
					given[i] = 0
				}
			}
			m.given = given
			s.more[k] = m
		}
		if len(s.alike(group)) == 0 {
			return
		}
	}
	if same := s.alike(group); len(same) == 1 && len(same[0]) == len(group) { // it helped nobody
		for _, k := range group {
			s.change(k, func(m *more) { m.given = nil })
		}
	}
}

// namesOf are the names a work is cited by.
func (s *Set) namesOf(key string) []Name {
	w := s.works[key]
	for _, v := range []string{"author", "editor", "translator"} {
		if n := w.Names[v]; len(n) > 0 {
			return n
		}
	}
	return nil
}

// differs reports whether the ith names of works share the family name alone.
func (s *Set) differs(group []string, i int) bool {
	for _, k := range group[1:] {
		a, b := s.namesOf(group[0]), s.namesOf(k)
		if i < len(a) && i < len(b) && (a[i].Family != b[i].Family || a[i].Given != b[i].Given) {
			return true
		}
	}
	return false
}

// knownNames shows given names wherever a family name is that of several people,
// by the rules that look at names and not at citations.
func (s *Set) knownNames(rule string) {
	if rule == "" || rule == "by-cite" {
		return
	}
	primaryOnly, initialsOnly := strings.HasPrefix(rule, "primary"), strings.HasSuffix(rule, "initials")
	people := map[string]map[string]bool{}    // given names by family name
	initial := map[string]map[string]string{} // and by their initials
	clash := map[string]bool{}                // family and initials of several people
	for _, k := range s.order {
		for i, n := range s.namesOf(k) {
			if primaryOnly && i > 0 {
				break
			}
			f := n.Particle + " " + n.Family
			if people[f] == nil {
				people[f], initial[f] = map[string]bool{}, map[string]string{}
			}
			people[f][n.Given] = true
			in := initials(n.Given, ".", true)
			if g, ok := initial[f][in]; ok && g != n.Given {
				clash[f+in] = true
			}
			initial[f][in] = n.Given
		}
	}
	for _, k := range s.order {
		names := s.namesOf(k)
		given := make([]uint8, len(names))
		any := false
		for i, n := range names {
			f := n.Particle + " " + n.Family
			if primaryOnly && i > 0 || len(people[f]) < 2 {
				continue
			}
			given[i] = initialsOf
			if !initialsOnly && clash[f+initials(n.Given, ".", true)] {
				given[i] = fullName
			}
			any = true
		}
		if any {
			s.change(k, func(m *more) { m.given = given })
		}
	}
}

// letterOf counts a, b … z, aa.
func letterOf(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return letterOf(n/26-1) + string(rune('a'+n%26))
}
