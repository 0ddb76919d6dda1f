package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

func tool(name string, run func(context.Context, json.RawMessage) (any, error)) Tool {
	return Tool{Name: name, Description: "A tool.", Run: run}
}

func give(value any) func(context.Context, json.RawMessage) (any, error) {
	return func(context.Context, json.RawMessage) (any, error) { return value, nil }
}

func TestAnswersAreObjectsWithOkFirst(t *testing.T) {
	type state struct {
		Ready bool   `json:"ready"`
		Title string `json:"title,omitempty"`
	}
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"nothing", nil, `{"ok":true}`},
		{"an empty object", struct{}{}, `{"ok":true}`},
		{"a struct", state{Ready: true, Title: "a<b>"}, `{"ok":true,"ready":true,"title":"a<b>"}`},
		{"a map", map[string]any{"b": 1, "a": 2}, `{"ok":true,"a":2,"b":1}`},
		{"ok of its own", map[string]any{"ok": true, "a": 1}, `{"a":1,"ok":true}`},
		{"ok deeper down", map[string]any{"a": map[string]any{"ok": false}}, `{"ok":true,"a":{"ok":false}}`},
		{"an answer", Refused("no"), `{"ok":false,"error":"no"}`},
		{"pictures", Content{[]Part{{Type: "text", Text: "{}"}, {Type: "image", MIMEType: "image/png", Data: []byte("png")}}},
			`{"ok":true,"content":[{"type":"text","text":"{}"},{"type":"image","mimeType":"image/png","data":"cG5n"}]}`},
		{"no UTF-8", map[string]string{"a": "x\xed\xa0\x80"}, `{"ok":true,"a":"x\ufffd\ufffd\ufffd"}`},
		{"raw surrogate", json.RawMessage(`{"a":"\ud800","b":"\ud83d\ude00"}`), `{"ok":true,"a":"\ufffd","b":"\ud83d\ude00"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewRegistry(Options{})
			if err := r.Add(tool("t", give(c.value))); err != nil {
				t.Fatal(err)
			}
			if got := r.Call(context.Background(), "t", nil).String(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestBugsAreAnsweredWithAnIdThatTheLogExplains(t *testing.T) {
	for name, run := range map[string]func(context.Context, json.RawMessage) (any, error){
		"an error":       func(context.Context, json.RawMessage) (any, error) { return nil, errors.New("secret") },
		"a panic":        func(context.Context, json.RawMessage) (any, error) { panic("secret") },
		"no object":      give([]int{1}),
		"no JSON at all": give(func() {}),
	} {
		t.Run(name, func(t *testing.T) {
			logged := ""
			r := NewRegistry(Options{Log: func(id, tool string, err error, stack []byte) { logged = id + " " + tool + " " + err.Error() }})
			if err := r.Add(tool("t", run)); err != nil {
				t.Fatal(err)
			}
			a := r.Call(context.Background(), "t", nil)
			m := regexp.MustCompile(`^{"ok":false,"error":"internal error ([0-9a-f]{8})"}$`).FindStringSubmatch(a.String())
			if m == nil || !a.Refused || !strings.HasPrefix(logged, m[1]+" t ") {
				t.Errorf("answer %s, log %s", a, logged)
			}
		})
	}
}

func TestRefusalsKeepTheirWords(t *testing.T) {
	r := NewRegistry(Options{})
	if err := r.Add(tool("t", func(context.Context, json.RawMessage) (any, error) {
		return nil, fmt.Errorf("in /home/x: %w", Refuse("there is no chapter %s", Quote("<9>")))
	})); err != nil {
		t.Fatal(err)
	}
	a := r.Call(context.Background(), "t", nil)
	if a.String() != `{"ok":false,"error":"there is no chapter \"<9>\""}` {
		t.Error(a)
	}
	if got := a.WithIsError().String(); got != `{"isError":true,"ok":false,"error":"there is no chapter \"<9>\""}` {
		t.Error(got)
	}
}

func TestUnknownToolNamesTheNearest(t *testing.T) {
	r := NewRegistry(Options{Absent: func(name string) string {
		if name == "elsewhere" {
			return "it is elsewhere"
		}
		return ""
	}})
	if got := r.Call(context.Background(), "x", nil).String(); !strings.Contains(got, "no tool is registered") {
		t.Error(got)
	}
	r.opts.Listing = "listTools()"
	for i := range 14 {
		if err := r.Add(tool(fmt.Sprintf("sandbox_tool_%c", 'a'+i), give(nil))); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Add(tool("sandbox_get_state", give(nil))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"sandbox_get_sate":         `there is no tool \"sandbox_get_sate\": did you mean sandbox_get_state? The tools are sandbox_get_state, sandbox_tool_`,
		"sandboxGetState":          `did you mean sandbox_get_state?`,
		"elsewhere":                `"error":"it is elsewhere"`,
		"zzz":                      ` … and 3 more: call listTools()"`,
		strings.Repeat("ü", 1<<20): `…`,
	} {
		got := r.Call(context.Background(), name, nil).String()
		if !strings.Contains(got, want) || len(got) > 700 {
			t.Errorf("%.40s: %s", name, got)
		}
	}
}

