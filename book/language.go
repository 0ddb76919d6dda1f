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

// PickLanguage is the tag that MatchLanguage chooses, "" when there is none.
func PickLanguage(want string, have []string, fallback string) string {
	if i := MatchLanguage(want, have, fallback); i >= 0 {
		return have[i]
	}
	return ""
}

// ValidLanguage reports whether a text has the form of a BCP 47 tag.
func ValidLanguage(tag string) bool {
	if len(tag) > 35 {
		return false
	}
	for i, p := range strings.Split(tag, "-") {
		if len(p) < 1 || len(p) > 8 || i == 0 && len(p) < 2 {
			return false
		}
		for _, c := range p {
			if !('a' <= c|0x20 && c|0x20 <= 'z' || i > 0 && '0' <= c && c <= '9') {
				return false
			}
		}
	}
	return true
}

// CanonicalLanguage writes a tag in its canonical case: zh-hant-tw is zh-Hant-TW.
func CanonicalLanguage(tag string) string {
	parts := strings.Split(strings.ReplaceAll(tag, "_", "-"), "-")
	for i, p := range parts {
		switch p = strings.ToLower(p); {
		case i > 0 && len(p) == 4 && p[0] > '9':
			p = strings.ToUpper(p[:1]) + p[1:]
		case i > 0 && len(p) == 2 && len(parts[i-1]) > 1:
			p = strings.ToUpper(p)
		}
		parts[i] = p
	}
	return strings.Join(parts, "-")
}
