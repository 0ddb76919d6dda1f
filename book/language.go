package book

import "strings"

// MatchLanguage chooses among the languages of a book the one to serve for a tag
// (bundle.md 5.1): the same tag, else the same language in the same script, else
// the same language, else fallback, else the first. −1 only when there is none.
func MatchLanguage(want string, have []string, fallback string) int {
	if len(have) == 0 {
		return -1
	}
	rules := []func(tag string) bool{
		func(tag string) bool { return sameTag(tag, want) },
		func(tag string) bool { return sameScript(tag, want) },
		func(tag string) bool { return language(tag) == language(want) },
		func(tag string) bool { return sameTag(tag, fallback) },
	}
	for i, rule := range rules {
		if i < 3 && want == "" {
			continue
		}
		for k, tag := range have {
			if rule(tag) {
				return k
			}
		}
	}
	return 0
}

// foldTag writes a language tag with hyphens and small letters.
func foldTag(tag string) string { return strings.ToLower(strings.ReplaceAll(tag, "_", "-")) }

func sameTag(a, b string) bool { return foldTag(a) == foldTag(b) }

func language(tag string) string {
	l, _, _ := strings.Cut(foldTag(tag), "-")
	return l
}

func sameScript(a, b string) bool { return language(a) == language(b) && script(a) == script(b) }

// script is the script of a tag: as written, else as its region has it, else the
// usual one of the language; "" where a language has but one.
func script(tag string) string {
	parts := strings.Split(foldTag(tag), "-")
	for _, p := range parts[1:] {
		if len(p) == 4 && p[0] >= 'a' {
			return p
		}
	}
	switch parts[0] {
	case "zh":
		for _, p := range parts[1:] {
			if p == "tw" || p == "hk" || p == "mo" {
				return "hant"
			}
		}
		return "hans"
	case "sr":
		return "cyrl"
	}
	return ""
}