func TestArgumentsAreCleanedOrRefused(t *testing.T) {
	for _, sound := range []bool{false, true} {
		argumentsAreCleanedOrRefused(t, NewRegistry(Options{Sound: sound}))
	}
}

func argumentsAreCleanedOrRefused(t *testing.T, r *Registry) {
	if err := r.Add(tool("t", func(_ context.Context, args json.RawMessage) (any, error) { return map[string]any{"got": args}, nil })); err != nil {
		t.Fatal(err)
	}
	big := strings.Repeat("x", 25<<20)
	for _, c := range []struct{ name, args, want string }{
		{"missing", "", `{"ok":true,"got":{}}`},
		{"null", " null ", `{"ok":true,"got":{}}`},
		{"object", `{"a":1}`, `{"ok":true,"got":{"a":1}}`},
		{"lone surrogate", `{"a":"\ud800x"}`, `{"ok":true,"got":{"a":"\ufffdx"}}`},
		{"list", `[1]`, `must be an object`},
		{"text", `"a"`, `not a text`},
		{"too long", `{"a":"` + big + `"}`, `25.0 MB; a call may have 24 MB`},
		{"a file", `{"file":{"name":"a","base64":"` + big + `"}}`, `"ok":true`},
		{"a data address", `{"file" : { "url" : "data:` + big + `" } }`, `"ok":true`},
		{"a long address", `{"url":"https:` + big + `"}`, `25.0 MB`},
		{"a list of texts under base64", `{"base64":["` + big + `"]}`, `25.0 MB`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := r.Call(context.Background(), "t", json.RawMessage(c.args)).String(); !strings.Contains(got, c.want) {
				t.Errorf("got %.200s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAddIsAllOrNone(t *testing.T) {
	r := NewRegistry(Options{})
	ok := tool("a", give(nil))
	for _, bad := range [][]Tool{
		{ok, ok},
		{ok, tool("two words", give(nil))},
		{ok, tool("", give(nil))},
		{ok, tool(strings.Repeat("a", 129), give(nil))},
		{ok, {Name: "b", Run: give(nil)}},
		{ok, {Name: "b", Description: "d"}},
	} {
		var no *Refusal
		if err := r.Add(bad...); !errors.As(err, &no) {
			t.Errorf("%v: %v", bad[1].Name, err)
		}
		if len(r.Tools()) != 0 {
			t.Fatal("something was added")
		}
	}
	if err := r.Add(tool("c", give(nil)), tool("a", give(nil)), tool("b", give(nil))); err != nil {
		t.Fatal(err)
	}
	r.Remove("a", "nobody")
	var names []string
	for _, one := range r.Tools() {
		names = append(names, one.Name)
	}
	if !slices.Equal(names, []string{"c", "b"}) {
		t.Error(names)
	}
	if err := r.Add(tool("a", give(nil))); err != nil {
		t.Error("a removed name is not free:", err)
	}
}

func TestCallsRunAtOnce(t *testing.T) {
	r := NewRegistry(Options{})
	if err := r.Add(tool("t", give(map[string]int{"a": 1}))); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			for range 50 {
				if a := r.Call(context.Background(), "t", nil); a.Refused {
					t.Error(a)
				}
				r.Remove("none")
			}
		})
	}
	wg.Wait()
}

func TestCancelledCallSaysSo(t *testing.T) {
	r := NewRegistry(Options{})
	if err := r.Add(tool("t", func(ctx context.Context, _ json.RawMessage) (any, error) { return nil, ctx.Err() })); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := r.Call(ctx, "t", nil); !got.Refused || !strings.Contains(got.String(), "cancelled by its caller") {
		t.Error(got)
	}
}

func TestDefineDecodesWithDefaults(t *testing.T) {
	type inner struct {
		Deep int `json:"deep,omitempty" default:"7"`
	}
	type args struct {
		Width  int     `json:"width,omitempty" default:"1000"`
		Format string  `json:"format,omitempty" default:"png"`
		Wait   bool    `json:"wait,omitempty" default:"true"`
		Scale  float64 `json:"scale,omitempty" default:"0.5"`
		Page   *int    `json:"page,omitempty"`
		Inner  inner   `json:"inner,omitzero"`
		Any    any     `json:"any,omitempty"`
	}
	for _, c := range []struct{ args, want string }{
		{``, `{"ok":true,"width":1000,"format":"png","wait":true,"scale":0.5,"inner":{"deep":7}}`},
		{`{"width":5.0,"wait":false,"page":2e1,"any":"1.0"}`, `{"ok":true,"width":5,"format":"png","scale":0.5,"page":20,"inner":{"deep":7},"any":"1.0"}`},
		{`{"inner":{},"width":64}`, `{"ok":true,"width":64,"format":"png","wait":true,"scale":0.5,"inner":{"deep":7}}`},
		{`{"width":5.5}`, `{"ok":false,"error":"width of t must be a whole number of reasonable size"}`},
		{`{"width":1e300}`, `{"ok":false,"error":"width of t must be a whole number of reasonable size"}`},
		{`{"inner":{"deep":"x"}}`, `{"ok":false,"error":"inner.deep of t must be a whole number of reasonable size"}`},
		{`{"width":}`, `{"ok":false,"error":"the arguments of t cannot be read as JSON"}`},
	} {
		r := NewRegistry(Options{})
		if err := r.Add(Define("t", "T", "A tool.", Hints{}, func(_ context.Context, a args) (any, error) { return a, nil })); err != nil {
			t.Fatal(err)
		}
		if got := r.Call(context.Background(), "t", json.RawMessage(c.args)).String(); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.args, got, c.want)
		}
	}
}

