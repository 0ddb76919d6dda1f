package sandbox

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postext/engine/font/catalogue"
	"postext/engine/font/catalogue/families"
)

func withCatalogue(o *Options) {
	o.Catalogue = func(context.Context) (catalogue.List, error) { return families.List() }
}

func fontBase64(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(data)
}

const monoWOFF2 = "../engine/font/testdata/JetBrainsMono_400Regular.woff2"

func TestListFonts(t *testing.T) {
	s := typeset(t, fixture(t), withCatalogue)
	m := good(t, s, "sandbox_list_fonts", `{"search":"Garamond"}`)
	names := fmt.Sprint(m["catalogue"])
	if !strings.Contains(names, "EB Garamond") || !strings.Contains(names, "Cormorant Garamond") || m["total"].(float64) < 2 {
		t.Errorf("%v", m)
	}
	used := m["inUse"].([]any)
	first := used[0].(map[string]any)
	if first["family"] != "EB Garamond" || first["role"] != "Body text" || first["source"] != "catalogue" || first["loaded"] != true {
		t.Errorf("in use: %v", used)
	}
	if second := used[1].(map[string]any); second["family"] != "Open Sans" || second["role"] != "Headings" {
		t.Errorf("in use: %v", used)
	}
	m = good(t, s, "sandbox_list_fonts", `{"category":"monospace","script":"greek","limit":3}`)
	if len(m["catalogue"].([]any)) != 3 {
		t.Errorf("%v", m["catalogue"])
	}
	// What is not on the server is told, and what stands in for it.
	s = typeset(t, fixture(t), func(o *Options) {
		withCatalogue(o)
		o.Catalogued = func(f *catalogue.Family) bool { return f.Family == "Lora" }
	})
	m = good(t, s, "sandbox_list_fonts", `{"search":"Cormorant Garamond","limit":1}`)
	if within(t, m, "catalogue", 0, "here") != false || !strings.Contains(fmt.Sprint(m["note"]), "not on this server") {
		t.Errorf("%v", m)
	}
	if m = good(t, s, "sandbox_list_fonts", `{"search":"Lora","limit":1}`); within(t, m, "catalogue", 0, "here") != true || m["note"] != nil {
		t.Errorf("%v", m)
	}
	good(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontFamily","value":"Cormorant Garamond"}]}`)
	if m = good(t, s, "sandbox_list_fonts", `{}`); within(t, m, "inUse", 0, "setIn") != "EB Garamond" || within(t, m, "inUse", 0, "loaded") != false {
		t.Errorf("%v", m["inUse"])
	}
	// Without a network the answer says so.
	s = typeset(t, fixture(t), func(o *Options) {
		o.Catalogue = func(context.Context) (catalogue.List, error) { return nil, errors.New("no network") }
	})
	if m = good(t, s, "sandbox_list_fonts", `{}`); !strings.Contains(fmt.Sprint(m["note"]), "no network") || len(m["inUse"].([]any)) == 0 {
		t.Errorf("%v", m)
	}
}

func TestSaveFont(t *testing.T) {
	s := typeset(t, fixture(t), withCatalogue)
	woff2 := fontBase64(t, monoWOFF2)
	m := good(t, s, "sandbox_save_font", `{"action":"add","family":"My Serif","file":{"base64":"`+woff2+`","name":"mine.woff2"}}`)
	v := within(t, m, "custom", 0, "variants", 0).(map[string]any)
	if v["weight"] != 400.0 || v["style"] != "normal" || v["format"] != "woff2" || v["fileName"] != "mine.woff2" {
		t.Errorf("%v", m)
	}
	// Named in a setting, it sets the pages.
	m = good(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontFamily","value":"My Serif"}]}`)
	// The design asks for a bold one as well, and is told that there is none.
	if fmt.Sprint(m["newWarnings"]) != "map[fonts:1]" {
		t.Errorf("%v", m["newWarnings"])
	}
	used := good(t, s, "sandbox_list_fonts", `{}`)["inUse"].([]any)[0].(map[string]any)
	if used["family"] != "My Serif" || used["source"] != "file" || used["loaded"] != true {
		t.Errorf("%v", used)
	}
	// A second file for the same slot is kept and told.
	m = good(t, s, "sandbox_save_font", `{"action":"add","family":"My Serif","weight":400,"style":"normal","file":{"base64":"`+woff2+`"}}`)
	if !strings.Contains(fmt.Sprint(m["notes"]), "already") || len(within(t, m, "custom", 0, "variants").([]any)) != 2 {
		t.Errorf("%v", m)
	}
	good(t, s, "sandbox_save_font", `{"action":"add","family":"My Serif","weight":700,"style":"italic","file":{"base64":"`+woff2+`"}}`)
	m = good(t, s, "sandbox_save_font", `{"action":"remove","family":"my serif","weight":700,"style":"italic"}`)
	if len(within(t, m, "custom", 0, "variants").([]any)) != 2 || len(s.cur.book.Fonts) != 2 {
		t.Errorf("%v, %d files", m, len(s.cur.book.Fonts))
	}
	// Renamed, what was set in it stays set in it.
	m = good(t, s, "sandbox_save_font", `{"action":"rename","family":"My Serif","newFamily":"Ours"}`)
	if got := within(t, good(t, s, "sandbox_get_config", `{"path":"bodyText.fontFamily"}`), "set"); got != "Ours" || m["family"] != "Ours" {
		t.Errorf("%v %v", got, m)
	}
	m = good(t, s, "sandbox_save_font", `{"action":"set_redistributable","family":"Ours","redistributable":false}`)
	if within(t, m, "custom", 0, "redistributable") != false {
		t.Errorf("%v", m)
	}
	m = good(t, s, "sandbox_save_font", `{"action":"remove_family","family":"Ours"}`)
	if len(m["custom"].([]any)) != 0 || len(s.cur.book.Fonts) != 0 || m["newWarnings"] == nil {
		t.Errorf("%v, %d files", m, len(s.cur.book.Fonts))
	}
}

func TestSaveFontRefuses(t *testing.T) {
	s := typeset(t, fixture(t), withCatalogue)
	junk := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("no font ", 40)))
	damaged := fontBase64(t, monoWOFF2)[:4000]
	for _, c := range []struct{ args, want string }{
		{`{"action":"add","family":"X"}`, "file is missing"},
		{`{"action":"add","family":"X","file":{"base64":"` + junk + `"}}`, "no font that can be read"},
		{`{"action":"add","family":"X","file":{"base64":"` + damaged + `"}}`, "no font that can be read"},
		{`{"action":"add","family":" ","file":{"base64":"` + junk + `"}}`, "family is empty"},
		{`{"action":"remove","family":"X","weight":400}`, "no font files of its own"},
	} {
		refused(t, s, "sandbox_save_font", c.args, c.want)
	}
	good(t, s, "sandbox_save_font", `{"action":"add","family":"Mine","file":{"base64":"`+fontBase64(t, monoWOFF2)+`"}}`)
	refused(t, s, "sandbox_save_font", `{"action":"remove","family":"Mina","weight":400}`, "Mine")
	refused(t, s, "sandbox_save_font", `{"action":"remove","family":"Mine","weight":500}`, "400 normal")
	refused(t, s, "sandbox_save_font", `{"action":"rename","family":"Mine"}`, "newFamily")
	refused(t, s, "sandbox_save_font", `{"action":"set_redistributable","family":"Mine"}`, "redistributable is missing")
}

// A family of the catalogue is taken by name; when its files cannot be had the
// pages are set in another face, and that is told.
func TestACatalogueFamilyWithoutItsFiles(t *testing.T) {
	s := typeset(t, fixture(t), withCatalogue)
	m := good(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontFamily","value":"Cormorant Garamond"}]}`)
	if m["newWarnings"] == nil {
		t.Errorf("%v", m)
	}
	if within(t, m, "notes", 0, "path") != "bodyText.fontFamily" || within(t, m, "notes", 0, "note") != `the family "Cormorant Garamond" could not be loaded: "EB Garamond" stands in for it until its files can be had` {
		t.Errorf("notes: %v", m["notes"])
	}
	refused(t, s, "sandbox_set_config", `{"changes":[{"path":"bodyText.fontFamily","value":"Garamonde"}]}`, "EB Garamond", "sandbox_list_fonts")
}
