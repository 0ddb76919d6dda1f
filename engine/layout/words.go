package layout

import (
	"iter"
	"slices"
	"strings"

	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/lexicon"
	"postext/engine/unit"
)

// word is a piece of text that is shaped in one cut: it has no break but those
// between its syllables. Words are shared by all paragraphs of their fount.
type word struct {
	shape *font.Shape
	face  *font.Face // the shape's
	width unit.Sp    // as set in the fount, tracking included
	cuts  []cut      // places where a syllable may end, in order
	// drawing stands in the place of text: a formula. The shape is empty.
	drawing *frame.Drawing
	// more holds the further shapes of a word whose characters come from
	// several faces; shape is then the first of them.
	more []*font.Shape
}

// shapes are the shapes of a word, in the order of its text.
func (w *word) shapes() iter.Seq[*font.Shape] {
	return func(yield func(*font.Shape) bool) {
		if !yield(w.shape) {
			return
		}
		for _, s := range w.more {
			if !yield(s) {
				return
			}
		}
	}
}

// widest is the width of a word's widest syllable, with its hyphen.
func (w *word) widest() (most unit.Sp) {
	var at unit.Sp
	for i := range w.cuts {
		most = max(most, w.cuts[i].pos-at+w.cuts[i].hyphen)
		at = w.cuts[i].pos
	}
	return max(most, w.width-at)
}

// text is what a word prints.
func (w *word) text() string {
	if w.more == nil {
		return w.shape.Text
	}
	var t strings.Builder
	for s := range w.shapes() {
		t.WriteString(s.Text)
	}
	return t.String()
}

// cut is a syllable end inside a word.
type cut struct {
	at  int32   // byte offset in the word's text
	pos unit.Sp // where it stands in the undivided word
	// hyphen is what the line grows by when it ends here: the hyphen, and the
	// kerning lost and won.
	hyphen unit.Sp
}

// hyphenEnd is what is known of a letter before a hyphen, in font units: its
// own advance, and how far from its left the hyphen ends and starts.
type hyphenEnd struct{ own, end, start int32 }

// minDivided is the fewest bytes a divided word has (layout.md 5.3).
const minDivided = 5

// word returns the word of a piece of text.
func (f *fount) word(text string) *word {
	if w, ok := f.words.Get(text); ok {
		return w
	}
	w := f.compose(text)
	if w == nil {
		w = f.shape(text)
		if f.hyphenate != nil && len(text) >= minDivided && w.more == nil && !w.shape.RTL {
			f.divide(w)
		}
	}
	if f.words.Len() >= maxWords {
		f.words = lexicon.Table[*word]{}
	}
	f.words.Add(w.key(text), w)
	return w
}

// part returns a piece that is not divided further.
func (f *fount) part(text string) *word {
	if w, ok := f.parts.Get(text); ok {
		return w
	}
	w := f.shape(text)
	if f.parts.Len() >= maxWords {
		f.parts = lexicon.Table[*word]{}
	}
	f.parts.Add(w.key(text), w)
	return w
}

// key is a copy of text that does not hold on to a whole chapter.
func (w *word) key(text string) string {
	if w.more == nil && w.shape.Text == text {
		return w.shape.Text
	}
	return strings.Clone(text)
}

func (f *fount) shape(text string) *word { return f.shapeIn(text, f.features()) }

func (f *fount) shapeIn(text string, ft font.Features) *word {
	s := f.face.Shape(text, ft)
	w := f.newWord()
	w.shape = s
	if s.Missing {
		if st := f.others(s); len(st.Faces) > 1 {
			all := st.Shape(nil, text, ft)
			w.shape, w.more = all[0], all[1:]
		}
		f.lay.lacking = f.lay.lacking || w.shape.Missing
	}
	w.face, w.width = w.shape.Face, f.extent(w.shape)
	for _, m := range w.more {
		w.width += f.extent(m)
		f.lay.lacking = f.lay.lacking || m.Missing
	}
	return w
}

// others is the face with those that may set what it lacks of a shape: which they
// are hangs on the text alone, whatever was set before.
func (f *fount) others(s *font.Shape) *font.Stack {
	var scripts []string
	s.Lacking(func(_ int, r rune) {
		if sc := font.Script(r); !slices.Contains(scripts, sc) {
			scripts = append(scripts, sc)
		}
	})
	st := &font.Stack{Faces: []*font.Face{f.face}}
	if f.lay.env.Others == nil {
		return st
	}
	for _, sc := range scripts {
		for _, o := range f.lay.env.Others(f.face, sc) {
			if !slices.Contains(st.Faces, o) {
				st.Faces = append(st.Faces, o)
			}
		}
	}
	return st
}

