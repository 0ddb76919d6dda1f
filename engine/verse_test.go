package engine

import (
	"strings"
	"testing"

	"postext/engine/frame"
	"postext/engine/unit"
)

// TestVerseAttributes: a poem's attributes win over the settings
// (document-format.md 4.8).
func TestVerseAttributes(t *testing.T) {
	lines := func(more, attrs, text string) []*frame.Block {
		return blocksOf(lay(t, with(more), ":::verse{align=start "+attrs+"}\n"+text+"\n:::"), frame.Verse)
	}
	const settings = `"bodyText": {"fontSize": {"value": 10, "unit": "pt"}, "lineHeight": {"value": 12, "unit": "pt"}, "verse": {"indentStep": {"value": 3, "unit": "pt"}, "stanzaSpace": 2}}`
	v := lines(settings, "", "a\n  b\n\nc")
	if x := v[1].Lines[0].X - v[0].Lines[0].X; x != 6*unit.Pt {
		t.Errorf("two steps of 3 pt set in by %v", x.Pt())
	}
	if y := v[2].Box.Y - v[1].Box.Bottom(); y != 24*unit.Pt {
		t.Errorf("two lines between stanzas are %v", y.Pt())
	}
	v = lines(settings, "indentStep=1em stanzaSpace=5pt", "a\n  b\n\nc")
	if x := v[1].Lines[0].X - v[0].Lines[0].X; x != 20*unit.Pt {
		t.Errorf("two steps of 1 em set in by %v", x.Pt())
	}
	if y := v[2].Box.Y - v[1].Box.Bottom(); y != 5*unit.Pt {
		t.Errorf("between stanzas %v", y.Pt())
	}
	const long = "A line of verse that is a good deal too long for the narrow measure of this page"
	v = lines(settings, "hang=30pt", long)
	if l := v[0].Lines; len(l) < 2 || l[1].X-l[0].X != 30*unit.Pt {
		t.Errorf("hanging turnover at %v", (l[1].X - l[0].X).Pt())
	}
	v = lines(settings, "turnover=right", long)
	if l := v[0].Lines; len(l) < 2 || l[1].X+l[1].Width < v[0].Box.Right()-32 {
		t.Errorf("the turnover ends at %v, the measure at %v", (l[1].X + l[1].Width).Pt(), v[0].Box.Right().Pt())
	}
	if it := itemOf(v[0], "turnover"); it == nil || it.Box.Right() > v[0].Lines[1].X {
		t.Errorf("turnover mark %+v", it)
	}
	// Slightly too wide: tightened, or turned over at once.
	for n := range 30 {
		text := "A line that is a bit too w" + strings.Repeat("i", n) + "de for it"
		a, b := lines(settings, "", text), lines(settings, "tighten=false", text)
		if len(a[0].Lines) == 1 && len(b[0].Lines) == 2 {
			return
		}
	}
	t.Error("tightening makes no difference")
}

// TestVerseStyle: a poem takes a paragraph style; one there is not is told of.
func TestVerseStyle(t *testing.T) {
	config := with(`"paragraphStyles": [{"id": "s", "fontSize": {"value": 8, "unit": "pt"}, "hangingIndent": {"value": 7, "unit": "pt"}}]`)
	b := lay(t, config, ":::verse{style=s align=start}\nA line of verse that is a good deal too long for the narrow measure of this page\n:::\n\n:::verse{style=x}\na\n:::")
	v := blocksOf(b, frame.Verse)
	if v[0].Lines[0].Runs[0].Size != 8*unit.Pt || v[0].Lines[1].X-v[0].Lines[0].X != 7*unit.Pt {
		t.Errorf("size %v, hang %v", v[0].Lines[0].Runs[0].Size.Pt(), (v[0].Lines[1].X - v[0].Lines[0].X).Pt())
	}
	if p := b.Chapters[0].Problems; len(p) != 1 || p[0].Kind != "unknownParagraphStyle" {
		t.Errorf("problems %+v", p)
	}
}
