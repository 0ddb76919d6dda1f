package font

import (
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"

	"postext/engine/lexicon"
)

// The shape cache of a face. It is asked for every word of every layout, so a
// hit must cost one map lookup and nothing else; and a book may have any number
// of words, so it must not grow for ever. Two generations do both: shapes are
// made in the young one; when it is full it becomes the old one and what lay
// there is dropped; a shape found in the old one moves back, so words in use
// survive and keep their identity.
const (
	maxGeneration = 12 << 20 // bytes of shapes in a generation, roughly
	maxKept       = 512      // longest text worth keeping, in bytes
	maxSets       = 64       // feature sets in use at once; shaping plans are as many
)

// cache holds the shapes of one feature set.
type cache struct {
	features Features
	plain    bool // nothing asked for: words may be put together from pairs
	list     []harfbuzz.Feature
	language language.Language

	young, old *lexicon.Table[*Shape]
}

// set finds or makes the cache of a feature set.
func (im *impl) set(ft Features) *cache {
	c := im.sets[ft]
	if c == nil {
		if len(im.sets) >= maxSets {
			clear(im.sets)
			im.young = 0
			im.buf = harfbuzz.NewBuffer() // drops the plans
		}
		c = &cache{features: ft, plain: ft == Features{}, list: ft.list(), language: language.NewLanguage(ft.Language),
			young: &lexicon.Table[*Shape]{}, old: &lexicon.Table[*Shape]{}}
		im.sets[ft] = c
	}
	im.last = c
	return c
}

// miss looks in the old generation, then shapes.
func (f *Face) miss(c *cache, text string) *Shape {
	s, ok := c.old.Get(text)
	if !ok {
		s = f.shape(text, c)
		if len(text) > maxKept {
			return s
		}
	}
	f.impl.young += 160 + len(s.Text) + 20*len(s.Glyphs)
	if f.impl.young > maxGeneration {
		for _, each := range f.impl.sets {
			each.old, each.young = each.young, &lexicon.Table[*Shape]{}
		}
		f.impl.young = 0
	}
	c.young.Add(s.Text, s)
	return s
}
