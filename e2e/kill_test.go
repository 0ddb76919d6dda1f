package e2e

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"postext/book/booktest/tree"
	"postext/e2e/browser"
)

// kills is how often the page or its worker is killed; the suite does it a few
// times, `go test ./e2e -run TestKilled -kills 200 -timeout 60m` as often as the
// storage is asked to stand.
var kills = flag.Int("kills", 6, "how often TestKilled kills the page or the worker")

// writing is what the page does until it is killed: it writes the same number
// into three chapters, one call after another, and asks for every number to be
// saved; whatever was saved is told.
const writing = `(() => {
	const call = (n, a) => postextWebMcp.executeTool(n, a);
	window.savedNumber = %d;
	(async () => {
		for (let n = %d; ; n++) {
			for (const chapter of [1, 2, 3]) await call('sandbox_write_text', {chapter, markdown: '# Chapter\n\nnumber ' + n + '.\n' + ('word ' + n + ' ').repeat(2000), wait: false});
			const a = await call('sandbox_save_book', {action: 'save_now'});
			if (a.ok && a.saved) window.savedNumber = n;
		}
	})();
	return null;
})()`

// found reads what a visit finds: the numbers of the three chapters and whether
// each chapter is whole.
const found = `(async () => {
	const list = [];
	for (const chapter of [1, 2, 3]) {
		const a = await postextWebMcp.executeTool('sandbox_read_text', {chapter, numbers: false});
		const n = Number(/number (\d+)\./.exec(a.text)?.[1] ?? -1);
		list.push(n, a.text === '# Chapter\n\nnumber ' + n + '.\n' + ('word ' + n + ' ').repeat(2000) ? 1 : 0);
	}
	list.push((await postextWebMcp.executeTool('sandbox_get_state', {})).view.chapter);
	return list;
})()`

// stateThereWas reports whether the chapters hold what they held at one moment of
// a visit that found held and wrote the numbers from next on into one after another,
// and whether that moment lay between two numbers. The chapter on screen is left out.
func stateThereWas(got []float64, held [3]int, next int) (was, between bool) {
	for n := next; n <= int(max(got[0], got[2], got[4]))+1; n++ {
		for k := range 4 { // chapters that hold n already
			same := true
			for i := range 3 {
				want := n
				if i >= k {
					if want = n - 1; n == next {
						want = held[i]
					}
				}
				same = same && (i+1 == int(got[6]) || int(got[2*i]) == want)
			}
			if same {
				return true, k > 0 && k < 3
			}
		}
	}
	return false, false
}

// A page or worker killed at any moment leaves the last saved state whole: what
// was told to be saved is there, each chapter is of one piece, and what is stored
// is a state there was: a later chapter is never ahead of an earlier one, for they
// were written in order and a save is made whole or not at all.
func TestKilledAtAnyMomentTheLastSavedStateIsWhole(t *testing.T) {
	const workers = `window.workers = []; window.Worker = class extends Worker { constructor(...a) { super(...a); workers.push(this); } };`
	ctx := browser.New(t, browser.Options{Timeout: time.Duration(*kills)*30*time.Second + 3*time.Minute})
	address := server(t, tree.Root(t)+"/sandbox/testdata/book")
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	visit := func() (context.Context, context.CancelFunc) {
		tab, cancel := chromedp.NewContext(ctx)
		if err := chromedp.Do(tab); err != nil {
			t.Fatal(err)
		}
		browser.Before(t, tab, workers)
		sandbox(t, tab, address, "#preset=book")
		until(t, tab, `postextWebMcp.executeTool('sandbox_get_state', {}).then((s) => s.ready && s.readOnly === undefined)`)
		return tab, cancel
	}
	page, cancel := visit()
	defer func() { cancel() }()
	must(t, page, "sandbox_manage_chapters", `{"action":"add","title":"Third","position":3}`)
	next, saved, midway := 1, 0, 0
	var held [3]int // by the chapters at the visit before
	byHow := map[string]int{}
	for round := range *kills {
		browser.Eval[any](t, page, fmt.Sprintf(writing, saved, next))
		time.Sleep(time.Duration(50+rng.IntN(900)) * time.Millisecond)
		how := []string{"the worker ends", "the page closes", "the page is left"}[rng.IntN(3)]
		byHow[how]++
		saved = int(browser.Eval[float64](t, page, `savedNumber`))
		switch how {
		case "the worker ends":
			browser.Eval[any](t, page, `(workers.at(-1).terminate(), null)`)
			cancel()
		case "the page closes":
			cancel()
		case "the page is left":
			browser.Open(t, page, "about:blank")
			cancel()
		}
		page, cancel = visit()
		got := browser.Eval[[]float64](t, page, found)
		t.Logf("round %d, written from %d, saved %d, %s: the chapters hold %v, %v and %v, chapter %v is on screen", round, next, saved, how, got[0], got[2], got[4], got[6])
		if saved > 0 {
			for i := 0; i < 6; i += 2 {
				if got[i+1] != 1 || int(got[i]) < saved {
					t.Fatalf("round %d (%s): chapter %d holds number %v (whole: %v), saved was %d", round, how, i/2+1, got[i], got[i+1], saved)
				}
			}
			// The window itself notes down what its editor shows when it is left, and
			// writes it again at the next visit: that chapter may be ahead.
			was, between := stateThereWas(got, held, next)
			if !was {
				t.Fatalf("round %d (%s): the chapters hold %v, %v and %v, chapter %v is on screen: no state there ever was", round, how, got[0], got[2], got[4], got[6])
			}
			if between {
				midway++
			}
		}
		held = [3]int{int(got[0]), int(got[2]), int(got[4])}
		next = int(max(got[0], got[2], got[4], float64(saved))) + 1
	}
	t.Logf("killed %d times (%v): the last saved state was whole each time; %d times it lay between two numbers", *kills, byHow, midway)
}
