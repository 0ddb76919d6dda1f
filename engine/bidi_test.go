package engine

import (
	"slices"
	"strings"
	"testing"

	"postext/engine/frame"
	"postext/engine/unit"
)

// across is a line's text as it is read from left to right, words in the order of
// their places, letters in that of their glyphs.
func across(l *frame.Line) string {
	type word struct {
		x, end unit.Sp
		text   string
	}
	var words []word
	for _, r := range l.Runs {
		for _, w := range r.Words {
			text := w.Shape.Text
			if w.Shape.RTL {
				rs := []rune(text)
				slices.Reverse(rs)
				text = strings.NewReplacer("(", ")", ")", "(").Replace(string(rs)) // mirrored
			}
			words = append(words, word{w.X, w.X + unit.Scale(w.Shape.Advance, r.Size, r.Face.UPem), text})
		}
	}
	slices.SortStableFunc(words, func(a, b word) int { return int(a.x - b.x) })
	var s strings.Builder
	for i, w := range words {
		if i > 0 && w.x > words[i-1].end+unit.Pt/4 {
			s.WriteByte(' ')
		}
		s.WriteString(w.text)
	}
	return s.String()
}

// TestBidiLines: a phrase in Hebrew or Arabic inside English text is read from the
// right, numbers in it from the left (UAX 9).
func TestBidiLines(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"The words אבג דהו mean", "The words והד גבא mean"},
		{"See אבג (דה) ו here", "See ו (הד) גבא here"},
		{"In אבג 1948 דה too", "In הד 1948 גבא too"},
		{"An אבג, ד! it", "An ד ,גבא! it"},
		{"Say :rtl[abc אב] now", "Say בא abc now"},
		{"אב **גד** הו זח", "חז וה דג בא"},
	} {
		b := lay(t, with(`"bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "firstLineIndent": {"value": 0, "unit": "pt"}, "textAlign": "left"}`), c.text)
		bl := blocksOf(b, frame.Paragraph)[0]
		got := across(&bl.Lines[0])
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
		at := int32(-1)
		for _, r := range bl.Lines[0].Runs {
			for _, w := range r.Words {
				if w.Start < at {
					t.Errorf("%s: the words are not in the order of the text", c.text)
				}
				at = w.Start
			}
		}
	}
}

// TestBidiParagraphs: a paragraph of letters that run from right to left begins at
// the right: indent, ragged edge and last line are there; lines are full where
// they are justified, and break in the order of the text.
func TestBidiParagraphs(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat("אבגד הוזח טיכל מנסע פצקר שת ", 8))
	b := lay(t, with(`"bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "firstLineIndent": {"value": 15, "unit": "pt"}}`), text+"\n\n"+text)
	bl := blocksOf(b, frame.Paragraph)[1]
	n := len(bl.Lines)
	if n < 3 {
		t.Fatal("too few lines")
	}
	for i := range bl.Lines {
		l := &bl.Lines[i]
		right := l.X + l.Width
		want := bl.Box.Right()
		if i == 0 {
			want -= 15 * unit.Pt
		}
		if d := right - want; d > unit.Pt/100 || d < -unit.Pt/100 {
			t.Errorf("line %d ends %v from the right", i, d.Pt())
		}
		if i < n-1 && l.X != bl.Box.X && !l.Ragged {
			t.Errorf("line %d begins %v from the left", i, (l.X - bl.Box.X).Pt())
		}
	}
	if l := &bl.Lines[n-1]; l.X <= bl.Box.X {
		t.Error("the last line is not ragged at the left")
	}
	var words []string
	for _, f := range strings.Fields(across(&bl.Lines[0])) {
		rs := []rune(f)
		slices.Reverse(rs)
		words = append([]string{string(rs)}, words...)
	}
	if got := strings.Join(words, " "); !strings.HasPrefix(text, got) {
		t.Errorf("the first line reads %q", got)
	}
}

// TestDirAttribute: a container says how its paragraphs run.
func TestDirAttribute(t *testing.T) {
	b := lay(t, with(`"bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "firstLineIndent": {"value": 0, "unit": "pt"}}`), ":::paragraphs{dir=rtl}\nabc!\n:::\n\nabc!")
	ps := blocksOf(b, frame.Paragraph)
	if l := ps[0].Lines[0]; l.X+l.Width != ps[0].Box.Right() || across(&l) != "!abc" {
		t.Errorf("dir=rtl: %q, %v from the right", across(&l), (ps[0].Box.Right() - l.X - l.Width).Pt())
	}
	if l := ps[1].Lines[0]; l.X != ps[1].Box.X || across(&l) != "abc!" {
		t.Error("the paragraph behind the container has its direction")
	}
}
