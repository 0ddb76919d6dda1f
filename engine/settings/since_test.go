package settings

import (
	"fmt"
	"slices"
	"testing"
)

// sandbox.md 8: a change is told from the design the book began with, and taking it
// back gives that design's value again; all taken back, nothing differs.
func TestDifferencesAreTakenBack(t *testing.T) {
	for i, from := range testBases {
		for j, to := range testBases {
			was, now := mustParse(t, from), mustParse(t, to)
			diffs := now.Since(was, Env{})
			if (len(diffs) == 0) != (i == j) {
				t.Errorf("%d differences from %d to %d", len(diffs), i, j)
			}
			var changes []Change
			for _, d := range diffs {
				changes = append(changes, Change{d.Path, d.Was})
			}
			for some := range slices.Chunk(changes, MaxChanges) {
				// What a design stores may be unknown to the table.
				out, err := now.Apply(Env{Foreign: ForeignOf(was)}, some)
				if err != nil {
					t.Fatalf("from %d to %d: %v", i, j, err)
				}
				now = out.Tree
			}
			if left := now.Since(was, Env{}); len(left) > 0 {
				t.Errorf("from %d to %d there are left %v", i, j, left)
			}
		}
	}
}

func TestDifferences(t *testing.T) {
	was := mustParse(t, `{"bodyText":{"fontSize":"11pt","color":"#222222"},"headings":{"levels":[{"level":2,"fontSize":"13pt"}]},
		"header":{"elements":[{"id":"a","kind":"text","content":"x","placement":{"anchor":{"edge":"top"}}},{"id":"b","kind":"rule","placement":{"anchor":{"edge":"top"}}}]}}`)
	now := mustParse(t, `{"bodyText":{"fontSize":"10pt","lineHeight":"14pt"},"headings":{"levels":[{"level":1,"fontSize":"20pt"},{"level":2,"fontSize":"13pt"}]},
		"header":{"elements":[{"id":"c","kind":"rule","placement":{"anchor":{"edge":"top"}}},{"id":"a","kind":"text","content":"y","placement":{"anchor":{"edge":"top"}}}]},
		"colorPalette":[{"id":"main-color","name":"Main","value":"#aa0000"}]}`)
	var got []string
	for _, d := range now.Since(was, Env{}) {
		got = append(got, fmt.Sprintf("%s %.20s", d.Path, d.Was))
	}
	want := []string{`header.elements[id=a].content "x"`, `header.elements[id=b] {"id":"b","kind":"ru`, `header.elements[id=c] null`,
		`bodyText.fontSize "11pt"`, `bodyText.lineHeight null`, `bodyText.color "#222222"`, `headings.levels[level=1].fontSize null`}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s is missing of %q", w, got)
		}
	}
	p := NewPanel(now, was, Env{})
	f := p.At([]string{"bodyText.fontSize", "header.elements[id=c]", "header.elements[id=b]", "page.width"})
	if again := mustParse(t, `{"bodyText":{"fontSize":{"value":11,"unit":"pt"},"textAlign":"justify"}}`).Since(mustParse(t, `{"bodyText":{"fontSize":"11pt"}}`), Env{}); len(again) > 0 {
		t.Errorf("one length written in two ways differs: %v", again)
	}
	if len(f) != 3 || f[0].Changed != 1 || string(f[0].WasEffective) != `{"value":11,"unit":"pt"}` || f[1].Changed != 1 || f[2].Changed != 0 {
		t.Errorf("the fields are %+v", f)
	}
	n := 0
	for _, of := range p.Changed() {
		n += len(of.Fields)
	}
	if n != len(got) {
		t.Errorf("%d fields are told as changed, %d differ", n, len(got))
	}
}
