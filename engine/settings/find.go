package settings

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Found is the answer of Find.
type Found struct {
	Paths    []Hit        `json:"paths"`
	Sections []SectionHit `json:"sections"`
}

// Hit is a setting found.
type Hit struct {
	Path      string          `json:"path"`
	Effective json.RawMessage `json:"effective"`
	Label     string          `json:"label"`
	About     string          `json:"about"`
}

// SectionHit is a section of the Design panel.
type SectionHit struct {
	Section       string   `json:"section"`
	Group         string   `json:"group"`
	SettingsGroup string   `json:"settingsGroup"`
	ConfigKeys    []string `json:"configKeys"`
}

// index holds the search words of every setting.
type index struct {
	entries []entry
	// vocabulary is every word once, sorted, for misspellings.
	vocabulary []string
}

// entry is a setting with its words and what a match in them is worth.
type entry struct {
	s *Setting
	// words of its label and of its section's
	label, section []string
	words          []weighted
	depth          int // parts of the path: of equal matches the plainer comes first
}

type weighted struct {
	word  string
	worth int
}

// What a match is worth, by where the word stands.
const (
	inSynonym = 95 // chosen by hand, so surest
	inName    = 60 // last part of the path
	inLabel   = 50
	inParent  = 25 // earlier parts of the path, the section
	inEnum    = 20
	inAbout   = 10
	wholeName = 30 // more when the query is the whole label, or its section's
)

// fold makes words comparable: lower case, no accents.
func fold(s string) string {
	var b strings.Builder
	bases := letterBases()
	for _, r := range strings.ToLower(s) {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		if base, ok := bases[r]; ok {
			b.WriteString(base)
		} else if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

var letterBases = sync.OnceValue(func() map[rune]string {
	m := make(map[rune]string)
	for base, letters := range map[string]string{
		"a": "àáâãäåāăą", "c": "çćčĉ", "d": "ďđ", "e": "èéêëēėęě", "g": "ğĝģ", "i": "ìíîïīįı", "l": "łļľ",
		"n": "ñńņň", "o": "òóôõöøōő", "r": "řŕ", "s": "śšşș", "t": "ťţț", "u": "ùúûüūůűų", "y": "ýÿ", "z": "źżž",
		"ss": "ß", "ae": "æ", "oe": "œ",
	} {
		for _, r := range letters {
			m[r] = base
		}
	}
	return m
})

// splitWords cuts at anything but letters and digits, and inside camelCase.
func splitWords(s string) []string {
	var out []string
	start := -1
	var before rune
	for i, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
		if start >= 0 && (!letter || unicode.IsUpper(r) && unicode.IsLower(before)) {
			out = append(out, fold(s[start:i]))
			start = -1
		}
		if letter && start < 0 {
			start = i
		}
		before = r
	}
	if start >= 0 {
		out = append(out, fold(s[start:]))
	}
	return out
}

func buildIndex(sc *Schema) *index {
	ix := &index{}
	seen := make(map[string]bool)
	for _, s := range sc.all {
		if !s.Leaf() || s.Label == "" || nested(s.Path) {
			continue
		}
		e := entry{s: s, depth: strings.Count(s.Path, ".") + s.depth}
		add := func(worth int, text string) {
			for _, w := range splitWords(text) {
				e.words = append(e.words, weighted{w, worth})
			}
		}
		add(inName, s.name)
		e.words = append(e.words, weighted{fold(s.name), inName})
		e.label = splitWords(s.Label)
		add(inLabel, s.Label)
		if s.parent != nil {
			add(inParent, s.parent.Path)
		}
		if s.Section != nil {
			e.section = splitWords(s.Section.Label)
			add(inAbout, s.Section.Label)
		}
		for _, w := range s.Enum {
			add(inEnum, w)
		}
		add(inAbout, s.About)
		for _, syn := range synonyms {
			for _, p := range syn.paths {
				if s.Path == p || strings.HasSuffix(p, ".") && strings.HasPrefix(s.Path, p) {
					add(inSynonym, syn.words)
				}
			}
		}
		for _, w := range e.words {
			if !seen[w.word] {
				seen[w.word] = true
				ix.vocabulary = append(ix.vocabulary, w.word)
			}
		}
		ix.entries = append(ix.entries, e)
	}
	slices.Sort(ix.vocabulary)
	return ix
}

// nested are the designs inside headings, parts and styles: their fields are
// those of header and footer and would only repeat them.
func nested(pattern string) bool {
	return strings.Contains(pattern, ".elements[]") && !strings.HasPrefix(pattern, "header.") && !strings.HasPrefix(pattern, "footer.") ||
		strings.Contains(pattern, ".bodyStyle.orderedLists") || strings.Contains(pattern, ".bodyStyle.unorderedLists")
}

// fillers are left out of a query when other words stand in it.
var fillers = []string{"a", "an", "and", "be", "between", "change", "do", "for", "how", "i", "in", "is", "make", "my", "of", "off", "on", "or", "set",
	"setting", "settings", "switch", "the", "to", "turn", "use", "want", "with"}

// secondLevel are words for the headings inside a chapter.
var secondLevel = strings.Fields("subheading subheadings subhead subheads subtitulo subtitulos sottotitolo sottotitoli intertitre intertitres")

// queryWords are the words of a query. Its phrases are found in the form their
// words are compared in, unless that would join what capitals divide.
func queryWords(query string) []string {
	if folded := fold(query); phrases.Replace(folded) != folded {
		return splitWords(phrases.Replace(folded))
	}
	return splitWords(query)
}

// match is how well a query word matches a word: 0 not at all, else up to 100.
func match(query, word string) int {
	switch {
	case query == word:
		return 100
	case singular(query) == singular(word):
		return 90
	case strings.HasPrefix(word, query):
		return 50 + 30*len(query)/len(word)
	}
	return 0
}

func singular(w string) string {
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
		return w[:len(w)-1]
	}
	return w
}

