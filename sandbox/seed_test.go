package sandbox

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"strings"
	"testing"

	"postext/book"
	"postext/bridge"
	"postext/bridge/check"
	"postext/bridge/schema"
	"postext/engine"
	"postext/engine/font/fonttest"
)

// The calls and answers that the public document prints, on the fixture book
// with the real typesetter: each call is accepted as it stands, each answer has
// the keys, nesting and types printed.

// typeset opens a book with the real typesetter.
func typeset(t testing.TB, b *book.Book, change func(*Options)) *Session {
	t.Helper()
	w := fonttest.World(t)
	return opened(t, b, func(o *Options) {
		o.Typesetter = engine.New(w)
		o.Families = w.Families
		if change != nil {
			change(o)
		}
	})
}

// checked calls a tool with its arguments checked against its schema.
func checked(t testing.TB, s *Session, tool, args string) map[string]any {
	t.Helper()
	r := bridge.NewRegistry(bridge.Options{Checker: check.New(schema.For), Log: func(id, tool string, err error, stack []byte) {
		t.Errorf("%s: internal error %s: %v\n%s", tool, id, err, stack)
	}})
	if err := r.Add(Tools(s)...); err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	text := r.Call(context.Background(), tool, json.RawMessage(args)).String()
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%s: %v in %s", tool, err, text)
	}
	if m["ok"] != true {
		t.Fatalf("%s %s: %s", tool, args, text)
	}
	return m
}

// shaped compares the shape of an answer with a printed one: every key printed
// is there, with the same kind of value.
func shaped(t testing.TB, where string, printed, got any) {
	t.Helper()
	switch p := printed.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s is %T, printed as an object", where, got)
			return
		}
		for k, v := range p {
			have, ok := g[k]
			if !ok {
				t.Errorf("%s.%s is missing", where, k)
				continue
			}
			shaped(t, where+"."+k, v, have)
		}
	case []any:
		g, ok := got.([]any)
		if !ok {
			t.Errorf("%s is %T, printed as a list", where, got)
			return
		}
		for i := range p {
			if i >= len(g) {
				t.Errorf("%s has %d items, printed %d", where, len(g), len(p))
				return
			}
			shaped(t, fmt.Sprintf("%s[%d]", where, i), p[i], g[i])
		}
	default:
		if fmt.Sprintf("%T", printed) != fmt.Sprintf("%T", got) {
			t.Errorf("%s is %T (%v), printed as %T", where, got, got, printed)
		}
	}
}

func printed(t testing.TB, text string) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSeedState(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	if _, err := s.Layout(context.Background()); err != nil {
		t.Fatal(err)
	}
	m := checked(t, s, "sandbox_get_state", `{}`)
	shaped(t, "answer", printed(t, `{
  "ok": true,
  "ready": true,
  "book": { "kind": "sample", "id": "postext-guide", "name": "Postext guide" },
  "pages": 3,
  "chapters": [
    { "chapter": 1, "id": "a", "title": "Opening", "onScreen": true, "words": 1007, "pages": 2 },
    { "chapter": 2, "id": "b", "title": "Second", "words": 101, "pages": 1 }
  ],
  "view": { "viewer": "canvas", "panel": "none", "scope": "chapter", "chapter": 1 },
  "resources": 0,
  "warnings": 0
}`), m)
	if within(t, m, "chapters", 0, "id") != "a" || within(t, m, "chapters", 1, "title") != "Second" {
		t.Errorf("chapters %v", m["chapters"])
	}
}

