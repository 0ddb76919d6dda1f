package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"time"

	"postext/engine/font"
	"postext/engine/frame"
)

// Where a face lacks a character, another face sets it (layout.md 1): here is
// which, in what order, and what stands in for a family that cannot be had.

// families that stand in for one that is not there, and for characters a face
// does not have.
var standIn = []string{"EB Garamond", "Open Sans", "JetBrains Mono"}

// signFamily is the family with most signs of no script: of mathematics, arrows,
// ornaments. It comes last, being made for formulas.
const signFamily = "STIX Two Math"

// scriptFamilies are the families made for a script (ISO 15924) that a site has or
// its catalogue may give, the first that can be had before the others.
var scriptFamilies = map[string][]string{
	"Hebr": {"Noto Serif Hebrew", "Noto Sans Hebrew"},
	"Arab": {"Noto Naskh Arabic", "Amiri", "Noto Sans Arabic"},
	"Syrc": {"Noto Sans Syriac"}, "Thaa": {"Noto Sans Thaana"}, "Nkoo": {"Noto Sans NKo"},
	"Armn": {"Noto Serif Armenian", "Noto Sans Armenian"}, "Geor": {"Noto Serif Georgian", "Noto Sans Georgian"},
	"Ethi": {"Noto Serif Ethiopic"}, "Deva": {"Noto Serif Devanagari"}, "Beng": {"Noto Serif Bengali"},
	"Taml": {"Noto Serif Tamil"}, "Telu": {"Noto Serif Telugu"}, "Thai": {"Noto Serif Thai"},
	"Hani": {"Noto Serif JP", "Noto Sans SC"}, "Hira": {"Noto Serif JP"}, "Kana": {"Noto Serif JP"}, "Hang": {"Noto Serif KR"},
	"Grek": {"EB Garamond", "Open Sans"}, "Cyrl": {"EB Garamond", "Open Sans"},
}

// fallback is what is known of the faces that set what others lack.
type fallback struct {
	ctx      context.Context // of the call under way
	faces    map[otherKey][]*font.Face
	families []string         // of the design they were chosen for
	lost     map[faceKey]bool // could not be had
	since    time.Time        // when that was last tried
	cut      bool             // a call ended while a face was being fetched
}

type otherKey struct {
	face   *font.Face
	script string
}

// others gives the faces that may have the characters of a script f lacks, in f's
// weight and slant: the body's, the book's own, those made for the script, then
// of the other families in use and of those that stand in; last, for what belongs
// to no script, that of the signs.
func (t *Typesetter) others(f *font.Face, script string) []*font.Face {
	b := &t.fallback
	k := otherKey{f, script}
	if out, ok := b.faces[k]; ok {
		return out
	}
	if b.faces == nil {
		b.faces, b.families, b.lost = map[otherKey][]*font.Face{}, t.inUse(), map[faceKey]bool{}
	}
	names := slices.Concat(b.families[:1], t.own.names(), scriptFamilies[script], b.families[1:], standIn)
	if script == "" {
		names = append(names, signFamily)
	}
	out := []*font.Face{}
	for _, n := range names {
		// A family that is not there cannot help; the page shows empty boxes, and a
		// warning says which characters they are.
		fk := faceKey{n, f.Weight, f.Italic}
		o, err := t.load(b.ctx, fk)
		switch {
		case b.ctx.Err() != nil:
			b.cut = true
			return out
		case err != nil && !isNoFamily(err):
			b.lost[fk], b.since = true, time.Now()
		case err != nil:
		case o != f && !slices.Contains(out, o):
			out = append(out, o)
		}
	}
	b.faces[k] = out
	return out
}

// inUse are the families the design sets text in, the body's first.
func (t *Typesetter) inUse() []string {
	d := t.design
	return []string{d.Body.Family, d.Headings.Levels[0].Text.Family, d.Code.Family}
}

// reorder forgets the faces that stood in, with what was set in them, when the
// families of a new design have another order.
func (t *Typesetter) reorder() {
	if len(t.fallback.faces) > 0 && !slices.Equal(t.fallback.families, t.inUse()) {
		t.fallback = fallback{}
		t.forgetAll()
	}
}

// retryAfter is how long a family that could not be had is not asked for again.
const retryAfter = 30 * time.Second

