package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"postext/book"
	"postext/bridge/schema"
	"postext/sandbox/store"
)

// badWording finds what an error composed of parts must never have: doubled or
// stray stops, double spaces, empty quotes.
var badWording = regexp.MustCompile(`[?!.,;:] ?[?!.,;:](?:[^.]|$)|  |""|: :| [.,;:?!](?: |$)|[^.]\.\.(?:[^.]|$)`)

func misworded(text string) string {
	// Paths of settings and examples of objects are not sentences.
	if m := badWording.FindString(text); m != "" {
		return fmt.Sprintf("%q", m)
	}
	if strings.Count(text, `"`)%2 != 0 {
		return "an odd number of quotes"
	}
	return ""
}

// schemaNode is as much of a schema as bad calls are made of.
type schemaNode struct {
	Type       any
	Enum       []any
	Minimum    *float64
	Maximum    *float64
	MinLength  *int
	Required   []string
	Properties map[string]*schemaNode
	Items      *schemaNode
}

func (n *schemaNode) is(kind string) bool {
	switch t := n.Type.(type) {
	case string:
		return t == kind
	case []any:
		return slices.Contains(t, any(kind))
	}
	return n.Type == nil && len(n.Enum) > 0 && kind == "string"
}

// fits is a value the schema allows.
func (n *schemaNode) fits() any {
	switch {
	case len(n.Enum) > 0:
		return n.Enum[0]
	case n.is("object"):
		o := map[string]any{}
		for _, r := range n.Required {
			o[r] = n.Properties[r].fits()
		}
		return o
	case n.is("array"):
		if n.Items == nil {
			return []any{}
		}
		return []any{n.Items.fits()}
	case n.is("string"):
		return "nope"
	case n.is("integer"), n.is("number"):
		if n.Minimum != nil {
			return *n.Minimum
		}
		return 1
	case n.is("boolean"):
		return true
	}
	return "nope"
}

// misfits are values that the schema, or what stands behind it, should refuse.
func (n *schemaNode) misfits() []any {
	list := []any{"", " ", "nope", 0, -1, 1.5, 1e9, true, nil, []any{}, map[string]any{}, map[string]any{"nope": 1}, []any{"nope"}}
	for _, e := range n.Enum {
		if w, ok := e.(string); ok && len(w) > 2 {
			list = append(list, w[:len(w)-1], w[1:])
		}
	}
	for name, p := range n.Properties {
		for _, v := range p.misfits() {
			o := n.fits().(map[string]any)
			o[name] = v
			list = append(list, o)
		}
		if len(name) > 2 {
			list = append(list, map[string]any{name[:len(name)-1]: 1})
		}
	}
	if n.Items != nil {
		for _, v := range n.Items.misfits() {
			list = append(list, []any{v})
		}
	}
	return list
}

// badCalls are calls of a tool that are wrong in one place, and some that are wrong
// in many.
func badCalls(t *testing.T, text []byte) (calls []string) {
	t.Helper()
	var root schemaNode
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	add := func(args map[string]any) {
		text, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, string(text))
	}
	all := map[string]any{}
	for i := range 20 {
		all[fmt.Sprint("unheard", i)] = i
	}
	add(all)
	add(map[string]any{"widht": 1, "chaptre": 1, "pgae": 1, "nme": 1})
	add(map[string]any{"widht": 1})
	add(map[string]any{})
	for name, p := range root.Properties {
		for _, v := range p.misfits() {
			args := root.fits().(map[string]any)
			args[name] = v
			add(args)
		}
		args := root.fits().(map[string]any)
		args[name] = p.fits()
		args[name+"s"] = p.fits()
		add(args)
		// Two arguments that may not go together.
		for other, q := range root.Properties {
			pair := root.fits().(map[string]any)
			pair[name], pair[other] = p.fits(), q.fits()
			add(pair)
		}
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}

