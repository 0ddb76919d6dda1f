package collate

import (
	"slices"
	"strings"
	"testing"
)

func TestOrder(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "10|2 bees|a|A|à|Aaron|bee|bee hive|bee-keeper|beehive|*star|Zoë|Zola",
		"de": "Apfel|Ärger|Arm|Maß|Masse|Öl|Ort",
		"es": "nadar|nube|ñandú|ñoño|oro",
		"fr": "cote|coté|côte|côté|œuf|oui",
	} {
		got := strings.Split(want, "|")
		slices.Reverse(got)
		slices.SortFunc(got, func(a, b string) int { return Compare(a, b, lang) })
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%s: %s", lang, s)
		}
	}
}

func TestInitial(t *testing.T) {
	for s, want := range map[string]string{"Árbol": "A", "«été»": "E", "3D": "0", "…": "", "Ñandú": "N", "ß": "S"} {
		if got := Initial(s, "en"); got != want {
			t.Errorf("%s is filed under %q, want %q", s, got, want)
		}
	}
	if got := Initial("Ñandú", "es"); got != "Ñ" {
		t.Errorf("in Spanish under %q", got)
	}
}
