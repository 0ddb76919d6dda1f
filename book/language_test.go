package book

import "testing"

// bundle.md 5.1 and 12.3.
func TestTheLanguageReadForTheOneAskedFor(t *testing.T) {
	for _, c := range []struct {
		asked   string
		have    []string
		primary string
		want    string
	}{
		{"zh-TW", []string{"en", "zh-Hans", "zh-Hant"}, "en", "zh-Hant"},
		{"zh-HK", []string{"en", "zh-Hans", "zh-Hant"}, "en", "zh-Hant"},
		{"zh", []string{"en", "zh-Hant", "zh-Hans"}, "en", "zh-Hans"},
		{"zh-CN", []string{"en", "zh-Hant", "zh-Hans"}, "en", "zh-Hans"},
		{"zh-CN", []string{"en", "zh-Hant"}, "en", "zh-Hant"},
		{"es-MX", []string{"en", "es"}, "en", "es"},
		{"pt-BR", []string{"en", "pt"}, "en", "pt"},
		{"en-GB", []string{"it", "en"}, "it", "en"},
		{"EN_us", []string{"it", "en-US"}, "it", "en-US"},
		{"fr", []string{"en", "es"}, "es", "es"},
		{"fr", []string{"en", "es"}, "de", "en"},
		{"", []string{"en", "es"}, "es", "es"},
		{"fr", nil, "es", ""},
	} {
		if got := PickLanguage(c.asked, c.have, c.primary); got != c.want {
			t.Errorf("asked for %q of %v: %q, want %q", c.asked, c.have, got, c.want)
		}
	}
	for tag, want := range map[string]string{"ZH-hant-tw": "zh-Hant-TW", "en_gb": "en-GB", "ES": "es", "de-1996": "de-1996", "x-a-b": "x-a-b"} {
		if got := CanonicalLanguage(tag); got != want {
			t.Errorf("%q is %q, want %q", tag, got, want)
		}
	}
	for tag, want := range map[string]bool{"en": true, "zh-Hant": true, "": false, "e": false, "en gb": false, "en-": false, "abcdefghi": false, "1a": false} {
		if ValidLanguage(tag) != want {
			t.Errorf("%q valid: %v", tag, !want)
		}
	}
}