func TestSeedPages(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	m := checked(t, s, "sandbox_inspect_pages", `{ "chapter": 1 }`)
	shaped(t, "answer", printed(t, `{
  "chapter": 1, "title": "Opening", "chapterPages": 2, "converged": true,
  "pages": [
    { "position": 1, "label": "1", "role": "opener", "blank": false, "lines": 45, "figures": 0, "starts": "Opening" },
    { "position": 2, "label": "2", "role": "body", "blank": false, "lines": 37, "figures": 0, "starts": "decades. Print typography spent five centuries…" }
  ]
}`), m)
	if within(t, m, "pages", 0, "role") != "opener" || within(t, m, "pages", 0, "starts") != "Opening" || within(t, m, "pages", 1, "role") != "body" {
		t.Errorf("pages %v", m["pages"])
	}
	d := checked(t, s, "sandbox_inspect_pages", `{ "chapter": 1, "position": 1, "lines": true }`)
	page := within(t, d, "pages", 0).(map[string]any)
	for _, k := range []string{"size", "columns", "header", "footer", "floats", "blocks"} {
		if _, ok := page[k]; !ok {
			t.Errorf("a page lacks %s", k)
		}
	}
	shaped(t, "block", printed(t, `{"index":0,"kind":"heading","column":1,"text":"Opening","lines":1,"hyphenatedLines":[],"looseLines":[],
		"box":{"x":0,"y":0,"width":1,"height":1},"source":{"line":1,"toLine":1,"offset":0,"toOffset":9},"level":1}`), within(t, page, "blocks", 0))
	if fill := within(t, page, "columns", 0, "fill").(float64); fill <= 0.5 || fill > 1 {
		t.Errorf("fill %v", fill)
	}
	src := within(t, page, "blocks", 0, "source").(map[string]any)
	if src["line"] != 1.0 || src["offset"] != 0.0 {
		t.Errorf("source %v", src)
	}
}

// withThird is the fixture with a third chapter whose pages begin at 24.
func withThird(t testing.TB) *book.Book {
	b := fixture(t)
	third := &book.Chapter{ID: "c", Title: "Third", Markdown: ":::numbering{startAt=24}\n\n# Third\n\n" + strings.Repeat(b.Chapters[0].Markdown[11:2000]+"\n\n", 3)}
	return b.InsertChapter(2, third)
}

func TestSeedRender(t *testing.T) {
	s := typeset(t, withThird(t), nil)
	for _, c := range []struct {
		args   string
		images int
		width  int
	}{
		{`{ "chapter": 3, "page": 24, "count": 2, "width": 1200 }`, 2, 1200},
		{`{ "chapter": 3, "page": 24, "crop": { "x": 0.5, "y": 0.5, "width": 0.5, "height": 0.5 }, "width": 1600 }`, 1, 1600},
		{`{ "chapter": 1, "position": 1, "width": 1200, "format": "png" }`, 1, 1200},
	} {
		m := checked(t, s, "sandbox_render_page", c.args)
		parts := m["content"].([]any)
		if len(parts) != c.images+1 {
			t.Fatalf("%s: %d parts", c.args, len(parts))
		}
		text := printed(t, within(t, parts[0], "text").(string))
		shaped(t, "text", printed(t, `{"ok":true,"chapter":1,"title":"","pages":[{"position":1,"label":"24","role":"body","side":"recto","blank":false,
			"pixels":{"width":1,"height":1},"mm":{"width":1,"height":1},"bytes":1}]}`), text)
		for i, part := range parts[1:] {
			if within(t, part, "type") != "image" || within(t, part, "mimeType") != "image/png" {
				t.Errorf("part %v", part)
			}
			data, err := base64.StdEncoding.DecodeString(within(t, part, "data").(string))
			if err != nil {
				t.Fatal(err)
			}
			pic, err := png.Decode(strings.NewReader(string(data)))
			if err != nil {
				t.Fatal(err)
			}
			if pic.Bounds().Dx() != c.width || within(t, text, "pages", i, "bytes") != float64(len(data)) {
				t.Errorf("%s: %d px wide, said %v bytes of %d", c.args, pic.Bounds().Dx(), within(t, text, "pages", i, "bytes"), len(data))
			}
		}
	}
	m := checked(t, s, "sandbox_render_page", `{"width":1000}`)
	if n := within(t, printed(t, within(t, m, "content", 0, "text").(string)), "pages", 0, "bytes").(float64); n > 100<<10 {
		t.Errorf("a page of 1000 px has %v bytes", n)
	}
}