// Find searches the settings: labels, help, option names and parts of paths, by
// word starts, whatever the case and the accents; words of the trade and close
// misspellings are understood. limit is at most 100; 0 means 20.
func Find(t *Tree, env Env, query string, limit int) Found {
	if limit <= 0 {
		limit = 20
	}
	limit = min(limit, 100)
	sc := schema()
	out := Found{Paths: []Hit{}, Sections: []SectionHit{}}
	level := ""
	var words []string
	exact := strings.TrimSpace(query)
	if r := []rune(query); len(r) > 200 {
		query = string(r[:200])
	}
	for _, w := range queryWords(query) {
		if slices.Contains(secondLevel, w) && level == "" {
			level = "2"
		}
		if len(w) == 2 && w[0] == 'h' && w[1] >= '1' && w[1] <= '6' {
			level = w[1:]
		}
		words = append(words, w)
	}
	if kept := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(fillers, w) || slices.Contains(fillersAbroad, w) }); len(kept) > 0 {
		words = kept
	}
	v := newView(t.node(), env)
	if p, ok := locate(exact); ok && exact != "" {
		if p.set.Leaf() {
			out.add(v, p.set, p.keys(), canonicalPath(p))
		}
	}
	ix := sc.find()
	meant := ix.translate(words)
	ranked := ix.rank(meant, level)
	var sections []*Section
	for _, sec := range sc.sections {
		if sectionMatches(sec, meant) {
			sections = append(sections, sec)
		}
	}
	for _, r := range ranked {
		if len(out.Paths) < limit {
			keys := v.sampleKeys(r.s, level)
			path := r.s.pathOf(keys)
			if len(out.Paths) == 0 || out.Paths[0].Path != path {
				out.add(v, r.s, keys, path)
			}
		}
		// Sections of weak matches, a word in some help text, are not offered.
		if r.s.Section != nil && r.worth*4 >= ranked[0].worth*3 && !slices.Contains(sections, r.s.Section) {
			sections = append(sections, r.s.Section)
		}
	}
	for i, sec := range sections {
		if i == 12 {
			break
		}
		out.Sections = append(out.Sections, SectionHit{sec.Label, sec.Group, sec.GroupID, sec.Keys})
	}
	return out
}

func (f *Found) add(v *view, s *Setting, keys []string, path string) {
	f.Paths = append(f.Paths, Hit{path, v.value(s, keys).raw(), s.Label, s.About})
}

