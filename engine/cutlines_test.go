package engine

import (
	"fmt"
	"testing"

	"postext/engine/font/fonttest"
	"postext/engine/frame"
	"postext/engine/unit"
)

// cutConfig is a page of 200 × 300 points with a head that fills the bleed, a title
// whose design hangs on it, and a box pinned to it.
const cutConfig = `{"page": {"sizePreset": "custom", "width": {"value": 200, "unit": "pt"}, "height": {"value": 300, "unit": "pt"},
 "margins": {"left": {"value": 40, "unit": "pt"}, "right": {"value": 40, "unit": "pt"}}, "cutLines": {%s}},
 "layout": {"layoutType": "single"},
 "header": {"elements": [{"kind": "box", "id": "bled", "placement": {"anchor": {"to": "bleed", "edge": "top-left"}, "size": {"width": "fill", "height": "fill"}}},
  {"kind": "box", "id": "trim", "placement": {"anchor": {"to": "page", "edge": "top-left"}, "size": {"width": "fill", "height": "fill"}}}]},
 "headings": {"levels": [{"level": 1, "breakBefore": {"enabled": false}, "advancedDesign": {"enabled": true, "slot": {"elements": [
  {"kind": "box", "id": "band", "placement": {"anchor": {"to": "bleed", "edge": "top-left"}, "size": {"width": "fill", "height": {"value": 90, "unit": "pt"}}}},
  {"kind": "text", "id": "t", "content": "{titleText}", "placement": {"anchor": {"edge": "top-left"}}}]}}}]},
 "calloutStyles": [{"id": "note", "placement": "fixed", "fixed": {"anchor": {"to": "bleed", "edge": "bottom-right"}}}]}`

const cutSheet = `"enabled": true, "bleed": {"value": 9, "unit": "pt"}, "markOffset": {"value": %d, "unit": "pt"}, "markLength": {"value": 14, "unit": "pt"}, "markWidth": {"value": 1, "unit": "pt"}, "color": {"hex": "#ff0000", "model": "hex"}`

const cutText = "# A title\n\nText of the page.\n\n:::callout\nA box.\n:::\n\nMore text of it."

// Crop marks make the sheet larger on every side by the bleed, the room before a
// mark and its length; a mark never starts inside the bleed (settings.md 5).
func TestCropMarksNeverStartInsideTheBleed(t *testing.T) {
	for offset, start := range map[int]float64{6: 9, 20: 20} {
		b := lay(t, fmt.Sprintf(cutConfig, fmt.Sprintf(cutSheet, offset)), cutText)
		p := b.Chapters[0].Pages[0]
		if p.Width.Pt() != 200 || p.Height.Pt() != 300 {
			t.Errorf("the trimmed page measures %v × %v", p.Width.Pt(), p.Height.Pt())
		}
		margin := float64(9 + offset + 14)
		if s := p.Sheet(); s.X.Pt() != -margin || s.Y.Pt() != -margin || s.W.Pt() != 200+2*margin || s.H.Pt() != 300+2*margin {
			t.Errorf("offset %d: the sheet is %v", offset, s)
		}
		boxes := p.MarkBoxes()
		if len(boxes) != 8 {
			t.Fatalf("%d marks", len(boxes))
		}
		if m := boxes[0]; m.X.Pt() != -start-14 || m.Right().Pt() != -start || m.Y.Pt() != -.5 || m.H.Pt() != 1 {
			t.Errorf("offset %d: the first mark is %v to %v", offset, m.X.Pt(), m.Right().Pt())
		}
		for _, m := range boxes {
			if touches(m, p.BleedBox()) || m.X < p.Sheet().X || m.Y < p.Sheet().Y || m.Right() > p.Sheet().Right() || m.Bottom() > p.Sheet().Bottom() {
				t.Errorf("offset %d: a mark stands at %v", offset, m)
			}
		}
	}
}

func touches(a, b unit.Rect) bool {
	return a.X < b.Right() && b.X < a.Right() && a.Y < b.Bottom() && b.Y < a.Bottom()
}

// What hangs on the bleed reaches into it while cut lines are on; everything else
// keeps its place, and no text is laid out anew (settings.md 5, 7.4).
func TestCutLinesMoveNoText(t *testing.T) {
	ts := New(fonttest.World(t))
	off := small(t, fmt.Sprintf(cutConfig, ``), cutText)
	before := typeset(t, ts, off).Frames.Chapters[0].Pages[0]
	on := withConfig(t, off, fmt.Sprintf(cutConfig, fmt.Sprintf(cutSheet, 9)))
	built := ts.Counters()
	after := typeset(t, ts, on).Frames.Chapters[0].Pages[0]
	if now := ts.Counters(); now.ParagraphsBroken != built.ParagraphsBroken {
		t.Errorf("%d paragraphs were broken for crop marks", now.ParagraphsBroken-built.ParagraphsBroken)
	}
	item := func(list []frame.Item, id string) unit.Rect {
		for _, it := range list {
			if it.ID == id {
				return it.Box
			}
		}
		t.Fatalf("there is no %s", id)
		return unit.Rect{}
	}
	pt := func(x, y, w, h float64) unit.Rect {
		return unit.Rect{X: unit.FromPt(x), Y: unit.FromPt(y), W: unit.FromPt(w), H: unit.FromPt(h)}
	}
	for _, c := range []struct {
		what             string
		was, is, off, on unit.Rect
	}{
		{"the head on the bleed", item(before.Header, "bled"), item(after.Header, "bled"), pt(0, 0, 200, 300), pt(-9, -9, 218, 318)},
		{"the head on the page", item(before.Header, "trim"), item(after.Header, "trim"), pt(0, 0, 200, 300), pt(0, 0, 200, 300)},
		{"the title's band", item(before.Under, "band"), item(after.Under, "band"), pt(0, 0, 200, 90), pt(-9, -9, 218, 90)},
	} {
		if c.was != c.off || c.is != c.on {
			t.Errorf("%s: %v without, %v with cut lines", c.what, c.was, c.is)
		}
	}
	a, b := before.Floats[0].Box, after.Floats[0].Box
	if d := b.X - a.X; d != 9*unit.Pt || b.Y-a.Y != d || b.W != a.W {
		t.Errorf("the pinned box goes from %v to %v", a, b)
	}
	for i := range before.Columns {
		for k, was := range before.Columns[i].Blocks {
			if is := after.Columns[i].Blocks[k]; is.Box != was.Box || len(is.Lines) != len(was.Lines) || len(is.Lines) > 0 && is.Lines[0].Baseline != was.Lines[0].Baseline {
				t.Errorf("block %d was at %v, is at %v", k, was.Box, is.Box)
			}
		}
	}
}
