package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"postext/book"
	"postext/bridge"
	"postext/engine"
	"postext/engine/font"
	"postext/engine/font/catalogue"
	"postext/engine/settings"
)

// maxFontFile is the size of a font file an agent may give (tools.md 1, Files).
const maxFontFile = 20 << 20

func (s *Session) fontTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_list_fonts", "List fonts",
			"Lists the typefaces in use, the book's own font files, and families of the open catalogue (here: false where their files are not on this server). To use a family: sandbox_set_config on a fontFamily.",
			reads, s.listFonts),
		define(s, "sandbox_save_font", "Add or remove a font file",
			"Adds a font file to the book under a family's name, removes one, renames a family, or says whether it may be passed on. A family of the catalogue needs no file: sandbox_set_config names it.",
			writes, s.saveFont),
	}
}

// catalogue is the open catalogue, empty where it cannot be had.
func (s *Session) catalogue(ctx context.Context) (catalogue.List, error) {
	s.mu.Lock()
	list := s.fontList
	s.mu.Unlock()
	if list != nil || s.opts.Catalogue == nil {
		return list, nil
	}
	list, err := s.opts.Catalogue(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.fontList = list
	s.mu.Unlock()
	return list, nil
}

// mostNamed is how many names a refusal lists (tools.md 1).
const mostNamed = 12

type listFontsArgs struct {
	Search   string `json:"search,omitempty" maxLen:"100" doc:"words of a family's name"`
	Category string `json:"category,omitempty" enum:"serif,sans,display,handwriting,monospace"`
	Script   string `json:"script,omitempty" maxLen:"40" doc:"latin, greek, chinese-simplified …"`
	Limit    int    `json:"limit" default:"20" min:"1" max:"200" doc:"of the catalogue"`
}

type usedFont struct {
	Family string `json:"family"`
	Role   string `json:"role"`
	// Source is file (of the book), catalogue, or missing.
	Source  string `json:"source"`
	Weights []int  `json:"weights"`
	// Loaded: the pages are set in it, or would be at once.
	Loaded bool `json:"loaded"`
	// SetIn is the family that stands in where it cannot be had.
	SetIn string `json:"setIn,omitempty"`
}

// listedFamily is a family of the catalogue; Here where its files can be had.
type listedFamily struct {
	catalogue.Family
	Here bool `json:"here"`
}

type ownFont struct {
	Family          string        `json:"family"`
	Redistributable bool          `json:"redistributable"`
	Variants        []fontVariant `json:"variants"`
}

type fontVariant struct {
	Weight   int    `json:"weight"`
	Style    string `json:"style"`
	Format   string `json:"format,omitempty"`
	FileName string `json:"fileName,omitempty"`
	Bytes    int    `json:"bytes,omitempty"`
	Problem  string `json:"problem,omitempty"`
}

type listFontsAnswer struct {
	InUse     []usedFont     `json:"inUse"`
	Custom    []ownFont      `json:"custom"`
	Catalogue []listedFamily `json:"catalogue"`
	Total     int            `json:"total"`
	Note      string         `json:"note,omitempty"`
	Revision  int64          `json:"revision"`
}

func (s *Session) listFonts(ctx context.Context, a listFontsArgs) (any, error) {
	snap, tree, err := s.settings(ctx)
	if err != nil {
		return nil, err
	}
	ans := listFontsAnswer{Revision: snap.rev, Custom: ownFonts(snap.book, tree), Catalogue: []listedFamily{}}
	list, err := s.catalogue(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		ans.Note = "the catalogue cannot be had now (" + err.Error() + "): only the fonts of the book and of the program are known"
	} else if s.opts.Catalogue == nil {
		ans.Note = "there is no catalogue here: only the fonts of the book and of the program are known"
	}
	ans.InUse = s.usedFonts(snap.book, tree, list, ans.Custom)
	if script := strings.ToLower(a.Script); script != "" && len(list) > 0 {
		var scripts []string
		for i := range list {
			scripts = append(scripts, list[i].Scripts...)
		}
		slices.Sort(scripts)
		if scripts = slices.Compact(scripts); !slices.Contains(scripts, script) {
			near := bridge.Nearest(a.Script, scripts)
			more := ""
			if n := len(near) - mostNamed; n > 0 {
				near, more = near[:mostNamed], fmt.Sprintf(" and %d more; each family tells its own", n)
			}
			return nil, bridge.Refuse("no family has the script %s; there are %s%s", bridge.Quote(a.Script), strings.Join(near, ", "), more)
		}
	}
	found := list.Search(a.Search, a.Category, strings.ToLower(a.Script))
	ans.Total = len(found)
	away := 0
	for i := range found[:min(len(found), a.Limit)] {
		f := listedFamily{found[i], s.has(&found[i])}
		if !f.Here {
			away++
		}
		ans.Catalogue = append(ans.Catalogue, f)
	}
	if away > 0 && ans.Note == "" {
		ans.Note = "the families with here: false are known by name only: their files are not on this server, and sandbox_save_font adds a font file of your own"
	}
	return ans, nil
}

// has tells whether the pages can be set in a family of the catalogue.
func (s *Session) has(f *catalogue.Family) bool {
	same := func(name string) bool { return font.Fold(name) == font.Fold(f.Family) }
	return s.opts.Catalogued == nil || s.opts.Catalogued(f) || s.opts.Families != nil && slices.ContainsFunc(s.opts.Families(), same)
}

// ownFonts are the families of the book's own files.
func ownFonts(b *book.Book, tree *settings.Tree) []ownFont {
	out := []ownFont{}
	for _, f := range settings.CustomFonts(tree) {
		own := ownFont{Family: f.Name, Redistributable: f.Redistributable, Variants: []fontVariant{}}
		for _, v := range f.Variants {
			x := fontVariant{Weight: v.Weight, Style: styleName(v.Italic), Format: v.Format, FileName: v.FileName}
			if r := fontFile(b, v.FileID); r == nil {
				x.Problem = "its file is not in the book"
			} else if data, err := r.Bytes(); err == nil {
				x.Bytes = len(data)
			}
			if slices.ContainsFunc(own.Variants, func(y fontVariant) bool { return y.Weight == x.Weight && y.Style == x.Style }) {
				x.Problem = "another file has this weight and style: the first one is used"
			}
			own.Variants = append(own.Variants, x)
		}
		out = append(out, own)
	}
	return out
}

func styleName(italic bool) string {
	if italic {
		return "italic"
	}
	return "normal"
}

func fontFile(b *book.Book, id string) *book.Resource {
	if i := slices.IndexFunc(b.Fonts, func(r *book.Resource) bool { return r.ID == id || r.Name == id }); i >= 0 {
		return b.Fonts[i]
	}
	return nil
}

// usedFonts are the families the design comes to, with their role and source.
func (s *Session) usedFonts(b *book.Book, tree *settings.Tree, list catalogue.List, own []ownFont) []usedFont {
	var here []string
	if s.opts.Families != nil {
		here = s.opts.Families()
	}
	stands, set := s.standing(b)
	out := []usedFont{}
	for _, u := range settings.FamiliesUsed(tree, s.env(b), true) {
		f := usedFont{Family: u.Family, Role: "Other elements", Source: "missing", Weights: []int{}}
		for _, p := range u.Paths {
			if p == "bodyText.fontFamily" {
				f.Role = "Body text"
				break
			}
			if strings.HasPrefix(p, "headings.") {
				f.Role = "Headings"
			}
		}
		same := func(name string) bool { return font.Fold(name) == font.Fold(u.Family) }
		if i := slices.IndexFunc(own, func(o ownFont) bool { return same(o.Family) }); i >= 0 {
			f.Source, f.Loaded = "file", true
			for _, v := range own[i].Variants {
				if !slices.Contains(f.Weights, v.Weight) {
					f.Weights = append(f.Weights, v.Weight)
				}
			}
			slices.Sort(f.Weights)
		} else {
			away := len(here) > 0
			if c, ok := list.Find(u.Family); ok {
				f.Source, f.Weights = "catalogue", c.Weights
				away = !s.has(&c)
			}
			if slices.ContainsFunc(here, same) {
				f.Source, f.Loaded, away = "catalogue", true, false
			}
			// The pages that there are say more than what is likely.
			if in, standing := stands[u.Family]; standing {
				f.Loaded, f.SetIn, away = false, in, false
			} else if set && f.Source == "catalogue" && !away {
				f.Loaded = true
			}
			if away {
				f.SetIn = setIn(u, out, here)
			}
		}
		out = append(out, f)
	}
	return out
}

// standing are the families that others stand in for on the pages of a book, and
// whether there are these pages.
func (s *Session) standing(b *book.Book) (stands map[string]string, set bool) {
	s.mu.Lock()
	j := s.cur.job
	s.mu.Unlock()
	if j == nil || j.book != b {
		return nil, false
	}
	select {
	case <-j.done:
	default:
		return nil, false
	}
	if j.err != nil {
		return nil, false
	}
	return j.res.Stands, true
}

// setIn is the family that stands in for one that cannot be had: used are those
// before it, the body's first, here those of the program.
func setIn(u settings.FamilyUse, used []usedFont, here []string) string {
	near := ""
	if slices.Contains(u.Paths, "codeStyle.fontFamily") {
		near = "JetBrains Mono"
	} else if len(used) > 0 && used[0].Loaded {
		if used[0].Source == "file" {
			return used[0].Family
		}
		near = used[0].Family
	}
	for _, name := range engine.StandIns(near) {
		if slices.ContainsFunc(here, func(n string) bool { return font.Fold(n) == font.Fold(name) }) {
			return name
		}
	}
	return ""
}

type saveFontArgs struct {
	Action          string    `json:"action" enum:"add,remove,remove_family,rename,set_redistributable"`
	Family          string    `json:"family" minLen:"1" maxLen:"100" doc:"as settings name it"`
	Weight          int       `json:"weight,omitempty" min:"100" max:"900" doc:"left out: as the file says"`
	Style           string    `json:"style,omitempty" enum:"normal,italic" doc:"left out: as the file says"`
	File            *fileArgs `json:"file,omitempty" doc:"add: TTF, OTF, TTC, WOFF2 or WOFF"`
	NewFamily       string    `json:"newFamily,omitempty" maxLen:"100"`
	Redistributable *bool     `json:"redistributable,omitempty" doc:"false: never in exported files"`
	Wait            bool      `json:"wait" default:"true"`
}

type saveFontAnswer struct {
	Family string            `json:"family"`
	Custom []ownFont         `json:"custom"`
	Notes  []string          `json:"notes,omitempty"`
	Moved  []settings.Change `json:"changed,omitempty"` // settings that name the family anew
	Pages
}

// fontTakes says which arguments each action has besides family and wait.
var fontTakes = map[string][]string{
	"add": {"file", "weight", "style", "redistributable"}, "remove": {"weight", "style"}, "remove_family": {},
	"rename": {"newFamily"}, "set_redistributable": {"redistributable"},
}

func (a saveFontArgs) check() error {
	if strings.TrimSpace(a.Family) == "" {
		return bridge.Refuse("family is empty: give the name the settings call it by")
	}
	for _, g := range []struct {
		name string
		is   bool
	}{{"weight", a.Weight != 0}, {"style", a.Style != ""}, {"file", a.File != nil}, {"newFamily", a.NewFamily != ""}, {"redistributable", a.Redistributable != nil}} {
		if takes := fontTakes[a.Action]; g.is && !slices.Contains(takes, g.name) {
			return bridge.Refuse("%s does not go with action %q, which takes %s", g.name, a.Action, strings.Join(append([]string{"family"}, takes...), ", "))
		}
	}
	switch a.Action {
	case "add":
		if a.File == nil {
			return bridge.Refuse("file is missing: {\"url\": …} or {\"base64\": …}. A family of the catalogue needs no file: set its name with sandbox_set_config")
		}
		return a.File.check("file")
	case "remove":
		if a.Weight == 0 {
			return bridge.Refuse("weight is missing: remove takes away the file of one weight and style; remove_family takes the family")
		}
	case "rename":
		if strings.TrimSpace(a.NewFamily) == "" {
			return bridge.Refuse("newFamily is missing: the name the family is to have")
		}
	case "set_redistributable":
		if a.Redistributable == nil {
			return bridge.Refuse("redistributable is missing: true or false")
		}
	}
	return nil
}

func (s *Session) saveFont(ctx context.Context, a saveFontArgs) (any, error) {
	a.Family = strings.TrimSpace(a.Family)
	var data []byte
	if a.Action == "add" {
		var err error
		if data, err = s.fetchFile(ctx, "file", *a.File, maxFontFile); err != nil {
			return nil, err
		}
	}
	var ans saveFontAnswer
	pages, err := s.write(ctx, a.Wait, func(snap snapshot) (*change, error) {
		tree, err := settings.Parse(snap.book.Config)
		if err != nil {
			return nil, faults(err)
		}
		e := fontEdit{book: snap.book, tree: tree, env: s.env(snap.book)}
		if err := e.read(); err != nil {
			return nil, err
		}
		switch a.Action {
		case "add":
			err = e.add(a, data)
		case "remove":
			err = e.remove(a)
		case "remove_family":
			err = e.removeFamily(a.Family)
		case "rename":
			err = e.rename(a.Family, strings.TrimSpace(a.NewFamily))
		default:
			err = e.redistribute(a)
		}
		if err != nil {
			return nil, err
		}
		next, err := e.result()
		if err != nil {
			return nil, err
		}
		ans = saveFontAnswer{Family: e.named, Notes: e.notes, Moved: e.moved}
		after, err := settings.Parse(next.Config)
		if err != nil {
			return nil, err
		}
		ans.Custom = ownFonts(next, after)
		if bytes.Equal(next.Config, snap.book.Config) && slices.Equal(next.Fonts, snap.book.Fonts) {
			return nil, nil
		}
		return &change{book: next}, nil
	})
	if err != nil {
		return nil, err
	}
	ans.Pages = pages
	return ans, nil
}

// fontEdit changes the setting customFonts and the files that belong to it.
type fontEdit struct {
	book  *book.Book
	tree  *settings.Tree
	env   settings.Env
	list  []map[string]any // customFonts as stored
	fonts []*book.Resource
	named string
	notes []string
	moved []settings.Change
}

func (e *fontEdit) read() error {
	raw, err := e.tree.Get("customFonts")
	if err != nil {
		return err
	}
	if string(raw) != "null" {
		if err := json.Unmarshal(raw, &e.list); err != nil {
			return bridge.Refuse("the setting customFonts cannot be read: set it to null first")
		}
	}
	e.fonts = slices.Clone(e.book.Fonts)
	return nil
}

func (e *fontEdit) at(family string) int {
	return slices.IndexFunc(e.list, func(f map[string]any) bool {
		name, _ := f["name"].(string)
		return font.Fold(name) == font.Fold(family)
	})
}

// family finds a family of the book's own, or says which there are.
func (e *fontEdit) family(name string) (map[string]any, error) {
	if i := e.at(name); i >= 0 {
		e.named, _ = e.list[i]["name"].(string)
		return e.list[i], nil
	}
	var names []string
	for _, f := range e.list {
		if n, ok := f["name"].(string); ok {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return nil, bridge.Refuse("the book has no font files of its own")
	}
	return nil, bridge.Refuse("the book has no family %s of its own; it has %s", bridge.Quote(name), bridge.Choices(bridge.Nearest(name, names), "sandbox_list_fonts"))
}

func variants(f map[string]any) []any {
	list, _ := f["variants"].([]any)
	return list
}

func (e *fontEdit) add(a saveFontArgs, data []byte) error {
	format := font.Format(data)
	members, err := font.Members(data)
	if err != nil || format == "" {
		why := "it is none of TTF, OTF, TTC, WOFF and WOFF2"
		if err != nil {
			why = strings.TrimPrefix(err.Error(), "not a font: ")
		}
		return bridge.Refuse("the file is no font that can be read: %s", why)
	}
	if len(members) == 0 {
		members = []font.Member{{Weight: 400, MaxWeight: 400}} // a font without a name
	}
	// Of several faces in the file the one asked for.
	m := members[0]
	for _, x := range members {
		if (a.Style == "" || (a.Style == "italic") == x.Italic) && (a.Weight == 0 || a.Weight >= x.Weight && a.Weight <= x.MaxWeight) && len(x.Axes) == 0 {
			m = x
			break
		}
	}
	if format == "ttc" || m.Index > 0 || bytes.HasPrefix(data, []byte("wOF2ttcf")) {
		if data, err = font.Extract(data, m.Index); err != nil {
			return bridge.Refuse("the collection cannot be read: %v", err)
		}
		format = font.Format(data)
		e.notes = append(e.notes, fmt.Sprintf("the file holds %d faces: %s %d %s was taken", len(members), m.Family, m.Weight, styleName(m.Italic)))
	}
	if _, err := font.Parse(data, a.Family, m.Weight, m.Italic); err != nil {
		return bridge.Refuse("the file is no font that can be used: %v", err)
	}
	weights := []int{a.Weight}
	if a.Weight == 0 {
		weights = m.Weights()
	}
	style := a.Style
	if style == "" {
		style = styleName(m.Italic)
	}
	name := fmt.Sprintf("fonts/%s-%d-%s", slug(a.Family), weights[0], style)
	file := name + "." + format
	for n := 2; fontFile(e.book, file) != nil; n++ {
		file = fmt.Sprintf("%s-%d.%s", name, n, format)
	}
	fileName := file[len("fonts/"):]
	if a.File.Name != "" {
		fileName = a.File.Name
	}
	e.fonts = append(e.fonts, &book.Resource{ID: file, Name: file, Kind: "font", Data: data})
	i := e.at(a.Family)
	if i < 0 {
		e.list = append(e.list, map[string]any{"name": a.Family})
		i = len(e.list) - 1
	}
	f := e.list[i]
	e.named, _ = f["name"].(string)
	have := variants(f)
	for _, w := range weights {
		for _, v := range have {
			if x, ok := v.(map[string]any); ok && x["weight"] == float64(w) && (x["style"] == style || x["style"] == nil && style == "normal") {
				e.notes = append(e.notes, fmt.Sprintf("the family has a file for %d %s already: both are kept, the first is used", w, style))
			}
		}
		have = append(have, map[string]any{"weight": float64(w), "style": style, "fileId": file, "format": format, "fileName": fileName})
	}
	f["variants"] = have
	if a.Redistributable != nil {
		f["redistributable"] = *a.Redistributable
	}
	if format == "woff" {
		e.notes = append(e.notes, "a WOFF file sets the pages, but cannot go into a PDF and is left out of .postext files: a TTF, OTF or WOFF2 file can")
	}
	if len(weights) > 1 {
		e.notes = append(e.notes, fmt.Sprintf("a variable font: it serves the weights %d to %d", weights[0], weights[len(weights)-1]))
	}
	return nil
}

func (e *fontEdit) remove(a saveFontArgs) error {
	f, err := e.family(a.Family)
	if err != nil {
		return err
	}
	style := a.Style
	if style == "" {
		style = "normal"
	}
	var kept []any
	var there []string
	for _, v := range variants(f) {
		x, _ := v.(map[string]any)
		w, _ := x["weight"].(float64)
		st, _ := x["style"].(string)
		if st != "italic" {
			st = "normal"
		}
		there = append(there, fmt.Sprintf("%v %s", w, st))
		if int(w) != a.Weight || st != style {
			kept = append(kept, v)
		}
	}
	if len(kept) == len(there) {
		return bridge.Refuse("%s has no file for %d %s; it has %s", bridge.Quote(e.named), a.Weight, style, bridge.Choices(there, "sandbox_list_fonts"))
	}
	if len(kept) == 0 {
		return e.removeFamily(a.Family)
	}
	f["variants"] = kept
	return nil
}

func (e *fontEdit) removeFamily(name string) error {
	if _, err := e.family(name); err != nil {
		return err
	}
	i := e.at(name)
	e.list = slices.Delete(e.list, i, i+1)
	return nil
}

func (e *fontEdit) rename(from, to string) error {
	f, err := e.family(from)
	if err != nil {
		return err
	}
	if i := e.at(to); i >= 0 && font.Fold(from) != font.Fold(to) {
		return bridge.Refuse("the book has a family %s already", bridge.Quote(to))
	}
	old := e.named
	f["name"], e.named = to, to
	// What was set in it stays set in it.
	for _, u := range settings.FamiliesUsed(e.tree, e.env, false) {
		if font.Fold(u.Family) != font.Fold(old) {
			continue
		}
		for _, p := range u.Paths {
			if set, err := e.tree.Get(p); err == nil && string(set) != "null" {
				value, err := json.Marshal(to)
				if err != nil {
					return err
				}
				e.moved = append(e.moved, settings.Change{Path: p, Value: value})
			}
		}
	}
	return nil
}

func (e *fontEdit) redistribute(a saveFontArgs) error {
	f, err := e.family(a.Family)
	if err != nil {
		return err
	}
	f["redistributable"] = *a.Redistributable
	return nil
}

// result is the book after the change. Files that only families named which are
// no more go with them.
func (e *fontEdit) result() (*book.Book, error) {
	list, err := json.Marshal(e.list)
	if err != nil {
		return nil, err
	}
	if len(e.list) == 0 {
		list = []byte("null")
	}
	env := e.env
	env.FamilyKnown = nil // the names are those of the book's own
	changes := append([]settings.Change{{Path: "customFonts", Value: list}}, e.moved...)
	tree := e.tree
	for len(changes) > 0 {
		n := min(len(changes), settings.MaxChanges)
		out, err := tree.Apply(env, changes[:n])
		if err != nil {
			return nil, faults(err)
		}
		tree, changes = out.Tree, changes[n:]
	}
	next, err := e.book.WithConfig(tree.Marshal())
	if err != nil {
		return nil, err
	}
	was, is := map[string]bool{}, map[string]bool{}
	for _, set := range [...]struct {
		tree *settings.Tree
		into map[string]bool
	}{{e.tree, was}, {tree, is}} {
		for _, f := range settings.CustomFonts(set.tree) {
			for _, v := range f.Variants {
				set.into[v.FileID] = true
			}
		}
	}
	next.Fonts = slices.DeleteFunc(e.fonts, func(r *book.Resource) bool {
		return (was[r.ID] || was[r.Name]) && !is[r.ID] && !is[r.Name]
	})
	return next, nil
}

// slug is a name as part of a file's name.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s[:min(len(s), 60)]
	}
	return "font"
}