// extent is the set width of a shape.
func (f *fount) extent(s *font.Shape) unit.Sp {
	x := unit.Scale(s.Advance, f.key.size, s.Face.UPem)
	if f.key.track != 0 {
		x += f.key.track * unit.Sp(s.Spaces())
	}
	return x
}

// extentFrom is the set width of a shape from a byte of its text on.
func (f *fount) extentFrom(s *font.Shape, at int32) unit.Sp {
	var adv int32
	n := 0
	for i := range s.Glyphs {
		if s.Glyphs[i].Cluster >= at {
			adv += s.Glyphs[i].Advance
			if f.key.track != 0 && s.Spaced(i) {
				n++
			}
		}
	}
	return unit.Scale(adv, f.key.size, s.Face.UPem) + f.key.track*unit.Sp(n)
}

// newWord and newCuts take from slabs: words stay as long as their fount.
func (f *fount) newWord() *word {
	if len(f.wordSlab) == 0 {
		f.wordSlab = make([]word, 128)
	}
	w := &f.wordSlab[0]
	f.wordSlab = f.wordSlab[1:]
	return w
}

func (f *fount) newCuts(n int) []cut {
	if n > len(f.cutSlab) {
		f.cutSlab = make([]cut, max(256, n))
	}
	c := f.cutSlab[:n:n]
	f.cutSlab = f.cutSlab[n:]
	return c
}

// divide finds the places where w may be divided.
func (f *fount) divide(w *word) {
	f.points = f.hyphenate(w.shape.Text, f.points[:0])
	// A syllable ends behind a letter and its marks, not between them.
	f.points = slices.DeleteFunc(f.points, func(p int) bool {
		return w.shape.Text[p] >= 0xCC && font.ClusterLen("a"+w.shape.Text[p:]) > 1
	})
	if len(f.points) == 0 {
		return
	}
	w.cuts = f.newCuts(len(f.points))
	for i, p := range f.points {
		w.cuts[i] = f.cutAt(w, p)
	}
}

// cutAt prices a division. Between two glyphs the position is read from the
// word's own shape and the hyphen's place from a table by letter; inside a
// ligature the parts are shaped.
func (f *fount) cutAt(w *word, at int) cut {
	s := w.shape
	var pos, last int32
	clean, tail := false, 0
	for i := range s.Glyphs {
		g := &s.Glyphs[i]
		if int(g.Cluster) >= at {
			clean = int(g.Cluster) == at
			break
		}
		pos += g.Advance
		if i > 0 && s.Glyphs[i-1].Cluster == g.Cluster {
			last += g.Advance
		} else {
			last = g.Advance
			tail = int(g.Cluster)
		}
	}
	upem, size := s.Face.UPem, f.key.size
	if !clean {
		rest := f.part(s.Text[at:])
		head := f.part(s.Text[:at] + "-")
		p := w.width - rest.width
		return cut{at: int32(at), pos: p, hyphen: head.width - p}
	}
	e := f.hyphenEnd(s.Text[tail:at])
	c := cut{at: int32(at), pos: unit.Scale(pos, size, upem), hyphen: unit.Scale(pos-last+e.end, size, upem)}
	c.hyphen -= c.pos
	if t := f.key.track; t != 0 {
		n := 0
		for i := range s.Glyphs {
			if int(s.Glyphs[i].Cluster) < at && s.Spaced(i) {
				n++
			}
		}
		c.pos += t * unit.Sp(n)
		c.hyphen += t
	}
	return c
}

// hyphenEnd measures a letter, or letters joined in a ligature, before a hyphen.
func (f *fount) hyphenEnd(last string) hyphenEnd {
	if e, ok := f.ends.Get(last); ok {
		return e
	}
	own := f.part(last).shape.Advance
	end := f.part(last + "-").shape.Advance
	e := hyphenEnd{own: own, end: end, start: end - f.hyphen.shape.Advance}
	f.ends.Add(f.store.Text(last), e)
	return e
}

// hyphenAt is how far behind a shaped part its hyphen starts.
func (f *fount) hyphenAt(s *font.Shape) unit.Sp {
	if len(s.Glyphs) == 0 {
		return 0
	}
	c := s.Glyphs[len(s.Glyphs)-1].Cluster
	e := f.hyphenEnd(s.Text[c:])
	return unit.Scale(e.start-e.own, f.key.size, f.face.UPem)
}
