package engine

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"postext/book"
	"postext/engine/cite"
	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/hyphen"
	"postext/engine/layout"
	"postext/engine/markup"
	"postext/engine/settings"
)

// Typesetter typesets books and keeps what it learned, so that the same book
// with a few changes costs little more than the changes. It is not for
// concurrent use.
type Typesetter struct {
	world    World
	lay      *layout.Layouter
	faces    map[faceKey]*font.Face
	set      font.Set
	stands   map[faceKey]*font.Face // faces that stand in for others
	stood    time.Time              // when these others were last asked for
	lasting  map[faceKey]bool       // of them: not to be had at all
	fallback fallback
	own      *ownFonts             // of the book's own fonts
	families []settings.CustomFont // that own was made of
	hyphen   *hyphen.Library
	whole    map[string]error // pattern files that cannot be had, and why
	pics     pictures

	config   string
	language string
	design   *settings.Design
	numbered *settings.Design // design with numbers for its colours: what is laid out
	inks     settings.Inks

	chapters map[string]*chapter
	outline  layout.Outline    // of the last run, with labels
	labels   map[string]string // of pages, of the last run
	cited    *citedBook        // of the last run
	total    int               // pages of the last run
	parsed   int64
	spent    Counters // of layouters before this one
	lastLook time.Time

	// The keys of resources and settings asked for last, and what they are of.
	keyed                             string
	keyedOf                           []*book.Resource
	configKeyed, configOf, languageOf string
}

type faceKey struct {
	family string
	weight int
	italic bool
}

// chapter is what is kept of a chapter.
type chapter struct {
	options markup.Options
	maths   bool // formulas are set
	doc     *markup.Document
	scan    scan
	prints  layout.Use       // what it prints of the rest of the book
	named   []layout.Mention // of resources
	cites   layout.CiteUse
	notedBy notedDoc
	works   []cite.Work     // of its :::references blocks and its front matter
	faults  []frame.Problem // in them
	laid    *layout.Chapter
	failed  *failure // laid stands in for the chapter; nil when it is itself
	use     int

	outlineKey uint64 // of the outline it was laid out with
	inked      *frame.Inking

	text     string // key of its text, once asked for
	record   *Record
	recorded *layout.Chapter // what record is of
}

// New returns a typesetter that works in a world.
func New(w World) *Typesetter {
	t := &Typesetter{world: w, faces: map[faceKey]*font.Face{}, stands: map[faceKey]*font.Face{}, lasting: map[faceKey]bool{},
		hyphen: hyphen.NewLibrary(w.Patterns), whole: map[string]error{}}
	t.forgetAll()
	return t
}

// forgetAll begins anew with what was measured and laid out.
func (t *Typesetter) forgetAll() {
	if t.lay != nil {
		t.spent = t.Counters()
	}
	t.chapters = map[string]*chapter{}
	t.lay = layout.New(layout.Env{Face: t.face, Others: t.others, Yield: t.world.Yield, Hyphenate: t.hyphenate})
}

// Counters returns what the calls so far cost.
func (t *Typesetter) Counters() Counters {
	c := t.lay.Counters()
	s := t.spent
	return Counters{ParagraphsShaped: s.ParagraphsShaped + c.ParagraphsShaped, ParagraphsBroken: s.ParagraphsBroken + c.ParagraphsBroken,
		ChaptersParsed: t.parsed, ChaptersPlaced: s.ChaptersPlaced + c.ChaptersPlaced, PagesPlaced: s.PagesPlaced + c.PagesPlaced,
		Looks: s.Looks + c.Looks}
}

// Resolve returns the design of a book.
func (t *Typesetter) Resolve(b *book.Book) (*settings.Design, error) {
	if t.design != nil && t.config == string(b.Config) && t.language == b.Language && t.own.sameFonts(b) {
		return t.design, nil
	}
	config := []byte(b.Config)
	if len(config) == 0 {
		config = []byte("{}")
	}
	tree, err := settings.Parse(config)
	if err != nil {
		return nil, fmt.Errorf("the book's configuration: %w", err)
	}
	d, err := settings.Resolve(tree, settings.Env{Language: b.Language})
	if err != nil {
		return nil, fmt.Errorf("the book's configuration: %w", err)
	}
	if families := settings.CustomFonts(tree); !reflect.DeepEqual(families, t.families) || !t.own.sameFonts(b) {
		t.refont(b, families)
	}
	t.config, t.language, t.design, t.numbered = string(b.Config), b.Language, d, d.Numbered(&t.inks)
	clear(t.stands)
	clear(t.lasting)
	t.reorder()
	return d, nil
}

