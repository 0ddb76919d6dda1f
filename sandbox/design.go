package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"postext/book"
	"postext/bridge"
	"postext/engine/cite"
	"postext/engine/settings"
)

func (s *Session) designTools() []bridge.Tool {
	return []bridge.Tool{
		define(s, "sandbox_get_config", "Read a setting",
			"Reads a setting of the design, or a section, by path: set is what the book stores, effective what comes of it. Without path: the sections. To find a path: sandbox_find_setting. Example: {\"path\": \"headings.levels[level=2]\"}.",
			reads, s.getConfig),
		define(s, "sandbox_set_config", "Change settings",
			"Changes settings of the design by path, many in one call, all or none. Answers what was stored (send it back to undo), what moved with it, and the pages. Example: {\"changes\": [{\"path\": \"bodyText.fontSize\", \"value\": \"10.5pt\"}]}.",
			writes, s.setConfig),
		define(s, "sandbox_find_setting", "Find a setting's path",
			"Finds settings by words, label, option or part of a path, also misspelt, and where the Design panel has them. Example: {\"query\": \"orphans\"}.",
			reads, s.findSetting),
	}
}

// env is what settings want to know of the book.
func (s *Session) env(b *book.Book) settings.Env {
	e := settings.Env{Language: b.Language, Foreign: s.foreignOf(b)}
	if s.opts.Families == nil {
		return e
	}
	e.FamilyKnown = func(family string) (bool, []string) {
		all := s.opts.Families()
		for _, f := range all {
			if strings.EqualFold(f, family) {
				return true, nil
			}
		}
		// Without the list its names are not known, and none is refused for that.
		list, err := s.catalogue(context.Background())
		if err != nil {
			return true, nil
		}
		if _, ok := list.Find(family); ok {
			return true, nil
		}
		known := list.Names()
		for _, f := range all {
			if _, ok := list.Find(f); !ok {
				known = append(known, f)
			}
		}
		near := bridge.Nearest(family, known)
		return false, near[:min(len(near), 12)]
	}
	return e
}

// foreignOf is what the configurations of the open book hold or held, since it was
// opened, that no setting is: an answer's from values may bring it back.
func (s *Session) foreignOf(b *book.Book) settings.Foreign {
	s.mu.Lock()
	known := bytes.Equal(s.foreignIn, b.Config)
	f := s.foreign
	s.mu.Unlock()
	if known {
		return f
	}
	tree, err := settings.Parse(b.Config)
	if err != nil {
		return f // who asked parses it too, and tells
	}
	f = settings.ForeignOf(tree).With(f)
	s.mu.Lock()
	s.foreign, s.foreignIn = f, b.Config
	s.mu.Unlock()
	return f
}

// faults makes what is wrong with a path or value a refusal.
func faults(err error) error {
	var f settings.Faults
	if errors.As(err, &f) {
		return bridge.Refuse("%s", f.Error())
	}
	return err
}

type getConfigArgs struct {
	Path     string `json:"path,omitempty" doc:"bodyText.fontSize, header.elements[id=titleOdd], a section"`
	Defaults bool   `json:"defaults" default:"true" doc:"false: only what the book sets"`
}

type getConfigAnswer struct {
	*settings.Info
	Truncated *nextLine `json:"truncated,omitempty"`
	Revision  int64     `json:"revision"`
}

// sectionsAnswer lists the top-level keys with what is set in each.
type sectionsAnswer struct {
	Path      string           `json:"path"`
	Type      string           `json:"type"`
	Children  []settings.Child `json:"children"`
	Truncated *nextLine        `json:"truncated,omitempty"`
	Revision  int64            `json:"revision"`
}

// settings waits for the open book and reads its stored settings.
func (s *Session) settings(ctx context.Context) (snapshot, *settings.Tree, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return snap, nil, err
	}
	tree, err := settings.Parse(snap.book.Config)
	if err != nil {
		return snap, nil, faults(err)
	}
	return snap, tree, nil
}

