package engine

import (
	"strings"
	"testing"

	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/unit"
)

// set is one word of a page with the run it stands in.
type set struct {
	run  *frame.Run
	word *frame.Word
}

// wordsIn lists the words of a block's lines.
func wordsIn(bl *frame.Block) (out []set) {
	for i := range bl.Lines {
		for r := range bl.Lines[i].Runs {
			run := &bl.Lines[i].Runs[r]
			for w := range run.Words {
				out = append(out, set{run, &run.Words[w]})
			}
		}
	}
	return
}

func problemsOf(b *frame.Book, kind string) (out []frame.Problem) {
	for _, c := range b.Chapters {
		for _, p := range c.Problems {
			if p.Kind == kind {
				out = append(out, p)
			}
		}
	}
	return
}

// TestFallbackByCluster: what the face lacks is set from a face that has it, in
// whole characters, and the rest of the word stays in its own face (layout.md 1).
func TestFallbackByCluster(t *testing.T) {
	b := lay(t, with(`"hyphenation": {"enabled": false}`), "A letter ש\u05c1 and aשe\u0301 end.")
	var got []string
	for _, w := range wordsIn(blocksOf(b, frame.Paragraph)[0]) {
		if w.run.Face != w.word.Shape.Face {
			t.Errorf("%q: its run has another face", w.word.Shape.Text)
		}
		got = append(got, w.run.Face.Family[:1]+":"+w.word.Shape.Text)
	}
	if s := strings.Join(got, " "); s != "E:A E:letter N:ש\u05c1 E:and E:a N:ש E:e\u0301 E:end." {
		t.Errorf("set as %s", s)
	}
	if p := problemsOf(b, "missingGlyph"); len(p) > 0 {
		t.Errorf("warned: %v", p)
	}
}

// TestMissingGlyphNamed: what no face has is named, with its place, wherever it is
// printed, and no more than twelve characters (warnings.md 4.1).
func TestMissingGlyphNamed(t *testing.T) {
	b := lay(t, with(`"hyphenation": {"enabled": false}`), "Plain.\n\nA sign 𓀀 here, 𓀀 and 𓀁 there.")
	ps := problemsOf(b, "missingGlyph")
	if len(ps) != 1 {
		t.Fatalf("%d warnings: %v", len(ps), ps)
	}
	p := ps[0]
	if src := "Plain.\n\nA sign "; p.Start != len(src) || p.End != p.Start+4 || p.Page != 0 {
		t.Errorf("at %d–%d on page %d", p.Start, p.End, p.Page)
	}
	if !strings.Contains(p.Detail, "EB Garamond 400") || !strings.Contains(p.Detail, "𓀀 (U+13000), 𓀁 (U+13001)") || p.Fields[3].Value != "𓀀𓀁" {
		t.Errorf("says %q, %v", p.Detail, p.Fields)
	}
	var many strings.Builder
	for r := rune(0x13000); r < 0x13000+30; r++ {
		many.WriteRune(r)
		many.WriteByte(' ')
	}
	p = problemsOf(lay(t, with(`"hyphenation": {"enabled": false}`), many.String()), "missingGlyph")[0]
	if v := p.Fields[3].Value; !strings.HasSuffix(p.Detail[:strings.Index(p.Detail, ":")], ", … +18") || len([]rune(v)) != 12 {
		t.Errorf("characters %q, %s", v, p.Detail)
	}
}

// TestMarksStayOnTheirLetters: letter spacing goes behind a letter with its marks,
// and a letter with its mark is as wide as the same letter in one piece.
func TestMarksStayOnTheirLetters(t *testing.T) {
	spaced := with(`"bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "letterSpacing": {"value": 1, "unit": "pt"}, "textAlign": "left"}`)
	for _, c := range []struct{ whole, parts string }{{"é", "e\u0301"}, {"É", "E\u0301"}, {"ạ\u0302", "a\u0323\u0302"}, {"Crème", "Cre\u0300me"}} {
		width := func(config, text string) unit.Sp {
			return blocksOf(lay(t, config, text+" x"), frame.Paragraph)[0].Lines[0].Width
		}
		for _, config := range []string{with(`"hyphenation": {"enabled": false}`), spaced} {
			if a, b := width(config, c.whole), width(config, c.parts); a != b {
				t.Errorf("%s is %v wide in one piece, %v in parts", c.whole, a.Pt(), b.Pt())
			}
		}
	}
	b := lay(t, spaced, "x\u0301\u0302y")
	s := wordsIn(blocksOf(b, frame.Paragraph)[0])[0].word.Shape
	if len(s.Glyphs) < 3 || s.Spaces() != 2 || s.Spaced(0) || s.Spaced(1) || !s.Spaced(2) {
		t.Errorf("%d glyphs, spaced behind %d", len(s.Glyphs), s.Spaces())
	}
	// A mark at the head of an inline belongs to the letter before it.
	ws := wordsIn(blocksOf(lay(t, spaced, "**e**\u0301a"), frame.Paragraph)[0])
	if ws[0].word.Shape.Text != "e\u0301" || ws[0].run.Face.Weight != 700 || ws[1].word.Shape.Text != "a" {
		t.Errorf("a mark behind bold text: %q", ws[0].word.Shape.Text)
	}
}

// TestSmallCapitals: the face's own where it has them for every letter of the word,
// else capitals at 70 %, marks with their letters (document-format.md 7.7).
func TestSmallCapitals(t *testing.T) {
	of := func(config, text string) (out []string) {
		for _, w := range wordsIn(blocksOf(lay(t, config, text), frame.Paragraph)[0]) {
			size := "full"
			if w.run.Size < 10*unit.Pt {
				size = "small"
			}
			out = append(out, size+":"+w.word.Shape.Text)
		}
		return
	}
	own := with(`"hyphenation": {"enabled": false}`)
	ws := wordsIn(blocksOf(lay(t, own, ":smallcaps[Linden]"), frame.Paragraph)[0])
	plain, _ := ws[0].run.Face.Glyph('n')
	if len(ws) != 1 || ws[0].run.Size != 10*unit.Pt || ws[0].word.Shape.Glyphs[2].ID == plain || ws[0].word.Shape.Text != "Linden" {
		t.Error("EB Garamond's own small capitals are not used")
	}
	sans := with(`"bodyText": {"fontFamily": "Open Sans", "fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}}, "hyphenation": {"enabled": false}`)
	if got := strings.Join(of(sans, ":smallcaps[Lie\u0301n 2]"), " "); got != "full:L small:IE\u0301N full:2" {
		t.Errorf("made of capitals: %s", got)
	}
}

// TestClustersStayWhole: what a reader takes for one character is one (UAX #29).
func TestClustersStayWhole(t *testing.T) {
	for _, c := range []string{"e\u0301", "x\u0323\u0302", "👩\u200d🚀", "🇨🇭", "👍🏽", "각", "\u1100\u1161\u11a8", "שּׁ", "क\u093f", "☂\ufe0f"} {
		for _, next := range []string{"a", "🇩🇪", " ", "각"} {
			if n := font.ClusterLen(c + next); n != len(c) {
				t.Errorf("%q before %q: %d bytes of %d", c, next, n, len(c))
			}
		}
	}
}
