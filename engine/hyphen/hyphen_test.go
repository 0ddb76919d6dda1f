package hyphen

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"postext/book/booktest/tree"
	"postext/engine/hyphen/patterns"
)

// divided shows the places, with the minima given.
func divided(d *Dict, word string, m minima) string {
	points := d.points(word, nil, m)
	for i := len(points) - 1; i >= 0; i-- {
		word = word[:points[i]] + "-" + word[points[i]:]
	}
	return word
}

// The words of libraries.md 6 try the patterns themselves, with the minima of
// their language.
func TestPatternsAndExceptions(t *testing.T) {
	lib := NewLibrary(patterns.File)
	for _, w := range []struct {
		tag  string
		m    minima
		want string
	}{
		{"en", minima{5, 2, 3}, "hy-phen-ation"},
		{"en", minima{5, 2, 3}, "type-set-ting"},
		{"en", minima{5, 2, 3}, "as-so-ciate"},
		{"en", minima{5, 2, 3}, "ta-ble"},
		{"en", minima{5, 2, 3}, "present"},
		{"en", minima{5, 2, 3}, "project"},
		{"de", minima{5, 2, 2}, "Sil-ben-tren-nung"},
		{"de", minima{5, 2, 2}, "Do-nau-dampf-schiff-fahrt"},
		{"es", minima{5, 2, 2}, "mur-cié-la-go"},
		{"es", minima{5, 2, 2}, "ti-po-gra-fía"},
		{"nl", minima{5, 2, 2}, "ver-hol-lands-te"},
		{"pt", minima{5, 2, 3}, "hard-ware"},
		{"ca", minima{5, 2, 2}, "nos-al-tres"},
		{"en-GB", minima{5, 2, 3}, "hy-phen-a-tion"},
		{"en-GB", minima{5, 2, 3}, "know-ledge"},
		{"en-GB", minima{5, 2, 3}, "in-de-pend-ent"},
		{"da", minima{5, 2, 2}, "bog-tryk-ker"},
		{"da", minima{5, 2, 2}, "ord-de-ling"},
		{"el", minima{5, 2, 2}, "τυ-πο-γρα-φία"},
		{"el", minima{5, 2, 2}, "άν-θρω-πος"},
		{"el", minima{5, 2, 2}, "συλ-λα-βι-σμός"},
		{"eu", minima{5, 2, 2}, "ti-po-gra-fia"},
		{"eu", minima{5, 2, 2}, "eus-ka-ra"},
		{"fi", minima{5, 2, 2}, "suo-ma-lai-nen"},
		{"fi", minima{5, 2, 2}, "kir-ja-pai-no"},
		{"fi", minima{5, 2, 2}, "ta-vu-tus"},
		{"gl", minima{5, 2, 2}, "ti-po-gra-fía"},
		{"gl", minima{5, 2, 2}, "ca-ba-lo"},
		{"hr", minima{5, 2, 2}, "hr-vat-ski"},
		{"hr", minima{5, 2, 2}, "ras-tav-lja-nje"},
		{"la", minima{5, 2, 2}, "im-pe-ra-tor"},
		{"la", minima{5, 2, 2}, "do-mi-nus"},
		{"nb", minima{5, 2, 2}, "bok-tryk-ker"},
		{"nb", minima{5, 2, 2}, "ord-de-ling"},
		{"nn", minima{5, 2, 2}, "bok-tryk-kjar"},
		{"pl", minima{5, 2, 2}, "dru-kar-nia"},
		{"pl", minima{5, 2, 2}, "książ-ka"},
		{"pl", minima{5, 2, 2}, "prze-no-sze-nie"},
		{"ru", minima{5, 2, 2}, "ти-по-гра-фия"},
		{"ru", minima{5, 2, 2}, "на-бор-щик"},
		{"ru", minima{5, 2, 2}, "кни-го-пе-ча-та-ние"},
		{"sv", minima{5, 2, 2}, "av-stav-ning"},
		{"sv", minima{5, 2, 2}, "sam-man-hang"},
		{"tr", minima{5, 2, 2}, "he-ce-le-mek"},
		{"tr", minima{5, 2, 2}, "ki-tap-lar"},
		{"uk", minima{5, 2, 2}, "пе-ре-но-си"},
		{"uk", minima{5, 2, 2}, "кни-га"},
	} {
		d, exact, _ := lib.For(t.Context(), w.tag)
		if !exact {
			t.Errorf("%s has no patterns", w.tag)
		}
		word := strings.ReplaceAll(w.want, "-", "")
		if got := divided(d, word, w.m); got != w.want {
			t.Errorf("%s: got %s, want %s", w.tag, got, w.want)
		}
		if got := divided(d, strings.ToUpper(word), w.m); got != strings.ToUpper(w.want) {
			t.Errorf("%s in capitals: %s", w.tag, got)
		}
	}
}