// Errors are composed of parts; whatever is called, they read as sentences: no
// doubled stops, no double spaces, no empty or unbalanced quotes (tools.md 1).
func TestRefusalsAreWellFormedSentences(t *testing.T) {
	s, _ := visit(t, store.NewMemory(), samplesOf(fixture(t)), nil)
	good(t, s, "sandbox_open_book", openGuide)
	r := registry(t, s)
	said := map[string]bool{}
	for _, tool := range Tools(s) {
		text, err := schema.For(tool)
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range badCalls(t, text) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			answer := r.Call(ctx, tool.Name, json.RawMessage(args))
			cancel()
			if !answer.Refused {
				continue
			}
			var a struct{ Error string }
			if err := json.Unmarshal(answer.JSON, &a); err != nil {
				t.Fatal(err)
			}
			if said[a.Error] {
				continue
			}
			said[a.Error] = true
			if why := misworded(a.Error); why != "" {
				t.Errorf("%s %.200s: %s in: %s", tool.Name, args, why, a.Error)
			}
			if strings.Contains(a.Error, "… and ") && !strings.Contains(a.Error, ": call ") && !strings.Contains(a.Error, "call again") {
				t.Errorf("%s %.200s: a list is cut without a word on how to see the rest: %s", tool.Name, args, a.Error)
			}
		}
	}
	if len(said) < 500 {
		t.Errorf("only %d different refusals were read", len(said))
	}
	t.Logf("%d refusals", len(said))
}

// A list cut short names the call that gives the rest (tools.md 1).
func TestEveryCutListSaysHowToSeeTheRest(t *testing.T) {
	b := &book.Book{Name: "Twins", Language: "en"}
	for i := range 30 {
		b.Chapters = append(b.Chapters, &book.Chapter{ID: fmt.Sprint("c", i), Title: fmt.Sprint("Chapter ", i%2), Markdown: strings.Repeat("twice\n", 40)})
	}
	s := opened(t, b, nil)
	for _, c := range []struct{ tool, args, want string }{
		{"sandbox_read_text", `{"chapter":"Chapter 0"}`, "… and 3 more: call sandbox_get_state"},
		{"sandbox_read_text", `{"chapter":99}`, "… and 18 more: call sandbox_get_state"},
		{"sandbox_edit_text", `{"edits":[{"find":"twice","replace":"x"}]}`, "… and 28 more: call sandbox_search_text"},
		{"sandbox_get_warnings", `{"kind":"looseLin"}`, "Without kind the answer holds every kind there is"},
		{"sandbox_set_config", `{"changes":[` + strings.Repeat(`{"path":"nope","value":1},`, 29) + `{"path":"nope","value":1}]}`, "… and 18 more faults: mend these and call again"},
	} {
		if _, text := call(t, s, c.tool, c.args); !strings.Contains(text, c.want) || !strings.Contains(text, `"ok":false`) {
			t.Errorf("%s %.100s: %s", c.tool, c.args, text)
		}
	}
}

