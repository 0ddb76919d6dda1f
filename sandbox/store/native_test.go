//go:build !js

package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var makers = map[string]func(t *testing.T) maker{
	"memory": func(*testing.T) maker {
		m := NewMemory()
		return func() (Store, error) { return m.Again(), nil }
	},
	"folder": func(t *testing.T) maker {
		dir := t.TempDir()
		return func() (Store, error) { return OpenFolder(dir) }
	},
}

func TestAFullStoreSaysSoAndChangesNothing(t *testing.T) {
	m := NewMemory()
	commit(t, m, Batch{Puts: []Put{put(Meta, "a", "1")}})
	m.SetFull(true)
	if err := m.Commit(t.Context(), Batch{Puts: []Put{put(Meta, "a", "2")}}); !errors.Is(err, ErrQuota) {
		t.Errorf("%v", err)
	}
	if got := get(t, m, Meta, "a"); got != "1" {
		t.Errorf("then %q", got)
	}
	commit(t, m, Batch{Deletes: []Key{{Meta, "a"}}}) // there is always room for less
}

var errCrash = errors.New("the program ends here")

// A folder store ended at any step of a commit holds, when opened again, either
// all of the batch or nothing of it.
func TestACrashAtAnyStepLeavesAWholeState(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	dir := t.TempDir()
	state := map[string]string{} // what the folder must hold
	open := func() *Folder {
		f, err := OpenFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for round := range 300 {
		f := open()
		var b Batch
		next := map[string]string{}
		for k, v := range state {
			next[k] = v
		}
		for range 1 + rng.IntN(5) {
			name := fmt.Sprint("k", rng.IntN(8))
			if _, used := inBatch(b, name); used {
				continue
			}
			if rng.IntN(4) == 0 {
				b.Deletes = append(b.Deletes, Key{Projects, name})
				delete(next, name)
				continue
			}
			v := strings.Repeat(fmt.Sprint(round, ";"), 1+rng.IntN(2000))
			b.Puts = append(b.Puts, put(Projects, name, v))
			next[name] = v
		}
		steps := rng.IntN(14)
		f.step = func(string) error {
			if steps == 0 {
				return errCrash
			}
			steps--
			return nil
		}
		err := crash(f, b)
		g := open()
		if rng.IntN(3) == 0 { // ended once more while coming back
			h := &Folder{dir: dir, step: func(string) error { return errCrash }}
			if e := h.recover(); e != nil && !errors.Is(e, errCrash) {
				t.Fatal(e)
			}
		}
		got := map[string]string{}
		names, e := g.Keys(t.Context(), Projects)
		if e != nil {
			t.Fatal(e)
		}
		for _, n := range names {
			got[n] = get(t, g, Projects, n)
		}
		switch {
		case same(got, next):
			state = next
		case same(got, state) && err != nil:
		default:
			t.Fatalf("round %d: the folder holds neither the state before nor after (commit said %v)", round, err)
		}
		if left, e := os.ReadDir(filepath.Join(dir, tempFolder)); e != nil || len(left) > 0 {
			t.Fatalf("round %d: %d files are left behind (%v)", round, len(left), e)
		}
	}
}

// crash commits as a program that ends at the first failing step: nothing is
// tidied up.
func crash(f *Folder, b Batch) error {
	unlock, err := f.hold("commit")
	if err != nil {
		return err
	}
	defer unlock()
	if err := f.prepare(b); err != nil {
		return err
	}
	return f.recover()
}

func inBatch(b Batch, name string) (int, bool) {
	for i, p := range b.Puts {
		if p.Name == name {
			return i, true
		}
	}
	for i, k := range b.Deletes {
		if k.Name == name {
			return i, true
		}
	}
	return 0, false
}

func same(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}
