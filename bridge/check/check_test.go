package check

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"postext/bridge"
)

const echo = `{"type":"object","properties":{
	"text":{"type":"string","minLength":1,"maxLength":5},
	"width":{"type":"integer","minimum":64,"maximum":4096},
	"scale":{"type":"number","minimum":0},
	"format":{"type":"string","enum":["png","jpeg","webp"]},
	"chapter":{"type":["integer","string"]},
	"show":{"type":"boolean"},
	"edits":{"type":"array","items":{"type":"object","properties":{"find":{"type":"string"},"replace":{"type":"string"},"all":{"type":"boolean"}},"required":["find","replace"],"additionalProperties":false}},
	"crop":{"type":"object","properties":{"x":{"type":"number","minimum":0,"maximum":1},"y":{"type":"number"}},"required":["x","y"],"additionalProperties":false},
	"value":{"description":"anything"},
	"patch":{"type":"object"}
},"required":["text"],"additionalProperties":false}`

func carrying(schema string) bridge.Tool {
	return bridge.Tool{Name: "t", Description: "d", Schema: json.RawMessage(schema)}
}

func TestEveryFaultIsTold(t *testing.T) {
	const all = "The parameters are "
	for _, c := range []struct {
		name, args string
		want       []string
	}{
		{"fits", `{"text":"a"}`, nil},
		{"fits with everything", `{"text":"a","width":64,"scale":0.5,"format":"png","chapter":"2","show":true,"edits":[],"crop":{"x":0,"y":1},"value":null,"patch":{"x":[1]}}`, nil},
		{"whole number written with a point", `{"text":"a","width":64.0}`, nil},
		{"missing", `{}`, []string{"t was not started. text is missing: it must be a text of 1 to 5 characters."}},
		{"misspelt", `{"txet":"a","text":"a"}`, []string{`There is no parameter "txet"; did you mean text? ` + all + `text, `}},
		{"several unknown", `{"text":"a","widht":1,"colour":2}`, []string{`There are no parameters "colour", "widht" (did you mean width?). ` + all}},
		{"misspelt deep down", `{"text":"a","edits":[{"find":"a","replace":"b"},{"fnd":"a","find":"a","replace":"b"}]}`,
			[]string{`There is no parameter "fnd" in edits[1]; did you mean find? The parameters in edits[1] are find, all, replace.`}},
		{"short for one", `{"text":"a","w":64}`, []string{`There is no parameter "w"; did you mean width?`}},
		{"unlike any", `{"language":1,"text":"a"}`, []string{`There is no parameter "language". ` + all}},
		{"wrong type", `{"text":5}`, []string{"text must be a text of 1 to 5 characters, not 5."}},
		{"one of two types", `{"text":"a","chapter":true}`, []string{"chapter must be a whole number or a text, not true."}},
		{"too small", `{"text":"a","width":3}`, []string{"width must be a whole number from 64 to 4096, not 3."}},
		{"too large", `{"text":"a","width":1e300}`, []string{"width must be a whole number from 64 to 4096, not 1e300."}},
		{"not whole", `{"text":"a","width":64.5}`, []string{"width must be a whole number from 64 to 4096, not 64.5."}},
		{"below", `{"text":"a","scale":-1}`, []string{"scale must be a number of at least 0, not -1."}},
		{"not among the values", `{"text":"a","format":"jpg"}`, []string{`format must be one of "png", "jpeg", "webp", not "jpg"; did you mean "jpeg"?`}},
		{"a question and what follows it", `{"text":"a","format":"jpg","width":1}`, []string{`did you mean "jpeg"? width must be a whole number from 64 to 4096, not 1.`}},
		{"one fault more than are told", `{"text":"a","edits":[5,5,5,5,5,5,5,5,5,5,5,5,5]}`, []string{`edits[12] must be an object with all, find, replace, not 5.`}},
		{"an empty text", `{"text":"a","format":""}`, []string{`not an empty text`}},
		{"type and value at once", `{"text":"a","format":5}`, []string{`t was not started. format must be one of "png", "jpeg", "webp", not 5.`}},
		{"list for an object", `{"text":"a","crop":[1]}`, []string{"crop must be an object with x, y, not a list."}},
		{"object for a list", `{"text":"a","edits":{}}`, []string{"edits must be a list of objects with all, find, replace, not an object."}},
		{"too long", `{"text":"abcdef"}`, []string{`text must be a text of 1 to 5 characters, not "abcdef".`}},
		{"null", `{"text":null}`, []string{"text must be a text of 1 to 5 characters, not null."}},
		{"several at once, in order", `{"width":1,"text":"","crop":{"x":2,"z":1},"edits":[{},5]}`, []string{
			`t was not started. crop.x must be a number from 0 to 1, not 2. crop.y is missing: it must be a number. There is no parameter "z" in crop`,
			`edits[0].find is missing: it must be a text. edits[0].replace is missing: it must be a text. edits[1] must be an object with all, find, replace, not 5. text must be`,
			`width must be a whole number from 64 to 4096, not 1.`}},
		{"a quoted text is cut", `{"text":"a","format":"` + strings.Repeat("x", 5000) + `"}`, []string{strings.Repeat("x", 80) + `…"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := New(nil).Check(carrying(echo), json.RawMessage(c.args))
			if c.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var no *bridge.Refusal
			if !errors.As(err, &no) {
				t.Fatalf("no refusal: %v", err)
			}
			for _, w := range c.want {
				if !strings.Contains(no.Message, w) {
					t.Errorf("got  %s\nwant %s", no.Message, w)
				}
			}
			for _, slip := range []string{"?.", "..", ": :", "  ", `""`} {
				if strings.Contains(no.Message, slip) {
					t.Errorf("%q in %s", slip, no.Message)
				}
			}
			for _, jargon := range []string{"additionalProperties", "jsonschema", "schema", "/edits", "#", "oneOf"} {
				if strings.Contains(no.Message, jargon) {
					t.Errorf("%s is for programmers: %s", jargon, no.Message)
				}
			}
		})
	}
}

func TestTheSameFaultsGiveTheSameWords(t *testing.T) {
	args := json.RawMessage(`{"a":1,"b":2,"c":3,"width":1,"scale":-1,"edits":[{},{},{}],"crop":{}}`)
	c := New(nil)
	first := c.Check(carrying(echo), args)
	for range 20 {
		if again := c.Check(carrying(echo), args); again.Error() != first.Error() {
			t.Fatalf("%v\n%v", first, again)
		}
	}
}

func TestManyFaultsAreCounted(t *testing.T) {
	err := New(nil).Check(carrying(echo), json.RawMessage(`{"text":"a","edits":[`+strings.Repeat(`5,`, 999)+`5]}`))
	if err == nil || !strings.HasSuffix(err.Error(), " … and 988 more faults: mend these and call again, and the next are named.") || len(err.Error()) > 2000 {
		t.Errorf("%.200v", err)
	}
}

func TestHostileArgumentsAreRefused(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	for _, c := range []struct{ name, args, want string }{
		{"deep", `{"text":"a","patch":` + deep + `}`, "nested deeper than 100 levels"},
		{"deeper than the reader goes", `{"text":"a","patch":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, "nested deeper than 100 levels"},
		{"a giant exponent", `{"text":"a","width":1e999999999}`, "width of t cannot be 1e999999999"},
		{"a tiny exponent", `{"text":"a","patch":{"x":[1e-999999999]}}`, "patch.x[0] of t cannot be 1e-999999999"},
		{"endless digits", `{"text":"a","width":` + strings.Repeat("9", 1000) + `}`, "width of t cannot be 999"},
		{"broken", `{"text":"a"`, "no JSON"},
		{"two objects", `{"text":"a"}{"text":"b"}`, "more follows"},
		{"a long name", `{"text":"a","` + strings.Repeat("n", 1<<20) + `":1}`, "There is no parameter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := New(nil).Check(carrying(echo), json.RawMessage(c.args))
			var no *bridge.Refusal
			if !errors.As(err, &no) || !strings.Contains(no.Message, c.want) || len(no.Message) > 1000 {
				t.Errorf("%.300v", err)
			}
		})
	}
}

func TestHostSchemasOutsideTheSubset(t *testing.T) {
	for _, c := range []struct{ schema, args, want string }{
		{`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}`, `{"a":"x"}`, "a has none of the forms it may have"},
		{`{"type":"object","properties":{"a":{"type":"array","minItems":2}}}`, `{"a":[1]}`, "a must have at least 2 entries, not 1"},
		{`{"type":"object","properties":{"a":{"type":"string","pattern":"^x"}}}`, `{"a":"y"}`, `a must be a text of the form ^x, not "y"`},
		{`{"type":"object","properties":{"a":{"const":5}}}`, `{"a":6}`, "a must be 5, not 6"},
		{`{"type":"object","properties":{"a":false}}`, `{"a":6}`, "a cannot be 6"},
		{`{"$defs":{"n":{"type":"integer"}},"type":"object","properties":{"a":{"$ref":"#/$defs/n"}}}`, `{"a":"x"}`, `a must be a whole number, not "x"`},
		{`{"type":"object","minProperties":1}`, `{}`, "the arguments object does not have the form"},
		{`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"q":"x"}`, `q must be a whole number, not "x"`},
	} {
		err := New(nil).Check(carrying(c.schema), json.RawMessage(c.args))
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(c.want)) {
			t.Errorf("%s %s: %v", c.schema, c.args, err)
		}
	}
}

