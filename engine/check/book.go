package check

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"postext/book"
	"postext/engine"
	"postext/engine/frame"
	"postext/engine/hyphen"
	"postext/engine/layout"
	"postext/engine/markup"
	"postext/engine/settings"
)

// What concerns the whole book: its fonts, its configuration, its resources.

// bookKey is what those warnings depend on.
type bookKey struct {
	tree      *settings.Tree
	design    uint64 // InkKey
	matter    string // the first chapter's front matter
	named     [4]string
	language  string
	resources []*book.Resource
	problems  []frame.Problem
	used      uses
	families  string
	unstored  bool
	// wordless: no chapter has text yet. Such a book has nothing to be called: what
	// it does not set is not missed.
	wordless bool
}

func (k *bookKey) same(o *bookKey) bool {
	return k.tree == o.tree && k.design == o.design && k.matter == o.matter && k.named == o.named && k.language == o.language &&
		k.families == o.families && k.unstored == o.unstored && k.wordless == o.wordless && slices.Equal(k.resources, o.resources) && maps.Equal(k.used, o.used) && reflect.DeepEqual(k.problems, o.problems)
}

// ofBook are the warnings of the book as a whole, before any is silenced.
func (c *Checker) ofBook(s *Source, tree *settings.Tree, d *settings.Design) []Warning {
	b := s.Book
	k := bookKey{tree: tree, design: inkKey(d), named: [4]string{b.Name, b.Title, b.Subtitle, b.Author}, language: b.Language,
		resources: b.Resources, problems: s.Problems, used: uses{}, families: s.Families, unstored: s.Unstored,
		wordless: !slices.ContainsFunc(b.Chapters, func(c *book.Chapter) bool { return strings.TrimSpace(c.Markdown) != "" })}
	for _, ch := range s.Chapters {
		maps.Copy(k.used, c.ofPages(ch, d).used)
	}
	var body int
	if len(b.Chapters) > 0 {
		k.matter, body = book.FrontMatter(b.Chapters[0].Markdown)
	}
	if c.whole != nil && k.same(&c.book) {
		return c.whole
	}
	var ps []frame.Problem
	if tree != nil {
		ps = append(ps, fontProblems(tree, settings.Env{Language: b.Language}, s.Problems, s.Family)...)
	}
	for _, p := range s.Problems {
		if p.Kind != "fontFallback" { // fontProblems tells those
			ps = append(ps, p)
		}
	}
	if len(s.Chapters) == 0 && len(s.Problems) == 0 { // the layout tells them otherwise
		ps = append(ps, engine.Duplicates(b)...)
	}
	if d != nil {
		for _, w := range d.Warnings {
			ps = append(ps, ofConfig(w))
		}
		meta := layout.Meta{}
		if len(b.Chapters) > 0 {
			doc := markup.Parse(b.Chapters[0].Markdown[:body], markup.Options{FirstChapter: true})
			meta = engine.MetaOf(b, doc)
		}
		ps = append(ps, resourceProblems(b, d, k.used)...)
		ps = append(ps, slotProblems(d, &meta, k.wordless)...)
		ps = append(ps, faint(d, k.used)...)
		if lang := d.Body.HyphenLang; d.Body.Hyphenate {
			if name, exact := hyphen.Name(lang); name != "" && !exact {
				ps = append(ps, frame.Problem{Kind: "unsupportedHyphenationLocale", Start: -1, Page: -1, Path: "bodyText.hyphenation.locale",
					Detail: lang + " — hyphenated as US English; there are patterns for " + strings.Join(hyphen.Languages(), ", "),
					Fields: []frame.Field{{Key: "locale", Value: lang}}})
			}
		}
	} else if tree != nil {
		for _, w := range settings.Validate(tree) {
			ps = append(ps, ofConfig(w))
		}
	}
	if s.Unstored {
		ps = append(ps, frame.Problem{Kind: "storageUnavailable", Start: -1, Page: -1, Detail: "uploads cannot be kept: changes last until the page is closed"})
	}
	c.book, c.whole = k, append([]Warning{}, listed(ps)...)
	return c.whole
}

// ofConfig is a warning of the configuration: path, what stands there, what was
// done about it.
func ofConfig(w settings.Warning) frame.Problem {
	p := frame.Problem{Kind: w.Kind, Path: w.Path, Start: -1, Page: -1, Detail: w.Path}
	suggest := ""
	if w.Suggestion != "" {
		suggest = "; did you mean " + w.Suggestion + "?"
	}
	if level := breakParity(w.Path); level != "" && w.Kind == "unknownConfigValue" {
		p.Kind, p.Detail = "headingBreakInvalidParity", "H"+level+" parity=\""+w.Value+"\""
		p.Fields = []frame.Field{{Key: "level", Value: level}, {Key: "value", Value: w.Value}}
		return p
	}
	switch w.Kind {
	case "unknownConfigKey":
		p.Detail += " — ignored" + suggest
	case "fontFamilyStack":
		p.Detail += ": \"" + w.Value + "\" — set in \"" + w.Used + "\", the first of the list"
	case "sideColumnPercentClamped":
		p.Detail += ": " + w.Value + " — " + w.Used + " % instead"
	case "columnCountClamped", "unknownNumerals":
		p.Detail += ": " + w.Value + " — " + w.Used + " instead"
	case "unknownNumberFormat":
		p.Detail += ": " + w.Value + " — numbered in " + w.Used
	default:
		p.Detail += ": " + w.Value + " — "
		if w.Used == "" {
			p.Detail += "ignored"
		} else {
			p.Detail += "read as " + w.Used
		}
		p.Detail += suggest
	}
	for _, f := range []frame.Field{{Key: "path", Value: w.Path}, {Key: "value", Value: w.Value}, {Key: "used", Value: w.Used}, {Key: "suggestion", Value: w.Suggestion}} {
		if f.Value != "" || f.Key == "used" {
			p.Fields = append(p.Fields, f)
		}
	}
	return p
}

// breakParity is the level whose break's parity a path is; "" for other paths.
func breakParity(path string) string {
	level, ok := strings.CutPrefix(path, "headings.levels[level=")
	level, last := strings.CutSuffix(level, "].breakBefore.parity")
	if !ok || !last {
		return ""
	}
	return level
}
