package sandbox

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"postext/book"
	"postext/bridge"
)

type searchArgs struct {
	Query         string `json:"query" minLen:"1" maxLen:"1000" doc:"words, or with regex an expression (RE2)"`
	Chapter       any    `json:"chapter,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"position, title or id; left out: the whole book"`
	Regex         bool   `json:"regex" default:"false" doc:"on the source; ^ and $ are line ends"`
	CaseSensitive bool   `json:"caseSensitive" default:"false" doc:"and accents"`
	WholeWord     bool   `json:"wholeWord" default:"false"`
	Pages         bool   `json:"pages" default:"false" doc:"add the printed page"`
	Limit         int    `json:"limit" default:"50" min:"1" max:"500"`
	After         string `json:"after,omitempty" doc:"next of an earlier answer"`
}

type searchAnswer struct {
	Total    int     `json:"total"`
	Matches  []match `json:"matches"`
	Next     string  `json:"next,omitempty"`
	Revision int64   `json:"revision"`
}

type match struct {
	Chapter  int    `json:"chapter"`
	Title    string `json:"title"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Offset   int    `json:"offset"`
	ToOffset int    `json:"toOffset"`
	Before   string `json:"before"`
	Match    string `json:"match"`
	After    string `json:"after"`
	Page     any    `json:"page,omitempty"`
}

// maxSearch ends the search of an expression that takes long everywhere.
const maxSearch = 15 * time.Second

func (a searchArgs) check() error {
	if _, err := afterCount(a.After); err != nil {
		return err
	}
	_, err := newFinder(a, nil)
	return err
}

// afterCount reads the next of an earlier answer, where it is a number.
func afterCount(after string) (int, error) {
	if after == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(after)
	if err != nil || n < 1 {
		return 0, bridge.Refuse("after is the next of an earlier answer, not %s", bridge.Quote(after))
	}
	return n, nil
}

func (s *Session) searchText(ctx context.Context, a searchArgs) (any, error) {
	deadline := time.Now().Add(maxSearch)
	find, err := newFinder(a, func() error {
		if time.Now().After(deadline) {
			return bridge.Refuse("the search took longer than %d seconds and was ended: make the expression simpler, or search one chapter", maxSearch/time.Second)
		}
		return s.opts.Yield(ctx)
	})
	if err != nil {
		return nil, err
	}
	want := plainQuery(a)
	snap, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	var l *Settled
	if a.Pages {
		if l, err = s.Layout(ctx); err != nil {
			return nil, err
		}
		snap.book, snap.rev = l.Book, l.Revision
	}
	first, last := 0, len(snap.book.Chapters)-1
	if a.Chapter != nil {
		if first, err = s.chapterAt(snap.book, a.Chapter); err != nil {
			return nil, err
		}
		last = first
	}
	skip, err := afterCount(a.After)
	if err != nil {
		return nil, err
	}
	ans := searchAnswer{Matches: []match{}, Revision: snap.rev}
	room := maxText
	for i := first; i <= last; i++ {
		if err := s.opts.Yield(ctx); err != nil {
			return nil, err
		}
		c := snap.book.Chapters[i]
		if want != "" {
			// Most chapters of a long book are done with by a look at what is folded
			// already: those without a match, and those whose matches are only counted.
			f := s.foldedChapter(c)
			n := f.count(want, a.WholeWord)
			if n == 0 || n > 0 && (ans.Total+n <= skip || len(ans.Matches) == a.Limit || room <= 0) {
				ans.Total += n
				continue
			}
		}
		hits, err := find(c.Markdown)
		if err != nil {
			return nil, err
		}
		var lines *textIndex
		for _, h := range hits {
			ans.Total++
			if ans.Total <= skip || len(ans.Matches) == a.Limit || room <= 0 {
				continue
			}
			if lines == nil {
				lines = indexText(c.Markdown)
			}
			m := match{Chapter: i + 1, Title: shownTitle(c.Title), Line: lines.line(h[0]), Column: lines.column(h[0]),
				Offset: lines.utf16(h[0]), ToOffset: lines.utf16(h[1]),
				Before: contextBefore(c.Markdown, h[0], contextRunes), Match: cutText(c.Markdown[h[0]:h[1]], 300), After: contextAfter(c.Markdown, h[1], contextRunes)}
			if l != nil {
				if at, ok := locate(l.Frames.Chapters[i], h[0]); ok {
					m.Page = pageName(l.Frames.Chapters[i].Pages[at.page])
				}
			}
			room -= len(m.Before) + len(m.Match) + len(m.After) + len(m.Title) + 150
			ans.Matches = append(ans.Matches, m)
		}
	}
	if seen := skip + len(ans.Matches); seen < ans.Total && len(ans.Matches) > 0 {
		ans.Next = strconv.Itoa(seen)
	}
	if len(ans.Matches) > fewMatches {
		for i := range ans.Matches {
			m := &ans.Matches[i]
			m.Before = contextBefore(m.Before, len(m.Before), listedRunes)
			m.After = contextAfter(m.After, 0, listedRunes)
		}
	}
	return ans, nil
}

// cutText cuts a text after n characters and says so by an ellipsis.
func cutText(s string, n int) string {
	if c := cutRunes(s, n); len(c) < len(s) {
		return c + "…"
	}
	return s
}

// Lengths of a title in answers. Whatever a tool may set is told whole; a title
// derived from a longer heading is cut.
const (
	wholeTitle = 300 // characters, the most a tool takes
	cutTitle   = 200
)

// shownTitle is a chapter's title as answers give it.
func shownTitle(title string) string {
	if len(title) <= wholeTitle || utf8.RuneCountInString(title) <= wholeTitle {
		return title
	}
	return cutText(title, cutTitle)
}

const (
	contextRunes = 40
	listedRunes  = 16 // where more than fewMatches are listed
	fewMatches   = 5
)

// contextBefore is what stands before an offset on its line.
func contextBefore(text string, at, most int) string {
	from := strings.LastIndexByte(text[:at], '\n') + 1
	for i, n := at, 0; i > from; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:i])
		if n == most {
			return text[i:at]
		}
		i -= size
	}
	return text[from:at]
}

// contextAfter is what follows an offset on its line.
func contextAfter(text string, at, most int) string {
	rest := text[at:]
	if j := strings.IndexByte(rest, '\n'); j >= 0 {
		rest = rest[:j]
	}
	return cutRunes(rest, most)
}

// A finder finds all matches in a text, as pairs of byte offsets, in order and
// not overlapping.
type finder func(text string) ([][2]int, error)

// newFinder makes the finder of a query; stop is asked during long work and ends
// it by an error.
func newFinder(a searchArgs, stop func() error) (finder, error) {
	query := book.CleanText(a.Query)
	if a.Regex {
		return regexFinder(a, query, stop)
	}
	if strings.TrimSpace(query) == "" {
		return nil, bridge.Refuse("query is empty: give the words to find")
	}
	q := searchable(query, "", !a.CaseSensitive)
	want := strings.TrimSpace(q.text)
	if want == "" {
		return nil, bridge.Refuse("query %s holds nothing to find: give words, or caseSensitive: true", bridge.Quote(query))
	}
	return func(text string) ([][2]int, error) {
		f := searchable(text, query, !a.CaseSensitive)
		var hits [][2]int
		for at := 0; ; {
			j := strings.Index(f.text[at:], want)
			if j < 0 {
				return hits, nil
			}
			from, to := at+j, at+j+len(want)
			at = to
			if a.WholeWord && !wordBorders(f.text, from, to) {
				at = from + 1
				continue
			}
			// An accented letter is several folded ones: never begin inside.
			if from > 0 && f.at[from] == f.at[from-1] {
				at = from + 1
				continue
			}
			hits = append(hits, [2]int{f.source(from), f.sourceEnd(to)})
		}
	}, nil
}

// Limits of regular expressions. They are matched in time linear in the text,
// but a counted repetition such as (.{0,500}){0,2} makes a machine of thousands
// of steps for each character, and nothing can stop it in between.
const (
	regexPiece = 8 << 10   // bytes matched at a time, as far as lines allow
	maxProgram = 5000      // steps of the machine
	maxCost    = 300 << 20 // steps times bytes of one piece: a few seconds
)

// regexFinder makes the finder of a regular expression. An expression that
// cannot match a line end is matched some lines at a time, and asks stop in
// between; one that can sees a chapter whole.
func regexFinder(a searchArgs, query string, stop func() error) (finder, error) {
	flags := "(?m"
	if !a.CaseSensitive {
		flags += "i"
	}
	re, err := regexp.Compile(flags + ")" + query)
	if err != nil {
		return nil, badRegex(query, err)
	}
	// What compiles there parses here.
	tree, err := syntax.Parse(flags+")"+query, syntax.Perl)
	if err != nil {
		return nil, badRegex(query, err)
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, badRegex(query, err)
	}
	size := len(program.Inst)
	if size > maxProgram {
		return nil, bridge.Refuse("the regular expression is too large (%d steps, at most %d): give fewer or smaller counted repetitions such as {0,500}", size, maxProgram)
	}
	whole := spansLines(tree)
	return func(text string) ([][2]int, error) {
		var hits [][2]int
		for at := 0; at < len(text); {
			if err := stop(); err != nil {
				return nil, err
			}
			end := len(text)
			if !whole && end-at > regexPiece {
				if j := strings.IndexByte(text[at+regexPiece:], '\n'); j >= 0 {
					end = at + regexPiece + j + 1
				}
			}
			if (end-at)*size > maxCost {
				return nil, bridge.Refuse("the regular expression is too costly for so long a text (%d steps for each of %d characters): leave out counted repetitions, or what matches line ends (\\s, [^x], (?s))", size, end-at)
			}
			for _, h := range re.FindAllStringIndex(text[at:end], -1) {
				from, to := at+h[0], at+h[1]
				if from == to || a.WholeWord && !wordBorders(text, from, to) {
					continue
				}
				hits = append(hits, [2]int{from, to})
			}
			at = end
		}
		return hits, nil
	}, nil
}

// spansLines reports whether an expression can match a line end, or asks for
// the text's own beginning or end.
func spansLines(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpBeginText, syntax.OpEndText:
		return true
	case syntax.OpLiteral:
		return slices.Contains(re.Rune, '\n')
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= '\n' && '\n' <= re.Rune[i+1] {
				return true
			}
		}
	}
	return slices.ContainsFunc(re.Sub, spansLines)
}

// badRegex says at which character an expression goes wrong.
func badRegex(query string, err error) error {
	var se *syntax.Error
	if !errors.As(err, &se) {
		return bridge.Refuse("the regular expression cannot be read: %s", bridge.Quote(err.Error()))
	}
	at := strings.LastIndex(query, se.Expr)
	hint := ""
	if open, close := unpaired(query); se.Code == syntax.ErrUnexpectedParen && close >= 0 {
		at, hint = close, `; write \) for the sign itself, or leave regex out`
	} else if se.Code == syntax.ErrMissingParen && open >= 0 {
		at, hint = open, `; close it with ), or write \( for the sign itself, or leave regex out`
	}
	where := ""
	if at >= 0 {
		where = fmt.Sprintf(" at position %d: %s", book.UTF16Len(query[:at])+1, bridge.Quote(query[at:]))
	}
	return bridge.Refuse("the regular expression has an error%s (%s)%s. The syntax is RE2: no look-around, no back-references", where, se.Code, hint)
}

// unpaired finds the last parenthesis that is opened and not closed, and the first
// that is closed and was not opened; -1 where there is none.
func unpaired(query string) (open, close int) {
	close = -1
	var opened []int
	class := -1 // where a [ began
	for i := 0; i < len(query); i++ {
		switch c := query[i]; {
		case c == '\\':
			i++
		case class >= 0:
			// A ] right after [ or [^ is a sign of the class.
			if c == ']' && i > class+1 && !(i == class+2 && query[class+1] == '^') {
				class = -1
			}
		case c == '[':
			class = i
		case c == '(':
			opened = append(opened, i)
		case c == ')' && len(opened) == 0:
			if close < 0 {
				close = i
			}
		case c == ')':
			opened = opened[:len(opened)-1]
		}
	}
	if len(opened) == 0 {
		return -1, close
	}
	return opened[len(opened)-1], close
}

// wordBorders reports whether no letter or digit touches the match's ends.
func wordBorders(text string, from, to int) bool {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	first, _ := utf8.DecodeRuneInString(text[from:])
	if before, n := utf8.DecodeLastRuneInString(text[:from]); n > 0 && word(before) && word(first) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(text[from:to])
	after, n := utf8.DecodeRuneInString(text[to:])
	return n == 0 || !word(after) || !word(last)
}

// searchable makes a text ready to be searched: white space runs one space,
// case and accents folded when asked, marks of the markup and invisible
// characters inside words left out unless the query has them itself.
func searchable(src, query string, fold bool) *folded {
	f := &folded{src: src}
	f.at = make([]int32, 0, len(src)+1)
	f.text, _ = makeSearchable(src, query, fold, func(from, n int) {
		for range n {
			f.at = append(f.at, int32(from))
		}
	})
	f.at = append(f.at, int32(len(src)))
	return f
}

// makeSearchable does searchable's work: wrote is told of each piece of the
// result, where it comes from and how long it is, unless it is nil. expands: some letter became
// several.
func makeSearchable(src, query string, fold bool, wrote func(from, n int)) (text string, expands bool) {
	b := make([]byte, 0, len(src))
	note := func(from, n int) {
		if wrote != nil {
			wrote(from, n)
		}
	}
	var buf []rune
	var skip [utf8.RuneSelf]bool
	for _, c := range "*_~^`\\" {
		skip[c] = query != "" && !strings.ContainsRune(query, c)
	}
	links := query != "" && !strings.ContainsAny(query, "[]()")
	// plain are the bytes that stand for themselves, or for their small letter: nearly
	// all of a text, taken in runs.
	var plain [256]byte
	for c := byte(1); c < utf8.RuneSelf; c++ {
		if !skip[c] && !strings.ContainsRune(" \n\t\r", rune(c)) && !(links && (c == '[' || c == ']')) {
			plain[c] = c
			if fold && 'A' <= c && c <= 'Z' {
				plain[c] += 'a' - 'A'
			}
		}
	}
	blank := false
	for i := 0; i < len(src); {
		c := src[i]
		if plain[c] != 0 {
			from := i
			for ; i < len(src) && plain[src[i]] != 0; i++ {
				b = append(b, plain[src[i]])
			}
			for k := from; wrote != nil && k < i; k++ {
				wrote(k, 1)
			}
			blank = false
			continue
		}
		if c < utf8.RuneSelf {
			if skip[c] {
				i++
				continue
			}
			if links && (c == '[' || c == ']') {
				if n := linkMark(src, i); n > 0 {
					i += n
					continue
				}
			}
			if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
				if !blank {
					b = append(b, ' ')
					note(i, 1)
				}
				blank = true
				i++
				continue
			}
			blank = false
			b = append(b, c)
			note(i, 1)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(src[i:])
		switch {
		case r == '\u00AD' || r == '\u2060' || '\u200B' <= r && r <= '\u200F' || r == '\uFEFF':
			i += size
			continue
		case unicode.IsSpace(r):
			if !blank {
				b = append(b, ' ')
				note(i, 1)
			}
			blank = true
			i += size
			continue
		}
		blank = false
		buf = buf[:0]
		if fold {
			buf = foldRune(buf, r)
		} else {
			buf = append(buf, r)
		}
		expands = expands || len(buf) > 1
		for _, c := range buf {
			n := len(b)
			b = utf8.AppendRune(b, c)
			note(i, len(b)-n)
		}
		i += size
	}
	return string(b), expands
}

// linkMark is the length of a link's bracket that stands inside a word: "[" or
// "](target)"; 0 when src[i] is no such thing.
func linkMark(src string, i int) int {
	letterBefore := func() bool {
		r, n := utf8.DecodeLastRuneInString(src[:i])
		return n > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r))
	}
	if src[i] == '[' {
		if letterBefore() {
			return 1
		}
		return 0
	}
	if i+1 >= len(src) || src[i+1] != '(' || !letterBefore() {
		return 0
	}
	end := strings.IndexAny(src[i:min(len(src), i+2000)], ")\n")
	if end < 0 || src[i+end] != ')' {
		return 0
	}
	r, n := utf8.DecodeRuneInString(src[i+end+1:])
	if n > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return end + 1
	}
	return 0
}
