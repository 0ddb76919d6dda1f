package sandbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"postext/book"
	"postext/engine/check"
)

// faulty is a book with something for the checks in both chapters.
func faulty() *book.Book {
	return &book.Book{Kind: "sample", ID: "faulty", Name: "Faulty", Language: "en",
		Config: json.RawMessage(`{"header":{"elements":[{"id":"t","kind":"text","content":"{subtitle} {nonsense}"}]},"nonsense":1}`),
		Chapters: []*book.Chapter{
			{ID: "a", Title: "Opening", Markdown: "# Opening\n\nÇà. A note.[^gone]\n\n### Too deep\n\n:::nonsense\n"},
			{ID: "b", Title: "Second", Markdown: "# Second\n\n## Below\n\n- a list\n\n::resource{id=\"none\"}\n"},
		}}
}

func kindsOf(m map[string]any) (out []string) {
	for _, w := range m["warnings"].([]any) {
		out = append(out, w.(map[string]any)["kind"].(string))
	}
	return out
}

// TestWarningsAnswer: the shape of warnings.md 1.2, the words of its tables.
func TestWarningsAnswer(t *testing.T) {
	s := typeset(t, faulty(), nil)
	m := good(t, s, "sandbox_get_warnings", `{}`)
	if m["scope"] != "chapter" || m["total"] != float64(len(m["warnings"].([]any))) {
		t.Errorf("%v", m)
	}
	if got, want := kindsOf(m), []string{"undefinedFootnote", "headingHierarchy", "unknownDirective", "unknownConfigKey", "headerFooterMetadataMissing", "headerFooterUnknownPlaceholder"}; !slices.Equal(got, want) {
		t.Errorf("kinds %v, want %v", got, want)
	}
	if fmt.Sprint(m["byCategory"]) != "map[design:3 markup:3]" {
		t.Errorf("byCategory %v", m["byCategory"])
	}
	w := within(t, m, "warnings", 1).(map[string]any)
	for k, want := range map[string]any{"category": "markup", "title": "Heading hierarchy jump", "detail": "H1 → H3 — a level is skipped", "chapter": 1.0,
		"chapterTitle": "Opening", "line": 5.0, "page": 1.0, "from": 1.0, "to": 3.0} {
		if w[k] != want {
			t.Errorf("%s: %v, want %v", k, w[k], want)
		}
	}
	w = within(t, m, "warnings", 4).(map[string]any)
	if w["title"] != "Placeholder metadata missing" || !strings.HasPrefix(w["detail"].(string), "header · {subtitle} — ") || w["slot"] != "header" || w["name"] != "subtitle" || w["chapter"] != nil {
		t.Errorf("%v", w)
	}
	// The book's own come once in a book's answer, and in each chapter's.
	whole := good(t, s, "sandbox_get_warnings", `{"scope":"book"}`)
	second := good(t, s, "sandbox_get_warnings", `{"chapter":"Second"}`)
	if got := kindsOf(second); !slices.Equal(got, []string{"unknownResourceId", "unknownConfigKey", "headerFooterMetadataMissing", "headerFooterUnknownPlaceholder"}) {
		t.Errorf("second chapter %v", got)
	}
	if whole["total"] != m["total"].(float64)+1 {
		t.Errorf("book %v, first chapter %v", whole["total"], m["total"])
	}
	if w := within(t, whole, "warnings", 0).(map[string]any); w["resource"] != "none" || w["chapter"] != 2.0 || w["usage"] != "embed" {
		t.Errorf("%v", w)
	}
	// The state counts the same.
	if st := s.State(); st.Warnings != int(whole["total"].(float64)) {
		t.Errorf("the state counts %d, the tool %v", st.Warnings, whole["total"])
	}
	if again := good(t, s, "sandbox_get_warnings", `{"scope":"book"}`); fmt.Sprint(again) != fmt.Sprint(whole) {
		t.Error("asked twice, two answers")
	}
}

// TestWarningsFilter: category, kind, limit and after; what is wrong is refused in
// words.
func TestWarningsFilter(t *testing.T) {
	s := typeset(t, faulty(), nil)
	m := good(t, s, "sandbox_get_warnings", `{"scope":"book","category":"markup"}`)
	if m["total"] != 3.0 || fmt.Sprint(m["byCategory"]) != "map[markup:3]" {
		t.Errorf("%v", m)
	}
	m = good(t, s, "sandbox_get_warnings", `{"scope":"book","kind":"unknownDirective"}`)
	if m["total"] != 1.0 || !strings.HasPrefix(within(t, m, "warnings", 0, "detail").(string), ":::nonsense") {
		t.Errorf("%v", m)
	}
	if m = good(t, s, "sandbox_get_warnings", `{"category":"system"}`); m["total"] != 0.0 || len(m["warnings"].([]any)) != 0 {
		t.Errorf("%v", m)
	}
	all, some := kindsOf(good(t, s, "sandbox_get_warnings", `{"scope":"book"}`)), []string(nil)
	for after := ""; ; {
		args := `{"scope":"book","limit":2`
		if after != "" {
			args += `,"after":"` + after + `"`
		}
		m = good(t, s, "sandbox_get_warnings", args+`}`)
		some = append(some, kindsOf(m)...)
		if m["next"] == nil {
			break
		}
		after = m["next"].(string)
	}
	if !slices.Equal(all, some) {
		t.Errorf("in parts %v, at once %v", some, all)
	}
	refused(t, s, "sandbox_get_warnings", `{"scope":"book","chapter":1}`, "leave chapter out")
	refused(t, s, "sandbox_get_warnings", `{"kind":"looseLines"}`, `"looseLines"`, "looseLine")
	refused(t, s, "sandbox_get_warnings", `{"after":"x"}`, "next of an earlier answer")
	refused(t, s, "sandbox_get_warnings", `{"chapter":7}`, "no chapter 7")
}