// An argument that would have no effect beside the others is refused, with a word
// on what it goes with.
func TestArgumentsWithoutEffectAreRefused(t *testing.T) {
	s, _ := visit(t, store.NewMemory(), samplesOf(fixture(t)), nil)
	good(t, s, "sandbox_open_book", openGuide)
	for _, c := range []struct{ tool, args, want string }{
		{"sandbox_inspect_point", `{"x":0.5,"y":0.5,"word":true}`, "word: true goes with select: true"},
		{"sandbox_inspect_point", `{"x":0.5,"y":0.5,"to":{"x":0.6,"y":0.6}}`, "to goes with select: true"},
		{"sandbox_inspect_pages", `{"lines":true}`, "lines: true goes with page or position"},
		{"sandbox_inspect_pages", `{"text":"full"}`, "goes with page or position"},
		{"sandbox_inspect_pages", `{"from":1,"position":1}`, "give from"},
		{"sandbox_render_page", `{"quality":80}`, `quality goes with format "jpeg" or "webp"`},
		{"sandbox_render_page", `{"data":false}`, "data: false goes with show: true"},
		{"sandbox_read_text", `{"around":{"line":1},"fromColumn":3}`, "fromColumn goes with fromLine"},
		{"sandbox_read_text", `{"around":{"line":1},"toLine":3}`, "not both"},
		{"sandbox_select_text", `{"line":1,"occurrence":2}`, "occurrence goes with text"},
		{"sandbox_select_text", `{"text":"a","toLine":2}`, "toLine goes with line"},
		{"sandbox_manage_chapters", `{"action":"rename","title":"x","position":1}`, "position does not go with"},
		{"sandbox_set_view", `{"zoom":2,"fit":"width"}`, `zoom goes with fit "none"`},
		{"sandbox_set_view", `{"guides":{}}`, "give what to change"},
		{"sandbox_go_to_page", `{"step":"next","chapter":1}`, "chapter goes with page, position or text"},
		{"sandbox_go_to_page", `{"anchor":"x","chapter":1}`, "chapter goes with page, position or text"},
		{"sandbox_list_resources", `{"id":"x","kind":"svg"}`, "leave kind, search and after out"},
		{"sandbox_save_resource", `{"id":"x","updateReferences":false,"caption":"a"}`, "updateReferences goes with newId"},
		{"sandbox_save_resource", `{"id":"x","tableEdits":[{"action":"delete_row","row":1,"column":2}]}`, "tableEdits[0]: column does not go with action"},
		{"sandbox_save_resource", `{"id":"x","tableEdits":[{"action":"set_cell","row":1,"column":2,"cell":"a","cells":["b"]}]}`, "cells does not go with"},
		{"sandbox_save_font", `{"action":"remove_family","family":"A","weight":400}`, "weight does not go with action"},
		{"sandbox_save_font", `{"action":"rename","family":"A","newFamily":"B","redistributable":true}`, "redistributable does not go with"},
		{"sandbox_export", `{"format":"postext","book":{"kind":"project","id":"x","language":"es"}}`, "book.language goes with a sample"},
		{"sandbox_export", `{"format":"config","chapter":1}`, `chapter goes with scope "chapter"`},
		{"sandbox_open_book", `{"kind":"project","id":"x","language":"es"}`, "language goes with a sample"},
		{"sandbox_save_book", `{"action":"save_now","name":"x"}`, "name does not go with"},
		{"sandbox_reset_to_original", `{"part":"text","sample":{"id":"guide"}}`, `part is "all"`},
		{"sandbox_set_view", `{"designGroup":"colour"}`, "there are colors"},
		{"sandbox_save_resource", `{"id":"t","table":{"rows":[["a"]]},"resolution":300}`, "resolution is of a picture"},
		{"sandbox_get_warnings", `{"scope":"book","chapter":1}`, "leave chapter out"},
		{"sandbox_get_warnings", `{"kind":"looseLine","category":"fonts"}`, "leave category out"},
	} {
		refused(t, s, c.tool, c.args, c.want)
	}
}

