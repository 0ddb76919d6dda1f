package sandbox

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"postext/book"
	"postext/bridge"
	"postext/engine"
	"postext/engine/frame"
	"postext/engine/settings"
	"postext/engine/unit"
)

// plainTypesetter lays out without fonts: each source line is a line, ten lines
// are a page. Tests of the session use it; what pages look like is not theirs.
type plainTypesetter struct {
	runs  atomic.Int64
	delay time.Duration
	gate  chan struct{} // when not nil a layout waits for it
	fail  func(*book.Book) error
}

func (p *plainTypesetter) Typeset(ctx context.Context, b *book.Book, o engine.Observer) (*engine.Result, error) {
	p.runs.Add(1)
	if p.fail != nil {
		if err := p.fail(b); err != nil {
			return nil, err
		}
	}
	res := &engine.Result{Frames: &frame.Book{}, Design: &settings.Design{}}
	number := 1
	for i, c := range b.Chapters {
		if p.gate != nil {
			select {
			case <-p.gate:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if p.delay > 0 {
			select {
			case <-time.After(p.delay):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		fc := &frame.Chapter{ID: c.ID, Title: c.Title, FirstPage: number, Converged: true}
		at := 0
		lines := strings.SplitAfter(c.Markdown, "\n")
		for n := 0; n < max(len(lines), 1); n += 10 {
			pg := &frame.Page{Number: number, Value: number, Label: label(number), Recto: number%2 == 1, Width: 300 * unit.Pt, Height: 400 * unit.Pt,
				Content: unit.Rect{X: 30 * unit.Pt, Y: 40 * unit.Pt, W: 240 * unit.Pt, H: 320 * unit.Pt}}
			if n == 0 {
				pg.Role = frame.Opener
			}
			col := frame.Column{Box: pg.Content}
			for k := n; k < min(n+10, len(lines)); k++ {
				text := strings.TrimSuffix(lines[k], "\n")
				y := pg.Content.Y + unit.Sp(k-n)*20*unit.Pt
				if text != "" {
					bl := &frame.Block{Kind: frame.Paragraph, Index: k, Start: at, End: at + len(lines[k]),
						Box:  unit.Rect{X: pg.Content.X, Y: y, W: pg.Content.W, H: 20 * unit.Pt},
						Text: &frame.Text{Plain: text, Map: []frame.MapEntry{{Plain: 0, Src: int32(at)}}}}
					bl.Lines = []frame.Line{{X: pg.Content.X, Top: y, Height: 20 * unit.Pt, Baseline: y + 16*unit.Pt,
						LineSet: &frame.LineSet{Start: 0, End: int32(len(text)), Width: 200 * unit.Pt, Last: true}}}
					col.Blocks = append(col.Blocks, bl)
					col.Used = y + 20*unit.Pt - col.Box.Y
				}
				at += len(lines[k])
			}
			pg.Columns = []frame.Column{col}
			fc.Pages = append(fc.Pages, pg)
			number++
		}
		res.Frames.Chapters = append(res.Frames.Chapters, fc)
		if o.Chapter != nil {
			o.Chapter(i, len(b.Chapters), fc, true)
		}
	}
	return res, nil
}

func label(n int) string {
	text, err := json.Marshal(n)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// smallBook is a book of two chapters with the ids of the seed's examples.
func smallBook() *book.Book {
	return &book.Book{Kind: "sample", ID: "postext-guide", Name: "Postext guide", Language: "en", Chapters: []*book.Chapter{
		{ID: "a", Title: "Opening", Markdown: "# Opening\n\nThe first words.\n\nMore of them.\n"},
		{ID: "b", Title: "Second", Markdown: "# Second\n\nThe last words of the opening.\n\nA colour and a colour.\n"},
	}}
}

// opened is a session on a book with the plain typesetter, closed at the end of
// the test.
func opened(t testing.TB, b *book.Book, change func(*Options)) *Session {
	t.Helper()
	o := Options{Typesetter: &plainTypesetter{}}
	if change != nil {
		change(&o)
	}
	s := New(o)
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if b != nil {
		if err := s.Open(b, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// fixture is the book of testdata.
func fixture(t testing.TB) *book.Book {
	t.Helper()
	b, err := book.OpenFolder(filepath.Join("testdata", "book"))
	if err != nil {
		t.Fatal(err)
	}
	b.Kind, b.ID = "sample", "postext-guide"
	return b
}

// call runs a tool and gives its answer as text and as a map.
func call(t testing.TB, s *Session, tool, args string) (map[string]any, string) {
	t.Helper()
	return callContext(t, context.Background(), s, tool, args)
}

func callContext(t testing.TB, ctx context.Context, s *Session, tool, args string) (map[string]any, string) {
	t.Helper()
	r := bridge.NewRegistry(bridge.Options{Log: func(id, tool string, err error, stack []byte) {
		t.Errorf("%s: internal error %s: %v\n%s", tool, id, err, stack)
	}})
	if err := r.Add(Tools(s)...); err != nil {
		t.Fatal(err)
	}
	text := r.Call(ctx, tool, json.RawMessage(args)).String()
	var m map[string]any
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%s answered %q: %v", tool, text, err)
	}
	return m, text
}

// good calls a tool that must succeed.
func good(t testing.TB, s *Session, tool, args string) map[string]any {
	t.Helper()
	m, text := call(t, s, tool, args)
	if m["ok"] != true {
		t.Fatalf("%s %s: %s", tool, args, text)
	}
	return m
}

// refused calls a tool that must refuse with words that hold all of want.
func refused(t testing.TB, s *Session, tool, args string, want ...string) {
	t.Helper()
	m, text := call(t, s, tool, args)
	if m["ok"] != false {
		t.Errorf("%s %s: not refused: %s", tool, args, text)
		return
	}
	words, _ := m["error"].(string)
	for _, w := range want {
		if !strings.Contains(words, w) {
			t.Errorf("%s %s: the error %q lacks %q", tool, args, words, w)
		}
	}
	if len([]rune(words)) > 900 {
		t.Errorf("%s %s: the error has %d characters", tool, args, len(words))
	}
}

// at walks into an answer: keys and indexes.
func within(t testing.TB, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch k := p.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				t.Fatalf("no object at %v of %v", k, v)
			}
			v = m[k]
		case int:
			l, ok := v.([]any)
			if !ok || k >= len(l) {
				t.Fatalf("no item %d in %v", k, v)
			}
			v = l[k]
		}
	}
	return v
}

func textOf(t testing.TB, s *Session, chapter int) string {
	t.Helper()
	b, _, err := s.Book(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return b.Chapters[chapter-1].Markdown
}