// sampleKeys names the first item of each list on the way to a setting; of
// levels, the one the query asked for.
func (v *view) sampleKeys(s *Setting, level string) []string {
	var lists []*Setting
	for up := s.parent; up != nil; up = up.parent {
		if up.Type == Items {
			lists = append(lists, up)
		}
	}
	slices.Reverse(lists)
	var keys []string
	for _, l := range lists {
		key := "…"
		if l.Key == "" {
			key = "#0"
		}
		if selectors, _ := v.items(l, keys); len(selectors) > 0 {
			key = selectors[0]
			if l.Key == "level" && slices.Contains(selectors, level) {
				key = level
			}
		}
		keys = append(keys, key)
	}
	return keys
}

func sectionMatches(sec *Section, query [][]string) bool {
	have := splitWords(sec.Label + " " + sec.About + " " + strings.Join(sec.Keys, " "))
	for _, alts := range query {
		if !slices.ContainsFunc(have, func(w string) bool {
			return slices.ContainsFunc(alts, func(q string) bool { return match(q, w) > 0 })
		}) {
			return false
		}
	}
	return len(query) > 0
}

type ranked struct {
	s     *Setting
	worth int
	depth int
	hits  int // how many words of the query
}

// rank orders the settings every word of the query is found in; when there is
// none, those most of the words are found in. Each place of the query gives the
// words that may be meant there.
func (ix *index) rank(alternatives [][]string, level string) []ranked {
	if len(alternatives) == 0 {
		return nil
	}
	var all, some []ranked
	for i := range ix.entries {
		e := &ix.entries[i]
		total, hits := 0, 0
		for _, alts := range alternatives {
			best := 0
			for _, q := range alts {
				for _, w := range e.words {
					if m := match(q, w.word); m > 0 {
						best = max(best, w.worth*m)
					}
				}
			}
			if level != "" && slices.Contains(alts, "h"+level) && strings.HasPrefix(e.s.Path, "headings.levels[]") {
				best = max(best, inParent*100)
			}
			if best > 0 {
				hits++
				total += best
			}
		}
		if hits == 0 {
			continue
		}
		if whole(alternatives, e.label) || whole(alternatives, e.section) {
			total += wholeName * 100
		}
		r := ranked{e.s, total, e.depth, hits}
		if e.s.Effect == Stored {
			r.worth -= r.worth / 10 // of equal matches what works comes first
		}
		if hits == len(alternatives) {
			all = append(all, r)
		} else if hits*2 >= len(alternatives) {
			some = append(some, r)
		}
	}
	if len(all) == 0 {
		all = some
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.depth, b.depth), cmp.Compare(len(a.s.Path), len(b.s.Path)))
	})
	return all
}

// whole reports that the query is the label, word for word.
func whole(query [][]string, label []string) bool {
	return slices.EqualFunc(query, label, func(alts []string, w string) bool {
		return slices.ContainsFunc(alts, func(q string) bool { return match(q, w) >= 90 })
	})
}

// known reports a word that starts some word of the index.
func (ix *index) known(q string) bool {
	i, found := slices.BinarySearch(ix.vocabulary, q)
	if found || i < len(ix.vocabulary) && strings.HasPrefix(ix.vocabulary[i], q) {
		return true
	}
	_, found = slices.BinarySearch(ix.vocabulary, singular(q))
	return found || len(q) == 2 && q[0] == 'h' && q[1] >= '1' && q[1] <= '6'
}

// similar lists the words of the index a misspelt word may stand for: one
// letter off, two in long words.
func (ix *index) similar(q string) []string {
	limit := 0
	switch {
	case len(q) >= 7:
		limit = 2
	case len(q) >= 4:
		limit = 1
	}
	var out []string
	for limit > 0 && len(out) == 0 {
		best := limit
		for _, w := range ix.vocabulary {
			if d := distance(q, w, best); d <= best {
				if d < best {
					out, best = out[:0], d
				}
				out = append(out, w)
			}
		}
		break
	}
	return out
}

// Sample is a concrete path to a setting in the tree: of lists on the way the
// first item ("…" stands for one that is not there).
func (t *Tree) Sample(env Env, s *Setting) string {
	return s.pathOf(newView(t.node(), env).sampleKeys(s, ""))
}
