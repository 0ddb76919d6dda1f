package book

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"
)

// aPNG is a picture of 2 × 3 pixels, as far as its header goes.
const aPNG = "\x89PNG\r\n\x1a\n\x00\x00\x00\x0DIHDR\x00\x00\x00\x02\x00\x00\x00\x03\x08\x00\x00\x00\x00\x00\x00\x00\x00"

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// zipped makes an archive of files, given as name, content, name, content …
func zipped(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func openBytes(data []byte) (*Bundle, error) {
	return OpenBundle(bytes.NewReader(data), int64(len(data)))
}

// readBytes opens a bundle and reads its book.
func readBytes(data []byte, locale string) (*Book, error) {
	z, err := openBytes(data)
	if err != nil {
		return nil, err
	}
	return z.Book(locale)
}

func mustRead(t testing.TB, data []byte, locale string) *Book {
	t.Helper()
	b, err := readBytes(data, locale)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func written(t testing.TB, o BundleOptions, editions ...*Book) ([]byte, []string) {
	t.Helper()
	if o.Time.IsZero() {
		o.Time = noon
	}
	var b bytes.Buffer
	warnings, err := WriteBundle(&b, editions, o)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), warnings
}

const small = `{"version":2,"id":"tales","name":"Tales","chapters":[{"title":"One","file":"chapters/01-one.md"}]}`

// whole is a book with one of everything.
func whole(t testing.TB) *Book {
	t.Helper()
	yes, no := true, false
	table, err := NewTable([][]Cell{{{Content: "Item", ColSpan: 2}}, {{Content: "Ink"}, {Content: "6 d"}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	b := &Book{ID: "x", BundleID: "tales", Name: "Tales of the *Shore*", Kind: "project", Language: "en",
		Title: "Tales", Subtitle: "Of the shore", Author: "Ada Reyes", Description: "Six tales.", Licence: "CC BY", Credits: "Set by hand", Tags: []string{"tales", "sea"},
		Scope: "book",
		Chapters: []*Chapter{
			{ID: "a", Title: "The tide", Markdown: "# The tide\n\nThe sea came in. :ref{id=\"chart\"}\n"},
			{ID: "b", Title: "", Markdown: "# Ñandú & Söhne\n\nText.\n"},
			{ID: "c", Title: "The tide", Markdown: "The same title.\n"},
		},
		Resources: []*Resource{
			{ID: "Chart", Kind: KindSVG, TypeID: "figure", Name: "old/chart.svg", Data: []byte(`<svg viewBox="0 0 10 20"/>`), Width: 10, Height: 20, InlineFonts: &no, Caption: "The *chart*", Note: "1850", Alt: "A chart",
				Master: &File{Name: "old/chart.pdf", Data: []byte("%PDF-1.7")}, Placement: &Placement{Position: "top", CaptionSide: &yes, WrapGap: &Length{4, "mm"}}},
			{ID: "chart", Kind: KindBitmap, TypeID: "map", Name: "old/chart.jpeg", Data: []byte(aPNG), Width: 2, Height: 3, Resolution: 300, SafeArea: &Area{0.1, 0.1, 0.5, 0.5}},
			{ID: "prices", Kind: KindTable, TypeID: "table", Table: table, Caption: "Prices"},
			{ID: "talk", Kind: KindVideo, TypeID: "video", Name: "v.webm", Data: []byte("film"), Poster: &File{Name: "p.png", Data: []byte(aPNG)},
				Video: &Video{Source: "file", URL: "https://example.org/talk", Start: 2, Player: map[string]bool{"loop": true}}},
		},
		Fonts:  []*Resource{{ID: "f1", Name: "fonts/Shore-Bold.otf", Kind: "font", Data: []byte("OTTO")}},
		Cover:  &File{Name: "c.png", Data: []byte(aPNG)},
		Config: json.RawMessage(`{"bodyText":{"fontSize":{"unit":"pt","value":10}},"customFonts":[{"name":"Shore","variants":[{"fileId":"f1","format":"otf","style":"italic","weight":700}]}]}`),
	}
	b.ConfigVersion = ConfigVersion
	return b
}

func TestABundleWrittenAndReadIsTheSameBook(t *testing.T) {
	data, warnings := written(t, BundleOptions{}, whole(t))
	if warnings != nil {
		t.Errorf("%q", warnings)
	}
	b := mustRead(t, data, "")
	if b.Warnings != nil {
		t.Errorf("%q", b.Warnings)
	}
	again, _ := written(t, BundleOptions{}, b)
	if !bytes.Equal(data, again) {
		t.Error("written again it has other bytes")
	}
	if c := mustRead(t, again, ""); !reflect.DeepEqual(b, c) {
		t.Errorf("read again it is another book:\n%+v\n%+v", b, c)
	}
	w := whole(t)
	for i, c := range b.Chapters {
		if c.Markdown != w.Chapters[i].Markdown {
			t.Errorf("chapter %d: %q", i, c.Markdown)
		}
	}
	if b.Chapters[1].Title != "Ñandú & Söhne" {
		t.Errorf("an empty title becomes %q", b.Chapters[1].Title)
	}
	var files []string
	for _, f := range b.Files() {
		files = append(files, f.Name)
	}
	for _, c := range b.Chapters {
		files = append(files, c.File)
	}
	slices.Sort(files)
	want := "chapters/01-the-tide.md chapters/02-nandu-sohne.md chapters/03-the-tide.md fonts/shore-bold.otf resources/chart.pdf resources/chart.png resources/chart.svg resources/talk-poster.png resources/talk.webm thumbnail.png"
	if got := strings.Join(files, " "); got != want {
		t.Errorf("files\n%s, want\n%s", got, want)
	}
	for i, r := range b.Resources {
		was := w.Resources[i]
		if r.ID != was.ID || r.Caption != was.Caption || !bytes.Equal(r.Data, was.Data) || !reflect.DeepEqual(r.Placement, was.Placement) || !reflect.DeepEqual(r.Table, was.Table) || !reflect.DeepEqual(r.Video, was.Video) {
			t.Errorf("%s: %+v", r.ID, r)
		}
	}
	if want := `{"bodyText":{"fontSize":{"unit":"pt","value":10}},"customFonts":[{"name":"Shore","variants":[{"fileId":"fonts/shore-bold.otf","fileName":"shore-bold.otf","format":"otf","style":"italic","weight":700}]}]}`; string(b.Config) != want {
		t.Errorf("%s", b.Config)
	}
	if b.Scope != "book" || b.Author != "Ada Reyes" || b.Licence != "CC BY" || len(b.Tags) != 2 || b.Cover == nil || b.BundleID != "tales" {
		t.Errorf("%+v", b)
	}
}

func TestTheArchiveIsLaidOutAsDescribed(t *testing.T) {
	data, _ := written(t, BundleOptions{Layouts: map[string]json.RawMessage{"en": json.RawMessage(`{"version":1}`)}}, whole(t))
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		want := zip.Deflate
		if strings.HasSuffix(f.Name, ".png") {
			want = zip.Store
		}
		if f.Method != want {
			t.Errorf("%s is packed by method %d", f.Name, f.Method)
		}
	}
	m, err := z.Open("preset.json")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(m)
	for _, part := range []string{"{\n  \"version\": 2,\n  \"id\": \"tales\"", `"configVersion": 11`, "\"view\": {\n    \"canvasScope\": \"book\"\n  }", `"style": "italic"`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the manifest has no %s:\n%s", part, text)
		}
	}
	if strings.Contains(string(text), "customFonts") || strings.Contains(string(text), "locales") {
		t.Errorf("the manifest says too much:\n%s", text)
	}
	if b, _ := openBytes(data); string(b.Layouts("")) != `{"version":1}` {
		t.Errorf("layouts %q", b.Layouts(""))
	}
}

func TestTheSameBookAndDateGiveTheSameBytes(t *testing.T) {
	a, _ := written(t, BundleOptions{}, whole(t))
	b, _ := written(t, BundleOptions{}, whole(t))
	if !bytes.Equal(a, b) {
		t.Error("other bytes")
	}
	odd, _ := written(t, BundleOptions{Time: noon.Add(time.Second)}, whole(t))
	if !bytes.Equal(a, odd) {
		t.Error("dates have steps of two seconds")
	}
	for _, year := range []int{1979, 2100} {
		if _, err := WriteBundle(io.Discard, []*Book{whole(t)}, BundleOptions{Time: time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)}); err == nil {
			t.Errorf("the year %d is not refused", year)
		}
	}
}

func TestBundlesOfOtherPrograms(t *testing.T) {
	for name, files := range map[string][]string{
		"the folder itself zipped": {"Tales/preset.json", small, "Tales/chapters/01-one.md", "One."},
		"a Mac's extras":           {"Tales/preset.json", small, "Tales/chapters/01-one.md", "One.", "__MACOSX/Tales/._preset.json", "x", "Tales/.DS_Store", "x", "__MACOSX/preset.json", "x"},
		"back slashes":             {"preset.json", small, `chapters\01-one.md`, "One."},
		"dots and double slashes":  {"./preset.json", small, "chapters//01-one.md", "One."},
		"folders and extra files":  {"preset.json", small, "chapters/", "", "chapters/01-one.md", "One.", "notes/todo.txt", "x", "deep/down/preset.json", "x"},
	} {
		b, err := readBytes(zipped(t, files...), "")
		if err != nil || b.Chapters[0].Markdown != "One." {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestErrorsOfBundles holds every row of bundle.md 1.1.
func TestErrorsOfBundles(t *testing.T) {
	m := func(s string) string {
		return `{"version":2,"id":"a","name":"A","chapters":[{"title":"One","file":"one.md"}]` + s + `}`
	}
	for _, c := range []struct {
		name  string
		data  []byte
		error string // "" when the book opens
		warns string
	}{
		{"no zip", []byte("Once upon a time"), "not a zip archive", ""},
		{"nothing", nil, "the file is empty", ""},
		{"no manifest", zipped(t, "one.md", "x"), "no manifest", ""},
		{"several manifests", zipped(t, "a/preset.json", small, "b/preset.json", small), "several manifests", ""},
		{"no JSON", zipped(t, "preset.json", "{"), "not valid JSON", ""},
		{"not an object", zipped(t, "preset.json", "[]"), "invalid manifest", ""},
		{"a chapter missing", zipped(t, "preset.json", small), `chapter 1: the bundle has no file "chapters/01-one.md"`, ""},
		{"a picture missing", zipped(t, "preset.json", m(`,"resources":[{"id":"p","typeId":"figure","kind":"bitmap","file":"p.png"}]`), "one.md", ""), `resource "p": the bundle has no file "p.png"`, ""},
		{"a font missing", zipped(t, "preset.json", m(`,"fonts":[{"name":"F","variants":[{"weight":400,"style":"normal","file":"f.ttf"}]}]`), "one.md", ""), `font "F": the bundle has no file "f.ttf"`, ""},
		{"a path out", zipped(t, "preset.json", strings.Replace(m(""), "one.md", "../one.md", 1), "one.md", ""), "not a path inside the bundle", ""},
		{"an absolute path", zipped(t, "preset.json", strings.Replace(m(""), "one.md", "/etc/passwd", 1), "one.md", ""), "not a path inside the bundle", ""},
		{"a master missing", zipped(t, "preset.json", m(`,"resources":[{"id":"p","typeId":"figure","kind":"svg","file":"p.svg","pdfFile":"p.pdf"}]`), "one.md", "", "p.svg", "<svg/>"), "", "print master"},
		{"a master that is no PDF", zipped(t, "preset.json", m(`,"resources":[{"id":"p","typeId":"figure","kind":"svg","file":"p.svg","pdfFile":"p.svg"}]`), "one.md", "", "p.svg", "<svg/>"), "", "print master"},
		{"a .woff", zipped(t, "preset.json", m(`,"fonts":[{"name":"F","variants":[{"weight":400,"style":"normal","file":"f.woff"}]}]`), "one.md", "", "f.woff", "x"), "", "f.woff"},
		{"a cover missing", zipped(t, "preset.json", m(`,"thumbnail":"t.png"`), "one.md", ""), "", ""},
		{"a cover that is no picture", zipped(t, "preset.json", m(`,"thumbnail":"t.png"`), "one.md", "", "t.png", "x"), "", ""},
		{"layouts that are no JSON", zipped(t, "preset.json", m(""), "one.md", "", "layouts.json", "{"), "", ""},
		{"a manifest of the future", zipped(t, "preset.json", m(`,"configVersion":12`), "one.md", ""), "", "rules 12"},
		{"two ids", zipped(t, "preset.json", m(`,"resources":[{"id":"p","typeId":"figure","kind":"svg","file":"p.svg"},{"id":"p","typeId":"figure","kind":"svg","file":"p.svg"}]`), "one.md", "", "p.svg", "<svg/>"), "", "two resources"},
	} {
		b, err := readBytes(c.data, "")
		switch {
		case c.error == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.error != "":
			if err == nil || !strings.Contains(err.Error(), c.error) {
				t.Errorf("%s: %v, want %q", c.name, err, c.error)
			}
		case !strings.Contains(strings.Join(b.Warnings, "; "), c.warns) || c.warns == "" && b.Warnings != nil:
			t.Errorf("%s: warnings %q, want %q", c.name, b.Warnings, c.warns)
		case b.Cover != nil:
			t.Errorf("%s: it has a cover", c.name)
		}
	}
}

func TestManifestsAreCheckedStrictly(t *testing.T) {
	base := map[string]string{"version": "2", "id": `"a"`, "name": `"A"`, "chapters": `[{"title":"","file":"one.md"}]`}
	for _, c := range []struct{ key, value, want string }{
		{"version", "3", "version is 1 or 2"}, {"version", `"2"`, "version"}, {"version", "", "version is 1 or 2"},
		{"id", `""`, "id is empty"}, {"id", "7", "id: it is a number, not a text"}, {"name", "", "name is empty"},
		{"chapters", "[]", "at least one chapter"}, {"chapters", "{}", "names no chapters"}, {"chapters", `{"en":[]}`, "at least one chapter"},
		{"chapters", `[{"title":"x"}]`, "chapter 1 has no file"}, {"chapters", `"one.md"`, "chapters"}, {"chapters", `[{"title":1,"file":"one.md"}]`, "chapters"},
		{"resources", `[{"typeId":"figure"}]`, "resource 1 has no id"}, {"resources", `[{"id":"a"}]`, "no typeId"}, {"resources", `[null]`, "resource 1"}, {"resources", `[7]`, "resources"},
		{"resources", `[{"id":"a","typeId":"figure","width":"1"}]`, "resources"},
		{"fonts", `[{"variants":[]}]`, "name and variants"}, {"fonts", `[{"name":"F"}]`, "name and variants"}, {"fonts", `[{"name":"F","variants":[{"file":"f.ttf"}]}]`, "weight and a file"},
		{"fonts", `[{"name":"F","variants":[{"weight":"bold","file":"f.ttf"}]}]`, "fonts"},
		{"view", `{"canvasScope":"page"}`, "canvasScope"}, {"config", "[]", "config"}, {"locales", `[""]`, "empty tag"}, {"locales", `"en"`, "locales"},
		{"localized", `[]`, "localized"}, {"localized", `{"es":1}`, "localized"}, {"localized", `{"es":{"config":[]}}`, "localized"}, {"localized", `{"es":{"resources":[{}]}}`, "no id"},
		{"tags", `"x"`, "tags"}, {"default", `1`, "default"}, {"thumbnail", `{}`, "thumbnail"}, {"configVersion", `"11"`, "configVersion"},
	} {
		m := map[string]json.RawMessage{}
		for k, v := range base {
			m[k] = json.RawMessage(v)
		}
		m[c.key] = json.RawMessage(c.value)
		if c.value == "" {
			delete(m, c.key)
		}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := openBytes(zipped(t, "preset.json", string(text), "one.md", "")); err == nil || !strings.Contains(err.Error(), "invalid manifest") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.key, c.value, err, c.want)
		}
	}
}

// raw makes an archive entry by entry with headers that say what they like.
func raw(t testing.TB, headers ...*zip.FileHeader) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, h := range headers {
		w, err := z.CreateRaw(h)
		if err == nil {
			_, err = io.WriteString(w, h.Comment)
		}
		if err != nil {
			t.Fatal(err)
		}
		h.Comment = ""
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// entry is a stored entry with content; change makes it lie.
func entry(name, content string, change func(*zip.FileHeader)) *zip.FileHeader {
	h := &zip.FileHeader{Name: name, Comment: content, CRC32: crc32.ChecksumIEEE([]byte(content)), CompressedSize64: uint64(len(content)), UncompressedSize64: uint64(len(content))}
	if change != nil {
		change(h)
	}
	return h
}

func TestHostileArchivesAreRefused(t *testing.T) {
	preset := func() *zip.FileHeader { return entry("preset.json", small, nil) }
	one := func(change func(*zip.FileHeader)) *zip.FileHeader { return entry("chapters/01-one.md", "One.", change) }
	var zeros bytes.Buffer
	z := zip.NewWriter(&zeros)
	for name, n := range map[string]int{"preset.json": 0, "chapters/01-one.md": 8 << 20} {
		w, _ := z.Create(name)
		io.WriteString(w, small[:len(small)*(1-min(n, 1))])
		w.Write(make([]byte, n))
	}
	z.Close()
	many := make([]string, 0, 2*maxEntries+4)
	for i := range maxEntries + 1 {
		many = append(many, fmt.Sprint(i), "")
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"a path out", zipped(t, "preset.json", small, "../../etc/passwd", "x"), "leads out of the archive"},
		{"a path out with back slashes", zipped(t, "preset.json", small, `..\..\boot.ini`, "x"), "leads out"},
		{"a path out in the middle", zipped(t, "preset.json", small, "a/../../b", "x"), "leads out"},
		{"an absolute path", zipped(t, "preset.json", small, "/etc/passwd", "x"), "leads out"},
		{"a drive", zipped(t, "preset.json", small, `C:\boot.ini`, "x"), "leads out"},
		{"two entries of one name", zipped(t, "preset.json", small, "chapters/01-one.md", "One.", "chapters/01-one.md", "Two."), "two entries"},
		{"one name in two spellings", zipped(t, "preset.json", small, "chapters/01-one.md", "One.", `chapters\01-one.md`, "Two."), "two entries"},
		{"a wrong checksum", raw(t, preset(), one(func(h *zip.FileHeader) { h.CRC32++ })), "checksum is wrong"},
		{"a wrong checksum of the manifest", raw(t, entry("preset.json", small, func(h *zip.FileHeader) { h.CRC32++ })), "checksum is wrong"},
		{"more than promised", raw(t, preset(), one(func(h *zip.FileHeader) { h.UncompressedSize64 = 2 })), "01-one.md"},
		{"less than promised", raw(t, preset(), one(func(h *zip.FileHeader) { h.UncompressedSize64 = 2000 })), "damaged"},
		{"a promise of exabytes", raw(t, preset(), one(func(h *zip.FileHeader) { h.UncompressedSize64 = 1 << 62 })), "more than 4 GiB"},
		{"an entry longer than the archive", raw(t, preset(), one(func(h *zip.FileHeader) { h.CompressedSize64 = 1 << 40 })), "lies"},
		{"entries that sum up to more than the archive", raw(t, preset(), one(func(h *zip.FileHeader) { h.CompressedSize64 = 350 }), entry("b", "", func(h *zip.FileHeader) { h.CompressedSize64 = 350 })), "lies"},
		{"a bomb", zeros.Bytes(), "as no book is"},
		{"an encrypted entry", raw(t, preset(), one(func(h *zip.FileHeader) { h.Flags |= 1 })), "encrypted"},
		{"a link", raw(t, preset(), one(func(h *zip.FileHeader) { h.SetMode(fs.ModeSymlink | 0o777) })), "is a link"},
		{"a device", raw(t, preset(), one(func(h *zip.FileHeader) { h.SetMode(fs.ModeDevice | 0o777) })), "is no file"},
		{"an unknown method", raw(t, preset(), one(func(h *zip.FileHeader) { h.Method = 99 })), "method that is not read"},
		{"no deflate data", raw(t, preset(), one(func(h *zip.FileHeader) { h.Method = zip.Deflate })), "damaged"},
		{"a long name", zipped(t, "preset.json", small, strings.Repeat("a", 513), "x"), "513 bytes"},
		{"a name that is no UTF-8", zipped(t, "preset.json", small, "a\xff.png", "x"), "not UTF-8"},
		{"a name with a zero", zipped(t, "preset.json", small, "a\x00.png", "x"), "not UTF-8"},
		{"too many entries", zipped(t, many...), "at most 20000"},
		{"a huge manifest", zipped(t, "preset.json", strings.Repeat(fmt.Sprintf("%x", sha256.Sum256([]byte("noise"))), 33<<20/64+1)), "preset.json"},
	} {
		b, err := readBytes(c.data, "")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v %v, want %q", c.name, b != nil, err, c.want)
		}
	}
	if _, err := OpenBundle(bytes.NewReader(nil), 2<<30); err == nil || !strings.Contains(err.Error(), "1024 MiB") {
		t.Errorf("an archive of 2 GiB: %v", err)
	}
}

func TestADirectoryThatPointsTwiceAtTheSameDataIsRefused(t *testing.T) {
	data := zipped(t, "preset.json", small, "chapters/01-one.md", strings.Repeat("One two three. ", 400), "chapters/02.md", "x")
	// The offset of the third entry in the directory becomes that of the second,
	// and its sizes too: sizes then sum up to more than there is.
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	packed := z.File[1].CompressedSize64
	for n := 0; ; {
		at := bytes.Index(data[n:], []byte("PK\x01\x02"))
		if at < 0 {
			break
		}
		n += at + 4
		if bytes.HasPrefix(data[n+42:], []byte("chapters/02.md")) {
			binary.LittleEndian.PutUint32(data[n+16:], uint32(packed)*20)
		}
	}
	if _, err := openBytes(data); err == nil {
		t.Error("it opens")
	}
}

func TestVersionOneHasOneDocument(t *testing.T) {
	b := mustRead(t, zipped(t, "preset.json", `{"version":1,"id":"a","name":"A","markdown":"book.md"}`, "book.md", "# The *whole* story\n\nText."), "")
	if len(b.Chapters) != 1 || b.Chapters[0].Title != "The whole story" {
		t.Errorf("%+v", b.Chapters[0])
	}
	data := zipped(t, "preset.json", `{"version":1,"id":"a","name":"A","locale":"en","markdown":{"en":"en.md","es":"es.md"}}`, "en.md", "Text.", "es.md", "Texto.")
	if b := mustRead(t, data, "es-MX"); b.Chapters[0].Markdown != "Texto." || b.Language != "es" || b.Chapters[0].Title != "Chapter 1" {
		t.Errorf("%+v", b.Chapters[0])
	}
}

func TestWhichLanguageIsServed(t *testing.T) {
	for _, c := range []struct {
		want     string
		have     string
		fallback string
		served   string
	}{
		{"zh-TW", "zh-Hans zh-Hant en", "en", "zh-Hant"}, {"zh-HK", "zh-Hans zh-Hant en", "en", "zh-Hant"},
		{"zh", "zh-Hant zh-Hans en", "en", "zh-Hans"}, {"zh-CN", "zh-Hant zh-Hans en", "en", "zh-Hans"},
		{"zh-TW", "zh-Hans en", "en", "zh-Hans"}, {"zh-CN", "en zh-Hant", "en", "zh-Hant"},
		{"es-MX", "en es", "en", "es"}, {"ES_mx", "en es es-mx", "en", "es-mx"}, {"pt", "pt-PT pt-BR", "pt-PT", "pt-PT"},
		{"pt-BR", "pt-PT pt-BR", "pt-PT", "pt-BR"}, {"en-GB", "de en", "de", "en"}, {"fr", "de en", "en", "en"}, {"fr", "de en", "it", "de"},
		{"", "de en", "en", "en"}, {"sr-Latn", "sr sr-Latn", "", "sr-Latn"}, {"sr-Latn", "en sr", "en", "sr"},
	} {
		have := strings.Fields(c.have)
		if got := have[MatchLanguage(c.want, have, c.fallback)]; got != c.served {
			t.Errorf("%s of %s: %s, want %s", c.want, c.have, got, c.served)
		}
	}
	if MatchLanguage("en", nil, "en") != -1 {
		t.Error("of no languages there is none")
	}
}

func TestTheWordingBelongsToTheLanguageServed(t *testing.T) {
	res := `"resources":[{"id":"a","typeId":"table","kind":"table","caption":"shared","table":{"model":{"rows":[["x"]]}}}]`
	words := func(tags ...string) string {
		var list []string
		for _, tag := range tags {
			list = append(list, fmt.Sprintf(`%q:{"resources":[{"id":"a","caption":%q}]}`, tag, tag))
		}
		return `"localized":{` + strings.Join(list, ",") + `}`
	}
	list := func(tags ...string) string {
		var out []string
		for _, tag := range tags {
			out = append(out, fmt.Sprintf(`%q:[{"title":"","file":"one.md"}]`, tag))
		}
		return `"chapters":{` + strings.Join(out, ",") + `}`
	}
	shared := `"chapters":[{"title":"","file":"one.md"}]`
	for _, c := range []struct{ name, locale, chapters, words, ask, language, caption string }{
		{"Brazilian captions for pt-BR", "pt-PT", shared, words("pt-BR"), "pt-BR", "pt-BR", "pt-BR"},
		{"not for pt", "pt-PT", shared, words("pt-BR"), "pt", "pt-PT", "shared"},
		{"not for the book's own", "pt-PT", shared, words("pt-BR"), "", "pt-PT", "shared"},
		{"own wording of the primary language", "pt-PT", shared, words("pt-PT", "pt-BR"), "pt-AO", "pt-PT", "pt-PT"},
		{"simplified wording never touches a traditional edition", "en", list("en", "zh-Hant"), words("zh-Hans"), "zh-TW", "zh-Hant", "shared"},
		{"wording of the language without a region", "en", list("en", "es"), words("es-ES"), "es-MX", "es", "es-ES"},
		{"another language asked for", "en", shared, words("es"), "fr", "en", "shared"},
	} {
		data := zipped(t, "preset.json", fmt.Sprintf(`{"version":2,"id":"a","name":"A","locale":%q,%s,%s,%s}`, c.locale, c.chapters, c.words, res), "one.md", "Text.")
		b := mustRead(t, data, c.ask)
		if b.Language != c.language || b.Resources[0].Caption != c.caption {
			t.Errorf("%s: %s with caption %s, want %s with %s", c.name, b.Language, b.Resources[0].Caption, c.language, c.caption)
		}
	}
}

func TestALanguageMayChangePicturesAndSettings(t *testing.T) {
	data := zipped(t, "preset.json", `{"version":2,"id":"a","name":"A","locale":"en","view":{"canvasScope":"book"},
		"chapters":[{"title":"","file":"one.md"}],
		"config":{"layout":{"layoutType":"double"},"bodyText":{"a":1},"page":{"dpi":300}},
		"resources":[{"id":"p","typeId":"figure","kind":"svg","file":"p.svg","pdfFile":"p.pdf","width":7,"height":7}],
		"localized":{"es":{"view":{"canvasScope":"chapter"},"config":{"layout":{},"bodyText":{"b":2}},"resources":[{"id":"p","file":"es/p.svg"},{"id":"none","caption":"x"}]}}}`,
		"one.md", "Text.", "p.svg", "<svg/>", "p.pdf", "%PDF", "es/p.svg", `<svg viewBox="0 0 30 40"/>`)
	es := mustRead(t, data, "es")
	if string(es.Config) != `{"bodyText":{"b":2},"page":{"dpi":300}}` {
		t.Errorf("config %s", es.Config)
	}
	if p := es.Resources[0]; p.Width != 30 || p.Height != 40 || p.Master != nil || p.Name != "es/p.svg" {
		t.Errorf("a picture of a language: %+v", p)
	}
	if es.Scope != "" || len(es.Warnings) != 1 {
		t.Errorf("scope %q, warnings %q", es.Scope, es.Warnings)
	}
	en := mustRead(t, data, "")
	if p := en.Resources[0]; p.Width != 7 || p.Master == nil || en.Scope != "book" || string(en.Config) != `{"bodyText":{"a":1},"layout":{"layoutType":"double"},"page":{"dpi":300}}` {
		t.Errorf("the shared edition: %+v %s", p, en.Config)
	}
}

func TestALanguageOfABookThatNamesNone(t *testing.T) {
	for config, want := range map[string]string{
		`{"locale":"fr","bodyText":{"hyphenation":{"locale":"de"}}}`: "fr",
		`{"bodyText":{"hyphenation":{"locale":"de"}}}`:               "de",
		`{}`: "it",
	} {
		b := mustRead(t, zipped(t, "preset.json", `{"version":2,"id":"a","name":"A","chapters":[{"title":"","file":"one.md"}],"config":`+config+`}`, "one.md", "---\nlanguage: it\n---\nTesto."), "en")
		if b.Language != want {
			t.Errorf("%s: %q", config, b.Language)
		}
	}
}

// spanish is whole in Spanish.
func spanish(t testing.TB) *Book {
	b := *whole(t)
	b.Language, b.Scope = "es", ""
	b.Chapters = nil
	for _, c := range whole(t).Chapters {
		b.Chapters = append(b.Chapters, &Chapter{ID: c.ID, Title: "La marea", Markdown: "# La marea\n"})
	}
	b.Resources = slices.Clone(b.Resources)
	chart := *b.Resources[0]
	chart.Caption, chart.Note, chart.Data, chart.Width, chart.Height, chart.Master = "La carta", "", []byte(`<svg viewBox="0 0 11 22"/>`), 11, 22, nil
	b.Resources[0] = &chart
	b.Config = json.RawMessage(`{"locale":"es"}`)
	return &b
}

func TestABundleOfSeveralLanguages(t *testing.T) {
	data, warnings := written(t, BundleOptions{OpenLocale: "es"}, whole(t), spanish(t))
	if warnings != nil {
		t.Errorf("%q", warnings)
	}
	z, err := openBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(z.Languages(), " "); got != "en es" || z.OpenLocale() != "es" || z.Edition("es").Chapters[0] != "La marea" {
		t.Errorf("languages %s, %+v", got, z.Edition("es"))
	}
	en, err := z.Book("en")
	if err != nil {
		t.Fatal(err)
	}
	es, err := z.Book("es-MX")
	if err != nil {
		t.Fatal(err)
	}
	alone, _ := written(t, BundleOptions{}, whole(t))
	if want := mustRead(t, alone, ""); string(en.Config) != string(want.Config) || !reflect.DeepEqual(en.Resources, want.Resources) {
		t.Errorf("the first edition is not as alone")
	}
	if r := es.Resources[0]; r.Caption != "La carta" || r.Note != "" || r.Width != 11 || r.Master != nil || es.Chapters[0].File != "chapters/es/01-la-marea.md" {
		t.Errorf("%+v", r)
	}
	if !strings.HasPrefix(string(es.Config), `{"customFonts":[{`) || !strings.HasSuffix(string(es.Config), `"locale":"es"}`) || es.Scope != "" || en.Scope != "book" {
		t.Errorf("%s", es.Config)
	}
	again, _ := written(t, BundleOptions{OpenLocale: "es"}, en, es)
	if !bytes.Equal(data, again) {
		t.Error("read and written again it has other bytes")
	}
	if _, err := WriteBundle(io.Discard, []*Book{whole(t), whole(t)}, BundleOptions{}); err == nil {
		t.Error("one language twice is not refused")
	}
}

func TestWhatCannotTravelIsLeftOutWithAWarning(t *testing.T) {
	no := false
	b := whole(t)
	b.Resources = append(slices.Clone(b.Resources),
		&Resource{ID: "gone", Kind: KindBitmap, TypeID: "figure", lazy: &lazyFile{read: func() ([]byte, error) { return nil, errors.New("gone") }}},
		&Resource{ID: "refs", Kind: "bibliography", Name: "refs.bib", Data: []byte("@book{}")})
	svg := *b.Resources[0]
	svg.Master = &File{Name: "x.pdf"}
	b.Resources[0] = &svg
	b.Fonts = append(slices.Clone(b.Fonts), &Resource{ID: "f2", Name: "fonts/Old.woff", Kind: "font", Data: []byte("wOFF")}, &Resource{ID: "f3", Name: "fonts/Mine.ttf", Kind: "font", Data: []byte("true")})
	families, _ := json.Marshal(map[string]any{"customFonts": []fontFamily{
		{Name: "Shore", Variants: []fontVariant{{700, "italic", "f1", "otf", ""}, {400, "normal", "f9", "otf", ""}}},
		{Name: "Old", Variants: []fontVariant{{400, "normal", "f2", "woff", ""}}},
		{Name: "Mine", Variants: []fontVariant{{400, "normal", "f3", "ttf", ""}}, Redistributable: &no},
	}})
	b.Config = families
	data, warnings := written(t, BundleOptions{}, b)
	text := strings.Join(warnings, "\n")
	for _, want := range []string{`"gone" is left out`, "refs.bib", `master of "Chart"`, "its file is missing", "only .ttf, .otf and .woff2", `"Mine" is left out: it may not be passed on`} {
		if !strings.Contains(text, want) {
			t.Errorf("no warning %q in\n%s", want, text)
		}
	}
	got := mustRead(t, data, "")
	if len(got.Resources) != 4 || len(got.Fonts) != 1 || got.Resources[0].Master != nil {
		t.Errorf("%d resources, %d fonts", len(got.Resources), len(got.Fonts))
	}
}

func TestAFamilyThatMayNotBePassedOnStillSetsThePages(t *testing.T) {
	data := zipped(t, "preset.json", `{"version":2,"id":"a","name":"A","chapters":[{"title":"","file":"one.md"}],"fonts":[{"name":"Mine","redistributable":false,"variants":[{"weight":400,"style":"normal","file":"f.ttf"}]}]}`, "one.md", "x", "f.ttf", "true")
	b := mustRead(t, data, "")
	if len(b.Fonts) != 1 || !strings.Contains(string(b.Config), `"redistributable":false`) {
		t.Fatalf("%s", b.Config)
	}
	out, warnings := written(t, BundleOptions{}, b)
	if got := mustRead(t, out, ""); len(got.Fonts) != 0 || got.Config != nil || len(warnings) != 1 {
		t.Errorf("%q %s", warnings, got.Config)
	}
}

func TestFontsOfAFolderAreNamedByTheirFiles(t *testing.T) {
	b := whole(t)
	b.Config = nil
	face := func([]byte) (string, int, bool, error) { return "Shore", 700, true, nil }
	data, warnings := written(t, BundleOptions{Face: face}, b)
	if got := mustRead(t, data, ""); warnings != nil || !strings.Contains(string(got.Config), `"name":"Shore"`) {
		t.Errorf("%q %s", warnings, got.Config)
	}
	if _, warnings := written(t, BundleOptions{}, b); len(warnings) != 1 {
		t.Errorf("%q", warnings)
	}
}

// counting counts the files read of a file system, and how many at once.
type counting struct {
	fstest.MapFS
	mu   sync.Mutex
	read map[string]int
	now  atomic.Int32
	most atomic.Int32
}

func (c *counting) Open(name string) (fs.File, error) {
	c.mu.Lock()
	c.read[name]++
	c.mu.Unlock()
	n := c.now.Add(1)
	defer c.now.Add(-1)
	for {
		most := c.most.Load()
		if n <= most || c.most.CompareAndSwap(most, n) {
			break
		}
	}
	time.Sleep(time.Millisecond)
	return c.MapFS.Open(name)
}

func TestOnlyTheLanguageServedIsReadEightChaptersAtATime(t *testing.T) {
	c := &counting{MapFS: fstest.MapFS{}, read: map[string]int{}}
	lists := map[string][]manifestChapter{}
	for _, tag := range []string{"en", "es"} {
		for i := range 130 {
			name := fmt.Sprintf("chapters/%s/%03d.md", tag, i+1)
			c.MapFS[name] = &fstest.MapFile{Data: []byte(fmt.Sprintf("Chapter %d of %s.", i+1, tag))}
			lists[tag] = append(lists[tag], manifestChapter{"", name})
		}
	}
	text, _ := json.Marshal(map[string]any{"version": 2, "id": "a", "name": "A", "locale": "en", "chapters": lists})
	c.MapFS["preset.json"] = &fstest.MapFile{Data: text}
	z, err := OpenBundleFS(c)
	if err != nil {
		t.Fatal(err)
	}
	b, err := z.Book("es")
	if err != nil {
		t.Fatal(err)
	}
	for i, ch := range b.Chapters {
		if ch.Markdown != fmt.Sprintf("Chapter %d of es.", i+1) {
			t.Fatalf("chapter %d: %s", i+1, ch.Markdown)
		}
	}
	for name := range c.read {
		if strings.HasPrefix(name, "chapters/en") {
			t.Errorf("%s was read", name)
		}
	}
	if most := c.most.Load(); most > 8 {
		t.Errorf("%d files at once", most)
	}
	if !IsBundle(c) {
		t.Error("the folder is not known as a bundle")
	}
}

func TestARepetitiveChapterIsWrittenSoThatItIsReadAgain(t *testing.T) {
	b := whole(t)
	b.Chapters = []*Chapter{{Title: "Long", Markdown: strings.Repeat("a", 4<<20)}}
	data, _ := written(t, BundleOptions{}, b)
	if got := mustRead(t, data, ""); len(got.Chapters[0].Markdown) != 4<<20 {
		t.Error("the chapter is another one")
	}
}

func TestABookOfManyChaptersIsShownChapterByChapter(t *testing.T) {
	b := whole(t)
	for i := range 201 {
		b.Chapters = append(b.Chapters, &Chapter{Title: fmt.Sprint(i), Markdown: "x"})
	}
	data, _ := written(t, BundleOptions{}, b)
	if got := mustRead(t, data, ""); got.Scope != "" || got.Chapters[203].File != "chapters/204-200.md" {
		t.Errorf("%q %s", got.Scope, got.Chapters[203].File)
	}
}

func FuzzOpenBundle(f *testing.F) {
	full, _ := written(f, BundleOptions{}, whole(f))
	f.Add(full)
	two, _ := written(f, BundleOptions{}, whole(f), spanish(f))
	f.Add(two)
	f.Add(zipped(f, "preset.json", small, "chapters/01-one.md", "One."))
	f.Add(zipped(f, "a/preset.json", small))
	f.Add(zipped(f, "preset.json", small, "chapters/01-one.md", "One.", "folder.json", `{"known":true,"changed":["design"],"files":{"b.md":{"at":"chapters/01-one.md","was":"4-0"},"../x.md":{"at":"chapters/01-one.md"},"fonts/a.ttf":{"at":"chapters/01-one.md","loose":true}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := readBytes(data, "es")
		if err != nil {
			return
		}
		if len(b.Chapters) == 0 {
			t.Fatal("a book without chapters")
		}
		var out bytes.Buffer
		if _, err := WriteBundle(&out, []*Book{b}, BundleOptions{Time: noon}); err != nil {
			t.Fatal(err)
		}
		if _, err := readBytes(out.Bytes(), ""); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzManifest(f *testing.F) {
	f.Add(small)
	f.Add(`{"version":2,"id":"a","name":"A","locale":"en","chapters":{"en":[{"file":"one.md"}]},"config":{"layout":{}},"resources":[{"id":"p","typeId":"figure","kind":"svg","file":"one.svg","placement":{"width":0.5}},{"id":"t","typeId":"table","kind":"table","table":{"model":{"rows":[["a",{"content":"b","colSpan":2}]]}}}],"fonts":[{"name":"F","variants":[{"weight":400,"file":"f.ttf"}]}],"localized":{"es":{"config":{"layout":null},"resources":[{"id":"p","caption":"x","file":"one.svg"}]}}}`)
	f.Add(`{"version":1,"id":"a","name":"A","markdown":{"en":"one.md","zh-Hant":"two.md"}}`)
	f.Fuzz(func(t *testing.T, manifest string) {
		fsys := fstest.MapFS{"preset.json": &fstest.MapFile{Data: []byte(manifest)}, "one.md": &fstest.MapFile{Data: []byte("# One")},
			"chapters/01-one.md": &fstest.MapFile{Data: []byte("One.")}, "one.svg": &fstest.MapFile{Data: []byte("<svg/>")}, "f.ttf": &fstest.MapFile{Data: []byte("true")}}
		z, err := OpenBundleFS(fsys)
		if err != nil {
			return
		}
		for _, tag := range append(z.Languages(), "", "zh-TW") {
			if b, err := z.Book(tag); err == nil {
				if _, err := WriteBundle(io.Discard, []*Book{b}, BundleOptions{Time: noon}); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
