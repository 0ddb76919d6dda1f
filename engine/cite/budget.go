package cite

// A style is a program that anyone may write, and macros that call macros twice
// double with each. What one work prints is bounded by what there is to say of it:
// far above what any style needs, so that what passes it is a mistake.

const (
	// maxSteps bounds the elements of a style that one work takes; the styles that
	// are here take 60.
	maxSteps = 4_000
	// A work prints textOwn bytes and textShare for each of its own, and may put so
	// many times as many together on the way there: texts move up through groups and
	// macros.
	textOwn, textShare, textMoves = 2_000, 4, 16
	// longSpan is where a span is no longer written on, so that many short texts cost
	// what they are long.
	longSpan = 4_096
)

// budget is what a work may still take.
type budget struct {
	steps int // elements
	room  int // bytes put together
	most  int // bytes of the whole
}

func budgetOf(w *Work) budget {
	n := 0
	for _, v := range w.Text {
		n += len(v)
	}
	for _, names := range w.Names {
		for i := range names {
			m := &names[i]
			n += len(m.Family) + len(m.Given) + len(m.Particle) + len(m.Dropping) + len(m.Suffix) + len(m.Literal)
		}
	}
	most := textOwn + textShare*n
	return budget{maxSteps, textMoves * most, most}
}

// step takes an element; false: none is left.
func (b *budget) step() bool {
	b.steps--
	return b.steps >= 0 && b.room >= 0
}

// takes takes room for so many bytes; false: there is none left.
func (b *budget) takes(n int) bool {
	b.room -= n
	return b.room >= 0
}

// free lifts the bounds: what is put together now is bounded already.
func (b *budget) free() { b.steps, b.room = 1<<40, 1<<40 }

// spent reports whether a work took more than it may for the text it has become.
func (b *budget) spent(r rich) bool {
	n := 0
	for i := range r {
		n += len(r[i].Text)
	}
	return b.steps < 0 || b.room < 0 || n > b.most
}

// Overrun reports whether the style has printed far more of a work than there is to
// say of it.
func (s *Set) Overrun() bool { return s.overrun }