func TestNearestAndClosest(t *testing.T) {
	names := []string{"chapter", "page", "position", "count", "width", "crop", "format"}
	for want, near := range map[string]string{"widht": "width", "Widths": "width", "pos": "position", "chaptr": "chapter", "page_": "page"} {
		if got, ok := Closest(want, names); !ok || got != near || Nearest(want, names)[0] != near {
			t.Errorf("%s: %s %v %v", want, got, ok, Nearest(want, names))
		}
	}
	for _, far := range []string{"", "x", "language", "🙂"} {
		if got, ok := Closest(far, names); ok {
			t.Errorf("%s: %s", far, got)
		}
	}
}

func TestQuoteIsShortAndOnOneLine(t *testing.T) {
	if got := Quote("a\nb\u2028c\x00"); got != `"a b c "` {
		t.Error(got)
	}
	if got := []rune(Quote(strings.Repeat("é", 500))); len(got) != 83 {
		t.Error(len(got))
	}
}

func FuzzWellFormedJSON(f *testing.F) {
	for _, s := range []string{`{"a":"\ud800"}`, `"\ud83d\ude00"`, `"\\ud800"`, `"\ud800\ud800\udc00"`, `"\uDC00\u"`, "\"\xff\"", `\ud800`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := bytes.Clone(text)
		got := WellFormedJSON(text)
		if !bytes.Equal(text, before) {
			t.Fatal("the text given was changed")
		}
		var a, b any
		errA, errB := json.Unmarshal(text, &a), json.Unmarshal(got, &b)
		if (errA == nil) != (errB == nil) {
			t.Fatalf("%q → %q: %v %v", text, got, errA, errB)
		}
		if errA == nil { // encoding/json replaces what is lone itself
			x, errX := json.Marshal(a)
			y, errY := json.Marshal(b)
			if errX != nil || errY != nil || !bytes.Equal(x, y) {
				t.Fatalf("%q → %q", x, y)
			}
		}
		if again := WellFormedJSON(got); !bytes.Equal(again, got) {
			t.Fatalf("not settled: %q → %q", got, again)
		}
	})
}

func BenchmarkCall(b *testing.B) {
	r := NewRegistry(Options{})
	if err := r.Add(tool("t", give(map[string]int{"a": 1}))); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r.Call(context.Background(), "t", json.RawMessage(`{"chapter":1}`))
	}
}

// place stands for the addresses that several tools take (sandbox's pageArgs).
type place struct {
	Position *int `json:"position,omitempty"`
	Step     int  `json:"step" default:"2"`
}

func TestDefaultsReachOptionalObjects(t *testing.T) {
	type innermost struct {
		Deep int `json:"deep" default:"7"`
	}
	type inner struct {
		Lines int        `json:"lines" default:"8"`
		More  *innermost `json:"more,omitempty"`
	}
	type args struct {
		place
		Around *inner `json:"around,omitempty"`
	}
	for _, c := range []struct{ args, want string }{
		{``, `{"ok":true,"step":2}`},
		{`{"around":{}}`, `{"ok":true,"step":2,"around":{"lines":8}}`},
		{`{"around":{"lines":0,"more":{}}}`, `{"ok":true,"step":2,"around":{"lines":0,"more":{"deep":7}}}`},
		{`{"around":null,"step":1}`, `{"ok":true,"step":1}`},
		{`{"position":1e18}`, `{"ok":false,"error":"position of t must be a whole number of reasonable size"}`},
		{`{"around":{"more":{"deep":1.5}}}`, `{"ok":false,"error":"around.more.deep of t must be a whole number of reasonable size"}`},
	} {
		r := NewRegistry(Options{})
		if err := r.Add(Define("t", "T", "A tool.", Hints{}, func(_ context.Context, a args) (any, error) { return a, nil })); err != nil {
			t.Fatal(err)
		}
		if got := r.Call(context.Background(), "t", json.RawMessage(c.args)).String(); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.args, got, c.want)
		}
	}
}

// A name of any length is likened to those there are in no time, by its beginning.
func TestNearestOfAHugeName(t *testing.T) {
	if got := Nearest("bodytext"+strings.Repeat("x", 5<<20), []string{"page", "bodyText"}); len(got) != 2 {
		t.Errorf("%d names", len(got))
	}
	if name, ok := Closest(strings.Repeat("x", 5<<20), []string{"page", "bodyText"}); ok {
		t.Errorf("%q is taken for it", name)
	}
}
