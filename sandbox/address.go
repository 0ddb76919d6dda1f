package sandbox

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"postext/book"
	"postext/bridge"
	"postext/engine/frame"
)

// Chapter and page addresses as tools take them (tools.md 1).

// chapterAt finds the chapter a tool's argument names: a position from 1, a
// title, or an id, tried in that order; nil is the chapter on screen.
func (s *Session) chapterAt(b *book.Book, arg any) (int, error) {
	switch a := arg.(type) {
	case nil:
		on := s.View().Chapter
		for i, c := range b.Chapters {
			if c.ID == on {
				return i, nil
			}
		}
		return 0, nil
	case float64:
		if a == math.Trunc(a) && a >= 1 && a <= float64(len(b.Chapters)) {
			return int(a) - 1, nil
		}
		return 0, bridge.Refuse("there is no chapter %s; the chapters: %s", number(a), chapterList(b, ""))
	case string:
		return chapterNamed(b, a)
	}
	return 0, bridge.Refuse("chapter is a position from 1, a title or an id; the chapters: %s", chapterList(b, ""))
}

func chapterNamed(b *book.Book, given string) (int, error) {
	name := strings.TrimSpace(given)
	if digits(name) {
		n, err := strconv.Atoi(name)
		if err == nil && n >= 1 && n <= len(b.Chapters) {
			return n - 1, nil
		}
		return 0, bridge.Refuse("there is no chapter %s; the chapters: %s", bridge.Quote(given), chapterList(b, ""))
	}
	for _, same := range []func(c *book.Chapter) bool{
		func(c *book.Chapter) bool { return strings.TrimSpace(c.Title) == name },
		func(c *book.Chapter) bool { return foldText(c.Title) == foldText(name) },
		func(c *book.Chapter) bool { return c.ID == name },
	} {
		var found []int
		for i, c := range b.Chapters {
			if same(c) {
				found = append(found, i)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			var places []string
			for _, i := range found {
				places = append(places, strconv.Itoa(i+1))
			}
			return 0, bridge.Refuse("%d chapters are called %s: give the position, one of %s", len(found), bridge.Quote(name), bridge.Choices(places, "sandbox_get_state"))
		}
	}
	return 0, bridge.Refuse("there is no chapter %s; the chapters: %s", bridge.Quote(given), chapterList(b, name))
}

// digits reports whether s is a string of digits.
func digits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// number writes a JSON number as a person would.
func number(f float64) string { return bridge.ShortNumber(f) }

// chapterList names the chapters for an error: those nearest to name first, or
// in order.
func chapterList(b *book.Book, name string) string {
	var list []string
	shown := map[string]string{}
	for i, c := range b.Chapters {
		entry := fmt.Sprintf("%d %s", i+1, bridge.Quote(c.Title))
		key := c.Title
		if _, taken := shown[key]; taken {
			key = entry
		}
		shown[key] = entry
		list = append(list, key)
	}
	if name != "" && len(list) > 12 {
		list = bridge.Nearest(name, list)
	}
	for i, key := range list {
		list[i] = shown[key]
	}
	return bridge.Choices(list, "sandbox_get_state")
}

// pageArgs are the addresses of a page that several tools take.
type pageArgs struct {
	Chapter  any  `json:"chapter,omitempty" types:"integer,string" min:"1" minLen:"1" doc:"position, title or id; left out: the one on screen"`
	Page     any  `json:"page,omitempty" types:"integer,string" minLen:"1" doc:"number printed on it: 24 or \"iv\""`
	Position *int `json:"position,omitempty" doc:"place in the chapter from 1; -1: the last"`
}

// check refuses addresses that no book has.
func (p pageArgs) check() error {
	switch {
	case p.Page != nil && p.Position != nil:
		return bridge.Refuse("give page (the printed number) or position (the place among the chapter's pages), not both")
	case p.Position != nil && *p.Position == 0:
		return bridge.Refuse("position counts the chapter's pages from 1, or from the end with -1; there is no 0")
	case p.Page != nil:
		_, err := pageLabel(p.Page)
		return err
	}
	return nil
}

// given reports whether a page is named.
func (p pageArgs) given() bool { return p.Page != nil || p.Position != nil }

// pageAt finds the page a call names in the chapter at index i.
func (s *Session) pageAt(l *Settled, i int, p pageArgs) (int, error) {
	k, err := s.pageOf(l.Book, i, l.Frames.Chapters[i], p)
	if no, ok := err.(*bridge.Refusal); ok && p.Page != nil && p.Position == nil {
		if label, bad := pageLabel(p.Page); bad == nil {
			return 0, bridge.Refuse("%s%s", no.Message, elsewhere(l, i, label))
		}
	}
	return k, err
}

// pageOfChapter finds the page a call names in a chapter from its own pages, which
// are there long before those of a whole long book; found is false when they do not
// tell, and the whole book is to be asked.
func (s *Session) pageOfChapter(ctx context.Context, chapter any, p pageArgs) (snap snapshot, i int, c *frame.Chapter, k int, found bool, err error) {
	if snap, err = s.await(ctx); err != nil {
		return snap, 0, nil, 0, false, err
	}
	if i, err = s.chapterAt(snap.book, chapter); err != nil {
		return snap, 0, nil, 0, false, err
	}
	id := snap.book.Chapters[i].ID
	if snap, c, err = s.chapterFrames(ctx, id); err != nil {
		return snap, i, nil, 0, false, err
	}
	if i = positionOf(snap.book, id) - 1; i < 0 || i >= len(snap.book.Chapters) || snap.book.Chapters[i].ID != id {
		return snap, 0, nil, 0, false, nil // taken out meanwhile
	}
	k, no := s.pageOf(snap.book, i, c, p)
	return snap, i, c, k, no == nil, nil
}

// pageOf finds the page a call names among those of the chapter at index i.
func (s *Session) pageOf(b *book.Book, i int, c *frame.Chapter, p pageArgs) (int, error) {
	n := len(c.Pages)
	name := fmt.Sprintf("chapter %d %s", i+1, bridge.Quote(b.Chapters[i].Title))
	if n == 0 {
		return 0, bridge.Refuse("%s has no pages", name)
	}
	if err := p.check(); err != nil {
		return 0, err
	}
	switch {
	case p.Position != nil:
		at := *p.Position
		if at < 0 {
			at += n + 1
		}
		if at < 1 || at > n {
			return 0, bridge.Refuse("%s has positions 1 to %d (or -1 to -%d from the end), not %d", name, n, n, *p.Position)
		}
		return at - 1, nil
	case p.Page != nil:
		label, err := pageLabel(p.Page)
		if err != nil {
			return 0, err
		}
		for k, pg := range c.Pages {
			if strings.EqualFold(pg.Label, label) && pg.Label != "" {
				return k, nil
			}
		}
		return 0, bridge.Refuse("page %s is not in %s, which has %s", bridge.Quote(label), name, pageRange(c))
	}
	v := s.View()
	if v.Chapter == b.Chapters[i].ID {
		return min(v.Position, n) - 1, nil
	}
	return 0, nil
}

// pageLabel reads a page argument.
func pageLabel(arg any) (string, error) {
	switch a := arg.(type) {
	case float64:
		return number(a), nil
	case string:
		if t := strings.TrimSpace(a); t != "" {
			return t, nil
		}
	}
	return "", bridge.Refuse("page is the number printed on the page, such as 24 or \"iv\"")
}

// pageRange says which pages a chapter has.
func pageRange(c *frame.Chapter) string {
	first, last := ends(c)
	switch {
	case first == "":
		return fmt.Sprintf("no printed page numbers: give a position from 1 to %d", len(c.Pages))
	case first == last:
		return fmt.Sprintf("page %s (position 1)", first)
	}
	return fmt.Sprintf("pages %s to %s (positions 1 to %d)", first, last, len(c.Pages))
}

// elsewhere says which other chapter has a page of this label.
func elsewhere(l *Settled, but int, label string) string {
	for i, c := range l.Frames.Chapters {
		if i == but {
			continue
		}
		for _, p := range c.Pages {
			if p.Label != "" && strings.EqualFold(p.Label, label) {
				return fmt.Sprintf("; it is in chapter %d %s", i+1, bridge.Quote(l.Book.Chapters[i].Title))
			}
		}
	}
	return ""
}
