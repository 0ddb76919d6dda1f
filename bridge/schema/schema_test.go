package schema

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postext/bridge"
	"postext/bridge/check"
)

type point struct {
	X float64 `json:"x" min:"0" max:"1" doc:"From the left."`
	Y float64 `json:"y" min:"0" max:"1"`
}

type length struct{ text string }

func (l *length) UnmarshalJSON(b []byte) error { l.text = string(b); return nil }

type cell struct{}

func (*cell) UnmarshalJSON([]byte) error { return nil }
func (cell) SchemaJSON() string          { return `{"type": ["string", "object"]}` }

type Where struct {
	Chapter any `json:"chapter,omitempty" types:"integer,string" doc:"Position, title or id."`
}

type args struct {
	Where
	Query   string            `json:"query" minLen:"1" maxLen:"80" doc:"What <to> look for."`
	Format  string            `json:"format,omitempty" enum:"png,jpeg" default:"png"`
	Count   int               `json:"count" min:"1" max:"8" default:"1"`
	Wait    *bool             `json:"wait" default:"true"`
	Crop    *point            `json:"crop"`
	Points  []point           `json:"points,omitempty" doc:"A line."`
	Kinds   []string          `json:"kinds,omitempty" enum:"a,b"`
	Value   json.RawMessage   `json:"value" any:"true"`
	Values  []json.RawMessage `json:"values,omitempty" any:"true"`
	Patch   map[string]any    `json:"patch,omitempty"`
	Mapping point             `json:"mapping,omitzero" free:"true"`
	Rows    [][]cell          `json:"rows,omitempty"`
	Size    length            `json:"size,omitzero" types:"string,number"`
	hidden  int
	Skipped int `json:"-"`
}

func TestSchemaFollowsTheTags(t *testing.T) {
	got, err := For(bridge.Tool{Name: "t", Args: args{}})
	if err != nil {
		t.Fatal(err)
	}
	const p = `{"type":"object","properties":{"x":{"type":"number","description":"From the left.","minimum":0,"maximum":1},"y":{"type":"number","minimum":0,"maximum":1}},"required":["x","y"],"additionalProperties":false}`
	want := `{"type":"object","properties":{` +
		`"chapter":{"type":["integer","string"],"description":"Position, title or id."},` +
		`"query":{"type":"string","description":"What <to> look for.","minLength":1,"maxLength":80},` +
		`"format":{"type":"string","enum":["png","jpeg"],"default":"png"},` +
		`"count":{"type":"integer","default":1,"minimum":1,"maximum":8},` +
		`"wait":{"type":"boolean","default":true},` +
		`"crop":` + p + `,` +
		`"points":{"type":"array","description":"A line.","items":` + p + `},` +
		`"kinds":{"type":"array","items":{"type":"string","enum":["a","b"]}},` +
		`"value":{},` +
		`"values":{},` +
		`"patch":{"type":"object"},` +
		`"mapping":{"type":"object"},` +
		`"rows":{"type":"array","items":{"type":"array","items":{"type":["string","object"]}}},` +
		`"size":{"type":["string","number"]}` +
		`},"required":["query","value"],"additionalProperties":false}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if err := InSubset(got); err != nil {
		t.Error(err)
	}
	// It passes the 2020-12 meta-schema, and does what it says.
	checker := check.New(For)
	tool := bridge.Tool{Name: "t", Args: args{}}
	if err := checker.Check(tool, json.RawMessage(`{"query":"a","value":[1],"rows":[["a",{"content":"b"}]]}`)); err != nil {
		t.Error(err)
	}
	if err := checker.Check(tool, json.RawMessage(`{"query":"","kinds":["c"]}`)); err == nil {
		t.Error("accepted")
	}
	_ = args{}.hidden
}

func TestToolWithoutArgumentsTakesNone(t *testing.T) {
	for _, tool := range []bridge.Tool{{Name: "t"}, {Name: "t", Args: struct{}{}}, bridge.Define("t", "", "d", bridge.Hints{}, func(context.Context, struct{}) (any, error) { return nil, nil })} {
		got, err := For(tool)
		if err != nil || string(got) != `{"type":"object","properties":{},"additionalProperties":false}` {
			t.Errorf("%s %v", got, err)
		}
	}
}

type loop struct {
	Again []loop `json:"again"`
}

func TestTypesWithoutASchemaAreRefused(t *testing.T) {
	for name, a := range map[string]any{
		"no struct":    5,
		"a loop":       loop{},
		"reads itself": struct{ A length }{},
		"interface":    struct{ A any }{},
		"raw":          struct{ A json.RawMessage }{},
		"channel":      struct{ A chan int }{},
		"twice": struct {
			Where
			Again int `json:"chapter"`
		}{},
		"bad default": struct {
			A int `default:"x"`
		}{},
		"bad enum": struct {
			A int `enum:"1,x"`
		}{},
		"bad min": struct {
			A int `min:"x"`
		}{},
		"bad length": struct {
			A string `maxLen:"-1"`
		}{},
		"long doc": struct {
			A string `doc:"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"`
		}{},
		"nested mistakes": struct{ A []struct{ B chan int } }{},
	} {
		if got, err := For(bridge.Tool{Name: "t", Args: a}); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestSubset(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}},"additionalProperties":false}`: true,
		`{"type":"object"}`:                 true,
		`{}`:                                true,
		`{"$ref":"#"}`:                      false,
		`{"anyOf":[]}`:                      false,
		`{"type":"object","properties":{}}`: false,
		`{"type":"object","additionalProperties":false}`:                                    false,
		`{"type":"object","properties":{},"additionalProperties":true}`:                     false,
		`{"type":"array","items":{"format":"uri"}}`:                                         false,
		`{"type":"object","properties":{"a":{"pattern":"x"}},"additionalProperties":false}`: false,
		`[]`: false,
		`x`:  false,
	} {
		if err := InSubset([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestListingIsWrittenReadAndStale(t *testing.T) {
	tools := []bridge.Tool{
		{Name: "b", Title: "B", Description: "Does b & <c>.", Args: args{}, Hints: bridge.Hints{ReadOnly: true}},
		{Name: "a", Title: "A", Description: "Does a."},
	}
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.json"), filepath.Join(dir, "two.json")
	if err := Generate(tools, one, two); err != nil {
		t.Fatal(err)
	}
	if err := Stale(tools, one, two); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n != 4 || !strings.Contains(string(text), "Does b & <c>.") {
		t.Errorf("%d lines:\n%s", n, text)
	}
	back, err := bridge.ReadListing(text)
	if err != nil {
		t.Fatal(err)
	}
	if back[0].Name != "b" || !back[0].Hints.ReadOnly || back[1].Title != "A" || len(back[1].Schema) == 0 {
		t.Errorf("%+v", back)
	}
	tools[1].Description = "Does something else."
	if err := Stale(tools, one); err == nil {
		t.Error("a changed tool is not stale")
	}
	if _, err := Listing([]bridge.Tool{{Name: "x", Schema: json.RawMessage(`{"oneOf":[]}`)}}); err == nil {
		t.Error("a schema outside the subset is listed")
	}
}
