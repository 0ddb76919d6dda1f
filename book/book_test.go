package book

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"
	"unicode/utf8"

	"postext/book/booktest/tree"
)

func files(m map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range m {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func read(t *testing.T, m map[string]string) *Book {
	t.Helper()
	b, err := ReadFolder(files(m), "folder", "")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func chapterFiles(b *Book) string {
	var out []string
	for _, c := range b.Chapters {
		out = append(out, c.File)
	}
	return strings.Join(out, " ")
}

func TestFolderOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"numbers in numeric order", map[string]string{"10.md": "x", "9.md": "x", "1.md": "x", "b2.md": "x", "B10.md": "x", "note.txt": "x"}, "1.md 9.md 10.md b2.md B10.md"},
		{"the order of book.json", map[string]string{"book.json": `{"chapters":[{"file":"b.md"},{"file":"a.md"}]}`, "a.md": "x", "b.md": "x", "c.md": "x"}, "b.md a.md"},
		{"the folder chapters", map[string]string{"chapters/2.md": "x", "chapters/1.md": "x", "images/x.md": "x"}, "chapters/1.md chapters/2.md"},
		{"hidden files are none", map[string]string{".a.md": "x", "a.md": "x", ".git/b.md": "x", "node_modules/c.md": "x"}, "a.md"},
	} {
		if got := chapterFiles(read(t, c.files)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestFolderErrors(t *testing.T) {
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"a.txt": "x"}, "no Markdown files"},
		{map[string]string{"book.json": "{", "a.md": "x"}, "book.json"},
		{map[string]string{"book.json": `{"chapters":[{"file":"b.md"}]}`}, "there is no file b.md"},
		{map[string]string{"book.json": `{"chapters":[{"file":"../b.md"}]}`}, "not the path of a file"},
		{map[string]string{"book.json": `{"chapters":[{"file":"/etc/passwd"}]}`}, "not the path of a file"},
		{map[string]string{"book.json": `{"chapters":[{"file":"a.md"},{"file":"./a.md"}]}`, "a.md": "x"}, "listed twice"},
		{map[string]string{"a.md": "x", "postext-config.json": `{"config":{}}`}, "postext-config"},
		{map[string]string{"a.md": "x", "postext-config.json": `{"type":"postext-config","version":1,"config":[]}`}, "not a JSON object"},
	} {
		_, err := ReadFolder(files(c.files), "folder", "")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.files, err, c.want)
		}
	}
}

func TestFolderMetadataAndConfig(t *testing.T) {
	b := read(t, map[string]string{
		"book.json":           "\uFEFF" + `{"title":"T","subtitle":"S","author":["A","B"],"language":"es","chapters":[{"file":"1.md","title":" One "},{"file":"2.md"},{"file":"3.md"},{"file":"4.md"}]}`,
		"1.md":                "# Not this",
		"2.md":                "text\n\n# Two",
		"3.md":                "---\ntitle: Three\n---\n",
		"4.md":                "",
		"postext-config.json": `{"type":"postext-config","version":1,"configVersion":12,"config":{"b":1.50,"a":{"d":"<","c":2}}}`,
		"images/x.png":        "\x89PNG",
		"fonts/F.ttf":         "f",
		"stray.ttf":           "f",
		"refs.bib":            "@book{}",
	})
	if b.Title != "T" || b.Subtitle != "S" || b.Author != "A, B" || b.Language != "es" || b.Name != "T" || b.Kind != "project" {
		t.Errorf("%+v", b)
	}
	var titles []string
	for _, c := range b.Chapters {
		titles = append(titles, c.Title)
	}
	if got := strings.Join(titles, "|"); got != "One|Two|Three|Chapter 4" {
		t.Error(got)
	}
	if got := string(b.Config); got != `{"a":{"c":2,"d":"<"},"b":1.50}` {
		t.Error(got)
	}
	if b.ConfigVersion != ConfigVersion || len(b.Warnings) != 1 {
		t.Error(b.ConfigVersion, b.Warnings)
	}
	if len(b.Resources) != 2 || b.Resource("images/x.png") == nil || b.Resource("refs.bib").Kind != "bibliography" || b.Resource("none") != nil {
		t.Errorf("%+v", b.Resources)
	}
	if len(b.Fonts) != 1 || b.Fonts[0].Name != "fonts/F.ttf" {
		t.Errorf("%+v", b.Fonts)
	}
	if i := b.Chapter(b.Chapters[2].ID); i != 2 {
		t.Error(i)
	}
}

