package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"postext/bridge"
	"postext/bridge/schema"
	"postext/sandbox/store"
)

// hostileValues are put in the place of every argument of every tool.
var hostileValues = []string{
	`null`, `true`, `0`, `-1`, `1e308`, `-1e308`, `9007199254740993`, `1.5`, `123456789012345678901234567890`, `""`, `" "`, `"\u0000"`, `"\ud800"`, `"../../etc/passwd"`, `"<script>"`,
	`"a\nb\rc\u2028d\u202e"`, `")"`, `"(((("`, `"[["`, `"https://"`, `"data:,"`, `"data:image/png;base64,!!!!"`, `"-9"`, `"٣"`, `[]`, `[[[]]]`, `[null]`, `{}`, `{"a":{"b":[]}}`, `{"__proto__":1}`, `{"url":"file:///etc/passwd"}`, `{"base64":"AAAA"}`,
	`{"source":"<svg"}`, `[{"path":"","value":1}]`, `[{"path":"bodyText","value":{"nope":1}}]`, `[{"find":"","replace":""}]`, `[{"find":"a","replace":"b","all":"yes"}]`, `{"x":1e9,"y":-1e9}`, `{"x":0,"y":0,"width":0,"height":0}`,
	`"` + strings.Repeat("x", 100_000) + `"`, `[` + strings.Repeat(`[`, 2000) + strings.Repeat(`]`, 2000) + `]`, `{"rows":[]}`, `{"rows":[[{"content":"x","colSpan":1e9}]]}`, `{"id":"nope"}`,
}

// properties are a tool's parameters, from its schema.
func properties(t *testing.T, tool bridge.Tool) (names []string, enums map[string][]string) {
	t.Helper()
	text, err := schema.For(tool)
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Properties map[string]struct{ Enum []any }
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	enums = map[string][]string{}
	for name, p := range s.Properties {
		names = append(names, name)
		for _, e := range p.Enum {
			if w, ok := e.(string); ok {
				enums[name] = append(enums[name], `"`+w+`"`)
			}
		}
	}
	slices.Sort(names)
	return names, enums
}

// tools.md 1: whatever is asked, the answer is an object in form, soon; a refusal
// changes nothing; and the next call works.
func TestHostileArgumentsOfEveryTool(t *testing.T) {
	s, _ := visit(t, store.NewMemory(), samplesOf(fixture(t)), nil)
	good(t, s, "sandbox_open_book", openGuide)
	r := registry(t, s)
	rng := rand.New(rand.NewPCG(11, 4))
	calls := 0
	try := func(tool, args string) {
		calls++
		before, revBefore, err := s.Book(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		text := r.Call(ctx, tool, json.RawMessage(args)).String()
		var a struct {
			OK      *bool
			Error   *string
			Content []struct{ Type, Text string }
		}
		if err := json.Unmarshal([]byte(text), &a); err != nil || a.OK == nil && a.Content == nil {
			t.Fatalf("%s %.200s answers %.300s: %v", tool, args, text, err)
		}
		if ctx.Err() != nil {
			t.Errorf("%s %.200s takes longer than a minute", tool, args)
		}
		if a.OK == nil || *a.OK {
			return
		}
		if a.Error == nil || *a.Error == "" || len([]rune(*a.Error)) > 2500 {
			t.Errorf("%s %.200s refuses with %.3000s", tool, args, text)
		}
		if after, rev, err := s.Book(t.Context()); err != nil || after != before || rev != revBefore {
			t.Errorf("%s %.200s was refused (%s), and changed the book: %v", tool, args, *a.Error, err)
		}
	}
	for _, tool := range Tools(s) {
		names, enums := properties(t, tool)
		for _, name := range names {
			for _, v := range hostileValues {
				try(tool.Name, fmt.Sprintf(`{"%s":%s}`, name, v))
			}
		}
		// And several of them beside arguments that are in order.
		for range 60 {
			var parts []string
			for _, name := range names {
				if len(enums[name]) > 0 && rng.IntN(4) > 0 {
					parts = append(parts, fmt.Sprintf(`"%s":%s`, name, enums[name][rng.IntN(len(enums[name]))]))
				} else if rng.IntN(3) == 0 {
					parts = append(parts, fmt.Sprintf(`"%s":%s`, name, hostileValues[rng.IntN(len(hostileValues))]))
				}
			}
			try(tool.Name, "{"+strings.Join(parts, ",")+"}")
		}
		for _, whole := range []string{`[]`, `"x"`, `null`, `1`, `{"":1}`, `{"a":`, `{"a":1,"a":2}`, "\xff", `{"ok":true}`} {
			try(tool.Name, whole)
		}
		good(t, s, "sandbox_get_state", `{}`)
	}
	good(t, s, "sandbox_open_book", openGuide)
	good(t, s, "sandbox_write_text", `{"chapter":1,"markdown":"# Still here"}`)
	t.Logf("%d calls", calls)
}
