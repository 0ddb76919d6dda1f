// Package bidi gives the embedding levels of text that runs both ways (Unicode
// Bidirectional Algorithm, UAX 9, rules P1 to I2) and the order of what stands
// in a line (L2). Classes of characters come from golang.org/x/text.
//
// Levels are even for text that runs from left to right and odd for text that
// runs from right to left. All is linear in the text but the pairing of brackets,
// which keeps at most 63 open ones, as the algorithm says.
package bidi

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Direction is the base direction of a paragraph.
type Direction uint8

// Auto takes the direction most letters run in.
const (
	Auto Direction = iota
	LTR
	RTL
)

// maxLevel is BD2's max_depth.
const maxLevel = 125

// Needed reports whether a text has characters that run from right to left, or
// controls that make text do so: other text needs no levels in a paragraph that
// runs from left to right.
func Needed(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0xD6 { // no letter before U+0590 runs from right to left
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if n > 1 && r >= 0x590 && (r <= 0x8FF || r == 0x200E || r == 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC || r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF) {
			return true
		}
		i += n - 1
	}
	return false
}

// Letters counts the letters that run from left to right and from right to left.
func Letters(s string) (left, right int) {
	for _, r := range s {
		props, _ := bidi.LookupRune(r)
		switch props.Class() {
		case bidi.L:
			left++
		case bidi.R, bidi.AL:
			right++
		}
	}
	return
}

// Isolate is a stretch of bytes set apart from what is around it in a direction
// of its own (:ltr[…], :rtl[…]). Isolates nest.
type Isolate struct {
	From, To int
	RTL      bool
}

