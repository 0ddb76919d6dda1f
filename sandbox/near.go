package sandbox

import (
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"postext/bridge"
)

// Advice for a passage that is not in a text: what is nearest to it.

// numbered matches the prefix that sandbox_read_text puts before lines.
var numbered = regexp.MustCompile(`(?m)^ *\d+\| ?`)

// notFound refuses edits[k], saying where something like its passage stands.
func notFound(text, find, where string) error {
	const again = "Read the chapter again with sandbox_read_text and give the passage exactly as it stands there"
	if len(find) > maxLikened {
		return longNotFound(text, find, where, again)
	}
	if bare := numbered.ReplaceAllString(find, ""); bare != find && bare != "" && strings.Contains(text, bare) {
		return bridge.Refuse("%s: the passage %s is not in the chapter; without the line numbers of sandbox_read_text it is: leave out the \"12| \" before each line", where, bridge.Quote(find))
	}
	if at, end, what, ok := almost(text, find); ok {
		return bridge.Refuse("%s: the passage %s is not in the chapter; line %d differs only in %s: %s. %s",
			where, bridge.Quote(find), lineAt(text, at), what, bridge.Quote(text[at:end]), again)
	}
	if line, words, ok := nearestLine(text, find); ok {
		return bridge.Refuse("%s: the passage %s is not in the chapter; the nearest is line %d: %s. %s", where, bridge.Quote(find), line, bridge.Quote(words), again)
	}
	return bridge.Refuse("%s: the passage %s is not in the chapter, nor anything like it. %s, or find its chapter with sandbox_search_text", where, bridge.Quote(find), again)
}

// maxLikened is the length of a passage beyond which nothing like it is looked for,
// only how far it goes along with the text.
const maxLikened = 50_000

// longNotFound tells of a long passage where it leaves the text.
func longNotFound(text, find, where, again string) error {
	n := sort.Search(len(find), func(n int) bool { return n >= len(text) || !strings.Contains(text, find[:n+1]) })
	for n > 0 && n < len(find) && !utf8.RuneStart(find[n]) {
		n--
	}
	length := utf8.RuneCountInString(find)
	if n < 20 {
		return bridge.Refuse("%s: the passage %s of %d characters is not in the chapter, nor is its beginning. %s, or give a short one", where, bridge.Quote(cutRunes(find, 100)), length, again)
	}
	at := strings.Index(text, find[:n])
	return bridge.Refuse("%s: of the passage of %d characters the first %d are in the chapter, from line %d on; then the chapter has %s and the passage %s. %s, or give a short one",
		where, length, utf8.RuneCountInString(find[:n]), lineAt(text, at), bridge.Quote(cutRunes(text[at+n:], 40)), bridge.Quote(cutRunes(find[n:], 40)), again)
}

func lineAt(text string, off int) int { return 1 + strings.Count(text[:off], "\n") }

// almost finds the passage when only white space, or case, accents and the form
// of quotation marks differ.
func almost(text, find string) (at, end int, what string, ok bool) {
	for _, try := range []struct {
		what        string
		space, fold bool
	}{{"white space", true, false}, {"case, accents or quotation marks", false, true}, {"white space and case", true, true}} {
		hay, needle := newFolded(text, try.space, try.fold), newFolded(find, try.space, try.fold)
		want := strings.TrimSpace(needle.text)
		if want == "" {
			return 0, 0, "", false
		}
		if j := strings.Index(hay.text, want); j >= 0 {
			return hay.source(j), hay.sourceEnd(j + len(want)), try.what, true
		}
	}
	return 0, 0, "", false
}

