// Command gen turns the hyphenation patterns of the npm package hyphen into the
// compact files this repository embeds. Run it with go generate in
// engine/hyphen; it reads web/node_modules.
//
// A source file ends in a literal [levels, trie, exceptions]: lists of levels;
// a trie keyed by character whose values are an index into the levels, a trie,
// or [trie, index]; and words with the places they may be divided at. Patterns
// that begin a word leave out the level before their full stop.
package main

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// sources are the languages and the files they come from. Languages whose
// patterns are under the GPL stay out (libraries.md 6).
var sources = []struct{ name, file string }{
	{"ca", "ca.js"},
	{"da", "da.js"},
	{"de", "de-1996.js"},
	{"el", "el-monoton.js"},
	{"en-gb", "en-gb.js"},
	{"en-us", "en-us.js"},
	{"es", "es.js"},
	{"eu", "eu.js"},
	{"fi", "fi.js"},
	{"fr", "fr.js"},
	{"gl", "gl.js"},
	{"hr", "hr.js"},
	{"it", "it.js"},
	{"la", "la.js"},
	{"nb", "nb.js"},
	{"nl", "nl.js"},
	{"pl", "pl.js"},
	{"pt", "pt.js"},
	{"ru", "ru.js"},
	{"sv", "sv.js"},
	{"tr", "tr.js"},
	{"uk", "uk.js"},
}

func main() {
	log.SetFlags(0)
	from := flag.String("from", "../../web/node_modules/hyphen/patterns", "folder of the source patterns")
	to := flag.String("to", "patterns", "folder written to")
	flag.Parse()
	for _, s := range sources {
		if err := convert(filepath.Join(*from, s.file), filepath.Join(*to, s.name+".bin")); err != nil {
			log.Fatal(s.name, ": ", err)
		}
	}
}

// pattern is one Liang pattern: its characters and the levels around them.
type pattern struct {
	text   string
	levels string // one byte a level, trailing zeros left out
}

func convert(from, to string) error {
	src, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	_, literal, found := strings.Cut(string(src), "})(this, ")
	if !found {
		return fmt.Errorf("unknown file form")
	}
	r := reader{s: literal}
	root, err := r.value()
	if err != nil {
		return err
	}
	parts, ok := root.([]any)
	if !ok || len(parts) < 2 {
		return fmt.Errorf("not a list of levels, trie and exceptions")
	}
	levels, err := readLevels(parts[0])
	if err != nil {
		return err
	}
	trie, ok := parts[1].(map[string]any)
	if !ok {
		return fmt.Errorf("no trie")
	}
	var patterns []pattern
	if err := walk(trie, "", levels, &patterns); err != nil {
		return err
	}
	var exceptions []string
	if len(parts) > 2 {
		words, _ := parts[2].(map[string]any)
		if exceptions, err = readExceptions(words); err != nil {
			return err
		}
	}
	packed, err := pack(patterns, exceptions)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d patterns, %d exceptions, %d bytes\n", filepath.Base(to), len(patterns), len(exceptions), len(packed))
	return os.WriteFile(to, packed, 0o644)
}

func readLevels(v any) ([]string, error) {
	lists, ok := v.([]any)
	if !ok {
		return nil, fmt.Errorf("no levels")
	}
	var out []string
	for _, l := range lists {
		numbers, ok := l.([]any)
		if !ok {
			return nil, fmt.Errorf("levels are no list")
		}
		var b []byte
		for _, n := range numbers {
			k, ok := n.(int)
			if !ok || k < 0 || k > 9 {
				return nil, fmt.Errorf("level %v", n)
			}
			b = append(b, byte(k))
		}
		out = append(out, string(b))
	}
	return out, nil
}

// walk collects the patterns below a node. Patterns with a hyphen are left out:
// our words are divided into parts at hyphens before they are looked up.
func walk(node map[string]any, text string, levels []string, out *[]pattern) error {
	for key, v := range node {
		t := text + key
		index := -1
		switch v := v.(type) {
		case int:
			index = v
		case map[string]any:
			if err := walk(v, t, levels, out); err != nil {
				return err
			}
		case []any:
			sub, ok := v[0].(map[string]any)
			if !ok || len(v) != 2 {
				return fmt.Errorf("node %q", t)
			}
			if err := walk(sub, t, levels, out); err != nil {
				return err
			}
			if index, ok = v[1].(int); !ok {
				return fmt.Errorf("node %q", t)
			}
		}
		if index < 0 || strings.Contains(t, "-") {
			continue
		}
		if index >= len(levels) {
			return fmt.Errorf("level %d of %q", index, t)
		}
		l := levels[index]
		if strings.HasPrefix(t, ".") {
			l = "\x00" + l
		}
		*out = append(*out, pattern{t, strings.TrimRight(l, "\x00")})
	}
	return nil
}