func TestBadSchemasAreFoundByCompile(t *testing.T) {
	for _, bad := range []string{`{"type":"nonsense"}`, `{"minimum":"x"}`, `[`, `{"type":"string","pattern":"("}`, `{"$ref":"https://example.org/s"}`, `{"$ref":"file:///etc/passwd"}`} {
		if err := New(nil).Compile(carrying(bad)); err == nil {
			t.Errorf("%s compiles", bad)
		}
	}
}

func TestSchemaIsCompiledOnceAndAgainWhenItChanges(t *testing.T) {
	calls := 0
	c := New(func(t bridge.Tool) (json.RawMessage, error) { calls++; return t.Schema, nil })
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if err := c.Check(carrying(echo), json.RawMessage(`{"text":"a"}`)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if calls != 1 {
		t.Errorf("compiled %d times", calls)
	}
	if err := c.Check(carrying(`{"type":"object","additionalProperties":false}`), json.RawMessage(`{"text":"a"}`)); err == nil || calls != 2 {
		t.Errorf("%v after %d", err, calls)
	}
}

// Of a long text the beginning is looked at: the words are those for the whole.
func TestLongTextsGiveTheSameWords(t *testing.T) {
	long := strings.Repeat("a \\n€", 20000)
	for _, c := range []struct{ schema, args string }{
		{echo, `{"text":"` + long + `"}`},
		{echo, `{"text":"a","format":"` + long + `"}`},
		{echo, `{"text":"a","width":"` + long + `","show":"` + long + `"}`},
		{echo, `{"text":"a","edits":[{"find":"` + long + `"}]}`},
		{echo, `{"text":"a","patch":"` + long + `"}`},
		{echo, `{"text":"a","patch":{"b":"` + long + `"}}`},
		{echo, `{"text":"` + long + `","wdth":1`},
		{echo, `{"text":"` + long + `"} {}`},
		{echo, `{"text":"` + long + `\q"}`},
		{echo, `{"` + long + `":1}`},
		{`{"properties":{"a":{"type":"string","maxLength":90000}}}`, `{"a":"` + long + `"}`},
		{`{"properties":{"a":{"type":"string","pattern":"a$"}}}`, `{"a":"` + long + `"}`},
		{`{"properties":{"a":{"uniqueItems":true}}}`, `{"a":["` + long + `a","` + long + `b"]}`},
		{`{"properties":{"maxLength":{"type":"string"}}}`, `{"maxLength":"` + long + `"}`},
	} {
		cut, whole := New(nil), New(nil)
		tool := carrying(c.schema)
		if err := whole.Compile(tool); err != nil {
			t.Fatal(err)
		}
		known := whole.compiled[tool.Name]
		known.starts = false
		whole.compiled[tool.Name] = known
		got, want := cut.Check(tool, json.RawMessage(c.args)), whole.Check(tool, json.RawMessage(c.args))
		if (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
			t.Errorf("%.60s: %.300v\nwant %.300v", c.args, got, want)
		}
	}
}

func TestFilesAreNotLookedThrough(t *testing.T) {
	schema := `{"type":"object","properties":{"file":{"type":"object","properties":{"base64":{"type":"string","minLength":1},"name":{"type":"string"}},"additionalProperties":false}},"additionalProperties":false}`
	big := strings.Repeat("QUJD", 1<<20)
	if err := New(nil).Check(carrying(schema), json.RawMessage(`{"file":{"base64":"`+big+`","name":"a"}}`)); err != nil {
		t.Error(err)
	}
	if err := New(nil).Check(carrying(schema), json.RawMessage(`{"file":{"base64":"`+big+`","nme":"a"}}`)); err == nil || !strings.Contains(err.Error(), "did you mean name?") {
		t.Errorf("%.200v", err)
	}
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{`{"text":"a"}`, `{}`, `{"edits":[{"find":1}]}`, `{"crop":{"x":-1e400}}`, `[[[`, `{"width":1E+2,"text":"\ud800"}`} {
		f.Add(s)
	}
	c := New(nil)
	f.Fuzz(func(t *testing.T, args string) {
		err := c.Check(carrying(echo), json.RawMessage(args))
		var no *bridge.Refusal
		if err != nil && !errors.As(err, &no) {
			t.Fatalf("%q: %v", args, err)
		}
		if err != nil && len(no.Message) > 8000 {
			t.Fatalf("%q: an answer of %d bytes", args, len(no.Message))
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	c := New(nil)
	args := json.RawMessage(`{"text":"a","width":100,"edits":[{"find":"a","replace":"b"}]}`)
	for b.Loop() {
		if err := c.Check(carrying(echo), args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckLongText(b *testing.B) {
	c := New(nil)
	tool := carrying(`{"type":"object","properties":{"chapter":{"type":["integer","string"]},"markdown":{"type":"string"}},"additionalProperties":false}`)
	args, err := json.Marshal(map[string]any{"chapter": 1, "markdown": strings.Repeat("lorem ipsum dolor sit\namet ", 200000)})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(args)))
	for b.Loop() {
		if err := c.Check(tool, args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if err := New(nil).Compile(carrying(echo)); err != nil {
			b.Fatal(err)
		}
	}
}
