package book

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

// A file somebody wrote by hand keeps its look where its value is the same.
func TestRewriteKeepsTheLookOfWhatIsTheSame(t *testing.T) {
	for _, c := range []struct{ name, text, value, want string }{
		{"the same", "{ \"b\": 10.50,\n \"a\" : [1,2 ] }\n", `{"a":[1,2],"b":10.5}`, "{ \"b\": 10.50,\n \"a\" : [1,2 ] }\n"},
		{"a value", `{"b": 1, "a": {"x": 1,  "y": 2}}`, `{"a":{"x":1,"y":3},"b":1}`, `{"b": 1, "a": {"x": 1,  "y": 3}}`},
		{"a spelling", `{"a": "\u00e9"}`, `{"a":"é"}`, `{"a": "\u00e9"}`},
		{"a member gone", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}", `{"a":1,"c":3}`, "{\n  \"a\": 1,\n  \"c\": 3\n}"},
		{"the first gone", "{\n  \"a\": 1,\n  \"b\": 2\n}", `{"b":2}`, "{\n  \"b\": 2\n}"},
		{"all gone", "{\n  \"a\": 1\n}\n", `{}`, "{}\n"},
		{"a member more", "{\n    \"a\": 1\n}", `{"a":1,"b":{"c":2}}`, "{\n    \"a\": 1,\n    \"b\": {\n        \"c\": 2\n    }\n}"},
		{"a member more in a line", `{"page": { "w": 1 }}`, `{"page":{"w":1,"h":{"v":2,"u":"cm"}}}`, `{"page": { "w": 1, "h": {"v": 2, "u": "cm"} }}`},
		{"into what was empty", "{\n  \"a\": {}\n}", `{"a":{"b":1}}`, "{\n  \"a\": {\n    \"b\": 1\n  }\n}"},
		{"a text for a length", "{\n  \"a\": \"14pt\"\n}", `{"a":{"u":"pt","v":15}}`, "{\n  \"a\": {\n    \"u\": \"pt\",\n    \"v\": 15\n  }\n}"},
		{"items moved", "[\n {\"file\":\"a\", \"n\":1},\n {\"file\":\"b\"}\n]", `[{"file":"b"},{"file":"a","n":2}]`, "[\n {\"file\":\"b\"},\n {\"file\":\"a\", \"n\":2}\n]"},
		{"an item more", "[\n {\"id\":\"a\"},\n {\"id\":\"b\"}\n]", `[{"id":"a"},{"id":"c","x":[1]},{"id":"b"}]`, "[\n {\"id\":\"a\"},\n {\"id\":\"c\",\"x\":[1]},\n {\"id\":\"b\"}\n]"},
		{"written twice", `{"a": 1, "a": 2}`, `{"a":2}`, `{"a": 2}`},
		{"no JSON", "{", `{"a":1}`, "{\n  \"a\": 1\n}\n"},
	} {
		got, err := rewrite([]byte(c.text), []byte(c.value))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.name, err, got, c.want)
		}
	}
}

// What is written has the value, whatever stood there, and a value that is there
// already changes no letter.
func FuzzRewrite(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"id":2}],"b":{"c":null}}`), []byte(`{"b":{"c":[]},"a":[{"id":2},1,1]}`))
	f.Add([]byte(` [ ] `), []byte(`[[],{},""]`))
	f.Add([]byte(`{"a":1e9,"a":{"x":1},"":"\n"}`), []byte(`{"":"x","a":{}}`))
	f.Fuzz(func(t *testing.T, text, value []byte) {
		// Values as the project writes them: every name once.
		plain, ok := plainValue(value)
		ok = ok && !bytes.Contains(text, []byte("-0")) && !bytes.Contains(value, []byte("-0")) // which is 0
		if !ok {
			return
		}
		value = []byte(plain)
		got, err := rewrite(text, value)
		if err != nil {
			t.Fatal(err)
		}
		if is, ok := plainValue(got); !ok || is != plain {
			t.Fatalf("%s over %s gives %s", value, text, got)
		}
		if again, err := rewrite(got, value); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%v: %s is written as %s", err, got, again)
		}
	})
}

// plainValue is a value with sorted keys and numbers as numbers; not ok where it is
// none, or has numbers beyond those of the machine.
func plainValue(text []byte) (value string, ok bool) {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return "", false
	}
	out, err := json.Marshal(v)
	return string(out), err == nil
}

// bundle.md, A folder as a book: writing back touches only what changed, in the two
// files in JSON too.
func TestSaveKeepsTheLookOfTheDesign(t *testing.T) {
	const design = "{\n  \"type\": \"postext-config\", \"version\": 1, \"configVersion\": 11,\n  \"config\": {\n" +
		"    \"page\": { \"width\": {\"value\": 12, \"unit\": \"cm\"},\n              \"height\": \"19cm\" },\n    \"bodyText\": { \"fontSize\": 10.50 }\n  }\n}\n"
	dir, old, _ := folderBook(t, with(plain, "postext-config.json", design))
	next, err := old.WithConfig(json.RawMessage(`{"bodyText":{"fontSize":10.5,"color":"#111"},"page":{"height":"20cm","width":{"value":12,"unit":"cm"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	saved, err := SaveFolder(dir, old, next)
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"type\": \"postext-config\", \"version\": 1, \"configVersion\": 11,\n  \"config\": {\n" +
		"    \"page\": { \"width\": {\"value\": 12, \"unit\": \"cm\"},\n              \"height\": \"20cm\" },\n    \"bodyText\": { \"fontSize\": 10.50, \"color\": \"#111\" }\n  }\n}\n"
	if got := snapshot(t, dir)["postext-config.json"]; got != want {
		t.Errorf("got %s", got)
	}
	// A design that something else has changed since is left alone.
	put(t, dir, "postext-config.json", design)
	var conflict *ConflictError
	if _, err := SaveFolder(dir, saved, old); err != nil {
		t.Errorf("the design wanted stands there: %v", err)
	}
	if next, err = saved.WithConfig(nil); err != nil {
		t.Fatal(err)
	}
	if _, err := SaveFolder(dir, saved, next); !errors.As(err, &conflict) || snapshot(t, dir)["postext-config.json"] != design {
		t.Errorf("a design changed meanwhile: %v", err)
	}
}