// What is wrong with a call by itself is refused at once, whether there is a book or
// not: nothing of it depends on one.
func TestWhatIsWrongByItselfIsRefusedBeforeTheBookIsThere(t *testing.T) {
	s := New(Options{Typesetter: &plainTypesetter{}, Library: &Library{Store: store.NewMemory(), Samples: samplesOf(fixture(t))}})
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	r := registry(t, s)
	for _, c := range []struct{ tool, args string }{
		{"sandbox_render_page", `{"chapter":-1}`}, {"sandbox_render_page", `{"chapter":0}`}, {"sandbox_render_page", `{"chapter":""}`},
		{"sandbox_render_page", `{"position":0}`}, {"sandbox_render_page", `{"page":1,"position":1}`}, {"sandbox_render_page", `{"page":""}`}, {"sandbox_render_page", `{"page":" "}`},
		{"sandbox_render_page", `{"crop":{"x":0,"y":0,"width":0,"height":1}}`}, {"sandbox_render_page", `{"data":false}`},
		{"sandbox_inspect_pages", `{"chapter":-1}`}, {"sandbox_inspect_pages", `{"from":0}`}, {"sandbox_inspect_pages", `{"position":1,"count":9}`},
		{"sandbox_inspect_point", `{"x":0,"y":0,"word":true}`}, {"sandbox_inspect_point", `{"x":0,"y":0,"position":0}`},
		{"sandbox_read_text", `{"chapter":-1}`}, {"sandbox_read_text", `{"fromLine":9,"toLine":3}`}, {"sandbox_read_text", `{"around":{"line":1},"toLine":3}`},
		{"sandbox_write_text", `{}`}, {"sandbox_write_text", `{"file":{"url":"ftp://x"}}`}, {"sandbox_write_text", `{"chapter":-1,"markdown":""}`},
		{"sandbox_edit_text", `{"edits":[]}`}, {"sandbox_edit_text", `{"chapter":-1,"edits":[{"find":"a","replace":"b"}]}`},
		{"sandbox_undo_text", `{"steps":0}`},
		{"sandbox_select_text", `{}`}, {"sandbox_select_text", `{"text":""}`}, {"sandbox_select_text", `{"line":4,"toLine":2}`}, {"sandbox_select_text", `{"offset":-1}`},
		{"sandbox_search_text", `{"query":" "}`}, {"sandbox_search_text", `{"query":"(","regex":true}`}, {"sandbox_search_text", `{"query":"a","after":"x"}`}, {"sandbox_search_text", `{"query":"a","chapter":-1}`},
		{"sandbox_manage_chapters", `{"action":"rename"}`}, {"sandbox_manage_chapters", `{"action":"split","line":0}`}, {"sandbox_manage_chapters", `{"action":"split","offset":-1}`}, {"sandbox_manage_chapters", `{"action":"show","position":0}`},
		{"sandbox_manage_chapters", `{"action":"show","chapter":-2}`}, {"sandbox_remove_chapter", `{"chapter":-1}`}, {"sandbox_remove_chapter", `{"chapter":""}`},
		{"sandbox_set_config", `{}`}, {"sandbox_set_config", `{"changes":[]}`}, {"sandbox_set_config", `{"changes":[{"path":"","value":1}]}`}, {"sandbox_find_setting", `{"query":"  "}`},
		{"sandbox_set_view", `{}`}, {"sandbox_set_view", `{"viewer":"pdf"}`}, {"sandbox_set_view", `{"chapter":-1}`},
		{"sandbox_go_to_page", `{}`}, {"sandbox_go_to_page", `{"step":"on"}`}, {"sandbox_go_to_page", `{"contents":0}`}, {"sandbox_go_to_page", `{"text":""}`}, {"sandbox_go_to_page", `{"anchor":"#"}`},
		{"sandbox_list_resources", `{"id":"a","search":"b"}`}, {"sandbox_save_resource", `{"id":"a","image":{},"caption":""}`}, {"sandbox_save_resource", `{"id":"a","newId":"b c"}`},
		{"sandbox_save_resource", `{"id":"a","tableEdits":[]}`}, {"sandbox_save_resource", `{"id":"a","tableEdits":[{"action":"merge"}]}`}, {"sandbox_save_resource", `{"id":"a","svg":{}}`}, {"sandbox_delete_resource", `{"id":""}`},
		{"sandbox_save_font", `{"action":"add","family":"A"}`}, {"sandbox_save_font", `{"action":"remove","family":" "}`}, {"sandbox_save_font", `{"action":"rename","family":"A"}`},
		{"sandbox_export", `{"format":"config","scope":"chapter"}`}, {"sandbox_export", `{"format":"markdown","fileName":"a/b"}`}, {"sandbox_export", `{"format":"markdown","part":{"offset":0}}`},
		{"sandbox_import_book", `{"file":{}}`}, {"sandbox_import_book", `{"file":{"url":"x"},"language":"!"}`},
		{"sandbox_open_book", `{"kind":"sample"}`}, {"sandbox_open_book", `{"kind":"sample","id":"x","language":"!"}`}, {"sandbox_open_book", `{"kind":"sample","id":"x","chapter":-1}`},
		{"sandbox_save_book", `{"action":"rename"}`}, {"sandbox_save_book", `{"action":"restore"}`}, {"sandbox_save_book", `{"action":"set_cover","cover":{"url":"x"}}`},
		{"sandbox_reset_to_original", `{"part":"text","sample":{"id":"a"}}`}, {"sandbox_answer", `{}`}, {"sandbox_answer", `{"dismissNotice":false}`},
		{"sandbox_get_warnings", `{"scope":"book","chapter":1}`}, {"sandbox_get_warnings", `{"kind":"nope"}`}, {"sandbox_get_warnings", `{"after":"-3"}`}, {"sandbox_get_warnings", `{"chapter":-3}`},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		answer := r.Call(ctx, c.tool, json.RawMessage(c.args))
		if !answer.Refused || ctx.Err() != nil || strings.Contains(answer.String(), "cancelled") {
			t.Errorf("%s %s was not refused at once: %s", c.tool, c.args, answer)
		}
		cancel()
	}
}
