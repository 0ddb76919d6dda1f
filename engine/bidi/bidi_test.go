package bidi

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/unicode/bidi"
)

// visual writes a text as it stands in a line from left to right. Hebrew letters
// are written as capitals.
func visual(s string, base Direction) string {
	heb := strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return 0x5D0 + r - 'A'
		}
		return r
	}, s)
	levels, _ := Levels(heb, base, nil)
	runes := []rune(s)
	var by []uint8
	for i := range heb {
		by = append(by, levels[i])
	}
	var b strings.Builder
	for _, k := range Order(by) {
		r := runes[k]
		if by[k]%2 == 1 {
			switch r {
			case '(':
				r = ')'
			case ')':
				r = '('
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// TestOrder: the examples of UAX 9 and their like.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		text, want string
		base       Direction
	}{
		{"car means CAR.", "car means RAC.", LTR},
		{"CAR MEANS car.", ".car SNAEM RAC", RTL},
		{"he said CAR MEANS CAR.", "he said RAC SNAEM RAC.", LTR},
		{"ABC 123 DEF", "FED 123 CBA", LTR},
		{"in ABC 12,5 DEF too", "in FED 12,5 CBA too", LTR},
		{"ABC (DEF) x", "(FED) CBA x", LTR},
		{"a (ABC) b", "a (CBA) b", LTR},
		{"ABC (a b) DEF", "FED (a b) CBA", RTL},
		{"ABC", "CBA", Auto}, {"abc A", "abc A", Auto}, {"A BC d", "d CB A", Auto},
		{"abc", "abc", RTL},
		{"A. B", "B .A", RTL},
	} {
		if got := visual(c.text, c.base); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestIsolates: a run set apart takes its place as one, and its number does not
// join the text around it.
func TestIsolates(t *testing.T) {
	s := "\u05D0 1 b \u05D1"
	at := strings.Index(s, "1")
	levels, _ := Levels(s, LTR, []Isolate{{From: at, To: at + 3}})
	if got := fmt.Sprint(levels); got != "[1 1 1 2 2 2 1 1 1]" {
		t.Error(got)
	}
}

// TestNeeded: Latin, Greek and Cyrillic text does without.
func TestNeeded(t *testing.T) {
	for s, want := range map[string]bool{"plain": false, "Ωραία — “naïve” …": false, "日本": false, "שלום": true, "a\u200Fb": true, "سلام": true, "\xff\xff": false} {
		if Needed(s) != want {
			t.Errorf("%q", s)
		}
	}
}

// TestAgainstXText: on random text the directions are those golang.org/x/text finds
// (without brackets, where it departs from rule N0).
func TestAgainstXText(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	letters := []rune("ab12 .,+-%אבגدس٣\u0301\u05B0\u200f\u2067\u2066\u2069\u202b\u202a\u202c\u202e")
	for range 20000 {
		runes := make([]rune, 1+r.IntN(14))
		for i := range runes {
			runes[i] = letters[r.IntN(len(letters))]
		}
		s := string(runes)
		var p bidi.Paragraph
		if _, err := p.SetString(s, bidi.DefaultDirection(bidi.LeftToRight)); err != nil {
			continue
		}
		o, err := p.Order()
		if err != nil {
			continue
		}
		base := LTR
		if !p.IsLeftToRight() {
			base = RTL
		}
		// x/text finds the base by the first strong character, as P2 says.
		levels, _ := Levels(s, firstStrong(s, base), nil)
		for i := range o.NumRuns() {
			run := o.Run(i)
			from, to := run.Pos()
			for k := from; k <= to && k < len(runes); k++ {
				at := len(string(runes[:k]))
				if c, _ := bidi.LookupRune(runes[k]); removed(c.Class()) || c.Class() == bidi.WS || initiates(c.Class()) || c.Class() == bidi.PDI {
					continue // at the end of a line they have the paragraph's level
				}
				if got := levels[at]%2 == 1; got != (run.Direction() == bidi.RightToLeft) {
					t.Fatalf("%q: character %d has level %d, want it right to left: %v (%v)", s, k, levels[at], !got, levels)
				}
			}
		}
	}
}

func firstStrong(s string, base Direction) Direction {
	depth := 0
	for _, r := range s {
		c, _ := bidi.LookupRune(r)
		switch k := c.Class(); {
		case initiates(k):
			depth++
		case k == bidi.PDI && depth > 0:
			depth--
		case depth > 0:
		case k == bidi.L:
			return LTR
		case k == bidi.R || k == bidi.AL:
			return RTL
		}
	}
	return LTR
}

func FuzzLevels(f *testing.F) {
	for _, s := range []string{"a א b", "א (1) ב", "\u2067a\u2069", "\u202eab\u202c", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		levels, _ := Levels(s, Auto, nil)
		if len(levels) != len(s) {
			t.Fatal(len(levels))
		}
		seen := make([]bool, len(levels))
		for _, k := range Order(levels) {
			if seen[k] {
				t.Fatal("twice")
			}
			seen[k] = true
		}
	})
}
