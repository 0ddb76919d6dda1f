package sandbox

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"time"

	"postext/book"
	"postext/bridge"
	"postext/sandbox/internal/digest"
)

func (s *Session) exportTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_export", "Export a file",
			"Writes a file: postext (the whole book), markdown (a chapter or all) or config (the design). The browser downloads it, or with deliver data the answer holds it as base64. Example: {\"format\": \"markdown\", \"deliver\": \"data\"}.",
			reads, s.export),
	}
}

type exportArgs struct {
	Format   string    `json:"format" enum:"postext,markdown,config"`
	Scope    string    `json:"scope" enum:"chapter,book" default:"book" doc:"markdown: a chapter, or all (fileName .zip: a file each)"`
	Chapter  any       `json:"chapter,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"with scope chapter; left out: the one on screen"`
	Deliver  string    `json:"deliver" enum:"download,data" default:"download"`
	Part     *partArgs `json:"part,omitempty" doc:"with deliver data: the rest of the last file"`
	FileName string    `json:"fileName,omitempty" maxLen:"200"`
	Book     *bookArgs `json:"book,omitempty" doc:"postext: another book"`
}

// bookArgs names a book of the library.
type bookArgs struct {
	Kind     string `json:"kind" enum:"sample,project"`
	ID       string `json:"id" minLen:"1" doc:"from sandbox_list_books"`
	Language string `json:"language,omitempty" doc:"of a sample; left out: all"`
}

type partArgs struct {
	Offset int `json:"offset" min:"0"`
	Length int `json:"length,omitempty" min:"1" doc:"at most 7 MB"`
}

type exportAnswer struct {
	FileName     string   `json:"fileName"`
	MIMEType     string   `json:"mimeType"`
	Bytes        int      `json:"bytes"`
	Milliseconds int64    `json:"milliseconds"`
	Warnings     []string `json:"warnings,omitempty"`
	Downloaded   bool     `json:"downloaded,omitempty"`
	Base64       string   `json:"base64,omitempty"`
	*filePart
	Note     string `json:"note,omitempty"`
	Revision int64  `json:"revision"`
}

// filePart tells of a file that is given in parts.
type filePart struct {
	Offset     int    `json:"offset"`
	TotalBytes int    `json:"totalBytes"`
	SHA256     string `json:"sha256"`
	NextOffset int    `json:"nextOffset,omitempty"`
}

// maxInline is the most bytes of a file one answer holds.
const maxInline = 7 << 20

// exported is a file that was written; the last one is kept for its further
// parts.
type exported struct {
	key      string // the arguments it answers
	name     string
	mime     string
	data     []byte
	warnings []string
	revision int64
	spent    time.Duration
}

// exporters write the formats. Each reads one snapshot of the book.
var exporters = map[string]func(s *Session, ctx context.Context, snap snapshot, a exportArgs) (*exported, error){
	"postext":  (*Session).exportBundle,
	"markdown": (*Session).exportMarkdown,
	"config":   (*Session).exportConfig,
}

