package cite

// Use is a citation of a document: its works, and where it stands.
type Use struct {
	Items []Item
	// Scope is equal for citations of one count: where it changes the count of
	// positions begins anew.
	Scope int
	// Chapter is equal for citations of one chapter: no later one says ibid. of one in
	// another.
	Chapter int
}

// nearness is how many citations back still is near, where a style does not say.
const nearness = 5

// Places gives each work of the citations its position (CSL 1.0.2, position), and
// the first citation of the work in its scope: the index among uses, −1 for the
// first itself.
func (s *Set) Places(uses []Use) (places [][]Place, firsts [][]int) {
	near := nearness
	if n := number(s.st.citation.get("near-note-distance")); n > 0 {
		near = n
	}
	places, firsts = make([][]Place, len(uses)), make([][]int, len(uses))
	var first, last map[string]int
	before := -1 // the citation before in the scope
	for i := range uses {
		if i == 0 || uses[i].Scope != uses[i-1].Scope {
			first, last = map[string]int{}, map[string]int{}
		}
		if i == 0 || uses[i].Scope != uses[i-1].Scope || uses[i].Chapter != uses[i-1].Chapter {
			before = -1
		}
		items := uses[i].Items
		places[i], firsts[i] = make([]Place, len(items)), make([]int, len(items))
		for k := range items {
			firsts[i][k] = -1
			key := items[k].Key
			if s.works[key] == nil {
				continue
			}
			at, seen := first[key]
			if !seen {
				first[key] = i
				last[key] = i
				continue
			}
			firsts[i][k] = at
			p := &places[i][k]
			p.Position = Subsequent
			p.Near = i-last[key] <= near
			last[key] = i
			var one *Item
			switch {
			case k > 0:
				one = &items[k-1]
			case before >= 0 && len(uses[before].Items) == 1:
				one = &uses[before].Items[0]
			}
			if one == nil || one.Key != key {
				continue
			}
			switch {
			case one.Locator == "" && items[k].Locator == "", one.Locator != "" && one.Locator == items[k].Locator && one.Label == items[k].Label:
				p.Position = Ibid
			case items[k].Locator != "":
				p.Position = IbidWithLocator
			}
		}
		before = i
	}
	return places, firsts
}

// Crosses reports whether the style sends the reader to the note of a work's
// first citation.
func (s *Set) Crosses() bool { return s.st.prints(s.st.citation, "first-reference-note-number") }
