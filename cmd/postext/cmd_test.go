package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postext/book"
	"postext/cmd/postext/assets"
)

// small is a book of two chapters in a folder of its own. The program's assets
// must be there: make build fills them in.
func small(t *testing.T) string {
	t.Helper()
	if _, err := assets.Fonts(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, err := book.SaveFolder(dir, nil, &book.Book{Title: "Small", Language: "en", Chapters: []*book.Chapter{
		{ID: "one", Title: "One", Markdown: "# One\n\nThe first chapter.\n"},
		{ID: "two", Title: "Two", Markdown: "# Two\n\nThe second chapter.\n"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRenderFindsPages(t *testing.T) {
	dir := small(t)
	for _, c := range []struct {
		cmd  RenderCmd
		want string
	}{
		{RenderCmd{Page: "1"}, "One"},
		{RenderCmd{Position: -1}, "Two"},
		{RenderCmd{Chapter: "two", Position: -1}, "Two"},
		{RenderCmd{Chapter: "1"}, "One"},
		{RenderCmd{}, "One"},
	} {
		c.cmd.Book, c.cmd.Width, c.cmd.Output = dir, 300, filepath.Join(t.TempDir(), "p.png")
		var out bytes.Buffer
		if err := c.cmd.Run(&out); err != nil {
			t.Errorf("%+v: %v", c.cmd, err)
			continue
		}
		if !strings.Contains(out.String(), ", "+c.want+",") {
			t.Errorf("%+v: %s", c.cmd, out.String())
		}
		data, err := os.ReadFile(c.cmd.Output)
		if err != nil {
			t.Fatal(err)
		}
		pic, err := png.Decode(bytes.NewReader(data))
		if err != nil || pic.Bounds().Dx() != 300 {
			t.Errorf("%+v: picture %v, %v", c.cmd, pic.Bounds(), err)
		}
	}
	for _, c := range []struct {
		cmd  RenderCmd
		want string
	}{
		{RenderCmd{Page: "999", Output: "p.png"}, "the pages go from"},
		{RenderCmd{Position: 999, Output: "p.png"}, "there is no position 999"},
		{RenderCmd{Chapter: "nobody", Output: "p.png"}, `from "One" to "Two"`},
		{RenderCmd{Output: "p.gif"}, ".png or a .jpg"},
		{RenderCmd{Output: "p.png", Width: 5}, "64 to 4096"},
	} {
		c.cmd.Book = dir
		if c.cmd.Width == 0 {
			c.cmd.Width = 300
		}
		if err := c.cmd.Run(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.cmd, err)
		}
	}
}

func TestCallRunsOneTool(t *testing.T) {
	dir := small(t)
	run := func(c CallCmd) (map[string]any, error) {
		t.Helper()
		var out bytes.Buffer
		err := c.Run(&out)
		var m map[string]any
		if out.Len() > 0 {
			if err := json.Unmarshal(out.Bytes(), &m); err != nil {
				t.Fatalf("%v in %s", err, out.String())
			}
		}
		return m, err
	}
	m, err := run(CallCmd{Tool: "sandbox_get_state", Args: "{}", Book: dir})
	if err != nil || m["ok"] != true || m["pages"] == nil {
		t.Errorf("state %v, %v", m, err)
	}
	m, err = run(CallCmd{Tool: "sandbox_get_state", Args: "{}"})
	if err != nil || m["ok"] != true {
		t.Errorf("the guide: %v, %v", m, err)
	}
	for args, want := range map[string]string{
		`{"chaptr":1}`:   "chapter",
		`{"chapter":9}`:  `1 "One", 2 "Two"`,
		`not json`:       "",
		`{"chapter":[]}`: "chapter",
	} {
		m, err := run(CallCmd{Tool: "sandbox_read_text", Args: args, Book: dir})
		if !errors.Is(err, errRefused) || m["ok"] != false || !strings.Contains(m["error"].(string), want) {
			t.Errorf("%s: %v, %v", args, m, err)
		}
	}
	if m, err := run(CallCmd{Tool: "sandbox_read_txt", Args: "{}", Book: dir}); !errors.Is(err, errRefused) || !strings.Contains(m["error"].(string), "sandbox_read_text") {
		t.Errorf("unknown tool: %v, %v", m, err)
	}
}

func TestCallWritesOnlyWithSave(t *testing.T) {
	dir := small(t)
	edit := CallCmd{Tool: "sandbox_edit_text", Args: `{"chapter":2,"edits":[{"find":"second","replace":"last"}]}`, Book: dir}
	text := func() string {
		t.Helper()
		b, err := book.OpenFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		return b.Chapters[1].Markdown
	}
	if err := edit.Run(&bytes.Buffer{}); err != nil || strings.Contains(text(), "last") {
		t.Errorf("text %q, %v", text(), err)
	}
	edit.Save = true
	if err := edit.Run(&bytes.Buffer{}); err != nil || !strings.Contains(text(), "The last chapter.") {
		t.Errorf("text %q, %v", text(), err)
	}
	config := CallCmd{Tool: "sandbox_set_config", Args: `{"changes":[{"path":"bodyText.fontSize","value":"10pt"}]}`, Book: dir, Save: true}
	if err := config.Run(&bytes.Buffer{}); err != nil {
		t.Error(err)
	}
	b, err := book.OpenFolder(dir)
	if err != nil || !strings.Contains(string(b.Config), `"fontSize"`) {
		t.Errorf("configuration %s, %v", b.Config, err)
	}
	if err := (&CallCmd{Tool: "sandbox_get_state", Args: "{}", Save: true}).Run(&bytes.Buffer{}); err == nil {
		t.Error("--save without a folder was taken")
	}
}

func TestToolsAreListed(t *testing.T) {
	var out bytes.Buffer
	if err := (&ToolsCmd{}).Run(&out); err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Name        string         `json:"name"`
		InputSchema map[string]any `json:"inputSchema"`
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil || len(list) < 13 || list[0].InputSchema["type"] != "object" {
		t.Errorf("%d tools, %v", len(list), err)
	}
	out.Reset()
	if err := (&ToolsCmd{Names: true}).Run(&out); err != nil || !strings.Contains(out.String(), "sandbox_render_page") {
		t.Errorf("names %s, %v", out.String(), err)
	}
}
