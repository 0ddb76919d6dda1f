// Package hyphen finds where words may be divided, with the patterns of Franklin
// Liang, "Word Hy-phen-a-tion by Com-put-er", Stanford 1983.
//
// Every pattern that matches somewhere in a word, its ends marked by full stops,
// gives levels to the places between letters; the highest level at a place
// counts, and the word may be divided where it is odd. Exceptions are looked up
// first. The minima are those of layout.md 5.3, not those of the pattern files:
// no word under five letters, at least two before and three after the break.
//
// The patterns come from the npm package hyphen (libraries.md 6); the file
// NOTICE holds their notices, package patterns the files. A language is read and
// unpacked on its first use: the trie is an array of nodes, the children of one node side by side, and a bit set of
// the characters that lead on.
package hyphen

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:generate go run ./internal/gen

// minima of a division, in letters.
type minima struct{ word, before, after int }

// ours are the minima of layout.md 5.3.
var ours = minima{word: 5, before: 2, after: 3}

// Dict divides the words of one language. It is immutable and may be shared. A
// nil Dict divides nothing.
type Dict struct {
	name  string
	ascii [128]uint8 // character to code, 0 for none; capitals like small letters
	other map[rune]uint8
	nodes []node
	// levels of a pattern: levels[i] is where list i starts in steps, with the
	// gap each of its levels is for.
	levels     []uint32
	steps      []step
	exceptions map[string][]uint8 // places in letters
	apostrophe bool               // the patterns know the apostrophe
}

// node of the trie. A child exists for each bit of mask; they stand in order
// from first.
type node struct {
	mask  uint64
	first uint32
	level uint16 // 1 + index into levels, 0 for no pattern
}

// step is a level above zero and its gap, counted from the pattern's start.
type step struct{ gap, level uint8 }

// unknown is the code of a letter that no pattern has.
const unknown = 63

// Name of the patterns, as a file name: "en-us", "de".
func (d *Dict) Name() string {
	if d == nil {
		return ""
	}
	return d.name
}

// Library gives out dictionaries, each read and unpacked when first asked for. It
// may be used by several goroutines.
type Library struct {
	source func(ctx context.Context, name string) ([]byte, error)

	mu    sync.Mutex
	dicts map[string]*Dict
}

// NewLibrary returns a library over a source of pattern files, which are named
// like "en-us" and "de" (Files lists them).
func NewLibrary(source func(ctx context.Context, name string) ([]byte, error)) *Library {
	return &Library{source: source, dicts: map[string]*Dict{}}
}

// names of the pattern files by primary language subtag.
var names = map[string]string{
	"ca": "ca", "da": "da", "de": "de", "el": "el", "en": "en-us", "es": "es", "eu": "eu", "fi": "fi", "fr": "fr", "gl": "gl",
	"hr": "hr", "it": "it", "la": "la", "nb": "nb", "nl": "nl", "nn": "nb", "no": "nb", "pl": "pl", "pt": "pt", "ru": "ru",
	"sv": "sv", "tr": "tr", "uk": "uk",
}

// british are the regions whose English is divided as in Britain, by its parts
// rather than by its sound.
const british = " gb uk ie au nz za "

// undivided are the languages whose text has no hyphenation: Chinese, Japanese,
// Korean and those written from right to left.
const undivided = " zh yue cmn wuu hak nan gan hsn lzh ja ko ar arb arz fa pes prs he iw yi ji ur ps sd ug dv ckb syr arc nqo "

// scripts that have none, whatever the language.
const undividedScripts = " hans hant hani hira kana jpan kore hang bopo arab hebr syrc thaa nkoo adlm "

// For returns the dictionary for a language tag (BCP 47; region subtags are
// ignored, but for English, which is divided in the American or the British way). A language without patterns has the
// English ones and exact is false. Chinese, Japanese, Korean and right-to-left
// languages have none: the Dict is nil and exact is true. An empty tag is
// English. The error is the source's, or that its file is damaged; asking again
// tries again.
func (l *Library) For(ctx context.Context, tag string) (d *Dict, exact bool, err error) {
	name, exact := Name(tag)
	if name == "" {
		return nil, true, nil
	}
	d, err = l.load(ctx, name)
	return d, exact, err
}

