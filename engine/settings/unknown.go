package settings

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Paths that are none: what may have been meant by them. A writer knows what a
// setting is about and guesses at its name, so the parts of a path are looked for in
// those of the table whatever they are called exactly, and as words in the search
// ("page.margins.inner" finds the left margin, "bodyText.leading" the line height).

// guess is what is read of a path that names nothing.
type guess struct {
	parts []string // in lower case, without indexes and keys
	words []string // of the parts
	level string   // of headings and lists, "" when it says none
}

// What makes a setting a worse guess. Those within guessRange of the best are told.
const (
	costContained = 2    // the name is a word of the setting's, or the other way round
	costMisspelt  = 1.5  // and one more for each letter
	costWordOf    = 0.75 // a part on the way is a word of the setting's part
	costSearched  = 1.5  // the search finds it by all words of the path,
	costAfter     = 0.25 // after others
	costExtra     = 1    // the setting lies deeper
	costMissing   = 3    // a part on the way is nowhere in the setting's path
	costStored    = 0.25 // nothing would be seen
	guessRange    = 2.5
	maxGuesses    = 8
)

// unknownPath refuses a path the table does not have and names the nearest.
func unknownPath(path string) string {
	if fixed, bad := badDots(path); bad {
		msg := "A path is names joined by single dots, such as bodyText.fontSize or headings.levels[level=2].fontSize; " + strconv.Quote(clip(path)) + " is none."
		if p, ok := locate(fixed); ok {
			msg += " It may mean " + canonicalPath(p) + "."
		}
		return msg
	}
	if whole := wholeValue(path); whole != "" {
		return "There is no setting " + clip(path) + ": it is a part of a value, which is read and set whole as " + whole + "."
	}
	g := readGuess(path)
	msg := "There is no setting " + clip(path) + "."
	found := g.nearest()
	v := newView(Empty.root, Env{})
	if len(found) > 0 {
		names := make([]string, len(found))
		for i, s := range found {
			names[i] = s.pathOf(v.sampleKeys(s, g.level))
		}
		return msg + " The nearest: " + strings.Join(names, ", ") + "."
	}
	if s := g.group(); s != nil {
		path := s.pathOf(v.sampleKeys(s, g.level))
		return msg + " What " + path + " has: " + some(childNames(s), path) + "."
	}
	return msg + " Call sandbox_find_setting with a word of what is meant."
}

// badDots reports a path with an empty name in it, and what it is without.
func badDots(path string) (fixed string, bad bool) {
	if path == "" {
		return "", true
	}
	fixed = strings.Join(slices.DeleteFunc(strings.Split(path, "."), func(name string) bool { return strings.TrimSpace(name) == "" }), ".")
	return fixed, fixed != path
}

// readGuess reads a path as far as it can be read.
func readGuess(path string) (g guess) {
	path = clip(path)
	if _, rest, ok := strings.Cut(path, "[level="); ok {
		g.level, _, _ = strings.Cut(rest, "]")
	}
	for _, part := range strings.Split(path, ".") {
		written, _, _ := strings.Cut(part, "[")
		name := strings.ToLower(strings.TrimSpace(written))
		switch {
		case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
			g.level, name = name[1:], "headings"
		case len(name) == 1 && name[0] >= '0' && name[0] <= '9':
			if g.level == "" && name > "0" && name < "7" {
				g.level = name
			}
			continue
		}
		if name != "" && (len(g.parts) == 0 || g.parts[len(g.parts)-1] != name) {
			g.parts, g.words = append(g.parts, name), append(g.words, splitWords(written)...)
		}
	}
	return g
}