// refont takes up other fonts of the book's own. What was set in the fonts before
// is of no use then.
func (t *Typesetter) refont(b *book.Book, families []settings.CustomFont) {
	t.own, t.families = newOwnFonts(b, families), families
	if len(t.faces) > 0 {
		clear(t.faces)
		clear(t.stands)
		clear(t.lasting)
		t.fallback = fallback{}
		t.set = font.Set{}
		t.forgetAll()
	}
}

// maxPasses bounds the repeated layouts that page numbers in the text ask for
// (layout.md 12).
const maxPasses = 4

// Typeset lays a whole book out. A cancelled call returns the context's error
// and leaves the typesetter fit for the next; what it had done is kept. The
// frames returned share what did not change with those of earlier calls.
func (t *Typesetter) Typeset(ctx context.Context, b *book.Book, o Observer) (*Result, error) {
	design, err := t.Resolve(b)
	if err != nil {
		return nil, err
	}
	d := t.numbered
	t.lastLook = time.Now()
	if err := t.askAgain(ctx); err != nil {
		return nil, err
	}
	t.tryAgain(ctx, o.Retry)
	t.lay.Begin()
	t.pics.index(b)
	known := t.known(b, d, o.Records)
	if o.Known != nil && len(known) > 0 {
		o.Known(known)
	}
	res := &Result{Design: design, Docs: make([]*markup.Document, len(b.Chapters))}
	entries := make([]*chapter, len(b.Chapters))
	for i, c := range b.Chapters {
		if entries[i], err = t.read(ctx, c, d, i == 0); err != nil {
			return nil, err
		}
		res.Docs[i] = entries[i].doc
	}
	start := layout.State{Next: d.Page.StartAt, Format: d.Page.NumberFormat, Meta: MetaOf(b, firstOf(res.Docs))}

	named := make([][]layout.Mention, len(entries))
	for i, e := range entries {
		named[i] = e.named
	}
	t.recall(known, len(entries))
	refs, heads := t.references(entries, d, start)
	cites := t.citations(entries, d)
	resources := layout.Count(named, heads, start.Counters, &d.Figures, t.pics.record)
	var laid []*layout.Chapter
	total := t.total
	converged := false
	for pass := 0; pass < maxPasses && !converged; pass++ {
		if laid, err = t.pass(ctx, b, d, entries, start, known, refs, cites, resources, total, o, pass); err != nil {
			return nil, err
		}
		pages := 0
		for i, c := range laid {
			pages += len(c.Frame.Pages)
			entries[i].laid = c
		}
		converged = refs.landed(laid, entries, d)
		if pages != total && len(laid) > 0 && laid[0].Totals {
			converged = false
		}
		total = pages
	}
	t.outline, t.labels, t.total = refs.outline, refs.links.Labels, total
	t.lay.End()
	t.forget(b)

	res.Frames = &frame.Book{Chapters: make([]*frame.Chapter, len(laid))}
	for i, c := range laid {
		f := t.frame(entries[i], c)
		if !converged && (entries[i].prints.Any() || c.Totals) {
			clone := *f
			clone.Converged = false
			f = &clone
		}
		res.Frames.Chapters[i] = f
	}
	res.Problems = append(append(t.standIns(), t.undivided()...), Duplicates(b)...)
	res.Stands, res.Again = t.standing(), t.again()
	res.Records = t.remember(b, entries)
	return res, nil
}

// frame is a chapter's frames in their colours.
func (t *Typesetter) frame(e *chapter, c *layout.Chapter) *frame.Chapter {
	e.inked = frame.Ink(c.Frame, e.inked, t.numbered.Real)
	return e.inked.Chapter
}

