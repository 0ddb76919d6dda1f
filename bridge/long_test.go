package bridge

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestLongTextsAreCutAndNothingElse(t *testing.T) {
	x := strings.Repeat("x", LongText)
	for _, c := range []struct{ name, args, want string }{
		{"short", `{"a":1}`, `{"a":1}`},
		{"long", `{"t":"` + x + `yz","b":[2]}`, `{"t":"` + x + `","b":[2]}`},
		{"just not long", `{"t":"` + x + `","b":2}`, `{"t":"` + x + `","b":2}`},
		{"just long", `{"t":"` + x + `y","b":2}`, `{"t":"` + x + `","b":2}`},
		{"two", `{"base64":"` + x + `y", "a":[{"url":"data:` + x + `"}],"b":2}`, `{"base64":"` + x + `", "a":[{"url":"data:` + x[5:] + `"}],"b":2}`},
		{"quotes and slashes", `{"a\\":"\\\"` + x + `\\","b":2}`, `{"a\\":"\\\"` + x[4:] + `","b":2}`},
		{"a key", `{"` + x + `y" : "z"}`, `{"` + x + `y" : "z"}`},
		{"within an escape", `{"a":"` + x[1:] + `\nb"}`, `{"a":"` + x[1:] + `"}`},
		{"within a pair", `{"a":"` + x[11:] + `\ud83d\ude00"}`, `{"a":"` + x[11:] + `"}`},
		{"within a character", `{"a":"` + x[2:] + `€"}`, `{"a":"` + x[2:] + `"}`},
		{"a control character inside", `{"a":"` + x + "\n" + `"}`, `{"a":"` + x + "\n" + `"}`},
		{"a bad escape inside", `{"a":"` + x + `\q"}`, `{"a":"` + x + `\q"}`},
		{"half a code inside", `{"a":"` + x + `\u12"}`, `{"a":"` + x + `\u12"}`},
		{"unclosed", `{"a":"` + x + `y`, `{"a":"` + x + `y`},
		{"unclosed behind a slash", `{"a":"` + x + `\"}`, `{"a":"` + x + `\"}`},
		{"nothing behind", `"` + x + `y"`, `"` + x + `y"`},
	} {
		if got := string(WithoutLongTexts([]byte(c.args), false)); got != c.want {
			t.Errorf("%s: %d bytes instead of %d: …%.60s", c.name, len(got), len(c.want), got[max(0, len(got)-60):])
		}
	}
}

// Whatever is cut, a decoder takes it when it takes the whole, and never otherwise.
func FuzzWithoutLongTexts(f *testing.F) {
	for _, s := range []string{`\n`, `\ud83d\ude00`, `é`, `\`, `"`, `","b":"`, `\u00`, "\x01", "\xff"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		text := []byte(`{"a":"` + strings.Repeat("x", LongText-len(a)%20) + a + `","b":"` + b + strings.Repeat("y", LongText) + `"}`)
		cut := WithoutLongTexts(text, false)
		if json.Valid(text) && !bytes.Equal(cut, WithoutLongTexts(text, true)) {
			t.Fatalf("%q %q: known to be sound, it is cut elsewhere", a, b)
		}
		if json.Valid(cut) != json.Valid(text) {
			t.Fatalf("%q %q", a, b)
		}
		if end := stringEnd(text, 5); !bytes.Equal(text[:5], cut[:5]) || end > len(text) {
			t.Fatalf("%q %q: the beginning changed", a, b)
		}
	})
}

func BenchmarkWithoutLongTexts(b *testing.B) {
	text, err := json.Marshal(map[string]string{"markdown": strings.Repeat("lorem \"ipsum\" dolor sit\namet ", 180000)})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		WithoutLongTexts(withoutLoneSurrogates(text), true)
	}
}
