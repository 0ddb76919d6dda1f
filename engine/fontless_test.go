package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"postext/engine/font/fonttest"
)

// fontless is a world whose fonts may be out of reach.
type fontless struct {
	fonttest.Source
	down bool
}

func (w *fontless) Font(ctx context.Context, family string, weight int, italic bool) (FontFile, error) {
	if w.down {
		return FontFile{}, errors.New("the server does not answer")
	}
	return w.Source.Font(ctx, family, weight, italic)
}

// TestFontsOutOfReach: the nearest face at hand stands in, with a warning, and the
// face itself takes its place once it can be had; with none at all the error says so.
func TestFontsOutOfReach(t *testing.T) {
	w := &fontless{Source: fonttest.World(t)}
	ts := New(w)
	regular, both := small(t, `{}`, "Plain.\n"), small(t, `{}`, "**Bold.**\n")
	typeset(t, ts, regular)
	w.down = true
	r := typeset(t, ts, both)
	if got := firstFace(r.Frames); got != "EB Garamond 400" {
		t.Errorf("set in %s", got)
	}
	if len(r.Problems) != 1 || r.Problems[0].Kind != "fontFallback" || !strings.Contains(r.Problems[0].Detail, "700 normal — the pages were measured without this face, with EB Garamond 400") {
		t.Errorf("%+v", r.Problems)
	}
	w.down = false
	ts.stood = time.Now().Add(-2 * retryAfter)
	r = typeset(t, ts, both)
	if got := firstFace(r.Frames); got != "EB Garamond 700" || len(r.Problems) != 0 {
		t.Errorf("afterwards set in %s, %+v", got, r.Problems)
	}
	var none *NoFont
	if _, err := New(&fontless{w.Source, true}).Typeset(t.Context(), regular, Observer{}); !errors.As(err, &none) {
		t.Errorf("without any font: %v", err)
	}
}
