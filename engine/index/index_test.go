package index

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

func page(n int) Page {
	return Page{Order: n, Value: n, Format: "decimal", Label: strconv.Itoa(n)}
}

// mark writes a mark as "term@page flags".
func mark(s string) Mark {
	term, rest, _ := strings.Cut(s, "@")
	m := Mark{}
	for _, l := range strings.Split(term, "!") {
		text, sort, _ := strings.Cut(l, "=")
		m.Levels = append(m.Levels, Level{Text: text, Sort: sort})
	}
	for i, f := range strings.Fields(rest) {
		switch k, v, _ := strings.Cut(f, ":"); {
		case i == 0 && f != "-":
			n, _ := strconv.Atoi(f)
			m.Page = page(n)
		case k == "see":
			m.See = v
		case k == "also":
			m.Also = v
		case k == "main":
			m.Main = true
		case k == "start" || k == "end":
			m.Range = k
		}
	}
	return m
}

// written is an index in one line: heads in brackets, sub-entries behind dashes,
// main pages starred.
func written(groups []Group) string {
	var b strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&b, "[%s] ", g.Head)
		for _, e := range g.Entries {
			b.WriteString(strings.Repeat("-", e.Depth) + e.Term)
			for _, l := range e.Locators {
				b.WriteString(" " + l.Text("–", false))
				if l.Main {
					b.WriteByte('*')
				}
			}
			for _, r := range e.Refs {
				fmt.Fprintf(&b, " %v:%s", r.Also, r.Target)
			}
			b.WriteString("; ")
		}
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// TestIndexRules: one line a rule of document-format.md 11.
func TestIndexRules(t *testing.T) {
	for _, c := range []struct{ rule, marks, want string }{
		{"pages sorted, each once", "bee@9|bee@2|bee@9", "[B] bee 2 9"},
		{"consecutive pages merge", "bee@2|bee@3|bee@4|bee@7", "[B] bee 2–4 7"},
		{"main pages stay apart", "bee@2|bee@3 main|bee@4", "[B] bee 2 3* 4"},
		{"a page twice is main if one mark is", "bee@3|bee@3 main", "[B] bee 3*"},
		{"range", "bee@2 start|bee@6 end", "[B] bee 2–6"},
		{"a page inside a range folds into it", "bee@2 start|bee@4|bee@6 end|bee@9", "[B] bee 2–6 9"},
		{"a main page makes its range main", "bee@2 start|bee@4 main|bee@6 end", "[B] bee 2–6*"},
		{"a range on one page is a page", "bee@2 start|bee@2 end", "[B] bee 2"},
		{"a range and the page after it merge", "bee@2 start|bee@4 end|bee@5", "[B] bee 2–5"},
		{"sub-entries sort under their entry", "honey!linden@4|honey!*acacia*@3|apple@1", "[A] apple 1; [H] honey; -*acacia* 3; -linden 4"},
		{"three levels", "a!b!c@1", "[A] a; -b; --c 1"},
		{"see", "apiary@- see:hive|hive@3", "[A] apiary false:hive; [H] hive 3"},
		{"see also", "hive@3 also:apiary|apiary@2", "[A] apiary 2; [H] hive 3 true:apiary"},
		{"symbols, digits, letters", "zoo@1|10 bees@1|.hive@4|“Ode”@3", "[#] .hive 4; [0–9] 10 bees 1; [O] “Ode” 3; [Z] zoo 1"},
		{"sort key", "α=alpha@1|Bee@1|St John=Saint John@2|Sahara@3", "[A] α 1; [B] Bee 1; [S] Sahara 3; St John 2"},
		{"accents go with their letters", "Zoë@1|Élan@2|echo@3|eland@4", "[E] echo 3; Élan 2; eland 4; [Z] Zoë 1"},
		{"marks are passed over", "*bee*@1|ant@2|wasp@3", "[A] ant 2; [B] *bee* 1; [W] wasp 3"},
	} {
		var marks []Mark
		for _, m := range strings.Split(c.marks, "|") {
			marks = append(marks, mark(m))
		}
		groups, problems := Build(marks, Options{Lang: "en", Merge: true, Groups: true, Symbols: "#", Numbers: "0–9",
			Plain: func(s string) string { return strings.ReplaceAll(s, "*", "") }})
		if got := written(groups); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.rule, got, c.want)
		}
		if len(problems) > 0 {
			t.Errorf("%s: %v", c.rule, problems)
		}
	}
}

// TestIndexProblems: ranges open on one side print their page, targets that are
// no entries print, and both are told.
func TestIndexProblems(t *testing.T) {
	groups, problems := Build([]Mark{mark("a@2 start"), mark("b@5 end"), mark("c!d@- see:hive"), mark("e@1 also:a")}, Options{Lang: "en"})
	if got := written(groups); got != "[] a 2; b 5; c; -d false:hive; e 1 true:a" {
		t.Error(got)
	}
	if got := fmt.Sprint(problems); got != "[{indexRangeUnclosed b start} {indexRangeUnclosed a end} {indexSeeUnknown hive }]" {
		t.Error(got)
	}
}

// TestRomanAndArabicStayApart: consecutive pages of two formats do not merge.
func TestRomanAndArabicStayApart(t *testing.T) {
	roman := Page{Order: 4, Value: 4, Format: "lower-roman", Label: "iv"}
	first := Page{Order: 5, Value: 5, Format: "decimal", Label: "5"}
	groups, _ := Build([]Mark{{Levels: []Level{{Text: "a"}}, Page: roman}, {Levels: []Level{{Text: "a"}}, Page: first}}, Options{Lang: "en", Merge: true})
	if got := written(groups); got != "[] a iv 5" {
		t.Error(got)
	}
}

// TestChicagoRanges: the examples of the Chicago Manual of Style (17th edition, 9.61).
func TestChicagoRanges(t *testing.T) {
	for in, want := range map[string]string{
		"3-10": "3–10", "71-72": "71–72", "96-117": "96–117", "100-104": "100–104", "1100-1113": "1100–1113",
		"101-108": "101–8", "808-833": "808–33", "1103-1104": "1103–4", "321-328": "321–28", "498-532": "498–532",
		"1087-1089": "1087–89", "1496-1500": "1496–500", "11564-11615": "11564–615", "12991-13001": "12991–3001",
	} {
		a, b, _ := strings.Cut(in, "-")
		m, _ := strconv.Atoi(a)
		n, _ := strconv.Atoi(b)
		l := Locator{First: page(m), Last: page(n)}
		if got := l.Text("–", true); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
