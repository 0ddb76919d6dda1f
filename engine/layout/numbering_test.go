package layout

import "testing"

// TestFormatNumber holds the formats of document-format.md 5.4 (P1).
func TestFormatNumber(t *testing.T) {
	for _, c := range []struct {
		n      int
		format string
		want   string
	}{
		{7, "decimal", "7"}, {7, "arabic", "7"}, {4, "lower-roman", "iv"}, {1994, "upper-roman", "MCMXCIV"}, {4, "i", "iv"}, {4, "I", "IV"},
		{1, "a", "a"}, {26, "a", "z"}, {27, "lower-alpha", "aa"}, {28, "upper-latin", "AB"}, {703, "A", "AAA"}, {0, "a", "0"}, {0, "i", "0"},
		{20, "①", "⑳"}, {36, "circled-decimal", "㊱"}, {51, "circled-decimal", "51"}, {12, "fullwidth-decimal", "１２"}, {3, "nonsense", "3"},
	} {
		if got := FormatNumber(c.n, c.format); got != c.want {
			t.Errorf("%d as %s: %s, want %s", c.n, c.format, got, c.want)
		}
	}
}

// TestHeadingNumber holds the templates of settings.md 10.3.
func TestHeadingNumber(t *testing.T) {
	for _, c := range []struct {
		template string
		counters [6]int
		want     string
	}{
		{"", [6]int{1}, ""}, {"{1}", [6]int{3}, "3"}, {"{1}.{2}", [6]int{3, 2}, "3.2"}, {"{1}.{2}", [6]int{0, 2}, "2"}, {"{1}.{2}", [6]int{3}, "3"},
		{"Chapter {1:I}", [6]int{4}, "Chapter IV"}, {"{1:01}", [6]int{4}, "04"}, {"{1:Words}", [6]int{21}, "Twenty-one"},
		{"{1:ordinal}", [6]int{3}, "third"}, {`\{{1}\}`, [6]int{1}, "{1}"}, {"{1:a})", [6]int{2}, "b)"}, {"§", [6]int{1}, ""},
	} {
		if got := headingNumber(c.template, c.counters); got != c.want {
			t.Errorf("%q with %v: %q, want %q", c.template, c.counters, got, c.want)
		}
	}
}

// TestBreaksAfterDashesAndHyphens holds layout.md 5.3.
func TestBreaksAfterDashesAndHyphens(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"one—two", true}, {"one\u2060—two", true}, {"—So", false}, {"“—So", false}, {"one—“two", false}, {"one——two", false}, {"1914–1918", false}, {"why?—because", true},
	} {
		i := indexDash(c.text)
		if got := breakAfterDash(c.text, i, i+3); got != c.want {
			t.Errorf("%q: %v", c.text, got)
		}
	}
	for _, c := range []struct {
		text string
		want bool
	}{{"well-known", true}, {"e-mail", false}, {"a-b", false}, {"20-year", false}, {"vice-a", false}} {
		for i := range c.text {
			if c.text[i] == '-' {
				if got := breakAfterHyphen(c.text, i, i+1); got != c.want {
					t.Errorf("%q: %v", c.text, got)
				}
				break
			}
		}
	}
}

func indexDash(s string) int {
	for i, r := range s {
		if r == '—' || r == '–' {
			return i
		}
	}
	return 0
}