// TestWarningsOffsets: what a warning gives, sandbox_select_text takes, whatever
// the text before is written in.
func TestWarningsOffsets(t *testing.T) {
	b := faulty()
	b.Chapters[0].Markdown = "😀 漢字 é\n\n" + b.Chapters[0].Markdown
	s := typeset(t, b, nil)
	for kind, want := range map[string]string{"missingGlyph": "😀", "undefinedFootnote": "[^gone]", "headingHierarchy": "### Too deep", "unknownDirective": ":::nonsense"} {
		m := good(t, s, "sandbox_get_warnings", `{"kind":"`+kind+`"}`)
		from, to := within(t, m, "warnings", 0, "offset"), within(t, m, "warnings", 0, "toOffset")
		got := good(t, s, "sandbox_select_text", fmt.Sprintf(`{"chapter":1,"offset":%v,"toOffset":%v}`, from, to))
		if strings.TrimSpace(got["selected"].(string)) != want || got["line"] != within(t, m, "warnings", 0, "line") {
			t.Errorf("%s selects %q on line %v: %v", kind, got["selected"], got["line"], m["warnings"])
		}
	}
}

// TestNewWarnings: a change tells what appeared, by category, in the tool's count.
func TestNewWarnings(t *testing.T) {
	s := typeset(t, faulty(), nil)
	m := good(t, s, "sandbox_edit_text", `{"chapter":2,"edits":[{"find":"- a list","replace":"- a list\n\n#### Deep\n\n:::what\n\nx[^y]"}]}`)
	if fmt.Sprint(m["newWarnings"]) != "map[markup:3]" {
		t.Errorf("%v", m)
	}
	m = good(t, s, "sandbox_set_config", `{"changes":[{"path":"debug.warnings.headingHierarchy","value":false}]}`)
	if m["newWarnings"] != nil {
		t.Errorf("%v", m)
	}
	m = good(t, s, "sandbox_set_config", `{"changes":[{"path":"debug.warnings.headingHierarchy","value":true}]}`)
	if fmt.Sprint(m["newWarnings"]) != "map[markup:2]" {
		t.Errorf("%v", m)
	}
}

// TestWarningsSwitches: each key of debug.warnings silences its kinds and no others.
func TestWarningsSwitches(t *testing.T) {
	b := faulty()
	b.Config = json.RawMessage(`{"bodyText":{"fontFamily":"No Such"},"debug":{"looseLineHighlight":{"threshold":1.01}},"header":{"elements":[{"id":"t","kind":"text","content":"x","placement":{"anchor":{"to":"#gone"}}}]}}`)
	b.Chapters[0].Markdown = "# One\n\n### Deep\n\n## Next\n\n- list\n\n" + strings.Repeat("Incomprehensibilities characteristically interrupt straightforward paragraphs here. ", 12)
	s := typeset(t, b, func(o *Options) {
		o.Families = func() []string { return []string{"EB Garamond", "Open Sans", "JetBrains Mono"} }
	})
	for key, kind := range map[string]string{"missingFont": "missingFontFamily", "looseLines": "looseLine", "headingHierarchy": "headingHierarchy",
		"consecutiveHeadings": "consecutiveHeadings", "listAfterHeading": "listAfterHeading", "designIssues": "designDanglingAnchor"} {
		set := func(on bool) []string {
			good(t, s, "sandbox_set_config", fmt.Sprintf(`{"changes":[{"path":"debug.warnings.%s","value":%v}]}`, key, on))
			return kindsOf(good(t, s, "sandbox_get_warnings", `{"scope":"book"}`))
		}
		on, off := set(true), set(false)
		if !slices.Contains(on, kind) || slices.Contains(off, kind) {
			t.Errorf("%s: on %v, off %v", key, on, off)
		}
		if want := slices.DeleteFunc(slices.Clone(on), func(k string) bool { return check.KindOf(k).Switch == key }); !slices.Equal(want, off) {
			t.Errorf("%s off leaves %v, want %v", key, off, want)
		}
		set(true)
	}
}

// TestWarningsWithoutPages: a design that does not work out leaves what needs no
// pages.
func TestWarningsWithoutPages(t *testing.T) {
	b := faulty()
	b.Config = json.RawMessage(`{"page":{"width":"1mm"}}`)
	s := typeset(t, b, nil)
	m := good(t, s, "sandbox_get_warnings", `{"scope":"book","category":"markup"}`)
	if m["total"] != 3.0 || !strings.Contains(fmt.Sprint(m["note"]), "no pages") {
		t.Errorf("%v", m)
	}
}