func (s *Session) getConfig(ctx context.Context, a getConfigArgs) (any, error) {
	snap, tree, err := s.settings(ctx)
	if err != nil {
		return nil, err
	}
	if a.Path == "" {
		info, err := tree.Describe(s.env(snap.book), "", a.Defaults)
		if err != nil {
			return nil, faults(err)
		}
		info.Set = nil // stands in the children
		ans := sectionsAnswer{Type: "object", Revision: snap.rev}
		if left := shortenInfo(info); left != "" {
			ans.Truncated = &nextLine{Note: left + " left out for length: ask for the paths of single sections"}
		}
		ans.Children = info.Children
		return ans, nil
	}
	info, err := tree.Describe(s.env(snap.book), a.Path, a.Defaults)
	if err != nil {
		return nil, faults(err)
	}
	ans := getConfigAnswer{Info: info, Revision: snap.rev}
	if left := shortenInfo(info); left != "" {
		ans.Truncated = &nextLine{Note: left + " left out for length: ask for the paths of single items or settings"}
	}
	return ans, nil
}

// shortenInfo leaves out what makes a description longer than an answer may be,
// and names it.
func shortenInfo(info *settings.Info) string {
	children := func() (n int) {
		for _, c := range info.Children {
			n += len(c.Path) + len(c.Set) + 40
		}
		return n
	}
	size := func() int { return len(info.Effective) + len(info.Set) + len(info.Default) + children() }
	var left []string
	if size() > maxText && len(info.Effective) > 0 {
		info.Effective, left = nil, append(left, "effective")
	}
	if size() > maxText && len(info.Default) > 0 {
		info.Default, left = nil, append(left, "default")
	}
	if size() > maxText && len(info.Children) > 0 {
		for i := range info.Children {
			info.Children[i].Set = nil
		}
		left = append(left, "what the children store")
	}
	if size() > maxText && len(info.Set) > 0 {
		info.Set, left = json.RawMessage("null"), append(left, "set")
	}
	if size() > maxText {
		room := maxText
		for i, c := range info.Children {
			if room -= len(c.Path) + 40; room < 0 {
				info.Children, left = info.Children[:i], append(left, "further children")
				break
			}
		}
	}
	switch len(left) {
	case 0:
		return ""
	case 1:
		return left[0] + " is"
	}
	return strings.Join(left, ", ") + " are"
}

type setConfigArgs struct {
	Changes []oneChange     `json:"changes,omitempty" doc:"1 to 100"`
	Patch   json.RawMessage `json:"patch,omitempty" free:"true" doc:"objects merge, null removes, lists are replaced whole"`
	Replace json.RawMessage `json:"replace,omitempty" types:"object,string" doc:"a whole configuration, also as text"`
	Wait    bool            `json:"wait" default:"true"`
	DryRun  bool            `json:"dryRun" default:"false" doc:"only say what would change"`
}

type oneChange struct {
	Path  string          `json:"path" minLen:"1"`
	Value json.RawMessage `json:"value" any:"true" doc:"null removes; length \"2.5cm\", {value, unit} or number; colour \"#1f3a5f\""`
}

type setConfigAnswer struct {
	Changed  []settings.Changed `json:"changed"`
	Followed []settings.Moved   `json:"followed"`
	Notes    []settings.Note    `json:"notes,omitempty"`
	DryRun   bool               `json:"dryRun,omitempty"`
	// Truncated says what a long answer leaves out; never from, which undoes.
	Truncated *nextLine `json:"truncated,omitempty"`
	Pages
}

// shorten leaves out of a long answer what can be asked for again: the effective
// values and then what followed. From is kept whatever its length.
func (a *setConfigAnswer) shorten() {
	changed, effective, followed := 0, 0, 0
	for _, c := range a.Changed {
		changed += len(c.Path) + len(c.From) + len(c.To) + 60
		if c.Effective != nil {
			effective += len(c.Effective.From) + len(c.Effective.To)
		}
	}
	for _, m := range a.Followed {
		followed += len(m.Path) + len(m.From) + len(m.To) + 30
	}
	if changed+effective+followed <= maxText {
		return
	}
	for i := range a.Changed {
		a.Changed[i].Effective = nil
	}
	left := "effective is left out for length; sandbox_get_config tells it"
	if room := maxText - changed; followed > room {
		for i, m := range a.Followed {
			if room -= len(m.Path) + len(m.From) + len(m.To) + 30; room < 0 {
				left = fmt.Sprintf("effective and %d of %d followed are left out for length; sandbox_get_config tells them", len(a.Followed)-i, len(a.Followed))
				a.Followed = a.Followed[:i]
				break
			}
		}
	}
	a.Truncated = &nextLine{Note: left}
}

