package bidi

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestUnicodeBidiCharacters holds levels and order against Unicode's own test file,
// which the shaper's module brings along.
func TestUnicodeBidiCharacters(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/go-text/typesetting").Output()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(strings.TrimSpace(string(dir)), "bidi", "test", "BidiCharacterTest.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, wrong := 0, 0
	for sc := bufio.NewScanner(f); sc.Scan(); {
		fields := strings.Split(sc.Text(), ";")
		if len(fields) != 5 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		lines++
		var text strings.Builder
		for _, h := range strings.Fields(fields[0]) {
			r, err := strconv.ParseUint(h, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			text.WriteRune(rune(r))
		}
		s := text.String()
		base := LTR
		if fields[2] == "1" {
			base = RTL
		}
		all, _ := Levels(s, base, nil)
		var got []string
		var shown []uint8
		var places []int
		want := strings.Fields(fields[3])
		n := 0
		for i := range s {
			if n < len(want) && want[n] == "x" { // taken out by X9
				got = append(got, "x")
			} else {
				got = append(got, fmt.Sprint(all[i]))
				shown, places = append(shown, all[i]), append(places, n)
			}
			n++
		}
		var order []string
		for _, k := range Order(shown) {
			order = append(order, fmt.Sprint(places[k]))
		}
		if !slices.Equal(got, want) || !slices.Equal(order, strings.Fields(fields[4])) {
			if wrong++; wrong < 10 {
				t.Errorf("%s base %s: levels %v, want %v; order %v, want %s", fields[0], fields[2], got, want, order, fields[4])
			}
		}
	}
	if wrong > 0 || lines < 90000 {
		t.Errorf("%d of %d lines are wrong", wrong, lines)
	}
}

// TestNestedControlsAreLinear: a text of nothing but controls ends; were it not
// linear, it would not.
func TestNestedControlsAreLinear(t *testing.T) {
	for _, c := range []string{"\u2068", "\u2067", "\u202e", "(", "(א", "\u2066א\u2069", "\u0300", "1,"} {
		s := strings.Repeat(c, 1<<18)
		if levels, _ := Levels(s, RTL, nil); len(levels) != len(s) {
			t.Errorf("%q: %d levels", c, len(levels))
		}
	}
}