func TestSeedPoint(t *testing.T) {
	s := typeset(t, withThird(t), nil)
	// A point in the middle of a line.
	d := checked(t, s, "sandbox_inspect_pages", `{"chapter":3,"page":24,"lines":true}`)
	box := within(t, d, "pages", 0, "blocks", 1, "lineList", 1, "box").(map[string]any)
	m := checked(t, s, "sandbox_inspect_point", fmt.Sprintf(`{"chapter":3,"page":24,"x":%v,"y":%v}`,
		box["x"].(float64)+box["width"].(float64)/2, box["y"].(float64)+box["height"].(float64)/2))
	shaped(t, "answer", printed(t, `{"block":{"kind":"","index":1,"text":"","box":{"x":0,"y":0,"width":0,"height":0},"column":1},
		"source":{"line":1,"column":1,"offset":1,"word":""},"where":"text"}`), m)
	// The place it names is the word that stands there.
	text := textOf(t, s, 3)
	off := book.NewIndex(text).Byte(int(within(t, m, "source", "offset").(float64)))
	line := within(t, d, "pages", 0, "blocks", 1, "lineList", 1, "text").(string)
	word := within(t, m, "source", "word").(string)
	if from, to := wordAround(text, off); text[from:to] != word {
		t.Errorf("offset %d is in %q, not %q", off, text[from:to], word)
	}
	if !strings.Contains(line, word) {
		t.Errorf("the word %q is not in the line %q", word, line)
	}
	checked(t, s, "sandbox_inspect_point", `{ "chapter": 3, "page": 24, "x": 0.71, "y": 0.42 }`)
	m = checked(t, s, "sandbox_inspect_point", `{ "chapter": 3, "page": 24, "x": 0.01, "y": 0.5 }`)
	if m["block"] != nil || m["where"] != "margin" || m["nearest"] == nil {
		t.Errorf("margin: %v", m)
	}
	m = checked(t, s, "sandbox_inspect_point", `{ "chapter": 3, "page": 24, "x": 2, "y": 0.5 }`)
	if m["where"] != "outside" {
		t.Errorf("outside: %v", m)
	}
}

func TestPointSelectMovesTheReader(t *testing.T) {
	var seen []Reveal
	s := typeset(t, fixture(t), func(o *Options) { o.Listener.Reveal = func(r Reveal) { seen = append(seen, r) } })
	if v := s.View(); v.Panel != "none" || v.Chapter != "a" {
		t.Fatalf("view %+v", v)
	}
	checked(t, s, "sandbox_inspect_point", `{"chapter":2,"position":1,"x":0.3,"y":0.4}`)
	if v := s.View(); v.Panel != "none" || v.Chapter != "a" || len(seen) != 0 {
		t.Errorf("looking moved the reader: %+v", v)
	}
	m := checked(t, s, "sandbox_inspect_point", `{"chapter":1,"position":2,"x":0.3,"y":0.34,"select":true,"word":true}`)
	if v := s.View(); v.Panel != "text" || v.Chapter != "a" || v.Position != 2 {
		t.Errorf("view %+v", v)
	}
	if len(seen) != 1 || seen[0].ToOffset-seen[0].Offset != book.UTF16Len(within(t, m, "source", "word").(string)) {
		t.Errorf("revealed %+v for %v", seen, m["source"])
	}
}

func TestSeedFindSetting(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	m := checked(t, s, "sandbox_find_setting", `{ "query": "orphans" }`)
	shaped(t, "answer", printed(t, `{
  "ok": true,
  "paths": [
    { "path": "bodyText.avoidOrphans", "effective": true },
    { "path": "bodyText.avoidOrphansInLists", "effective": true }
  ],
  "sections": [{ "section": "Body text", "group": "Typography", "settingsGroup": "text", "configKeys": ["bodyText"] }]
}`), m)
	for i, want := range []string{"bodyText.avoidOrphans", "bodyText.avoidOrphansInLists"} {
		if got := within(t, m, "paths", i, "path"); got != want {
			t.Errorf("path %d is %v", i, got)
		}
	}
	if within(t, m, "sections", 0, "section") != "Body text" || within(t, m, "sections", 0, "settingsGroup") != "text" {
		t.Errorf("sections %v", m["sections"])
	}
}

func TestSeedGetConfig(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	m := checked(t, s, "sandbox_get_config", `{ "path": "headings.levels[level=2]" }`)
	if m["path"] != "headings.levels[level=2]" || m["effective"] == nil || m["children"] == nil {
		t.Errorf("answer %v", m)
	}
	if v, ok := m["set"]; !ok || v != nil {
		t.Errorf("set %v", v)
	}
	m = checked(t, s, "sandbox_get_config", `{"path":"bodyText.fontSize"}`)
	shaped(t, "answer", printed(t, `{"path":"bodyText.fontSize","effect":"implemented","set":null,"effective":{"value":8,"unit":"pt"},"type":"length","unit":"pt","default":{"value":8,"unit":"pt"},"about":""}`), m)
	m = checked(t, s, "sandbox_get_config", `{}`)
	if n := len(m["children"].([]any)); n < 15 {
		t.Errorf("%d sections", n)
	}
	refused(t, s, "sandbox_get_config", `{"path":"bodyText.fontsize"}`, "bodyText.fontSize")
}