// pass lays the chapters out one after the other.
func (t *Typesetter) pass(ctx context.Context, b *book.Book, d *settings.Design, entries []*chapter, start layout.State, known []KnownPages,
	refs *references, cites []*layout.Cites, resources map[string]*layout.Numbered, total int, o Observer, n int) ([]*layout.Chapter, error) {
	of := t.resourcesKey(b)
	lay := func(i int, st layout.State) (*layout.Chapter, error) {
		e := entries[i]
		in := &layout.Input{ID: b.Chapters[i].ID, Title: b.Chapters[i].Title, Doc: e.doc, Design: d, Start: st,
			BookTotal: total,
			Resources: resources, Chapter: i, Record: t.pics.record,
			Pictures: func(ctx context.Context, name string, r *book.Resource) (layout.Found, error) {
				return t.picture(ctx, b.Chapters[i], name, r)
			}}
		refs.into(in, e, resources)
		if cites != nil && cites[i] != nil {
			in.Cites = cites[i]
			in.Doc = e.noted(cites[i])
			in.OutlineKey = layout.Mix(in.OutlineKey, cites[i].Key)
		}
		e.outlineKey = in.OutlineKey
		return t.chapter(ctx, in, e, of, o)
	}
	if n == 0 {
		if err := t.wantedFirst(known, entries, o, start, lay); err != nil {
			return nil, err
		}
	}
	laid := make([]*layout.Chapter, len(entries))
	st := start
	for i, e := range entries {
		c, err := lay(i, st)
		if err != nil {
			return nil, err
		}
		// What is done stays done, whether or not the call goes through.
		changed := c != e.laid
		e.laid = c
		laid[i] = c
		st = c.End
		if o.Chapter != nil && (n == 0 || changed) {
			o.Chapter(i, len(entries), t.frame(e, c), changed)
		}
		if !changed && i%lookEvery != 0 {
			continue // that was nothing
		}
		if err := t.look(ctx); err != nil {
			return nil, err
		}
	}
	return laid, nil
}

// lookEvery is after how many chapters that stay as they are there is a look: in a
// browser even the time is dear to ask for.
const lookEvery = 64

// look lets the host run when enough work has been done.
func (t *Typesetter) look(ctx context.Context) error {
	if now := time.Now(); now.Sub(t.lastLook) >= 8*time.Millisecond {
		if err := t.world.Yield(ctx); err != nil {
			return err
		}
		t.lastLook = time.Now()
	}
	return ctx.Err()
}

// ReadingOptions is how the chapters of a book of a design are parsed; first: the
// one whose front matter counts. A nil design reads by the defaults.
func ReadingOptions(d *settings.Design, first bool) markup.Options {
	if d == nil {
		return markup.Options{FirstChapter: first}
	}
	return markup.Options{NoHeadingMarks: !d.Reading.HeadingMarks, NoHardBreaks: !d.Reading.HardBreaks,
		NoCodeBlocks: !d.Reading.CodeBlocks, IndentedCode: d.Reading.IndentedCode, Locale: d.Locale, FirstChapter: first}
}

// read parses a chapter, or finds it parsed.
func (t *Typesetter) read(ctx context.Context, c *book.Chapter, d *settings.Design, first bool) (*chapter, error) {
	opt := ReadingOptions(d, first)
	e := t.chapters[c.ID]
	if e == nil {
		e = &chapter{}
		t.chapters[c.ID] = e
	}
	if e.doc != nil && e.options == opt && e.maths == d.Math.Enabled && e.doc.Source == c.Markdown {
		return e, nil
	}
	if err := t.look(ctx); err != nil {
		return nil, err
	}
	var stopped error
	doc := markup.ParseUntil(c.Markdown, opt, func() bool {
		stopped = t.look(ctx)
		return stopped != nil
	})
	if doc == nil {
		return nil, stopped
	}
	e.doc, e.text = doc, ""
	e.options, e.maths = opt, d.Math.Enabled
	if e.maths {
		layout.ExpandMacros(e.doc)
	}
	e.prints = layout.UseOf(e.doc)
	e.cites = layout.CitesOf(e.doc)
	e.readWorks(first)
	e.named = layout.Mentions(e.doc)
	t.parsed++
	return e, nil
}

// forget drops chapters the book does not have any more.
func (t *Typesetter) forget(b *book.Book) {
	if len(t.chapters) <= len(b.Chapters) {
		return
	}
	here := make(map[string]bool, len(b.Chapters))
	for _, c := range b.Chapters {
		here[c.ID] = true
	}
	for id := range t.chapters {
		if !here[id] {
			delete(t.chapters, id)
		}
	}
}

// MetaOf is the book's printed metadata: the front matter of its first chapter,
// else what book.json says (settings.md 7.5, bundle.md). The name under which the
// book is kept is not its title.
func MetaOf(b *book.Book, first *markup.Document) layout.Meta {
	m := layout.Meta{Title: b.Title, Subtitle: b.Subtitle, Author: b.Author}
	if first != nil && first.Meta != nil {
		f := first.Meta
		for _, p := range []struct {
			to   *string
			from string
		}{{&m.Title, f.Title}, {&m.Subtitle, f.Subtitle}, {&m.Author, f.Author}, {&m.PublishDate, f.PublishDate}} {
			if p.from != "" {
				*p.to = p.from
			}
		}
	}
	return m
}