// tryAgain begins a call: it forgets what was set while a call before was broken
// off, or before a face that can be had now. now: whatever time has passed.
func (t *Typesetter) tryAgain(ctx context.Context, now bool) {
	b := &t.fallback
	b.ctx = ctx
	back := b.cut
	if len(b.lost) > 0 && (now || time.Since(b.since) > retryAfter) {
		b.since = time.Now()
		for k := range b.lost {
			_, err := t.load(ctx, k)
			back = back || err == nil
		}
	}
	if len(t.stands) > 0 && (now || time.Since(t.stood) > retryAfter) {
		got := map[faceKey]*font.Face{}
		for k := range t.stands {
			if t.lasting[k] {
				continue
			}
			if f, err := t.load(ctx, k); err == nil {
				got[k] = f
			}
		}
		if ctx.Err() == nil {
			t.stood = time.Now()
			for k, f := range got {
				t.faces[k], back = f, true
				delete(t.stands, k)
			}
		}
	}
	if back && ctx.Err() == nil {
		t.fallback = fallback{ctx: ctx}
		t.forgetAll()
	}
}

// again asks the world for the faces that could not be had; nil when there are none
// that may come back.
func (t *Typesetter) again() func(context.Context) bool {
	var want []faceKey
	for _, k := range t.standKeys() {
		if !t.lasting[k] {
			want = append(want, k)
		}
	}
	for k := range t.fallback.lost {
		want = append(want, k)
	}
	if len(want) == 0 {
		return nil
	}
	world := t.world
	return func(ctx context.Context) bool {
		for _, k := range want {
			if _, err := world.Font(ctx, k.family, k.weight, k.italic); err == nil {
				return true
			}
			if ctx.Err() != nil {
				return false
			}
		}
		return false
	}
}

// NoFamily is the error of World.Font for a family that is not to be had here at all:
// there is no use in asking again.
type NoFamily struct{ Reason string }

func (e *NoFamily) Error() string { return e.Reason }

// NoFamily tells the error from others; other types say the same by having it.
func (e *NoFamily) NoFamily() {}

func isNoFamily(err error) bool {
	var none interface{ NoFamily() }
	return errors.As(err, &none)
}

// NoFont is the error of a layout for which no font at all can be had.
type NoFont struct{ Cause error }

func (e *NoFont) Error() string { return "no font can be had: " + e.Cause.Error() }

// Unwrap gives why the first font asked for cannot be had.
func (e *NoFont) Unwrap() error { return e.Cause }

// standFor sets f in the place of a face that cannot be had for now.
func (t *Typesetter) standFor(k faceKey, f *font.Face) {
	if len(t.stands) == 0 {
		t.stood = time.Now()
	}
	t.stands[k] = f
}

// nearest is the face at hand that is nearest to one that cannot be had: of its
// family, its slant, its weight; nil when there is none.
func (t *Typesetter) nearest(k faceKey) *font.Face {
	type rank struct {
		family, slant bool // other ones
		weight        int  // how far off
		name          string
	}
	var best *font.Face
	var least rank
	for have, f := range t.faces {
		r := rank{font.Fold(have.family) != font.Fold(k.family), have.italic != k.italic, max(have.weight-k.weight, k.weight-have.weight), fmt.Sprint(have)}
		better := best == nil
		switch {
		case better:
		case r.family != least.family:
			better = !r.family
		case r.slant != least.slant:
			better = !r.slant
		case r.weight != least.weight:
			better = r.weight < least.weight
		default:
			better = r.name < least.name
		}
		if better {
			best, least = f, r
		}
	}
	return best
}

// standing names the family that stands in for each one not to be had: for its
// lightest upright face, where several do.
func (t *Typesetter) standing() map[string]string {
	out := map[string]string{}
	for _, k := range t.standKeys() {
		if _, told := out[k.family]; !told {
			out[k.family] = t.stands[k].Family
		}
	}
	return out
}

// standKeys are the faces that others stand in for, in order.
func (t *Typesetter) standKeys() []faceKey {
	keys := make([]faceKey, 0, len(t.stands))
	for k := range t.stands {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		a, b := keys[i], keys[j]
		if a.family != b.family {
			return a.family < b.family
		}
		if a.weight != b.weight {
			return a.weight < b.weight
		}
		return !a.italic && b.italic
	})
	return keys
}

// standIns reports the faces that stood in for others.
func (t *Typesetter) standIns() []frame.Problem {
	var out []frame.Problem
	for _, k := range t.standKeys() {
		style := "normal"
		if k.italic {
			style = "italic"
		}
		out = append(out, frame.Problem{Kind: "fontFallback", Start: -1, Page: -1,
			Detail: fmt.Sprintf("%q %d %s — the pages were measured without this face, with %s", k.family, k.weight, style, t.stands[k]),
			Fields: []frame.Field{{Key: "family", Value: k.family}, {Key: "weight", Value: strconv.Itoa(k.weight)}, {Key: "style", Value: style}, {Key: "reason", Value: "missing"}}})
	}
	return out
}