func TestSeedSetConfig(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	b, _, err := s.Book(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	stored := string(b.Config)
	m := checked(t, s, "sandbox_set_config", `{ "changes": [{ "path": "bodyText.fontSize", "value": "10.5pt" }] }`)
	shaped(t, "answer", printed(t, `{
  "ok": true,
  "changed": [
    {
      "path": "bodyText.fontSize",
      "from": null,
      "to": { "value": 10.5, "unit": "pt" },
      "effective": { "from": { "value": 10, "unit": "pt" }, "to": { "value": 10.5, "unit": "pt" } }
    }
  ],
  "followed": [
    { "path": "captionStyle.fontSize.value", "from": 10, "to": 10.5 },
    { "path": "tableStyle.bodyFontSize.value", "from": 10, "to": 10.5 }
  ],
  "pagesBefore": 212,
  "pagesAfter": 219,
  "chapters": [{ "chapter": 1, "title": "Opening", "pages": 19, "pagesBefore": 18 }]
}`), m)
	followed := map[string]bool{}
	for _, f := range m["followed"].([]any) {
		followed[within(t, f, "path").(string)] = true
	}
	for _, want := range []string{"captionStyle.fontSize.value", "tableStyle.bodyFontSize.value"} {
		if !followed[want] {
			t.Errorf("%s did not follow", want)
		}
	}
	if m["pagesAfter"].(float64) <= m["pagesBefore"].(float64) {
		t.Errorf("pages %v → %v", m["pagesBefore"], m["pagesAfter"])
	}
	back, err := json.Marshal(map[string]any{"changes": []any{map[string]any{"path": "bodyText.fontSize", "value": within(t, m, "changed", 0, "from")}}})
	if err != nil {
		t.Fatal(err)
	}
	after := checked(t, s, "sandbox_set_config", string(back))
	if after["pagesAfter"] != m["pagesBefore"] {
		t.Errorf("put back: %v pages, were %v", after["pagesAfter"], m["pagesBefore"])
	}
	if b, _, err = s.Book(context.Background()); err != nil || string(b.Config) != stored {
		t.Errorf("the configuration is %s, was %s (%v)", b.Config, stored, err)
	}
	m = checked(t, s, "sandbox_set_config", `{
  "changes": [
    { "path": "bodyText.fontSize", "value": "10.5pt" },
    { "path": "page.margins.top", "value": { "value": 2.5, "unit": "cm" } },
    { "path": "headings.levels[level=2].color", "value": "#1f3a5f" },
    { "path": "bodyText.avoidOrphans", "value": true }
  ]
}`)
	if n := len(m["changed"].([]any)); n != 4 {
		t.Errorf("%d changed", n)
	}
}

func TestSetConfigAllOrNothing(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	b, rev, err := s.Book(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	refused(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":"eleven"},{"path":"bodyText.colour","value":"x"},{"path":"page.margins.top","value":"2cm"}]}`,
		`bodyText.fontSize is a length: give { "value": 11, "unit": "pt" }, a number (in pt) or a text such as "11pt". The units: cm, mm, in, pt, px, em, rem.`, "bodyText.colour")
	refused(t, s, "sandbox_set_config", `{}`, "changes", "patch", "replace")
	refused(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontSize","value":9}],"patch":{}}`, "exactly one")
	refused(t, s, "sandbox_set_config", `{"changes":[]}`, "1 to 100")
	refused(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontFamily","value":"EB Garamont"}]}`, "EB Garamond", "sandbox_list_fonts")
	m := good(t, s, "sandbox_set_config", `{"patch":{"bodyText":{"fontSize":"11pt"}},"dryRun":true}`)
	if m["dryRun"] != true || len(m["changed"].([]any)) != 1 {
		t.Errorf("dry run %v", m)
	}
	after, now, err := s.Book(context.Background())
	if err != nil || now != rev || after != b {
		t.Errorf("the book changed: revision %d, was %d (%v)", now, rev, err)
	}
	m = good(t, s, "sandbox_set_config", `{"patch":{"bodyText":{"fontSize":"11pt"}}}`)
	if m["revision"] != float64(rev+1) {
		t.Errorf("revision %v", m["revision"])
	}
	good(t, s, "sandbox_set_config", `{"replace":{"type":"postext-config","version":1,"configVersion":11,"config":{"bodyText":{"fontSize":{"value":9,"unit":"pt"}}}}}`)
	if m = good(t, s, "sandbox_get_config", `{"path":"bodyText.fontSize"}`); within(t, m, "set", "value") != 9.0 {
		t.Errorf("set %v", m["set"])
	}
}

func TestSeedText(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	m := checked(t, s, "sandbox_read_text", `{ "chapter": 2, "fromLine": 40, "toLine": 80 }`)
	if m["fromLine"] != 40.0 || m["toLine"] != 80.0 || !strings.HasPrefix(m["text"].(string), "40| ") {
		t.Errorf("answer %v", m)
	}
	m = checked(t, s, "sandbox_search_text", `{ "query": "baseline grid", "pages": true }`)
	shaped(t, "answer", printed(t, `{"total":2,"matches":[{"chapter":1,"title":"Opening","line":1,"column":1,"offset":0,"toOffset":13,"before":"","match":"baseline grid","after":"","page":1}]}`), m)
	if m["total"] != 2.0 {
		t.Errorf("total %v", m["total"])
	}
	m = checked(t, s, "sandbox_edit_text", `{
  "chapter": 2,
  "edits": [
    { "find": "The last words of the opening.", "replace": "The closing words of the opening." },
    { "find": "colour", "replace": "color", "all": true }
  ]
}`)
	shaped(t, "answer", printed(t, `{"ok":true,"edits":[{"occurrences":1,"line":3},{"occurrences":2,"line":5}],"pagesBefore":3,"pagesAfter":3,"chapters":[],"revision":2}`), m)
	checked(t, s, "sandbox_undo_text", `{}`)
	checked(t, s, "sandbox_undo_text", `{ "redo": true }`)
}

func TestSeedAddChapter(t *testing.T) {
	s := typeset(t, fixture(t), nil)
	m := checked(t, s, "sandbox_manage_chapters", `{ "action": "add", "title": "Epilogue", "markdown": "# Epilogue\n\nThe end.\n", "position": 3 }`)
	shaped(t, "answer", printed(t, `{"ok":true,"chapter":3,"title":"Epilogue","chapters":[{"chapter":1,"title":"Opening","pages":2},{"chapter":2,"title":"Second","pages":1},{"chapter":3,"title":"Epilogue","pages":1,"onScreen":true}],"pagesBefore":3,"pagesAfter":4}`), m)
	if within(t, m, "chapters", 2, "title") != "Epilogue" {
		t.Errorf("chapters %v", m["chapters"])
	}
}

func TestListingIsFresh(t *testing.T) {
	tools := Tools(opened(t, nil, nil))
	if err := schema.Stale(tools, "../wasm/page/sandbox_tools.json"); err != nil {
		t.Error(err)
	}
	text, err := schema.Listing(tools)
	if err != nil {
		t.Fatal(err)
	}
	// Names, descriptions and schemas of all 44 tools stay under 40 KB (tools.md 1):
	// these leave room for those to come.
	var entries []bridge.Entry
	if err := json.Unmarshal(text, &entries); err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, e := range entries {
		size += len(e.Name) + len(e.Description) + len(e.InputSchema) + len(`{"name":"","description":"","inputSchema":},`)
	}
	if most := 31 << 10; size > most {
		t.Errorf("the listing has %d bytes of names, descriptions and schemas; at most %d", size, most)
	}
	heads := map[string]string{}
	for _, tool := range tools {
		if len(tool.Description) > 500 {
			t.Errorf("%s: a description of %d bytes", tool.Name, len(tool.Description))
		}
		head := tool.Description[:min(160, len(tool.Description))]
		if other := heads[head]; other != "" {
			t.Errorf("%s and %s begin alike", tool.Name, other)
		}
		heads[head] = tool.Name
		if strings.Count(tool.Description, "Example:") > 1 {
			t.Errorf("%s has more than one example", tool.Name)
		}
	}
}

// TestPrintedWarnings: the printed call and the printed answer's shape.
func TestPrintedWarnings(t *testing.T) {
	s := typeset(t, faulty(), nil)
	m := checked(t, s, "sandbox_get_warnings", `{ "scope": "book" }`)
	shaped(t, "answer", printed(t, `{"ok":true,"scope":"book","total":3,"byCategory":{"markup":2,"design":1}}`), m)
	for i := range m["warnings"].([]any) {
		shaped(t, "warning", printed(t, `{"kind":"headerFooterMetadataMissing","category":"design","title":"Placeholder metadata missing","detail":"header · {title} — …"}`), within(t, m, "warnings", i))
	}
}