// Name is the pattern file that For reads for a language tag; empty when its
// words are not divided.
func Name(tag string) (name string, exact bool) {
	parts := strings.FieldsFunc(strings.ToLower(tag), func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 {
		parts = []string{"en"}
	}
	if strings.Contains(undivided, " "+parts[0]+" ") {
		return "", true
	}
	for _, p := range parts[1:] {
		if len(p) == 1 { // extensions and private use follow
			break
		}
		if len(p) == 4 && strings.Contains(undividedScripts, " "+p+" ") {
			return "", true
		}
	}
	name, exact = names[parts[0]]
	if !exact {
		name = "en-us"
	}
	if parts[0] == "en" && len(parts) > 1 && strings.Contains(british, " "+parts[len(parts)-1]+" ") {
		name = "en-gb"
	}
	return name, exact
}

func (l *Library) load(ctx context.Context, name string) (*Dict, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if d := l.dicts[name]; d != nil {
		return d, nil
	}
	packed, err := l.source(ctx, name)
	if err != nil {
		return nil, err
	}
	d, err := unpack(name, packed)
	if err != nil {
		return nil, fmt.Errorf("the hyphenation patterns %q: %w", name, err)
	}
	l.dicts[name] = d
	return d, nil
}

// Points appends to dst the byte offsets in word at which it may be divided, in
// rising order. The word is taken apart at everything that is no letter, and
// each part looked up on its own; an apostrophe (also U+2019) stays inside its
// part where the language's patterns know it, as in French, and even there
// letters are counted from it. Letter case does not matter.
func (d *Dict) Points(word string, dst []int) []int { return d.points(word, dst, ours) }

func (d *Dict) points(word string, dst []int, m minima) []int {
	if d == nil || len(word) < m.word {
		return dst
	}
	// The part at hand: codes from a full stop on, the byte offset of each (−1
	// for what is no letter), and how many are letters.
	var codeBuf [72]uint8
	var atBuf [72]int32
	codes, at, letters := append(codeBuf[:0], 0), append(atBuf[:0], -1), 0
	for i := 0; i < len(word); {
		c := word[i]
		code, n := uint8(0), 1 // 0: no part of a word
		letter := true
		if c < utf8.RuneSelf {
			code = d.ascii[c]
			switch {
			case c == '\'':
				letter = false
			case code == 0 && 'a' <= c|0x20 && c|0x20 <= 'z':
				code = unknown
			}
		} else {
			var r rune
			r, n = utf8.DecodeRuneInString(word[i:])
			code, letter = d.code(r)
		}
		switch {
		case code != 0 && (letter || letters > 0):
			codes = append(codes, code)
			if letter {
				letters++
				at = append(at, int32(i))
			} else {
				at = append(at, -1)
			}
		case letters > 0:
			dst = d.divide(word[:i], codes, at, letters, dst, m)
			codes, at, letters = codes[:1], at[:1], 0
		}
		i += n
	}
	return d.divide(word, codes, at, letters, dst, m)
}

// code of a character beyond ASCII: 0 when it is no part of a word. An
// apostrophe and a mark are parts but no letters.
func (d *Dict) code(r rune) (code uint8, letter bool) {
	if c := d.other[r]; c != 0 {
		return c, true
	}
	switch {
	case r == '’':
		return d.ascii['\''], false
	case unicode.IsLetter(r):
		if low := unicode.ToLower(r); low < utf8.RuneSelf { // the Kelvin sign
			code = d.ascii[low]
		} else {
			code = d.other[low]
		}
		if code == 0 {
			code = unknown
		}
		return code, true
	case unicode.IsMark(r):
		return unknown, false
	}
	return 0, false
}

// divide appends the places of the part at the end of word.
func (d *Dict) divide(word string, codes []uint8, at []int32, letters int, dst []int, m minima) []int {
	if letters < m.word {
		return dst
	}
	if len(d.exceptions) > 0 && letters == len(codes)-1 {
		if places, ok := d.exception(word[at[1]:]); ok {
			for _, n := range places {
				if int(n) >= m.before && letters-int(n) >= m.after {
					dst = append(dst, int(at[1+n]))
				}
			}
			return dst
		}
	}
	codes = append(codes, 0)
	var buf [80]uint8
	level := buf[:]
	if len(codes) >= len(level) {
		level = make([]uint8, len(codes)+1)
	}
	nodes := d.nodes
	for start := range codes {
		n := &nodes[0]
		for _, c := range codes[start:] {
			bit := uint64(1) << (c & 63)
			if n.mask&bit == 0 {
				break
			}
			n = &nodes[int(n.first)+bits.OnesCount64(n.mask&(bit-1))]
			if n.level == 0 {
				continue
			}
			for _, s := range d.steps[d.levels[n.level-1]:d.levels[n.level]] {
				if g := start + int(s.gap); g < len(level) && level[g] < s.level {
					level[g] = s.level
				}
			}
		}
	}
	// Letters are counted within the part, and from an apostrophe or to one.
	before := 0
	for i := 1; i < len(codes)-1; i++ {
		if at[i] < 0 {
			if d.apostrophe && codes[i] == d.ascii['\''] {
				before = 0
			}
			continue
		}
		if before >= m.before && level[i]&1 == 1 && d.lettersFrom(codes, at, i, m.after) {
			dst = append(dst, int(at[i]))
		}
		before++
	}
	return dst
}

// lettersFrom reports whether at least want letters follow from i on, before
// the part ends or an apostrophe comes.
func (d *Dict) lettersFrom(codes []uint8, at []int32, i, want int) bool {
	n := 0
	for ; i < len(codes)-1 && n < want; i++ {
		switch {
		case at[i] >= 0:
			n++
		case d.apostrophe && codes[i] == d.ascii['\'']:
			return false
		}
	}
	return n >= want
}

// exception looks a word up, whatever its case.
func (d *Dict) exception(word string) ([]uint8, bool) {
	for i := 0; i < len(word); i++ {
		if c := word[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			word = strings.ToLower(word)
			break
		}
	}
	places, ok := d.exceptions[word]
	return places, ok
}

// Divided returns the word with a hyphen at each place, for reading.
func (d *Dict) Divided(word string) string {
	var b bytes.Buffer
	last := 0
	for _, at := range d.Points(word, nil) {
		b.WriteString(word[last:at])
		b.WriteByte('-')
		last = at
	}
	b.WriteString(word[last:])
	return b.String()
}

// Languages are the primary language subtags with patterns of their own, sorted.
func Languages() []string {
	out := make([]string, 0, len(names))
	for tag := range names {
		out = append(out, tag)
	}
	slices.Sort(out)
	return out
}
