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
		{"In سنة ١٩٤٨ too", "In ١٩٤٨ ةنس too"},
		{"In ١٩٤٨ too", "In ١٩٤٨ too"},
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

const leftText = `"bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "firstLineIndent": {"value": 0, "unit": "pt"}, "textAlign": "left"}`

// TestDocumentDirection: the setting, else the script of the language, gives every
// paragraph its base; without either most of its letters do (settings.md 9).
func TestDocumentDirection(t *testing.T) {
	for _, c := range []struct{ more, text, want string }{
		{`, "direction": "rtl"`, "abc (אב) 12!", "!12 (בא) abc"},
		{`, "direction": "ltr"`, "אבג דה!", "הד גבא!"},
		{`, "locale": "he"`, "abc אב!", "!בא abc"},
		{`, "locale": "he", "direction": "ltr"`, "abc אב!", "abc בא!"},
		{``, "אבג דה!", "!הד גבא"},
	} {
		bl := blocksOf(lay(t, with(leftText+c.more), c.text), frame.Paragraph)[0]
		l := &bl.Lines[0]
		if got := across(l); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.more, c.text, got, c.want)
		}
		if right := l.X > bl.Box.X; right != (c.want[0] == '!') {
			t.Errorf("%s %s: begins at the wrong side", c.more, c.text)
		}
	}
	// A language says it for a container as dir does.
	bl := blocksOf(lay(t, with(leftText), ":::paragraphs{lang=he}\nab!\n:::"), frame.Paragraph)[0]
	if got := across(&bl.Lines[0]); got != "!ab" {
		t.Errorf("lang=he: %q", got)
	}
}

// TestListsFromTheRight: markers stand at the right of their texts, which keep as
// far from them as in a list from the left; a number's stop is on its left.
func TestListsFromTheRight(t *testing.T) {
	config := with(leftText)
	ltr := blocksOf(lay(t, config, "1. one\n2. two\n   - deep"), frame.ListItem)
	rtl := blocksOf(lay(t, config, "1. אחד\n2. שנים\n   - עמוק"), frame.ListItem)
	if len(ltr) != 3 || len(rtl) != 3 {
		t.Fatalf("%d and %d items", len(ltr), len(rtl))
	}
	left, right := 20*unit.Pt, 180*unit.Pt // of the column
	near := func(a, b unit.Sp) bool { return a-b < unit.Pt/20 && b-a < unit.Pt/20 }
	for i := range ltr {
		ml, mr := ltr[i].Over[0].Box, rtl[i].Over[0].Box
		if !near(ml.X-left, right-mr.Right()) {
			t.Errorf("item %d: the marker is %v from the left, %v from the right", i, (ml.X - left).Pt(), (right - mr.Right()).Pt())
		}
		l, r := &ltr[i].Lines[0], &rtl[i].Lines[0]
		if !near(l.X-ml.X, mr.Right()-r.X-r.Width) {
			t.Errorf("item %d: the text is %v and %v from the outer edge of its marker", i, (l.X - ml.X).Pt(), (mr.Right() - r.X - r.Width).Pt())
		}
	}
	if got := across(rtl[0].Over[0].Text); got != ".1" {
		t.Errorf("the first marker reads %q", got)
	}
}

// TestVerseFromTheRight: a poem's lines begin at the right, indents are room there.
func TestVerseFromTheRight(t *testing.T) {
	b := lay(t, with(leftText), ":::verse{align=start}\nאבגד הוז\n  חטי כלמנ\n:::")
	var lines []*frame.Line
	for _, bl := range blocksOf(b, frame.Verse) {
		lines = append(lines, &bl.Lines[0])
	}
	if len(lines) != 2 {
		t.Fatalf("%d lines", len(lines))
	}
	if d := lines[0].X + lines[0].Width - 180*unit.Pt; d > 16 || d < -16 {
		t.Errorf("the first line ends %v from the right", d.Pt())
	}
	if lines[1].X+lines[1].Width >= lines[0].X+lines[0].Width {
		t.Error("the second line is not set in at the right")
	}
}

// TestArabicIsJoined: letters take the forms of their places, run from the right
// and are never letterspaced.
func TestArabicIsJoined(t *testing.T) {
	spaced := with(`"bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "letterSpacing": {"value": 1, "unit": "pt"}, "textAlign": "left"}`)
	for _, config := range []string{with(leftText), spaced} {
		ws := wordsIn(blocksOf(lay(t, config, "The word سلام here"), frame.Paragraph)[0])
		w := ws[2].word.Shape
		if w.Text != "سلام" || !w.RTL || !w.Joined || w.Missing || w.Face.Family != "Noto Naskh Arabic" {
			t.Fatalf("%q, %s, from the right: %v, joined: %v", w.Text, w.Face, w.RTL, w.Joined)
		}
		alone, _ := w.Face.Glyph('س')
		if last := w.Glyphs[len(w.Glyphs)-1]; last.ID == alone || w.Spaces() != 0 {
			t.Error("the first letter has the form it has alone")
		}
		if gap := ws[3].word.X - ws[2].word.X - unit.Scale(w.Advance, ws[2].run.Size, w.Face.UPem); gap > 5*unit.Pt || gap < unit.Pt {
			t.Errorf("the next word stands %v behind", gap.Pt())
		}
	}
}