func (a setConfigArgs) check() error {
	given := 0
	for _, is := range []bool{a.Changes != nil, a.Patch != nil, a.Replace != nil} {
		if is {
			given++
		}
	}
	if given != 1 {
		return bridge.Refuse("give exactly one of changes ([{\"path\": …, \"value\": …}]), patch (an object merged into the configuration) or replace (a whole configuration)")
	}
	if n := len(a.Changes); a.Changes != nil && (n == 0 || n > settings.MaxChanges) {
		return bridge.Refuse("changes holds 1 to %d changes, not %d", settings.MaxChanges, n)
	}
	return nil
}

func (s *Session) setConfig(ctx context.Context, a setConfigArgs) (any, error) {
	var ans setConfigAnswer
	pages, err := s.write(ctx, a.Wait && !a.DryRun, func(snap snapshot) (*change, error) {
		tree, err := settings.Parse(snap.book.Config)
		if err != nil {
			return nil, faults(err)
		}
		env := s.env(snap.book)
		var out *settings.Outcome
		switch {
		case a.Changes != nil:
			list := make([]settings.Change, len(a.Changes))
			for i, c := range a.Changes {
				list[i] = settings.Change{Path: c.Path, Value: c.Value}
			}
			out, err = tree.Apply(env, list)
		case a.Patch != nil:
			out, err = tree.Patch(env, a.Patch)
		default:
			out, err = tree.Replace(env, a.Replace)
		}
		if err != nil {
			return nil, faults(err)
		}
		ans = setConfigAnswer{Changed: out.Changed, Followed: out.Followed, Notes: append(out.Notes, uncited(out)...), DryRun: a.DryRun}
		if ans.Changed == nil {
			ans.Changed = []settings.Changed{}
		}
		if ans.Followed == nil {
			ans.Followed = []settings.Moved{}
		}
		ans.shorten()
		if a.DryRun || bytes.Equal(out.Tree.Marshal(), tree.Marshal()) {
			return nil, nil
		}
		next, err := snap.book.WithConfig(out.Tree.Marshal())
		if err != nil {
			return nil, err
		}
		return &change{book: next}, nil
	})
	if err != nil {
		return nil, err
	}
	ans.Pages = pages
	if pages.after != nil {
		ans.Notes = append(ans.Notes, notLoaded(ans.Changed, pages.after.Stands)...)
	}
	ans.Notes = s.cameOutOtherwise(ans.Notes, ans.Changed, pages.after)
	if pages.Pending {
		notes, err := s.beingLoaded(ctx, ans.Changed)
		if err != nil {
			return nil, err
		}
		ans.Notes = append(ans.Notes, notes...)
	}
	return ans, nil
}

// uncited tells of a citation style that cannot be used, also in a book that cites
// nothing yet.
func uncited(out *settings.Outcome) []settings.Note {
	for _, c := range out.Changed {
		if c.Path != "citations" && c.Path != "citations.style" && c.Path != "citations.customStyle" {
			continue
		}
		d := out.Design.Citations
		if c.Path == "citations.customStyle" && d.Style != "custom" {
			continue // it is not cited in, which is told
		}
		if err := cite.Unusable(d.Style, d.Custom); err != nil {
			return []settings.Note{{Path: c.Path, Note: err.Error()}}
		}
	}
	return nil
}

// maxNotes is how many notes of the checks an answer tells.
const maxNotes = 12

