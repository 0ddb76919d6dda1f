package engine

import (
	"fmt"
	"testing"

	"postext/book"
	"postext/engine/font/fonttest"
	"postext/engine/frame"
)

// TestPicturesOfDesigns holds how a picture is drawn by a design (settings.md 7.3):
// one side alone draws the other with it, with both it is fitted inside and
// centred, without it has its own size; a placeholder may name it, and an unknown
// one draws nothing.
func TestPicturesOfDesigns(t *testing.T) {
	picture := func(size string) string {
		return fmt.Sprintf(`{"kind": "image", "id": "i", "resourceId": "{attr.picture}", "placement": {"anchor": {"edge": "top-left"}, "size": {%s}}}`, size)
	}
	ts := New(fonttest.World(t))
	for _, c := range []struct {
		name, title, size string
		x, y, w, h        float64 // from the content's corner
	}{
		{"its own size", "plan", ``, 0, 0, 60, 40},
		{"a width", "plan", `"width": {"value": 120, "unit": "pt"}`, 0, 0, 120, 80},
		{"a height", "plan", `"height": {"value": 20, "unit": "pt"}`, 0, 0, 30, 20},
		{"all the width", "plan", `"width": "fill"`, 0, 0, 220, 220 * 2 / 3.},
		{"a wide box", "plan", `"width": {"value": 120, "unit": "pt"}, "height": {"value": 40, "unit": "pt"}`, 30, 0, 60, 40},
		{"a tall box", "plan", `"width": {"value": 30, "unit": "pt"}, "height": {"value": 40, "unit": "pt"}`, 0, 10, 30, 20},
		{"an unknown one", "nowhere", ``, 0, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := small(t, fmt.Sprintf(designed, "", "", title("{titleText}")+", "+picture(c.size)), fmt.Sprintf("# A title {picture=%q}\n\nText.", c.title))
			plan := drawing("plan", 60, 40, nil)
			plan.Alt = "A plan"
			b.Resources = []*book.Resource{plan}
			res := typeset(t, ts, b)
			page := res.Frames.Chapters[0].Pages[0]
			var found []frame.Item
			for _, it := range page.Under {
				if it.ID == "i" {
					found = append(found, it)
				}
			}
			if c.w == 0 {
				if len(found) != 0 {
					t.Errorf("drawn: %+v", found)
				}
				return
			}
			if len(found) != 1 || found[0].Picture == nil || found[0].Plain != "A plan" {
				t.Fatalf("%d pictures: %+v", len(found), found)
			}
			at := found[0].Box
			if d := at.X.Pt() - 40 - c.x; d > .01 || d < -.01 {
				t.Errorf("at x %.2f, want %.2f", at.X.Pt()-40, c.x)
			}
			for _, v := range []struct {
				what      string
				got, want float64
			}{{"y", at.Y.Pt() - 50, c.y}, {"width", at.W.Pt(), c.w}, {"height", at.H.Pt(), c.h}} {
				if d := v.got - v.want; d > .01 || d < -.01 {
					t.Errorf("%s %.2f, want %.2f", v.what, v.got, v.want)
				}
			}
		})
	}
}

// TestPicturesOfDesignsAreIncremental: another file under the same id changes the
// pages that show it, and nothing else is set anew; a picture of running heads is
// looked up again each time without the chapter growing.
func TestPicturesOfDesignsAreIncremental(t *testing.T) {
	ts := New(fonttest.World(t))
	head := `{"kind": "image", "id": "i", "resourceId": "plan", "placement": {"anchor": {"edge": "top-left"}}}`
	b := small(t, fmt.Sprintf(designed, head, "", title("{titleText}")), "# One\n\nText.", "# Two\n\nText.")
	b.Resources = []*book.Resource{drawing("plan", 60, 40, nil)}
	first := typeset(t, ts, b)
	before := ts.Counters()
	again := typeset(t, ts, b)
	if ts.Counters() != before || again.Frames.Chapters[1] != first.Frames.Chapters[1] {
		t.Error("laid out again without a change")
	}
	next := *b
	next.Resources = []*book.Resource{drawing("plan", 60, 50, nil)}
	changed := typeset(t, ts, &next)
	if c := ts.Counters(); c.ParagraphsShaped != before.ParagraphsShaped {
		t.Errorf("%d paragraphs shaped anew", c.ParagraphsShaped-before.ParagraphsShaped)
	}
	for i, c := range changed.Frames.Chapters {
		if h := c.Pages[0].Header[0].Box.H.Pt(); h != 50 {
			t.Errorf("chapter %d shows a picture %.0f pt high", i+1, h)
		}
	}
}