func TestFrontMatterNamesTheBook(t *testing.T) {
	b := read(t, map[string]string{"book.json": `{"title":"T"}`, "a.md": "---\ntitle: \"From: the text\" # so\nlanguage: de\n---\n# A"})
	if b.Name != "From: the text" || b.Title != "T" || b.Language != "de" || b.Chapters[0].Title != "A" {
		t.Errorf("%+v %+v", b, b.Chapters[0])
	}
}

func TestChapterIdsComeFromFiles(t *testing.T) {
	a := read(t, map[string]string{"01-a.md": "x", "03-c.md": "x"})
	b := read(t, map[string]string{"01-a.md": "y", "02-b.md": "x", "03-c.md": "x"})
	if a.Chapters[1].ID != b.Chapters[2].ID || a.Chapters[1].ID != "03-c" {
		t.Error(a.Chapters[1].ID, b.Chapters[2].ID)
	}
}

func TestCleanText(t *testing.T) {
	for in, want := range map[string]string{
		"\uFEFFa\r\nb\rc\n": "a\nb\nc\n",
		"a\x00b\xffc":       "a\uFFFDb\uFFFDc",
		"a\uFEFFb":          "a\uFEFFb",
		"\r\n\r\n":          "\n\n",
		"caf\xe9 \xf0\x9f":  "caf\uFFFD \uFFFD",
		"":                  "",
	} {
		if got := CleanText(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestTitleDerivation(t *testing.T) {
	for in, want := range map[string]string{
		"# Loomings":                                    "Loomings",
		"# The *Pequod* and `code` {#id .x}":            "The Pequod and code",
		"# One \\\\ two":                                "One two",
		"# See [the link](http://x.y/z) now":            "See the link now",
		"# Five \\* stars \\_ and snake_case":           "Five * stars _ and snake_case",
		"# **Bold** _it_":                               "Bold it",
		"## Second\n\n# First":                          "First",
		"```\n# code\n```\n# Real":                      "Real",
		"~~~\n```\n# code\n~~~\n# Real":                 "Real",
		"````\n```\n# code\n````\n# Real":               "Real",
		"---\ntitle: 'Matter'\n---\ntext":               "Matter",
		"---\ntitle: [One, \"Two\"]\n---\ntext":         "One, Two",
		"---\n# comment\ntitle: Matter\n---\n# Heading": "Heading",
		"---\ntitle: no end":                            "fallback",
		"#tag":                                          "fallback",
		"# \n# Next":                                    "Next",
		"# [Bracket] only":                              "[Bracket] only",
		"plain":                                         "fallback",
	} {
		if got := DeriveTitle(in, "fallback"); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	h := Headings("---\na: 1\n---\n# One\ntext\n# Two {x}\n")
	if len(h) != 2 || h[0].Offset != 13 || h[1].Title != "Two" {
		t.Errorf("%+v", h)
	}
}

func TestWordCount(t *testing.T) {
	for _, c := range []struct {
		in   string
		cjk  bool
		want int
	}{
		{"Call me Ishmael.", false, 3},
		{"---\ntitle: not counted\n---\nTwo words", false, 2},
		{"don't well-known o’clock 3rd 1851", false, 5},
		{"* * * -- ' -", false, 0},
		{"'tis -ing", false, 2},
		{"naïve cafe\u0301 straße", false, 3},
		{"日本語 text と日本", true, 7},
		{"日本語", false, 1},
		{"한국 one", true, 3},
		{"", false, 0},
	} {
		if got := Words(c.in, c.cjk); got != c.want {
			t.Errorf("%q: got %d, want %d", c.in, got, c.want)
		}
	}
}

func TestEditsShareTheRest(t *testing.T) {
	b := read(t, map[string]string{"1.md": "# A", "2.md": "# B", "3.md": "# C"})
	first := chapterFiles(b)
	check := func(what string, got *Book, want string) {
		t.Helper()
		if chapterFiles(got) != want {
			t.Errorf("%s: %s", what, chapterFiles(got))
		}
		if chapterFiles(b) != first {
			t.Fatalf("%s changed the old book", what)
		}
	}
	check("move", b.MoveChapter(0, 9), "2.md 3.md 1.md")
	check("move", b.MoveChapter(2, 0), "3.md 1.md 2.md")
	check("insert", b.InsertChapter(1, &Chapter{File: "x.md"}), "1.md x.md 2.md 3.md")
	check("insert", b.InsertChapter(-5, &Chapter{File: "x.md"}), "x.md 1.md 2.md 3.md")
	check("remove", b.RemoveChapter(1), "1.md 3.md")
	check("with", b.WithChapter(1, &Chapter{File: "x.md"}), "1.md x.md 3.md")
	if b.MoveChapter(1, 1) != b || b.RenameChapter(0, "  ") != b || b.RenameChapter(0, "A") != b || b.WithText(0, "# A") != b {
		t.Error("nothing changed, but the book is another")
	}
	n := b.RenameChapter(0, " New ").WithText(1, "text")
	if n.Chapters[0].Title != "New" || n.Chapters[1].Markdown != "text" || n.Chapters[2] != b.Chapters[2] || b.Chapters[0].Title != "A" {
		t.Error("rename")
	}
	n, err := b.WithConfig(json.RawMessage(` { "b" : 1, "a" : 2 } `))
	if err != nil || string(n.Config) != `{"a":2,"b":1}` || b.Config != nil {
		t.Error(err, string(n.Config))
	}
	if _, err := b.WithConfig(json.RawMessage(`[1]`)); err == nil {
		t.Error("a list is no configuration")
	}
	if n, err = n.WithConfig(json.RawMessage(`{}`)); err != nil || n.Config != nil {
		t.Error("empty configuration", err)
	}
}

func TestLinksLeadingOut(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, "secret.md", "# Secret")
	put(t, outside, "secret.png", "\x89PNG")
	dir := t.TempDir()
	put(t, dir, "a.md", "# A")
	put(t, dir, "in.png", "\x89PNG")
	for link, to := range map[string]string{"b.png": filepath.Join(outside, "secret.png"), "c.png": "in.png", "images": outside} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	b, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Resources) != 2 || b.Resource("b.png") != nil || b.Resource("c.png") == nil || len(b.Warnings) != 1 {
		t.Errorf("%d resources, %v", len(b.Resources), b.Warnings)
	}
	if err := os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	if b, err := OpenFolder(dir); err == nil {
		t.Error("read a chapter outside the folder", b.Chapters)
	}
}

func TestOneFile(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.md", "# A\n\n![](pics/deep/x.png) ![y](../y.png)")
	put(t, dir, "b.md", "# B")
	put(t, dir, "pics/deep/x.png", "\x89PNG")
	put(t, dir, "pics/deep/other.png", "\x89PNG")
	put(t, dir, "images/z.svg", "<svg/>")
	b, err := OpenFolder(filepath.Join(dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	if chapterFiles(b) != "a.md" || len(b.Resources) != 2 || b.Resource("pics/deep/x.png") == nil || b.Resource("images/z.svg") == nil || b.Name != "a" {
		t.Errorf("%+v", b)
	}
	for _, name := range []string{"missing.md", "pics/deep/x.png"} {
		if _, err := OpenFolder(filepath.Join(dir, name)); err == nil {
			t.Error(name)
		}
	}
}

func TestLargeFilesWaitUntilAskedFor(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.md", "# A")
	put(t, dir, "big.png", "\x89PNG"+strings.Repeat("x", eagerFileBytes))
	b, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := b.Resource("big.png")
	if r.Data != nil {
		t.Error("read at once")
	}
	data, err := r.Bytes()
	if err != nil || len(data) != eagerFileBytes+4 {
		t.Error(len(data), err)
	}
	again, err := r.Bytes()
	if err != nil || &again[0] != &data[0] {
		t.Error("read twice", err)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Positions agree with UTF-16 encoding the whole text.
func TestIndex(t *testing.T) {
	texts := []string{
		"", "\n", "abc", "abc\n", "a\nb\n\nc", "é\n€𝄞x\n𝄞𝄞", strings.Repeat("Straße 𝄞 €\n", 500),
		strings.Repeat("ä", 5000), strings.Repeat("𝄞", 1200) + "\n" + strings.Repeat("x", 3000) + "é",
	}
	for _, text := range texts {
		checkIndex(t, text)
	}
}

func checkIndex(t *testing.T, text string) {
	t.Helper()
	x := NewIndex(text)
	units := utf16.Encode([]rune(text))
	if x.UTF16Len() != len(units) || x.Len() != len(text) || x.Lines() != strings.Count(text, "\n")+1 {
		t.Fatalf("%.20q: %d units, %d lines", text, x.UTF16Len(), x.Lines())
	}
	line, column, u := 0, 0, 0
	step := 0
	for off, r := range text + "." {
		if step++; len(text) < 200 || step%7 == 0 || off == len(text) {
			if got := x.UTF16(off); got != u {
				t.Fatalf("%.20q: byte %d is unit %d, got %d", text, off, u, got)
			}
			if got := x.Byte(u); got != off {
				t.Fatalf("%.20q: unit %d is byte %d, got %d", text, u, off, got)
			}
			if l, c := x.Position(off); l != line || c != column {
				t.Fatalf("%.20q: byte %d is %d:%d, got %d:%d", text, off, line, column, l, c)
			}
			if got := x.Offset(line, column); got != off {
				t.Fatalf("%.20q: %d:%d is byte %d, got %d", text, line, column, off, got)
			}
			if off < len(text) && utf8.RuneLen(r) > 1 && x.UTF16(off+1) != u {
				t.Fatalf("%.20q: inside the character at %d", text, off)
			}
			if off < len(text) && r > 0xFFFF && x.Byte(u+1) != off {
				t.Fatalf("%.20q: inside the pair at %d", text, u)
			}
		}
		if n := len(utf16.Encode([]rune{r})); r == '\n' {
			line, column, u = line+1, 0, u+1
		} else {
			column, u = column+n, u+n
		}
	}
	for i, want := range strings.Split(text, "\n") {
		if got, start := x.Line(i); got != want || x.LineAt(start) != i || x.Offset(i, 1<<30) != start+len(want) {
			t.Fatalf("%.20q: line %d", text, i)
		}
	}
	for _, off := range []int{-1, len(text) + 1, 1 << 40} {
		x.UTF16(off)
		x.Byte(off)
		x.Position(off)
		x.Line(off)
		x.Offset(off, off)
	}
}

func FuzzIndex(f *testing.F) {
	f.Add("a\né𝄞\n")
	f.Fuzz(func(t *testing.T, text string) { checkIndex(t, CleanText(text)) })
}

func FuzzTexts(f *testing.F) {
	f.Add("---\ntitle: x\n---\n# A [b](c) {d}\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		clean := CleanText(text)
		if !utf8.ValidString(clean) || strings.ContainsAny(clean, "\r\x00") || CleanText(clean) != clean && !strings.HasPrefix(clean, "\uFEFF") {
			t.Fatalf("%q", clean)
		}
		for _, s := range []string{text, clean} {
			if _, body := FrontMatter(s); body < 0 || body > len(s) {
				t.Fatal("body", body)
			}
			for _, h := range Headings(s) {
				if !strings.HasPrefix(s[h.Offset:], "# ") {
					t.Fatalf("%q at %d", s, h.Offset)
				}
			}
			DeriveTitle(s, "x")
			Words(s, true)
		}
	})
}

func FuzzFolder(f *testing.F) {
	f.Add([]byte(`{"title":"T","chapters":[{"file":"a.md"}]}`), []byte(`{"type":"postext-config","version":1,"config":{}}`))
	f.Fuzz(func(t *testing.T, meta, config []byte) {
		fsys := fstest.MapFS{"book.json": {Data: meta}, "postext-config.json": {Data: config}, "a.md": {Data: []byte("# A")}}
		if b, err := ReadFolder(fsys, "x", ""); err == nil && len(b.Chapters) == 0 {
			t.Fatal("no chapters")
		}
	})
}

// Every book of the corpus opens, without a warning, with the words its
// book.json counts.
func TestCorpusOpens(t *testing.T) {
	root := tree.Corpus(t, "")
	n := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != metaFile {
			return err
		}
		n++
		b, err := OpenFolder(filepath.Dir(name))
		if err != nil {
			t.Error(err)
			return nil
		}
		words := 0
		for _, c := range b.Chapters {
			words += Words(c.Markdown, false)
			if c.Title == "" || c.ID == "" || !utf8.ValidString(c.Markdown) {
				t.Errorf("%s: %+v", name, c.File)
			}
		}
		var m struct{ Words int }
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		if m.Words > 0 && (words < m.Words*95/100 || words > m.Words*105/100) {
			t.Errorf("%s: %d words, %d by book.json", name, words, m.Words)
		}
		if len(b.Warnings) > 0 || b.Title == "" || b.Language == "" {
			t.Errorf("%s: %q %q %v", name, b.Title, b.Language, b.Warnings)
		}
		t.Logf("%s: %d chapters, %d words, %d resources", filepath.Base(filepath.Dir(name)), len(b.Chapters), words, len(b.Resources))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 10 {
		t.Errorf("only %d books", n)
	}
}

func BenchmarkIndex(b *testing.B) {
	data, err := os.ReadFile(tree.Corpus(b, "moby-dick/035-chapter-32.md"))
	if err != nil {
		b.Fatal(err)
	}
	text := string(data)
	b.Run("new", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			NewIndex(text)
		}
	})
	x := NewIndex(text)
	b.Run("position", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			x.Position(i * 977 % len(text))
		}
	})
}

func BenchmarkWords(b *testing.B) {
	data, err := os.ReadFile(tree.Corpus(b, "moby-dick/035-chapter-32.md"))
	if err != nil {
		b.Fatal(err)
	}
	text := string(data)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Words(text, false)
	}
}