func readExceptions(words map[string]any) ([]string, error) {
	var out []string
	for word, v := range words {
		places, ok := v.([]any)
		if !ok {
			return nil, fmt.Errorf("exception %q", word)
		}
		letters := []rune(word)
		for _, v := range places { // each counted with the hyphens before it
			at, ok := v.(int)
			if !ok || at <= 0 || at >= len(letters) {
				return nil, fmt.Errorf("exception %q at %v", word, v)
			}
			letters = slices.Insert(letters, at, '-')
		}
		out = append(out, string(letters))
	}
	slices.Sort(out)
	return out, nil
}

// pack writes the form that package hyphen reads; see its unpack.
func pack(patterns []pattern, exceptions []string) ([]byte, error) {
	seen := map[rune]bool{'.': true}
	kinds := map[string]int{}
	for _, p := range patterns {
		for _, r := range p.text {
			seen[r] = true
		}
		kinds[p.levels]++
	}
	var alphabet []rune
	for r := range seen {
		alphabet = append(alphabet, r)
	}
	slices.SortFunc(alphabet, func(a, b rune) int { // the full stop first
		if (a == '.') != (b == '.') {
			if a == '.' {
				return -1
			}
			return 1
		}
		return cmp.Compare(a, b)
	})
	if alphabet[0] != '.' || len(alphabet) > 62 {
		return nil, fmt.Errorf("alphabet %q", string(alphabet))
	}
	code := map[rune]byte{}
	for i, r := range alphabet {
		code[r] = byte(i)
	}
	var lists []string
	for l := range kinds {
		lists = append(lists, l)
	}
	slices.SortFunc(lists, func(a, b string) int { // the commonest first
		if c := cmp.Compare(kinds[b], kinds[a]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	coded := make([]pattern, len(patterns))
	for i, p := range patterns {
		var b []byte
		for _, r := range p.text {
			b = append(b, code[r])
		}
		coded[i] = pattern{string(b), p.levels}
	}
	slices.SortFunc(coded, func(a, b pattern) int { return cmp.Compare(a.text, b.text) })

	var out []byte
	text := func(s string) {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	text(string(alphabet))
	out = binary.AppendUvarint(out, uint64(len(lists)))
	for _, l := range lists {
		text(l)
	}
	out = binary.AppendUvarint(out, uint64(len(coded)))
	// Streams of their own compress better than records.
	prev := ""
	var shared, rest []byte
	for _, p := range coded {
		n := 0
		for n < len(prev) && n < len(p.text) && prev[n] == p.text[n] {
			n++
		}
		shared = append(shared, byte(n), byte(len(p.text)-n))
		rest = append(rest, p.text[n:]...)
		prev = p.text
	}
	out = append(append(out, shared...), rest...)
	for _, p := range coded {
		out = binary.AppendUvarint(out, uint64(slices.Index(lists, p.levels)))
	}
	text(strings.Join(exceptions, "\n"))

	var z bytes.Buffer
	w, err := flate.NewWriter(&z, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(out); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return z.Bytes(), nil
}

// reader reads the literals of JavaScript that the source files use: lists,
// objects with bare or quoted keys, and whole numbers.
type reader struct {
	s string
	i int
}

func (r *reader) peek() byte {
	for r.i < len(r.s) && strings.IndexByte(" \t\r\n", r.s[r.i]) >= 0 {
		r.i++
	}
	if r.i == len(r.s) {
		return 0
	}
	return r.s[r.i]
}

func (r *reader) value() (any, error) {
	switch c := r.peek(); {
	case c == '[':
		r.i++
		list := []any{}
		for r.peek() != ']' {
			v, err := r.value()
			if err != nil {
				return nil, err
			}
			list = append(list, v)
			if r.peek() == ',' {
				r.i++
			}
		}
		r.i++
		return list, nil
	case c == '{':
		r.i++
		object := map[string]any{}
		for r.peek() != '}' {
			key, err := r.key()
			if err != nil {
				return nil, err
			}
			if r.peek() != ':' {
				return nil, r.wrong()
			}
			r.i++
			v, err := r.value()
			if err != nil {
				return nil, err
			}
			object[key] = v
			if r.peek() == ',' {
				r.i++
			}
		}
		r.i++
		return object, nil
	case c >= '0' && c <= '9':
		start := r.i
		for r.i < len(r.s) && r.s[r.i] >= '0' && r.s[r.i] <= '9' {
			r.i++
		}
		return strconv.Atoi(r.s[start:r.i])
	}
	return nil, r.wrong()
}

func (r *reader) key() (string, error) {
	if r.peek() == '"' {
		end := strings.IndexByte(r.s[r.i+1:], '"')
		if end < 0 {
			return "", r.wrong()
		}
		quoted := r.s[r.i : r.i+end+2]
		r.i += end + 2
		return strconv.Unquote(quoted)
	}
	end := strings.IndexAny(r.s[r.i:], ": \t\r\n")
	if end <= 0 {
		return "", r.wrong()
	}
	key := r.s[r.i : r.i+end]
	r.i += end
	return key, nil
}

func (r *reader) wrong() error {
	return fmt.Errorf("unexpected text at %d: %.20q", r.i, r.s[r.i:])
}
