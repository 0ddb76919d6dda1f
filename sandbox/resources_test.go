package sandbox

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"postext/book"
)

// onePixel is a whole PNG of one pixel.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// withResources is a small book with one resource of each kind.
func withResources(t testing.TB) *book.Book {
	t.Helper()
	table, err := book.NewTable([][]book.Cell{{{Content: "Item"}, {Content: "Price"}}, {{Content: "Ink :ref{id=\"hive\"}"}, {Content: "6 d", Image: &book.CellImage{ResourceID: "hive"}}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	png, err := base64.StdEncoding.DecodeString(onePixel)
	if err != nil {
		t.Fatal(err)
	}
	b := smallBook()
	b.Chapters[0].Markdown = "# Opening\n\nSee :ref{id=\"hive\"} and @fig:hive, \\ref{hive}.\n\n::resource{id=\"hive\"}\n\n![The hive](images/hive.png)\n\n```\n:ref{id=\"hive\"}\n```\n"
	b.Chapters[1].Markdown = "# Second\n\nAgain :ref{id=hive style=\"number\"}, and :ref{id=\"prices\"}.\n"
	b.Resources = []*book.Resource{
		{ID: "hive", Kind: book.KindBitmap, TypeID: "figure", Name: "images/hive.png", Data: png, Width: 1, Height: 1, Caption: "The hive", Placement: &book.Placement{Position: "top"}},
		{ID: "prices", Kind: book.KindTable, TypeID: "table", Table: table, Caption: "Prices, see :ref{id=\"hive\"}"},
		{ID: "plan", Kind: book.KindSVG, TypeID: "figure", Name: "images/plan.svg", Data: []byte(`<svg viewBox="0 0 72 144"/>`), Width: 72, Height: 144, Master: &book.File{Name: "images/plan.pdf", Data: []byte("%PDF")}},
	}
	b.Config, b.ConfigVersion = json.RawMessage(`{"calloutStyles":[{"icon":{"resourceId":"hive"},"id":"note"}]}`), book.ConfigVersion
	return b
}

func TestResourcesAreListedWithWhereTheyStand(t *testing.T) {
	s := opened(t, withResources(t), nil)
	m := good(t, s, "sandbox_list_resources", `{}`)
	if m["total"] != 3.0 || within(t, m, "byKind", "svg") != 1.0 {
		t.Errorf("%v", m)
	}
	hive := within(t, m, "resources", 0)
	if within(t, hive, "pixels", "width") != 1.0 || within(t, hive, "caption") != "The hive" {
		t.Errorf("%v", hive)
	}
	if got := fmt.Sprint(within(t, hive, "placedIn")); got != "[map[chapter:1 line:5 page:1] map[chapter:1 line:7 page:1]]" {
		t.Errorf("placed in %s", got)
	}
	if got := fmt.Sprint(within(t, hive, "citedIn")); got != "[map[chapter:1 line:3 page:1] map[chapter:1 line:3 page:1] map[chapter:1 line:3 page:1] map[chapter:2 line:3 page:3]]" {
		t.Errorf("cited in %s", got)
	}
	if within(t, m, "resources", 1, "rows") != 2.0 || within(t, m, "resources", 2, "size", "height") != 50.8 {
		t.Errorf("%v", m)
	}
	if m := good(t, s, "sandbox_list_resources", `{"search":"PRICES","kind":"table"}`); m["total"] != 1.0 {
		t.Errorf("%v", m)
	}
	m = good(t, s, "sandbox_list_resources", `{"limit":2}`)
	if m["next"] != "prices" {
		t.Errorf("%v", m["next"])
	}
	if m = good(t, s, "sandbox_list_resources", `{"after":"prices"}`); within(t, m, "resources", 0, "id") != "plan" {
		t.Errorf("%v", m)
	}
	refused(t, s, "sandbox_list_resources", `{"id":"hivve"}`, `no resource "hivve"`, "there are hive")
	refused(t, s, "sandbox_list_resources", `{"after":"x"}`, "next of an earlier answer")
	refused(t, s, "sandbox_list_resources", `{"id":"hive","kind":"svg"}`, "leave kind")
}

func TestOneResourceIsGivenWhole(t *testing.T) {
	s := opened(t, withResources(t), nil)
	m := good(t, s, "sandbox_list_resources", `{"id":"plan"}`)
	if within(t, m, "svg", "source") != `<svg viewBox="0 0 72 144"/>` || within(t, m, "resource", "pdfFile") != "images/plan.pdf" || m["place"] != `::resource{id="plan"}` || m["cite"] != `:ref{id="plan"}` {
		t.Errorf("%v", m)
	}
	m = good(t, s, "sandbox_list_resources", `{"id":"prices"}`)
	if within(t, m, "table", "rows", 0, 1) != "Price" || within(t, m, "table", "rows", 1, 1, "image", "resourceId") != "hive" || within(t, m, "table", "headerRows") != 1.0 {
		t.Errorf("%v", m["table"])
	}
}

// TestThePrintedCallsOfTheSeed are the calls of the public page.
func TestThePrintedResourceCalls(t *testing.T) {
	png, _ := base64.StdEncoding.DecodeString(onePixel)
	s := opened(t, smallBook(), func(o *Options) {
		o.Fetch = func(_ context.Context, url string, _ int) ([]byte, error) {
			switch {
			case url == "https://example.org/harbour.jpg", url == "https://example.org/poster.png":
				return png, nil
			case strings.HasPrefix(url, "https://www.youtube.com/oembed"):
				return []byte(`{"title":"The author at work","thumbnail_url":"https://example.org/poster.png","width":1280,"height":720}`), nil
			}
			return nil, errors.New("no such address")
		}
	})
	m := good(t, s, "sandbox_save_resource", `{"id":"harbour","image":{"url":"https://example.org/harbour.jpg"},"caption":"The harbour at dawn","altText":"Fishing boats moored at a stone quay, mist over the water","placement":{"position":"top","span":"page"}}`)
	if m["created"] != true || m["place"] != `::resource{id="harbour"}` || within(t, m, "resource", "placement", "span") != "page" || within(t, m, "resource", "kind") != "bitmap" || m["from"] != nil {
		t.Errorf("%v", m)
	}
	m = good(t, s, "sandbox_save_resource", `{"id":"prices","caption":"Prices in 1850","table":{"rows":[["Item","Price"],["Bread","2 d"],["Ink","6 d"]],"columnWidths":[2,1]}}`)
	if within(t, m, "resource", "table", "model", "headerRowCount") != 1.0 || within(t, m, "resource", "table", "model", "columnWidths", 0) != 2.0 || within(t, m, "resource", "typeId") != "table" {
		t.Errorf("%v", m)
	}
	m = good(t, s, "sandbox_save_resource", `{"id":"interview","video":{"url":"https://www.youtube.com/watch?v=abcdef12345"}}`)
	if within(t, m, "resource", "video", "source") != "youtube" || within(t, m, "resource", "caption") != "The author at work" || within(t, m, "resource", "posterFile") != "images/interview-poster.png" || within(t, m, "resource", "video", "width") != 1280.0 {
		t.Errorf("%v", m)
	}
	if m := good(t, s, "sandbox_get_state", `{}`); m["resources"] != 3.0 || within(t, m, "book", "edited") != true {
		t.Errorf("%v", m)
	}
}

func TestWhatIsGivenOfAResourceIsChanged(t *testing.T) {
	s := opened(t, withResources(t), nil)
	before, _, _ := s.Book(context.Background())
	m := good(t, s, "sandbox_save_resource", `{"id":"hive","caption":"","note":"1911","placement":{"span":"page","position":null,"wrapGap":"4mm"},"safeArea":{"x":0,"y":0,"width":1,"height":0.5},"resolution":300}`)
	b, _, _ := s.Book(context.Background())
	r := b.Resources[0]
	if r.Caption != "" || r.Note != "1911" || r.Placement.Position != "" || r.Placement.Span != "page" || *r.Placement.WrapGap != (book.Length{Value: 4, Unit: "mm"}) || r.Resolution != 300 || r.Data == nil {
		t.Errorf("%+v", r)
	}
	back, err := json.Marshal(m["from"])
	if err != nil {
		t.Fatal(err)
	}
	if string(back) != `{"caption":"The hive","note":"","placement":{"position":"top","span":null,"wrapGap":null},"resolution":null,"safeArea":null}` {
		t.Errorf("from %s", back)
	}
	good(t, s, "sandbox_save_resource", `{"id":"hive",`+string(back)[1:])
	if b, _, _ = s.Book(context.Background()); !reflect.DeepEqual(b.Resources[0], before.Resources[0]) {
		t.Errorf("taken back it is %+v", b.Resources[0])
	}
	rev := m["revision"]
	m = good(t, s, "sandbox_save_resource", `{"id":"hive","caption":"The hive"}`)
	if m["changed"] != false || m["revision"] == rev {
		t.Errorf("%v", m)
	}
	// Another picture, and back.
	m = good(t, s, "sandbox_save_resource", `{"id":"hive","svg":{"source":"<svg viewBox=\"0 0 10 10\"/>"}}`)
	if within(t, m, "resource", "kind") != "svg" || within(t, m, "resource", "file") != "images/hive.svg" {
		t.Errorf("%v", m["resource"])
	}
	back, _ = json.Marshal(m["from"])
	good(t, s, "sandbox_save_resource", `{"id":"hive",`+string(back)[1:])
	if b, _, _ = s.Book(context.Background()); b.Resources[0].Kind != book.KindBitmap || string(b.Resources[0].Data) != string(before.Resources[0].Data) {
		t.Errorf("taken back it is %+v", b.Resources[0])
	}
	// An edited SVG lets its print master go.
	m = good(t, s, "sandbox_save_resource", `{"id":"plan","svg":{"source":"<svg viewBox=\"0 0 7 7\"/>"}}`)
	if within(t, m, "resource", "pdfFile") != nil || within(t, m, "resource", "width") != 7.0 {
		t.Errorf("%v", m["resource"])
	}
}

func TestTableEditsOfAResource(t *testing.T) {
	s := opened(t, withResources(t), nil)
	before, _, _ := s.Book(context.Background())
	m := good(t, s, "sandbox_save_resource", `{"id":"prices","tableEdits":[
		{"action":"insert_row","cells":["Bread",{"content":"2 d","align":"right"}]},
		{"action":"set_cell","row":1,"column":1,"cell":"Goods"},
		{"action":"insert_column","column":3},
		{"action":"merge","row":1,"column":2,"toRow":1,"toColumn":3},
		{"action":"set_cell","row":2,"column":2,"cell":{"image":null,"background":"#ffeecc"}}]}`)
	b, _, _ := s.Book(context.Background())
	tb := b.Resources[1].Table
	if len(tb.Rows) != 3 || tb.Rows[2][1].Align != "right" || tb.Rows[0][0].Content != "Goods" || tb.Rows[0][1].ColSpan != 2 || tb.Rows[1][1].Image != nil || tb.Rows[1][1].Background.Hex != "#ffeecc" {
		t.Errorf("%+v", tb)
	}
	back, _ := json.Marshal(m["from"])
	good(t, s, "sandbox_save_resource", `{"id":"prices",`+string(back)[1:])
	if b, _, _ = s.Book(context.Background()); !reflect.DeepEqual(b.Resources[1], before.Resources[1]) {
		t.Errorf("taken back it is %+v", b.Resources[1].Table)
	}
	refused(t, s, "sandbox_save_resource", `{"id":"prices","tableEdits":[{"action":"delete_row","row":1},{"action":"delete_row","row":9}]}`, "tableEdits[1]", "no row 9")
	refused(t, s, "sandbox_save_resource", `{"id":"prices","tableEdits":[{"action":"set_cell","row":1,"column":1}]}`, "set_cell needs cell")
	refused(t, s, "sandbox_save_resource", `{"id":"prices","tableEdits":[{"action":"set_cell","row":1,"column":1,"cell":{"colour":"red"}}]}`, `no member "colour"`, "background")
	refused(t, s, "sandbox_save_resource", `{"id":"hive","tableEdits":[{"action":"split","row":1,"column":1}]}`, "tableEdits change a table")
	if b, _, _ = s.Book(context.Background()); !reflect.DeepEqual(b.Resources[1], before.Resources[1]) {
		t.Error("a refused call changed the table")
	}
}

func TestANewIdRewritesEveryReference(t *testing.T) {
	b := withResources(t)
	s := opened(t, b, nil)
	before, _, _ := s.Book(context.Background())
	m := good(t, s, "sandbox_save_resource", `{"id":"hive","newId":"old-hive"}`)
	if m["references"] != 9.0 {
		t.Errorf("%v references", m["references"])
	}
	now, _, _ := s.Book(context.Background())
	want := strings.NewReplacer(`id="hive"`, `id="old-hive"`, "@fig:hive", "@fig:old-hive", `\ref{hive}`, `\ref{old-hive}`, "```\n:ref{id=\"hive\"}", "```\n:ref{id=\"hive\"}").Replace(b.Chapters[0].Markdown)
	if now.Chapters[0].Markdown != want || !strings.Contains(now.Chapters[0].Markdown, "images/hive.png") {
		t.Errorf("%s", now.Chapters[0].Markdown)
	}
	if now.Chapters[1].Markdown != "# Second\n\nAgain :ref{id=old-hive style=\"number\"}, and :ref{id=\"prices\"}.\n" {
		t.Errorf("%s", now.Chapters[1].Markdown)
	}
	p := now.Resources[1]
	if p.Caption != `Prices, see :ref{id="old-hive"}` || p.Table.Rows[1][0].Content != `Ink :ref{id="old-hive"}` || p.Table.Rows[1][1].Image.ResourceID != "old-hive" {
		t.Errorf("%+v", p)
	}
	if string(now.Config) != `{"calloutStyles":[{"icon":{"resourceId":"old-hive"},"id":"note"}]}` {
		t.Errorf("%s", now.Config)
	}
	// One call takes it back, to the byte.
	if within(t, m, "from", "newId") != "hive" {
		t.Errorf("%v", m["from"])
	}
	good(t, s, "sandbox_save_resource", `{"id":"old-hive","newId":"hive"}`)
	now, _, _ = s.Book(context.Background())
	if !reflect.DeepEqual(now.Resources, before.Resources) || string(now.Config) != string(before.Config) || now.Chapters[0].Markdown != before.Chapters[0].Markdown || now.Chapters[1].Markdown != before.Chapters[1].Markdown {
		t.Error("taken back it is another book")
	}
	// An id that the short forms cannot hold turns them into :ref.
	good(t, s, "sandbox_save_resource", `{"id":"hive","newId":"plans/hive.2"}`)
	now, _, _ = s.Book(context.Background())
	if !strings.Contains(now.Chapters[0].Markdown, `and :ref{id="plans/hive.2"}, :ref{id="plans/hive.2" style="number"}.`) {
		t.Errorf("%s", now.Chapters[0].Markdown)
	}
	good(t, s, "sandbox_save_resource", `{"id":"plans/hive.2","newId":"x","updateReferences":false}`)
	if now, _, _ = s.Book(context.Background()); !strings.Contains(now.Chapters[0].Markdown, "plans/hive.2") {
		t.Error("references were rewritten")
	}
	refused(t, s, "sandbox_save_resource", `{"id":"x","newId":"prices"}`, "is taken")
	refused(t, s, "sandbox_save_resource", `{"id":"x","newId":"a b\"c"}`, "cannot be an id", `"a-b-c"`)
	refused(t, s, "sandbox_save_resource", `{"id":"nobody","newId":"y"}`, `no resource "nobody"`)
}

func TestATextEditBeforeARenamingCanStillBeUndone(t *testing.T) {
	s := opened(t, withResources(t), nil)
	good(t, s, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"Again","replace":"Once more"}]}`)
	good(t, s, "sandbox_save_resource", `{"id":"hive","newId":"a-much-longer-name"}`)
	good(t, s, "sandbox_undo_text", `{}`)
	b, _, _ := s.Book(context.Background())
	if !strings.HasPrefix(b.Chapters[1].Markdown, "# Second\n\nAgain :ref{id=a-much-longer-name") {
		t.Errorf("%s", b.Chapters[1].Markdown)
	}
}

func TestResourcesThatCannotBe(t *testing.T) {
	s := opened(t, withResources(t), nil)
	rev := s.State().Revision
	bomb := base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0DIHDR\x00\x00\xEA\x60\x00\x00\xEA\x60\x08\x00\x00\x00\x00\x00\x00\x00\x00"))
	for args, want := range map[string]string{
		`{"id":"new"}`:                                             "give its content",
		`{"id":"new","caption":"x"}`:                               "give its content",
		`{"id":"a b","table":{"rows":[["x"]]}}`:                    "cannot be an id",
		`{"id":"new","image":{"base64":"` + bomb + `"}}`:           "60000 × 60000",
		`{"id":"new","image":{"base64":"aGVsbG8="}}`:               "no PNG",
		`{"id":"new","image":{"url":"https://example.org/x.png"}}`: "nothing is downloaded",
		`{"id":"new","svg":{"source":"<p>"}}`:                      "no PNG",
		`{"id":"new","svg":{"base64":"` + onePixel + `"}}`:         "give it as image",
		`{"id":"new","svg":{"source":"<!DOCTYPE svg [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><svg><text>&b;</text></svg>"}}`: "entities",
		`{"id":"new","svg":{"source":"<svg"}}`:                            "no well-formed SVG: line 1",
		`{"id":"new","svg":{"source":"<svg><g></svg>"}}`:                  "no well-formed SVG",
		`{"id":"new","svg":{"source":"<svg/><svg/>"}}`:                    "one svg element",
		`{"id":"new","video":{"url":"https://www.youtube.com/@channel"}}`: "shows no film",
		`{"id":"new","video":{"url":"https://vimeo.com/about"}}`:          "shows no film",
		`{"id":"new","video":{"url":"http://example.org/a.mp4"}}`:         "https:",
		`{"id":"new","table":{"rows":[]}}`:                                "at least one row",
		`{"id":"new","table":{"rows":[["a"]],"columnWidths":[1,2]}}`:      "2 weights for 1",
		`{"id":"new","table":{"rows":[[{"content":"a","rowSpan":3}]]}}`:   "leads out",
		`{"id":"new","video":{"url":"ftp://example.org/x"}}`:              "YouTube",
		`{"id":"new","video":{"url":"data:text/plain,hello"}}`:            "no MP4",
		`{"id":"hive","placement":{"position":"left"}}`:                   "placement.position is one of auto, top, bottom, here",
		`{"id":"hive","placement":{"wrapGap":"wide"}}`:                    "wrapGap is a length",
		`{"id":"hive","safeArea":{"x":0.9,"y":0,"width":0.5,"height":1}}`: "inside the picture",
		`{"id":"hive","typeId":"sculpture"}`:                              "no resource type",
		`{"id":"hive","image":{"base64":"x"},"svg":{"source":"<svg/>"}}`:  "one of image, svg",
	} {
		refused(t, s, "sandbox_save_resource", args, want)
	}
	if s.State().Revision != rev {
		t.Error("a refused call changed the book")
	}
}

func TestDeletingAResourceTellsWhatDangles(t *testing.T) {
	s := opened(t, withResources(t), nil)
	m := good(t, s, "sandbox_delete_resource", `{"id":"hive"}`)
	if n := len(m["references"].([]any)); n != 6 || m["design"] != 1.0 || within(t, m, "removed", "image", "base64") != onePixel {
		t.Errorf("%d references, %v", n, m)
	}
	if m := good(t, s, "sandbox_get_state", `{}`); m["resources"] != 2.0 {
		t.Errorf("%v", m["resources"])
	}
	refused(t, s, "sandbox_delete_resource", `{"id":"hive"}`, `no resource "hive"`)
	m = good(t, s, "sandbox_delete_resource", `{"id":"prices"}`)
	if within(t, m, "removed", "table", "rows", 0, 0) != "Item" {
		t.Errorf("%v", m["removed"])
	}
}

func TestResourcesOfAFolderAreSaved(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "01.md"), []byte("# One\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	b, err := book.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := opened(t, b, nil)
	good(t, s, "sandbox_save_resource", `{"id":"dot","caption":"A dot","image":{"base64":"`+onePixel+`"}}`)
	good(t, s, "sandbox_save_resource", `{"id":"t","table":{"rows":[["a"]]}}`)
	now, _, err := s.Book(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := book.SaveFolder(dir, b, now); err != nil {
		t.Fatal(err)
	}
	again, err := book.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if r := again.Resource("dot"); r == nil || r.Caption != "A dot" || r.Name != "images/dot.png" || again.Resource("t") == nil {
		t.Errorf("%+v", again.Resources)
	}
}

// document-format.md, Videos: the page of a film on a platform is that, whatever
// its id; other addresses are files by their extension.
func TestVideosAreToldByTheirAddress(t *testing.T) {
	s := opened(t, withResources(t), nil)
	for address, want := range map[string][2]string{
		"https://www.youtube.com/watch?v=…":                  {"youtube", ""},
		"https://www.youtube.com/watch?v=x":                  {"youtube", ""},
		"https://m.youtube.com/watch?app=desktop&v=a_b-c123": {"youtube", ""},
		"https://youtu.be/dQw4w9WgXcQ?t=3":                   {"youtube", ""},
		"https://www.youtube-nocookie.com/embed/abc":         {"youtube", ""},
		"https://youtube.com/shorts/abc":                     {"youtube", ""},
		"https://vimeo.com/123456":                           {"vimeo", ""},
		"https://player.vimeo.com/video/123456?h=1":          {"vimeo", ""},
		"https://vimeo.com/channels/staff/123456":            {"vimeo", ""},
		"https://example.org/watch?v=abc":                    {"file", "mp4"},
		"https://example.org/live/a.m3u8?x=1":                {"file", "hls"},
		"https://example.org/a.WEBM":                         {"file", "webm"},
		"https://notyoutube.com/watch?v=abcdef":              {"file", "mp4"},
	} {
		m := good(t, s, "sandbox_save_resource", `{"id":"film","video":{"url":"`+address+`"},"wait":false}`)
		v, _ := within(t, m, "resource", "video").(map[string]any)
		if v["source"] != want[0] || want[1] != "" && v["format"] != want[1] || want[1] == "" && v["format"] != nil {
			t.Errorf("%s: %v", address, v)
		}
	}
}

// A tool is told as much of a table as an answer holds; the window, where a person
// edits it, shows ten times as much.
func TestALongTableIsEditedWhole(t *testing.T) {
	s := opened(t, smallBook(), nil)
	var rows []string
	for i := range 700 {
		rows = append(rows, fmt.Sprintf(`["row %d","%s"]`, i, strings.Repeat("word ", 30)))
	}
	good(t, s, "sandbox_save_resource", `{"id":"long","table":{"rows":[`+strings.Join(rows, ",")+`]}}`)
	if m := good(t, s, "sandbox_list_resources", `{"id":"long"}`); m["truncated"] == nil {
		t.Error("an answer of more than 100,000 characters is not cut")
	}
	shown, err := s.Resource(t.Context(), "long")
	if err != nil {
		t.Fatal(err)
	}
	if w := shown.(wholeAnswer); w.Truncated != nil || len(w.Table.Rows) != 700 {
		t.Errorf("the window is given %d rows: %v", len(w.Table.Rows), w.Truncated)
	}
	good(t, s, "sandbox_save_resource", `{"id":"long","tableEdits":[{"action":"set_cell","row":700,"column":2,"cell":"the last"}]}`)
}
