package highlight

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var kindNames = [...]string{"keyword", "string", "number", "comment", "function", "type", "variable", "meta", "output", "prompt", "operator", "punctuation"}

// show writes a text with its tokens, operators and punctuation left out:
// keyword(func) main…
func show(lang, src string) string {
	var b strings.Builder
	at := 0
	for _, t := range Tokens(lang, src, nil) {
		b.WriteString(src[at:t.Start])
		at = t.End
		if t.Kind == Operator || t.Kind == Punctuation {
			b.WriteString(src[t.Start:t.End])
			continue
		}
		b.WriteString(kindNames[t.Kind] + "‹" + src[t.Start:t.End] + "›")
	}
	return b.String() + src[at:]
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ lang, src, want string }{
		{"go", "func Weigh(h Hive) error { // grams\n\treturn nil\n}", "keyword‹func› function‹Weigh›(h Hive) type‹error› { comment‹// grams›\n\tkeyword‹return› number‹nil›\n}"},
		{"Go", "x := `a\nb` + \"c\\\"d\"", "x := string‹`a\nb`› + string‹\"c\\\"d\"›"},
		{"python", "@cache\ndef f(x=1.5e-3):\n    return f\"{x}\"", "meta‹@cache›\nkeyword‹def› function‹f›(x=number‹1.5e-3›):\n    keyword‹return› string‹f\"{x}\"›"},
		{"js", "const a = x.return(`b${c}`) // d", "keyword‹const› a = x.function‹return›(string‹`b${c}`›) comment‹// d›"},
		{"json", `{"a": [1, true, "b"]}`, `{variable‹"a"›: [number‹1›, keyword‹true›, string‹"b"›]}`},
		{"c", "#include <x.h>\nint main(void) { return 0x1F; }", "meta‹#include› <x.h>\ntype‹int› function‹main›(type‹void›) { keyword‹return› number‹0x1F›; }"},
		{"rust", "fn f<'a>(x: &'a str) -> char { println!(\"{}\", 'c') }", "keyword‹fn› f<'a>(x: &'a type‹str›) -> type‹char› { function‹println!›(string‹\"{}\"›, string‹'c'›) }"},
		{"sql", "SELECT name FROM hives WHERE id = 'x' -- all", "keyword‹SELECT› name keyword‹FROM› hives keyword‹WHERE› id = string‹'x'› comment‹-- all›"},
		{"bash", "A=1; for f in $HOME/*; do echo \"$f\" # each\ndone", "variable‹A›=number‹1›; keyword‹for› f keyword‹in› variable‹$HOME›/*; keyword‹do› type‹echo› string‹\"$f\"› comment‹# each›\nkeyword‹done›"},
		{"console", "$ ls\na b\nme@host:~$ cd", "prompt‹$ ›ls\noutput‹a b›\nprompt‹me@host:~$ ›cd"},
		{"html", `<a href="x">b &amp; c</a><!-- d -->`, `<keyword‹a› variable‹href›=string‹"x"›>b number‹&amp;› c</keyword‹a›>comment‹<!-- d -->›`},
		{"css", ".a { color: #fff; width: 10px } /* b */", "type‹.a› { variable‹color›: number‹#fff›; variable‹width›: number‹10px› } comment‹/* b */›"},
		{"yaml", "a: 1 # b\n- c: \"d\"\n  e: yes", "variable‹a›: number‹1› comment‹# b›\n- variable‹c›: string‹\"d\"›\n  variable‹e›: keyword‹yes›"},
		{"toml", "[a]\nb = 1 # c", "[a]\nvariable‹b› = number‹1› comment‹# c›"},
		{"diff", "@@ -1 +1 @@\n-a\n+b\n c", "function‹@@ -1 +1 @@›\nvariable‹-a›\nstring‹+b›\n c"},
		{"tex", `\section{A} % b`, `keyword‹\section›{A} comment‹% b›`},
		{"unknown", "func main()", "func main()"},
	} {
		if got := show(c.lang, c.src); got != c.want {
			t.Errorf("%s: %q\n got %s\nwant %s", c.lang, c.src, got, c.want)
		}
	}
}

// TestTokensCoverInOrder: whatever the text, tokens stand in order inside it and
// cut no character.
func TestTokensCoverInOrder(t *testing.T) {
	texts := []string{"", "\"", "'", "/*", "`", "${", "@", "#", "\\", "é\"ü", "a.b.c(", "0x", "1.e", "<", "</", "<a b='", "&", "key: [", "---", "$", "=begin", "'''", strings.Repeat("\"\\", 500)}
	for name := range table() {
		for _, src := range texts {
			at := 0
			for _, k := range Tokens(name, src, nil) {
				if k.Start < at || k.End <= k.Start || k.End > len(src) {
					t.Fatalf("%s %q: token %v after %d", name, src, k, at)
				}
				if !utf8.ValidString(src[k.Start:k.End]) {
					t.Errorf("%s %q: token %v cuts a character", name, src, k)
				}
				at = k.End
			}
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("go", "func f() { return `a` }")
	f.Add("html", "<a b='c'>")
	f.Fuzz(func(t *testing.T, lang, src string) {
		at := 0
		for _, k := range Tokens(lang, src, nil) {
			if k.Start < at || k.End <= k.Start || k.End > len(src) {
				t.Fatalf("token %v after %d of %d", k, at, len(src))
			}
			at = k.End
		}
	})
}

// A long reading is given up when nobody waits for it, whatever the language.
func TestTokensStop(t *testing.T) {
	src := strings.Repeat("f(a, \"b\") + {\"k\": [1, 2]} <p a=\"b\">x</p> - y: z\n", 4000)
	for _, lang := range []string{"go", "json", "html", "yaml", "css", "sh", "sql", "tex"} {
		asked := 0
		all := len(Tokens(lang, src, func() bool { asked++; return false }))
		if asked < 4 && all > 0 {
			t.Errorf("%s: asked %d times", lang, asked)
		}
		if n := len(Tokens(lang, src, func() bool { return true })); all > 0 && n*4 > all {
			t.Errorf("%s: %d of %d tokens read after the stop", lang, n, all)
		}
	}
}
