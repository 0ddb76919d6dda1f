package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"postext/book"
	"postext/bridge"
	"postext/engine/settings"
)

func (s *Session) designTools() []bridge.Tool {
	return []bridge.Tool{
		bridge.Define("sandbox_get_config", "Read a setting",
			"Reads one setting of the design or a whole section by its path: set is what the book stores, effective what results with every default. Without path: the sections. If the path is not known use sandbox_find_setting first. Example: {\"path\": \"headings.levels[level=2]\"}.",
			reads, s.getConfig),
		bridge.Define("sandbox_set_config", "Change settings",
			"Changes settings of the design by path, in one call as many as needed: all or nothing. Answers what was stored before (send it back to undo), what moved with it, and the pages before and after. Example: {\"changes\": [{\"path\": \"bodyText.fontSize\", \"value\": \"10.5pt\"}]}.",
			writes, s.setConfig),
		bridge.Define("sandbox_find_setting", "Find a setting's path",
			"Finds the paths of settings by words, label, option or part of a path, misspellings too, and where the Design panel shows them. To read a setting whose path is known use sandbox_get_config. Example: {\"query\": \"orphans\"}.",
			reads, s.findSetting),
	}
}

// env is what settings want to know of the book.
func (s *Session) env(b *book.Book) settings.Env {
	e := settings.Env{Language: b.Language}
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
		near := bridge.Nearest(family, all)
		return false, near[:min(len(near), 12)]
	}
	return e
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
	Path     string `json:"path,omitempty" doc:"such as bodyText.fontSize, header.elements[id=titleOdd] or a section; left out: the sections"`
	Defaults bool   `json:"defaults" default:"true" doc:"false: of a section only what the book sets"`
}

type getConfigAnswer struct {
	*settings.Info
	Truncated *nextLine `json:"truncated,omitempty"`
	Revision  int64     `json:"revision"`
}

// sectionsAnswer lists the top-level keys with what is set in each.
type sectionsAnswer struct {
	Path     string           `json:"path"`
	Type     string           `json:"type"`
	Children []settings.Child `json:"children"`
	Revision int64            `json:"revision"`
}

func (s *Session) getConfig(ctx context.Context, a getConfigArgs) (any, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	tree, err := settings.Parse(snap.book.Config)
	if err != nil {
		return nil, faults(err)
	}
	if a.Path == "" {
		info, err := tree.Describe(s.env(snap.book), "", a.Defaults)
		if err != nil {
			return nil, faults(err)
		}
		return sectionsAnswer{Type: "object", Children: info.Children, Revision: snap.rev}, nil
	}
	info, err := tree.Describe(s.env(snap.book), a.Path, a.Defaults)
	if err != nil {
		return nil, faults(err)
	}
	ans := getConfigAnswer{Info: info, Revision: snap.rev}
	if len(info.Effective) > maxText {
		info.Effective = nil
		ans.Truncated = &nextLine{Note: "effective is left out for its length: ask for one of the children's paths"}
	}
	return ans, nil
}

type setConfigArgs struct {
	Changes []oneChange     `json:"changes,omitempty" doc:"1 to 100"`
	Patch   json.RawMessage `json:"patch,omitempty" free:"true" doc:"merged: objects merge, null removes, lists are replaced whole"`
	Replace json.RawMessage `json:"replace,omitempty" types:"object,string" doc:"a whole configuration, also an exported postext-config.json, also as text"`
	Wait    bool            `json:"wait" default:"true" doc:"wait for the pages"`
	DryRun  bool            `json:"dryRun" default:"false" doc:"only say what would change"`
}

type oneChange struct {
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value" any:"true" doc:"null removes; a length is \"2.5cm\", {value, unit} or a number, a colour \"#1f3a5f\""`
}

type setConfigAnswer struct {
	Changed  []settings.Changed `json:"changed"`
	Followed []settings.Moved   `json:"followed"`
	Notes    []settings.Note    `json:"notes,omitempty"`
	DryRun   bool               `json:"dryRun,omitempty"`
	Pages
}

func (s *Session) setConfig(ctx context.Context, a setConfigArgs) (any, error) {
	given := 0
	for _, is := range []bool{a.Changes != nil, a.Patch != nil, a.Replace != nil} {
		if is {
			given++
		}
	}
	if given != 1 {
		return nil, bridge.Refuse("give exactly one of changes ([{\"path\": …, \"value\": …}]), patch (an object merged into the configuration) or replace (a whole configuration)")
	}
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
		ans = setConfigAnswer{Changed: out.Changed, Followed: out.Followed, Notes: out.Notes, DryRun: a.DryRun}
		if ans.Changed == nil {
			ans.Changed = []settings.Changed{}
		}
		if ans.Followed == nil {
			ans.Followed = []settings.Moved{}
		}
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
	return ans, nil
}

type findSettingArgs struct {
	Query string `json:"query" minLen:"1" maxLen:"200"`
	Limit int    `json:"limit" default:"20" min:"1" max:"100"`
}

type findSettingAnswer struct {
	settings.Found
	Revision int64 `json:"revision"`
}

func (s *Session) findSetting(ctx context.Context, a findSettingArgs) (any, error) {
	snap, err := s.await(ctx)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(a.Query) == "" {
		return nil, bridge.Refuse("query is empty: give words of a setting, such as \"orphans\" or \"top margin\"")
	}
	tree, err := settings.Parse(snap.book.Config)
	if err != nil {
		return nil, faults(err)
	}
	return findSettingAnswer{settings.Find(tree, s.env(snap.book), a.Query, a.Limit), snap.rev}, nil
}