// nearest are the settings that may be meant, the likeliest first.
func (g *guess) nearest() []*Setting {
	if len(g.parts) == 0 {
		return nil
	}
	costs := map[*Setting]float64{}
	try := func(s *Setting, cost float64) {
		if s.Effect == Stored && s.Leaf() {
			cost += costStored
		}
		if was, ok := costs[s]; !ok || cost < was {
			costs[s] = cost
		}
	}
	last := g.parts[len(g.parts)-1]
	var astray []*Setting // a part on the way is not theirs
	for _, s := range schema().all {
		if nested(s.Path) {
			continue
		}
		if c, ok := nameCost(last, s); ok {
			way, missing := g.way(s)
			if try(s, c+way); missing {
				astray = append(astray, s)
			}
		}
	}
	if len(astray) < len(costs) {
		for _, s := range astray {
			delete(costs, s)
		}
	}
	for i, s := range g.searched() {
		try(s, costSearched+costAfter*float64(i))
	}
	var found []*Setting
	for _, s := range schema().all {
		if _, ok := costs[s]; ok {
			found = append(found, s)
		}
	}
	slices.SortStableFunc(found, func(a, b *Setting) int { return cmp.Compare(costs[a], costs[b]) })
	if len(found) > 0 {
		best := costs[found[0]]
		found = slices.DeleteFunc(found, func(s *Setting) bool { return costs[s] > best+guessRange })
	}
	return found[:min(len(found), maxGuesses)]
}

// searched are the settings the search finds by all of the words of the path.
func (g *guess) searched() (out []*Setting) {
	ix := schema().find()
	if len(g.words) == 0 || len(g.words[len(g.words)-1]) < 2 {
		return nil
	}
	meant := ix.translate(g.words)
	if slices.ContainsFunc(meant, func(alts []string) bool { return len(alts) == 0 }) {
		return nil
	}
	for _, r := range ix.rank(meant, g.level) {
		if r.hits < len(meant) || len(out) == maxGuesses {
			break
		}
		out = append(out, r.s)
	}
	return out
}

// nameCost is how far a name is from a setting's, both without regard to case.
func nameCost(name string, s *Setting) (cost float64, ok bool) {
	own := strings.ToLower(s.name)
	if own == name {
		return 0, true
	}
	if len(name) > 3 {
		if d := distance(name, own, 1+len(name)/7); d <= 1+len(name)/7 {
			return costMisspelt + float64(d) - 1, true
		}
		for _, w := range splitWords(s.name) {
			if singular(w) == singular(name) {
				return costContained, true
			}
		}
		if strings.HasPrefix(own, name) || strings.HasSuffix(own, name) || len(own) > 3 && strings.HasPrefix(name, own) {
			return costContained, true
		}
	}
	return 0, false
}

// way is how far the parts before the last are from those before the setting's name.
func (g *guess) way(s *Setting) (cost float64, missing bool) {
	way := strings.Split(strings.ReplaceAll(s.Path, "[]", ""), ".")
	way = way[:len(way)-1]
	met := make([]bool, len(way))
	for _, part := range g.parts[:len(g.parts)-1] {
		best, at := float64(costMissing), -1
		for i, own := range way {
			c := float64(costMissing)
			switch low := strings.ToLower(own); {
			case low == part:
				c = 0
			case len(part) > 3 && (distance(part, low, 1) <= 1 || strings.Contains(low, part)), strings.HasPrefix(low, part), strings.HasPrefix(part, low):
				c = costWordOf
			default:
				for _, w := range splitWords(own) {
					if singular(w) == singular(part) {
						c = costWordOf
					}
				}
			}
			if c < best {
				best, at = c, i
			}
		}
		if cost += best; at < 0 {
			missing = true
			continue
		}
		met[at] = true
	}
	for i, m := range met {
		if !m && (g.level == "" || way[i] != "levels") {
			cost += costExtra
		}
	}
	return cost, missing
}

// group is the deepest group of settings the path begins with, nil for none.
func (g *guess) group() (s *Setting) {
	kids := schema().roots
	for _, part := range g.parts {
		i := slices.IndexFunc(kids, func(k *Setting) bool { return strings.ToLower(k.name) == part })
		if i < 0 || kids[i].Leaf() {
			break
		}
		s, kids = kids[i], kids[i].children
	}
	return s
}

// wholeValue is the setting a path goes too deep into, as the paths of what
// followed a change do (captionStyle.fontSize.value); "" for other paths.
func wholeValue(path string) string {
	cut := strings.LastIndexByte(path, '.')
	if cut < 0 {
		return ""
	}
	p, ok := locate(path[:cut])
	if !ok || !p.set.Leaf() {
		return ""
	}
	return canonicalPath(p)
}