func firstOf(docs []*markup.Document) *markup.Document {
	if len(docs) == 0 {
		return nil
	}
	return docs[0]
}

// hyphenate gives the hyphenation of a language to the layout. Without its
// patterns the words stay whole, and that is reported.
func (t *Typesetter) hyphenate(ctx context.Context, lang string) (func(word string, dst []int) []int, error) {
	d, _, err := t.hyphen.For(ctx, lang)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		name, _ := hyphen.Name(lang)
		t.whole[name] = err
	}
	if d == nil {
		return nil, nil
	}
	return d.Points, nil
}

// askAgain tries the pattern files that could not be had. What was measured
// without one is measured again once it is there.
func (t *Typesetter) askAgain(ctx context.Context) error {
	for name := range t.whole {
		if _, _, err := t.hyphen.For(ctx, name); err == nil {
			delete(t.whole, name)
			t.forgetAll()
		} else if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// StandIns lists what is tried in turn for a family that cannot be had: near, that
// of the body or of listings, and what comes with the program.
func StandIns(near string) []string { return append([]string{near}, standIn...) }

// face finds a face, or the nearest that can be had.
func (t *Typesetter) face(ctx context.Context, family string, weight int, italic bool) (*font.Face, error) {
	k := faceKey{family, weight, italic}
	if f := t.faces[k]; f != nil {
		return f, nil
	}
	if f := t.stands[k]; f != nil {
		return f, nil
	}
	f, first := t.load(ctx, k)
	if first == nil {
		t.faces[k] = f
		return f, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if isNoFamily(first) {
		t.lasting[k] = true
	}
	try := standIn
	if t.design != nil {
		near := t.design.Body.Family
		if family == t.design.Code.Family {
			near = "JetBrains Mono" // listings want a face of one width
		}
		try = StandIns(near)
	}
	for _, name := range try {
		if f, err := t.load(ctx, faceKey{name, weight, italic}); err == nil {
			t.standFor(k, f)
			return f, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	if f := t.nearest(k); f != nil { // out of reach of them all
		t.standFor(k, f)
		return f, nil
	}
	return nil, &NoFont{first}
}

func (t *Typesetter) load(ctx context.Context, k faceKey) (*font.Face, error) {
	if file, ok, err := t.own.font(k); ok {
		if err == nil {
			var f *font.Face
			if f, err = t.set.Load(file); err == nil {
				return f, nil
			}
		}
		// A damaged file of the book: its family may be had elsewhere.
		if file, other := t.world.Font(ctx, k.family, k.weight, k.italic); other == nil {
			return t.set.Load(file)
		}
		return nil, err
	}
	file, err := t.world.Font(ctx, k.family, k.weight, k.italic)
	if err != nil {
		return nil, err
	}
	return t.set.Load(file)
}

// Duplicates reports the ids that several resources of a book share.
func Duplicates(b *book.Book) (out []frame.Problem) {
	count := make(map[string]int, len(b.Resources))
	named := func(r *book.Resource) bool { return r.Kind != "font" && r.Kind != "bibliography" }
	for _, r := range b.Resources {
		if named(r) {
			count[r.ID]++
		}
	}
	for _, r := range b.Resources {
		if n := count[r.ID]; n > 1 && named(r) {
			count[r.ID] = 0
			out = append(out, frame.Problem{Kind: "duplicateResourceId", Resource: r.ID, Start: -1, Page: -1,
				Detail: fmt.Sprintf("#%s ×%d — only one of them is found", r.ID, n),
				Fields: []frame.Field{{Key: "resourceId", Value: r.ID}, {Key: "count", Value: fmt.Sprint(n)}}})
		}
	}
	return out
}

// undivided reports the pattern files that could not be had.
func (t *Typesetter) undivided() []frame.Problem {
	var out []frame.Problem
	for _, name := range slices.Sorted(maps.Keys(t.whole)) {
		out = append(out, frame.Problem{Kind: "hyphenationMissing", Start: -1, Page: -1,
			Detail: fmt.Sprintf("words are not divided: the hyphenation patterns %q cannot be had: %v", name, t.whole[name])})
	}
	return out
}