// Levels gives the level of each byte of a paragraph's text, and its base level.
func Levels(s string, base Direction, isolates []Isolate) (levels []uint8, level uint8) {
	p := &paragraph{}
	open := isolates
	var ends []int // of the isolates under way
	add := func(c bidi.Class, r rune, at int) {
		p.class = append(p.class, c)
		p.text = append(p.text, r)
		p.at = append(p.at, int32(at))
	}
	left, right := 0, 0
	for i := 0; i < len(s); {
		for len(ends) > 0 && ends[len(ends)-1] <= i {
			ends = ends[:len(ends)-1]
			add(bidi.PDI, 0, -1)
		}
		for len(open) > 0 && open[0].From <= i {
			c := bidi.LRI
			if open[0].RTL {
				c = bidi.RLI
			}
			ends = append(ends, open[0].To)
			open = open[1:]
			add(c, 0, -1)
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		props, _ := bidi.LookupRune(r)
		c := props.Class()
		switch c {
		case bidi.L:
			left++
		case bidi.R, bidi.AL:
			right++
		}
		if r == '\uFFFC' {
			c = bidi.ON
		}
		add(c, r, i)
		i += n
	}
	if base == RTL || base == Auto && right > left {
		level = 1
	}
	p.base = level
	p.resolve()
	levels = make([]uint8, len(s))
	for k, at := range p.at {
		if at < 0 {
			continue
		}
		end := len(s)
		for m := k + 1; m < len(p.at); m++ {
			if p.at[m] >= 0 {
				end = int(p.at[m])
				break
			}
		}
		for i := int(at); i < end; i++ {
			levels[i] = p.level[k]
		}
	}
	return levels, level
}

// paragraph is the algorithm's state, by character.
type paragraph struct {
	base  uint8
	text  []rune
	class []bidi.Class // as given
	now   []bidi.Class // as resolved
	level []uint8
	at    []int32
	match []int32 // of an isolate's start, its end; else -1
}

func initiates(c bidi.Class) bool { return c == bidi.LRI || c == bidi.RLI || c == bidi.FSI }

// removed are the characters rule X9 takes out.
func removed(c bidi.Class) bool {
	switch c {
	case bidi.LRE, bidi.RLE, bidi.LRO, bidi.RLO, bidi.PDF, bidi.BN:
		return true
	}
	return false
}

func (p *paragraph) resolve() {
	n := len(p.class)
	p.now = append([]bidi.Class(nil), p.class...)
	p.level = make([]uint8, n)
	p.match = make([]int32, n)
	var open []int
	for i, c := range p.class { // BD9
		p.match[i] = -1
		switch {
		case initiates(c):
			open = append(open, i)
		case c == bidi.PDI && len(open) > 0:
			k := open[len(open)-1]
			open = open[:len(open)-1]
			p.match[k], p.match[i] = int32(i), int32(k)
		}
	}
	p.explicit()
	for _, seq := range p.sequences() {
		p.weak(seq)
		p.brackets(seq)
		p.neutral(seq)
	}
	for i := range p.level { // I1, I2
		if removed(p.class[i]) {
			continue
		}
		switch c := p.now[i]; {
		case p.level[i]%2 == 0 && c == bidi.R:
			p.level[i]++
		case p.level[i]%2 == 0 && (c == bidi.AN || c == bidi.EN):
			p.level[i] += 2
		case p.level[i]%2 == 1 && (c == bidi.L || c == bidi.AN || c == bidi.EN):
			p.level[i]++
		}
	}
	// What X9 takes out has the level of what is before it; separators that of
	// the paragraph (L1).
	last := p.base
	for i, c := range p.class {
		switch {
		case removed(c):
			p.level[i] = last
		case c == bidi.B || c == bidi.S:
			p.level[i] = p.base
		}
		last = p.level[i]
	}
}

// explicit is rules X1 to X8.
func (p *paragraph) explicit() {
	type entry struct {
		level    uint8
		override bidi.Class // ON: none
		isolate  bool
	}
	stack := []entry{{p.base, bidi.ON, false}}
	overIsolates, overEmbeddings, isolates := 0, 0, 0
	for i, c := range p.class {
		top := stack[len(stack)-1]
		rtl := c == bidi.RLE || c == bidi.RLO || c == bidi.RLI
		if c == bidi.FSI {
			rtl = p.firstStrong(i) == 1
		}
		next := (top.level + 2) &^ 1
		if rtl {
			next = (top.level + 1) | 1
		}
		override := func() {
			if top.override != bidi.ON {
				p.now[i] = top.override
			}
		}
		switch {
		case c == bidi.RLE || c == bidi.LRE || c == bidi.RLO || c == bidi.LRO:
			p.level[i] = top.level
			if next <= maxLevel && overIsolates == 0 && overEmbeddings == 0 {
				o := bidi.ON
				switch c {
				case bidi.RLO:
					o = bidi.R
				case bidi.LRO:
					o = bidi.L
				}
				stack = append(stack, entry{next, o, false})
			} else if overIsolates == 0 {
				overEmbeddings++
			}
		case initiates(c):
			p.level[i] = top.level
			override()
			if next <= maxLevel && overIsolates == 0 && overEmbeddings == 0 {
				isolates++
				stack = append(stack, entry{next, bidi.ON, true})
			} else {
				overIsolates++
			}
		case c == bidi.PDI:
			switch {
			case overIsolates > 0:
				overIsolates--
			case isolates > 0:
				overEmbeddings = 0
				for !stack[len(stack)-1].isolate {
					stack = stack[:len(stack)-1]
				}
				stack = stack[:len(stack)-1]
				isolates--
			}
			top = stack[len(stack)-1]
			p.level[i] = top.level
			override()
		case c == bidi.PDF:
			switch {
			case overIsolates > 0:
			case overEmbeddings > 0:
				overEmbeddings--
			case len(stack) > 1 && !top.isolate:
				stack = stack[:len(stack)-1]
			}
			p.level[i] = top.level
		case c == bidi.B:
			p.level[i] = p.base
		case c == bidi.BN:
			p.level[i] = top.level
		default:
			p.level[i] = top.level
			override()
		}
	}
}

// maxLook bounds how far the first letter of an isolate is looked for, so that
// nested ones cost no more than the text.
const maxLook = 4096

// firstStrong is the level an FSI at i asks for (P2, P3).
func (p *paragraph) firstStrong(i int) uint8 {
	end := len(p.class)
	if m := p.match[i]; m >= 0 {
		end = int(m)
	}
	for k := i + 1; k < min(end, i+maxLook); k++ {
		switch c := p.class[k]; {
		case c == bidi.L:
			return 0
		case c == bidi.R || c == bidi.AL:
			return 1
		case initiates(c):
			if p.match[k] < 0 {
				return 0
			}
			k = int(p.match[k])
		}
	}
	return 0
}

// sequence is an isolating run sequence: its characters in order (BD13).
type sequence struct {
	at       []int32
	level    uint8
	sos, eos bidi.Class
}

func strong(level uint8) bidi.Class {
	if level%2 == 1 {
		return bidi.R
	}
	return bidi.L
}

// sequences is rule X10.
func (p *paragraph) sequences() (out []*sequence) {
	// Runs of one level, without what X9 takes out; where a run ends in an isolate's
	// start its sequence goes on in the run that begins with the end.
	pending := map[int32]*sequence{}
	var cur *sequence
	last := int32(-1)
	for i := range p.class {
		if removed(p.class[i]) {
			continue
		}
		k := int32(i)
		if cur == nil || p.level[i] != cur.level || last >= 0 && initiates(p.class[last]) && p.match[last] >= 0 || p.class[i] == bidi.PDI && p.match[i] >= 0 {
			if p.class[i] == bidi.PDI && p.match[i] >= 0 && pending[p.match[i]] != nil {
				cur = pending[p.match[i]]
			} else {
				cur = &sequence{level: p.level[i]}
				out = append(out, cur)
			}
		}
		cur.at = append(cur.at, k)
		if initiates(p.class[i]) && p.match[i] >= 0 {
			pending[k] = cur
		}
		last = k
	}
	for _, s := range out {
		before, after := p.base, p.base
		for k := s.at[0] - 1; k >= 0; k-- {
			if !removed(p.class[k]) {
				before = p.level[k]
				break
			}
		}
		end := s.at[len(s.at)-1]
		if !(initiates(p.class[end]) && p.match[end] < 0) {
			for k := int(end) + 1; k < len(p.class); k++ {
				if !removed(p.class[k]) {
					after = p.level[k]
					break
				}
			}
		}
		s.sos, s.eos = strong(max(s.level, before)), strong(max(s.level, after))
	}
	return out
}

// weak is rules W1 to W7.
func (p *paragraph) weak(s *sequence) {
	prev := s.sos
	for _, i := range s.at { // W1
		if p.now[i] == bidi.NSM {
			if p.now[i] = prev; initiates(prev) || prev == bidi.PDI {
				p.now[i] = bidi.ON
			}
		}
		prev = p.now[i]
	}
	last := s.sos
	for _, i := range s.at { // W2, W3
		switch p.now[i] {
		case bidi.R, bidi.L:
			last = p.now[i]
		case bidi.AL:
			last, p.now[i] = bidi.AL, bidi.R
		case bidi.EN:
			if last == bidi.AL {
				p.now[i] = bidi.AN
			}
		}
	}
	at := func(k int) bidi.Class {
		if k < 0 || k >= len(s.at) {
			return bidi.ON
		}
		return p.now[s.at[k]]
	}
	for k, i := range s.at { // W4
		switch c, a, z := p.now[i], at(k-1), at(k+1); {
		case c == bidi.ES && a == bidi.EN && z == bidi.EN:
			p.now[i] = bidi.EN
		case c == bidi.CS && a == z && (a == bidi.EN || a == bidi.AN):
			p.now[i] = a
		}
	}
	for k := 0; k < len(s.at); k++ { // W5
		if at(k) != bidi.ET {
			continue
		}
		end := k
		for at(end) == bidi.ET {
			end++
		}
		if at(k-1) == bidi.EN || at(end) == bidi.EN {
			for m := k; m < end; m++ {
				p.now[s.at[m]] = bidi.EN
			}
		}
		k = end - 1
	}
	last = s.sos
	for _, i := range s.at { // W6, W7
		switch p.now[i] {
		case bidi.ES, bidi.ET, bidi.CS:
			p.now[i] = bidi.ON
		case bidi.R, bidi.L:
			last = p.now[i]
		case bidi.EN:
			if last == bidi.L {
				p.now[i] = bidi.L
			}
		}
	}
}

// direction is how a resolved class counts among neutrals: L, R, or ON for none.
func direction(c bidi.Class) bidi.Class {
	switch c {
	case bidi.L:
		return bidi.L
	case bidi.R, bidi.EN, bidi.AN:
		return bidi.R
	}
	return bidi.ON
}

// maxBrackets is how many open brackets BD16 remembers.
const maxBrackets = 63

// brackets is rule N0.
func (p *paragraph) brackets(s *sequence) {
	type opened struct {
		close rune
		k     int
	}
	var stack []opened
	var pairs [][2]int
search:
	for k, i := range s.at {
		if p.now[i] != bidi.ON {
			continue
		}
		r := p.text[i]
		props, _ := bidi.LookupRune(r)
		if !props.IsBracket() {
			continue
		}
		if props.IsOpeningBracket() {
			if len(stack) == maxBrackets {
				break search
			}
			stack = append(stack, opened{closing(r), k})
			continue
		}
		for m := len(stack) - 1; m >= 0; m-- {
			if stack[m].close == canonical(r) {
				pairs = append(pairs, [2]int{stack[m].k, k})
				stack = stack[:m]
				break
			}
		}
	}
	// In the order of their opening brackets.
	for i := 1; i < len(pairs); i++ {
		for m := i; m > 0 && pairs[m][0] < pairs[m-1][0]; m-- {
			pairs[m], pairs[m-1] = pairs[m-1], pairs[m]
		}
	}
	embedding := strong(s.level)
	for _, pr := range pairs {
		same, other := false, false
		for k := pr[0] + 1; k < pr[1]; k++ {
			switch d := direction(p.now[s.at[k]]); {
			case d == embedding:
				same = true
			case d != bidi.ON:
				other = true
			}
		}
		var c bidi.Class
		switch {
		case same:
			c = embedding
		case !other:
			continue
		default:
			c = embedding
			before := s.sos
			for k := pr[0] - 1; k >= 0; k-- {
				if d := direction(p.now[s.at[k]]); d != bidi.ON {
					before = d
					break
				}
			}
			if before != embedding {
				c = before
			}
		}
		for _, k := range pr {
			p.now[s.at[k]] = c
			for m := k + 1; m < len(s.at) && p.class[s.at[m]] == bidi.NSM; m++ {
				p.now[s.at[m]] = c
			}
		}
	}
}

// neutral is rules N1 and N2.
func (p *paragraph) neutral(s *sequence) {
	for k := 0; k < len(s.at); k++ {
		if direction(p.now[s.at[k]]) != bidi.ON {
			continue
		}
		before, after := s.sos, s.eos
		if k > 0 {
			before = direction(p.now[s.at[k-1]])
		}
		end := k
		for end < len(s.at) && direction(p.now[s.at[end]]) == bidi.ON {
			end++
		}
		if end < len(s.at) {
			after = direction(p.now[s.at[end]])
		}
		c := strong(s.level)
		if before == after {
			c = before
		}
		for m := k; m < end; m++ {
			p.now[s.at[m]] = c
		}
		k = end - 1
	}
}

// canonical is a bracket's canonical equivalent.
func canonical(r rune) rune {
	switch r {
	case 0x2329:
		return 0x3008
	case 0x232A:
		return 0x3009
	}
	return r
}

// closing is the bracket that closes an opening one (BidiBrackets.txt: all but a
// few stand next to each other).
func closing(r rune) rune {
	switch r {
	case '[', '{', 0xFF3B, 0xFF5B:
		return r + 2
	case 0x298D:
		return 0x2990
	case 0x298F:
		return 0x298E
	}
	return canonical(canonical(r) + 1)
}

// Order gives the places of a line's elements from left to right, by their levels
// (L2).
func Order(levels []uint8) []int {
	order := make([]int, len(levels))
	top, odd := uint8(0), uint8(255)
	for i, l := range levels {
		order[i] = i
		top = max(top, l)
		if l%2 == 1 {
			odd = min(odd, l)
		}
	}
	for l := top; l >= odd && odd < 255; l-- {
		for i := 0; i < len(levels); i++ {
			if levels[i] < l {
				continue
			}
			k := i
			for k < len(levels) && levels[k] >= l {
				k++
			}
			for a, z := i, k-1; a < z; a, z = a+1, z-1 {
				order[a], order[z] = order[z], order[a]
			}
			i = k
		}
	}
	return order
}