// nearestLine finds the line that shares most with the passage's first line of
// words, by pairs of letters; false when nothing shares half of them.
func nearestLine(text, find string) (int, string, bool) {
	want := ""
	for l := range strings.SplitSeq(find, "\n") {
		if l = strings.TrimSpace(l); utf8.RuneCountInString(l) > utf8.RuneCountInString(want) {
			want = l
			if utf8.RuneCountInString(l) > 20 {
				break
			}
		}
	}
	want = cutRunes(want, 200)
	pairs := letterPairs(want)
	if len(pairs) < 3 {
		return 0, "", false
	}
	best, bestLine, bestText := 0.5, 0, ""
	n := 0
	for l := range strings.SplitSeq(text, "\n") {
		n++
		// A long line is compared piece by piece, each as long as the passage.
		for _, piece := range pieces(l, utf8.RuneCountInString(want)) {
			if s := likeness(pairs, letterPairs(piece)); s > best {
				best, bestLine, bestText = s, n, strings.TrimSpace(piece)
			}
		}
		if n > 20_000 {
			break
		}
	}
	return bestLine, bestText, bestLine > 0
}

// pieces cuts a line into overlapping stretches of about n characters that
// begin at words.
func pieces(line string, n int) []string {
	n = max(n, 10)
	if len(line) <= n+n/2 {
		return []string{line}
	}
	var starts []int
	space := true
	for i, r := range line {
		if !unicode.IsSpace(r) && space {
			starts = append(starts, i)
		}
		space = unicode.IsSpace(r)
		if i > 50_000 {
			break
		}
	}
	step := max(1, len(starts)*n/(4*len(line)+1))
	var out []string
	for i := 0; i < len(starts); i += step {
		out = append(out, cutRunes(line[starts[i]:min(len(line), starts[i]+4*n)], n))
	}
	return out
}

func cutRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// letterPairs counts the pairs of neighbouring letters of s, folded.
func letterPairs(s string) map[[2]rune]int {
	m := map[[2]rune]int{}
	prev := rune(0)
	for _, r := range foldText(s) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		if prev != 0 && !(prev == ' ' && r == ' ') {
			m[[2]rune{prev, r}]++
		}
		prev = r
	}
	return m
}

// likeness is Dice's measure of two bags of pairs, from 0 to 1.
func likeness(a, b map[[2]rune]int) float64 {
	common, total := 0, 0
	for p, n := range a {
		common += min(n, b[p])
		total += n
	}
	for _, n := range b {
		total += n
	}
	if total == 0 {
		return 0
	}
	return float64(2*common) / float64(total)
}

// folded is a text made comparable, with the way back.
type folded struct {
	text string
	src  string
	at   []int32 // source offset of each byte of text; one more for the end
}

// newFolded makes runs of white space one space and, with fold, drops case,
// accents and the form of quotation marks.
func newFolded(src string, space, fold bool) *folded {
	f := &folded{src: src}
	var b strings.Builder
	b.Grow(len(src))
	var buf []rune
	blank := false
	put := func(i int, r rune) {
		n := b.Len()
		b.WriteRune(r)
		for range b.Len() - n {
			f.at = append(f.at, int32(i))
		}
	}
	for i, r := range src {
		if space && unicode.IsSpace(r) {
			if !blank {
				put(i, ' ')
			}
			blank = true
			continue
		}
		blank = false
		if !fold {
			put(i, r)
			continue
		}
		buf = foldRune(buf[:0], r)
		for _, c := range buf {
			put(i, c)
		}
	}
	f.at = append(f.at, int32(len(src)))
	f.text = b.String()
	return f
}

// source is where the folded byte j comes from.
func (f *folded) source(j int) int { return int(f.at[j]) }

// sourceEnd is the end of what the folded bytes before j come from: a letter
// with the combining marks on it.
func (f *folded) sourceEnd(j int) int {
	if j == 0 {
		return 0
	}
	at := int(f.at[j-1])
	_, n := utf8.DecodeRuneInString(f.src[at:])
	for at += n; at < int(f.at[j]); at += n {
		var r rune
		if r, n = utf8.DecodeRuneInString(f.src[at:]); !unicode.Is(unicode.Mn, r) {
			break
		}
	}
	return at
}