// cameOutOtherwise adds what the checks of the pages say of the settings that were
// changed: that something else is used than was set.
func (s *Session) cameOutOtherwise(notes []settings.Note, changed []settings.Changed, after *Settled) []settings.Note {
	if after == nil || len(changed) == 0 {
		return notes
	}
	told := map[string]bool{}
	for _, n := range notes {
		told[n.Path] = true // in words of its own
	}
	more := 0
	for _, w := range s.reportOf(after).Select(-1, "") {
		if w.Path == "" || told[w.Path] {
			continue
		}
		at := slices.IndexFunc(changed, func(c settings.Changed) bool {
			rest, ok := strings.CutPrefix(w.Path, c.Path)
			return ok && string(c.To) != "null" && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
		if at < 0 || told[changed[at].Path] {
			continue
		}
		told[w.Path] = true
		if len(notes) >= maxNotes {
			more++
			continue
		}
		notes = append(notes, settings.Note{Path: w.Path, Note: w.Detail})
	}
	if more > 0 {
		notes = append(notes, settings.Note{Note: fmt.Sprintf("… and %d more: call sandbox_get_warnings with scope \"book\"", more)})
	}
	return notes
}

// beingLoaded tells which families that a change names have to be fetched for the
// pages that the answer does not wait for.
func (s *Session) beingLoaded(ctx context.Context, changed []settings.Changed) (notes []settings.Note, err error) {
	if !slices.ContainsFunc(changed, func(c settings.Changed) bool { return names(c, "") }) {
		return nil, nil
	}
	snap, tree, err := s.settings(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.catalogue(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		list = nil // what is known without it is told
	}
	for _, u := range s.usedFonts(snap.book, tree, list, ownFonts(snap.book, tree)) {
		at := slices.IndexFunc(changed, func(c settings.Changed) bool { return names(c, u.Family) })
		if at < 0 || u.Loaded {
			continue
		}
		note := fmt.Sprintf("the family %s is fetched for the pages, which this answer does not wait for: sandbox_list_fonts tells whether they are set in it", bridge.Quote(u.Family))
		if u.SetIn != "" {
			note = fmt.Sprintf("the files of the family %s cannot be had here: %s stands in for it", bridge.Quote(u.Family), bridge.Quote(u.SetIn))
		}
		notes = append(notes, settings.Note{Path: changed[at].Path, Note: note})
	}
	return notes, nil
}

// names reports whether a change writes the name of a family, "" for any.
func names(c settings.Changed, family string) bool {
	if family == "" {
		return strings.HasSuffix(c.Path, "fontFamily") || strings.HasSuffix(c.Path, "FontFamily") || bytes.Contains(c.To, []byte("ontFamily"))
	}
	name, err := json.Marshal(family)
	return err == nil && bytes.Contains(bytes.ToLower(c.To), bytes.ToLower(name))
}

// notLoaded tells which families that a change names could not be loaded; stands are
// those that are set in their place.
func notLoaded(changed []settings.Changed, stands map[string]string) (notes []settings.Note) {
	for _, family := range slices.Sorted(maps.Keys(stands)) {
		at := slices.IndexFunc(changed, func(c settings.Changed) bool { return names(c, family) })
		if at >= 0 {
			notes = append(notes, settings.Note{Path: changed[at].Path,
				Note: fmt.Sprintf("the family %s could not be loaded: %s stands in for it until its files can be had", bridge.Quote(family), bridge.Quote(stands[family]))})
		}
	}
	return notes
}

type findSettingArgs struct {
	Query string `json:"query" minLen:"1" maxLen:"200"`
	Limit int    `json:"limit" default:"20" min:"1" max:"100"`
}

type findSettingAnswer struct {
	settings.Found
	Note     string `json:"note,omitempty"`
	Revision int64  `json:"revision"`
}

func (a findSettingArgs) check() error {
	if strings.TrimSpace(a.Query) == "" {
		return bridge.Refuse("query is empty: give words of a setting, such as \"orphans\" or \"top margin\"")
	}
	return nil
}

func (s *Session) findSetting(ctx context.Context, a findSettingArgs) (any, error) {
	snap, tree, err := s.settings(ctx)
	if err != nil {
		return nil, err
	}
	ans := findSettingAnswer{Found: settings.Find(tree, s.env(snap.book), a.Query, a.Limit), Revision: snap.rev}
	if len(ans.Paths)+len(ans.Sections) == 0 {
		ans.Note = "nothing is called so: try another word, or sandbox_get_config without path, which lists the sections"
	}
	return ans, nil
}