func (a exportArgs) check() error {
	switch {
	case a.Chapter != nil && a.Scope != "chapter":
		return bridge.Refuse("chapter goes with scope \"chapter\"; scope \"book\" exports them all")
	case a.Scope == "chapter" && a.Format != "markdown":
		return bridge.Refuse("%s holds the whole book: leave scope out. A single chapter is exported as markdown", a.Format)
	case a.Book != nil && a.Format != "postext":
		return bridge.Refuse("book goes with format \"postext\"; to export another book as %s open it first (sandbox_open_book)", a.Format)
	case a.Part != nil && a.Deliver != "data":
		return bridge.Refuse("part goes with deliver \"data\"")
	case strings.ContainsAny(a.FileName, `/\`) || strings.HasPrefix(a.FileName, "."):
		return bridge.Refuse("fileName is a name without folders, such as \"book.postext\"")
	case a.Book != nil && a.Book.Kind == "project" && a.Book.Language != "":
		return bridge.Refuse("book.language goes with a sample; an own book is in one language: leave it out")
	}
	return nil
}

func (s *Session) export(ctx context.Context, a exportArgs) (any, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	plain := a
	plain.Part, plain.Deliver = nil, ""
	keyText, err := json.Marshal(plain)
	if err != nil {
		return nil, err
	}
	key := string(keyText)
	if a.Part != nil {
		s.mu.Lock()
		file := s.exportedLast
		s.mu.Unlock()
		if file == nil || file.key != key {
			return nil, bridge.Refuse("part fetches the rest of the file exported last with the same arguments; that file is not there any more, or came whole, as short ones do: export it again without part")
		}
		return file.part(a.Part.Offset, a.Part.Length)
	}
	begun := time.Now()
	file, err := exporters[a.Format](s, ctx, snap, a)
	if err != nil {
		return nil, err
	}
	file.key, file.revision, file.spent = key, snap.rev, time.Since(begun)
	if a.FileName != "" {
		file.name = a.FileName
		if ext := path.Ext(file.name); ext == "" {
			file.name += file.ext()
		}
	}
	if a.Deliver == "data" {
		s.mu.Lock()
		s.exportedLast = nil
		if len(file.data) > maxInline {
			s.exportedLast = file
		}
		s.mu.Unlock()
		return file.part(0, 0)
	}
	if s.opts.Download == nil {
		return nil, bridge.Refuse("there is no browser here to download with: ask for deliver \"data\", or use the command postext export")
	}
	if err := s.opts.Download(ctx, file.name, file.mime, file.data); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, bridge.Refuse("the file was written, but the browser did not take it (%v): ask for deliver \"data\"", err)
	}
	ans := file.answer()
	ans.Downloaded = true
	return ans, nil
}

func (f *exported) ext() string {
	switch f.mime {
	case "text/markdown":
		return ".md"
	case "application/json":
		return ".json"
	}
	return path.Ext(f.name)
}

func (f *exported) answer() *exportAnswer {
	return &exportAnswer{FileName: f.name, MIMEType: f.mime, Bytes: len(f.data), Milliseconds: f.spent.Milliseconds(), Warnings: f.warnings, Revision: f.revision}
}

// part answers with bytes of the file: all of it when it is short enough.
func (f *exported) part(offset, length int) (any, error) {
	ans := f.answer()
	if offset > len(f.data) {
		return nil, bridge.Refuse("the file has %d bytes; part.offset %d lies behind them", len(f.data), offset)
	}
	if length == 0 || length > maxInline {
		length = maxInline
	}
	end := min(offset+length, len(f.data))
	ans.Base64 = base64.StdEncoding.EncodeToString(f.data[offset:end])
	if offset > 0 || end < len(f.data) {
		ans.filePart = &filePart{Offset: offset, TotalBytes: len(f.data), SHA256: digest.Of(f.data)}
		if end < len(f.data) {
			ans.NextOffset = end
			ans.Note = fmt.Sprintf("bytes %d to %d of %d; the same call with part {\"offset\": %d} gives the next", offset, end, len(f.data), end)
		}
	}
	return ans, nil
}

// fileStem is a book's name as a file's.
func fileStem(name, empty string) string {
	if slug := book.Slug(name); slug != "" {
		return slug
	}
	return empty
}

func (s *Session) exportBundle(ctx context.Context, snap snapshot, a exportArgs) (*exported, error) {
	editions := []*book.Book{snap.book}
	var read *book.Book
	if a.Book != nil {
		var err error
		if editions, err = s.otherBook(ctx, *a.Book); err != nil {
			return nil, err
		}
	} else {
		s.mu.Lock()
		// Of a folder that has changed since the reader's own changes began, what they
		// began with is not known any more.
		if snap.book.Kind == "sample" && !s.newer {
			read = s.original
		}
		s.mu.Unlock()
	}
	layouts, err := s.exportedLayouts(ctx, snap, a.Book, editions)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	warnings, err := book.WriteBundle(&out, editions, book.BundleOptions{Time: time.Now(), Face: s.opts.Face, Layouts: layouts, Read: read})
	if err != nil {
		return nil, err
	}
	return &exported{name: fileStem(editions[0].Name, "project") + ".postext", mime: "application/zip", data: out.Bytes(), warnings: warnings}, nil
}

// otherBook reads a book of the library: an own one as it is kept, a sample as it
// is published, in every language or in one.
func (s *Session) otherBook(ctx context.Context, a bookArgs) ([]*book.Book, error) {
	l, err := s.library()
	if err != nil {
		return nil, err
	}
	if a.Kind == "project" {
		r, err := l.find(ctx, a.ID)
		if err != nil {
			return nil, err
		}
		if open := s.openRef(); open.Kind == r.Kind && open.ID == r.ID {
			if err := s.Save(ctx); err != nil { // what was typed last goes out too
				return nil, saveRefusal(err)
			}
		}
		b, err := l.Read(ctx, r)
		return []*book.Book{b}, err
	}
	r, err := l.sample(ctx, Ref{Kind: "sample", ID: a.ID, Language: a.Language})
	if err != nil {
		return nil, err
	}
	languages := []string{r.Language}
	list, err := l.Samples.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, sm := range list {
		if sm.ID == r.ID && a.Language == "" && len(sm.Languages) > 0 {
			languages = sm.Languages
		}
	}
	var editions []*book.Book
	for _, tag := range languages {
		b, err := l.Read(ctx, Ref{Kind: "sample", ID: r.ID, Language: tag})
		if err != nil {
			return nil, err
		}
		c := *b
		if c.BundleID == "" {
			c.BundleID = r.ID
		}
		editions = append(editions, &c)
	}
	return editions, nil
}

func (s *Session) exportConfig(_ context.Context, snap snapshot, _ exportArgs) (*exported, error) {
	data, err := book.ConfigFile(snap.book.Config)
	if err != nil {
		return nil, err
	}
	return &exported{name: "postext-config.json", mime: "application/json", data: data}, nil
}

// exportMarkdown writes a chapter, or the chapters after one another in one file
// or, when the file's name asks for it, as the files of an archive.
func (s *Session) exportMarkdown(ctx context.Context, snap snapshot, a exportArgs) (*exported, error) {
	b := snap.book
	stem := fileStem(b.Name, "document")
	if a.Scope == "chapter" {
		i, err := s.chapterAt(b, a.Chapter)
		if err != nil {
			return nil, err
		}
		name := stem + ".md"
		if len(b.Chapters) > 1 {
			name = stem + "-" + chapterFile(b, i)
		}
		return &exported{name: name, mime: "text/markdown", data: []byte(b.Chapters[i].Markdown)}, nil
	}
	if strings.EqualFold(path.Ext(a.FileName), ".zip") {
		data, err := ChaptersZip(b)
		if err != nil {
			return nil, err
		}
		return &exported{name: stem + ".zip", mime: "application/zip", data: data}, nil
	}
	return &exported{name: stem + ".md", mime: "text/markdown", data: []byte(JoinedChapters(b))}, nil
}

// chapterFile is the name of a chapter's file: its number and title.
func chapterFile(b *book.Book, i int) string {
	width := max(2, len(fmt.Sprint(len(b.Chapters))))
	return fmt.Sprintf("%0*d-%s.md", width, i+1, fileStem(b.Chapters[i].Title, "chapter"))
}

// JoinedChapters is the text of the whole book in one file. The front matter of
// the first chapter is the book's; that of others was never read.
func JoinedChapters(b *book.Book) string {
	var out strings.Builder
	for i, c := range b.Chapters {
		text := c.Markdown
		if i > 0 {
			if _, end := book.FrontMatter(text); end > 0 {
				text = text[end:]
			}
			out.WriteString("\n\n")
			text = strings.TrimLeft(text, "\n")
		}
		if i < len(b.Chapters)-1 {
			text = strings.TrimRight(text, "\n")
		}
		out.WriteString(text)
	}
	return out.String()
}

// ChaptersZip is an archive with a file for each chapter.
func ChaptersZip(b *book.Book) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i, c := range b.Chapters {
		w, err := z.CreateHeader(&zip.FileHeader{Name: chapterFile(b, i), Method: zip.Deflate, Modified: time.Now()})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write([]byte(c.Markdown)); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}