func TestMinima(t *testing.T) {
	lib := NewLibrary(patterns.File)
	for _, w := range []struct{ tag, want string }{
		{"en", "only"},         // too short
		{"en", "about"},        // a-bout leaves one letter
		{"es", "mur-cié-lago"}, // la-go leaves two after
		{"en", "well-be-ing"},  // parts on their own
		{"en", "“hy-phen-ation,”"},
		{"en", "couldn’t"},
		{"en", "com-puter’s"}, // the letters before the apostrophe are the word
		{"fr", "l’in-ten-tion"},
		{"fr", "l'in-ten-tion"},
		{"fr", "d’aven-tures"},
		{"fr", "l’homme"},
		{"it", "dell’ar-chi-tet-tura"},
	} {
		d, _, _ := lib.For(t.Context(), w.tag)
		word := w.want
		if !strings.HasPrefix(word, "well") {
			word = strings.ReplaceAll(word, "-", "")
		} else {
			word = "well-being"
		}
		if got := d.Divided(word); got != w.want {
			t.Errorf("%s: got %s, want %s", w.tag, got, w.want)
		}
	}
}

func TestLanguageTags(t *testing.T) {
	lib := NewLibrary(patterns.File)
	for _, c := range []struct {
		tag, name string
		exact     bool
	}{
		{"", "en-us", true}, {"en", "en-us", true}, {"en-GB", "en-gb", true}, {"en-Latn-ie", "en-gb", true}, {"en-CA", "en-us", true}, {"EN_us", "en-us", true},
		{"es-MX", "es", true}, {"de-CH-1996", "de", true}, {"pt-BR", "pt", true}, {"ca-valencia", "ca", true},
		{"sv", "sv", true}, {"no", "nb", true}, {"nn-NO", "nb", true}, {"el-GR", "el", true}, {"en-gb", "en-gb", true}, {"cs", "en-us", false}, {"sr-Latn", "en-us", false}, {"x-klingon", "en-us", false},
		{"zh-Hans", "", true}, {"ja", "", true}, {"ko-KR", "", true}, {"ar", "", true}, {"he-IL", "", true},
		{"fa", "", true}, {"az-Arab", "", true},
	} {
		d, exact, _ := lib.For(t.Context(), c.tag)
		if d.Name() != c.name || exact != c.exact {
			t.Errorf("%q: got %q, %v", c.tag, d.Name(), exact)
		}
	}
	a, _, _ := lib.For(t.Context(), "en")
	b, _, _ := lib.For(t.Context(), "en-CA")
	if a != b {
		t.Error("unpacked twice")
	}
	var none *Dict
	if got := none.Points("hyphenation", nil); got != nil {
		t.Error("a nil Dict divides")
	}
}

func TestCombiningMarksStayWithTheirLetter(t *testing.T) {
	lib := NewLibrary(patterns.File)
	for _, tag := range Languages() {
		d, _, _ := lib.For(t.Context(), tag)
		for _, word := range []string{"murcie\u0301lago", "e\u0301le\u0301phants", "a\u0308nderungen"} {
			for _, p := range d.Points(word, nil) {
				if r, _ := utf8.DecodeRuneInString(word[p:]); r == '\u0301' || r == '\u0308' {
					t.Errorf("%s: %s divided at %d, before a mark", tag, word, p)
				}
			}
		}
	}
}

// Every place keeps the rules, in all words of the corpus.
func TestCorpusWords(t *testing.T) {
	root := tree.Corpus(t, "")
	lib := NewLibrary(patterns.File)
	for _, b := range []struct{ dir, tag string }{{"moby-dick", "en"}, {"der-stechlin", "de"}, {"swann", "fr"}, {"don-quijote", "es"}} {
		files, err := filepath.Glob(filepath.Join(root, b.dir, "*.md"))
		if err != nil || len(files) == 0 {
			t.Fatal(b.dir, err)
		}
		d, _, _ := lib.For(t.Context(), b.tag)
		words, points := 0, 0
		for _, name := range files[:min(len(files), 20)] {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			s := bufio.NewScanner(f)
			s.Buffer(nil, 1<<20)
			s.Split(bufio.ScanWords)
			for s.Scan() {
				words++
				points += check(t, d, s.Text())
			}
			if err := s.Err(); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
		t.Logf("%s: %d places in %d words", b.dir, points, words)
		if points*10 < words {
			t.Errorf("%s: only %d places in %d words", b.dir, points, words)
		}
	}
}

func check(t *testing.T, d *Dict, word string) int {
	points := d.Points(word, nil)
	if !slices.IsSorted(points) {
		t.Fatalf("%q: places %v", word, points)
	}
	for _, p := range points {
		if p <= 0 || p >= len(word) || utf8.ValidString(word) && !utf8.RuneStart(word[p]) {
			t.Fatalf("%q: place %d", word, p)
		}
		before := strings.TrimRightFunc(word[:p], isLetter)
		after := strings.TrimLeftFunc(word[p:], isLetter)
		if utf8.RuneCountInString(word[len(before):p]) < 2 || utf8.RuneCountInString(word[p:len(word)-len(after)]) < 3 {
			t.Fatalf("%q divided at %d", word, p)
		}
	}
	return len(points)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) }

func FuzzPoints(f *testing.F) {
	for _, s := range []string{"hyphenation", "l’homme", "\xff\xfe", "a\u0301\u0301\u0301bcdefgh", strings.Repeat("ab", 200), "STRAẞENBAHN"} {
		f.Add(s)
	}
	lib := NewLibrary(patterns.File)
	var dicts []*Dict
	for _, tag := range Languages() {
		d, _, _ := lib.For(context.Background(), tag)
		dicts = append(dicts, d)
	}
	f.Fuzz(func(t *testing.T, word string) {
		for _, d := range dicts {
			last := 0
			for _, p := range d.Points(word, nil) {
				if p <= last || p >= len(word) {
					t.Fatalf("%q: place %d after %d", word, p, last)
				}
				last = p
			}
		}
	})
}

// A damaged file is refused, whatever is in it.
func FuzzUnpack(f *testing.F) {
	packed, err := patterns.File(context.Background(), "it")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Fuzz(func(t *testing.T, data []byte) {
		if d, err := unpack("it", data); err == nil {
			d.Points("architettura", nil)
		}
	})
}

func BenchmarkPoints(b *testing.B) {
	d, _, _ := NewLibrary(patterns.File).For(b.Context(), "en")
	words := strings.Fields("the typesetting of considerable paragraphs without understanding hyphenation")
	var dst []int
	b.ReportAllocs()
	for b.Loop() {
		for _, w := range words {
			dst = d.Points(w, dst[:0])
		}
	}
	b.ReportMetric(float64(len(words)), "words/op")
}

func BenchmarkUnpack(b *testing.B) {
	for _, name := range []string{"en-us", "de"} {
		packed, err := patterns.File(b.Context(), name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := unpack(name, packed); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
