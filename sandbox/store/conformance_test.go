package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// maker opens a store; called again it opens the same one, as the next visit
// does.
type maker func() (Store, error)

// Each kind of store, by name, is made by makers (one file for each platform).
func eachStore(t *testing.T, f func(t *testing.T, open func() Store)) {
	for name, fresh := range makers {
		t.Run(name, func(t *testing.T) {
			open := fresh(t)
			f(t, func() Store {
				t.Helper()
				s, err := open()
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() {
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				})
				return s
			})
		})
	}
}

func put(t Table, name, data string) Put { return Put{Key{t, name}, []byte(data)} }

func commit(t *testing.T, s Store, b Batch) {
	t.Helper()
	if err := s.Commit(t.Context(), b); err != nil {
		t.Fatalf("commit: %v", err)
	}
}

func get(t *testing.T, s Store, table Table, name string) string {
	t.Helper()
	data, err := s.Get(t.Context(), Key{table, name})
	if err != nil {
		t.Fatalf("get %s/%s: %v", table, name, err)
	}
	if data == nil {
		return "(none)"
	}
	return string(data)
}

func TestWhatIsCommittedIsThereAtTheNextVisit(t *testing.T) {
	eachStore(t, func(t *testing.T, open func() Store) {
		s := open()
		big := strings.Repeat("0123456789abcdef", 1<<16)
		commit(t, s, Batch{Puts: []Put{put(Projects, "a", "one"), put(Blobs, "big", big), put(Texts, "empty", ""), put(Drafts, "a", "other table")}})
		commit(t, s, Batch{Puts: []Put{put(Projects, "b", "two")}, Deletes: []Key{{Projects, "a"}, {Projects, "never there"}}})
		for range 2 {
			for _, c := range []struct {
				table      Table
				name, want string
			}{{Projects, "a", "(none)"}, {Projects, "b", "two"}, {Blobs, "big", big}, {Texts, "empty", ""}, {Drafts, "a", "other table"}, {Meta, "x", "(none)"}} {
				if got := get(t, s, c.table, c.name); got != c.want {
					t.Errorf("%s/%s holds %.20q, want %.20q", c.table, c.name, got, c.want)
				}
			}
			s = open()
		}
	})
}

func TestNamesOfAnyKindAreKeptApart(t *testing.T) {
	names := []string{"a", "A", "a/b", "a+", "..", ".", "con", "a b", "\u00e4", "a\u0308", "😀", "a=2f", "%2F", strings.Repeat("x", 199), strings.Repeat("x", 200),
		strings.Repeat("x", 201), strings.Repeat("ß", 300)}
	eachStore(t, func(t *testing.T, open func() Store) {
		s := open()
		var b Batch
		for i, n := range names {
			b.Puts = append(b.Puts, put(Layouts, n, fmt.Sprint(i)))
		}
		commit(t, s, b)
		s = open()
		for i, n := range names {
			if got := get(t, s, Layouts, n); got != fmt.Sprint(i) {
				t.Errorf("%.30q holds %q, want %d", n, got, i)
			}
		}
		got, err := s.Keys(t.Context(), Layouts)
		want := slices.Sorted(slices.Values(names))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("the names are %.300q (%v), want %.300q", got, err, want)
		}
		if none, err := s.Keys(t.Context(), Trash); err != nil || none == nil || len(none) != 0 {
			t.Errorf("an empty table has %v (%v)", none, err)
		}
	})
}

func TestAGuardThatDoesNotHoldChangesNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, open func() Store) {
		s := open()
		commit(t, s, Batch{Puts: []Put{put(Projects, "a", "1"), put(Projects, "empty", "")}})
		for _, c := range []struct {
			name   string
			guards []Guard
			ok     bool
		}{
			{"the same bytes", []Guard{{Key{Projects, "a"}, []byte("1")}}, true},
			{"other bytes", []Guard{{Key{Projects, "a"}, []byte("2")}}, false},
			{"nothing wanted, something there", []Guard{{Key{Projects, "a"}, nil}}, false},
			{"nothing wanted, nothing there", []Guard{{Key{Projects, "b"}, nil}}, true},
			{"something wanted, nothing there", []Guard{{Key{Projects, "b"}, []byte("1")}}, false},
			{"empty is not nothing", []Guard{{Key{Projects, "empty"}, nil}}, false},
			{"empty is empty", []Guard{{Key{Projects, "empty"}, []byte{}}}, true},
			{"the second of two", []Guard{{Key{Projects, "a"}, []byte("1")}, {Key{Meta, "m"}, []byte("x")}}, false},
			{"both", []Guard{{Key{Projects, "a"}, []byte("1")}, {Key{Meta, "m"}, nil}}, true},
		} {
			commit(t, s, Batch{Deletes: []Key{{Texts, "t"}}})
			err := s.Commit(t.Context(), Batch{Guards: c.guards, Puts: []Put{put(Texts, "t", c.name)}})
			if c.ok && err != nil || !c.ok && !errors.Is(err, ErrConflict) {
				t.Errorf("%s: %v", c.name, err)
			}
			if got := get(t, s, Texts, "t"); (got == c.name) != c.ok {
				t.Errorf("%s: then %q", c.name, got)
			}
		}
	})
}

// Of many who change the same thing from what they saw, exactly one gets through
// each time.
func TestOfTwoWhoChangeTheSameThingTheSecondIsTold(t *testing.T) {
	eachStore(t, func(t *testing.T, open func() Store) {
		a, b := open(), open()
		commit(t, a, Batch{Puts: []Put{put(Meta, "n", "0")}})
		const each = 10
		errs := make(chan error, 2)
		for _, s := range []Store{a, b} {
			go func() {
				errs <- func() error {
					for done := 0; done < each; {
						now, err := s.Get(t.Context(), Key{Meta, "n"})
						if err != nil {
							return err
						}
						var n int
						if _, err := fmt.Sscan(string(now), &n); err != nil {
							return err
						}
						err = s.Commit(t.Context(), Batch{Guards: []Guard{{Key{Meta, "n"}, now}}, Puts: []Put{put(Meta, "n", fmt.Sprint(n+1))}})
						switch {
						case err == nil:
							done++
						case !errors.Is(err, ErrConflict):
							return err
						}
					}
					return nil
				}()
			}()
		}
		for range 2 {
			if err := <-errs; err != nil {
				t.Fatal(err)
			}
		}
		if got := get(t, a, Meta, "n"); got != fmt.Sprint(2*each) {
			t.Errorf("counted to %s, want %d", got, 2*each)
		}
	})
}

func TestBatchesThatMakeNoSenseAreRefused(t *testing.T) {
	eachStore(t, func(t *testing.T, open func() Store) {
		s := open()
		for name, b := range map[string]Batch{
			"an unknown table": {Puts: []Put{put("nowhere", "a", "x")}},
			"no name":          {Puts: []Put{put(Meta, "", "x")}},
			"a long name":      {Puts: []Put{put(Meta, strings.Repeat("x", MaxName+1), "x")}},
			"no data":          {Puts: []Put{{Key{Meta, "a"}, nil}}},
			"a key twice":      {Puts: []Put{put(Meta, "a", "x")}, Deletes: []Key{{Meta, "a"}}},
		} {
			b.Puts = append([]Put{put(Texts, "t", "x")}, b.Puts...)
			if err := s.Commit(t.Context(), b); err == nil {
				t.Errorf("%s was taken", name)
			}
		}
		if got := get(t, s, Texts, "t"); got != "(none)" {
			t.Errorf("a refused batch left %q", got)
		}
	})
}

func TestALockHasOneHolder(t *testing.T) {
	eachStore(t, func(t *testing.T, open func() Store) {
		a := open()
		unlock, err := a.Lock(t.Context(), "project/x", false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Lock(t.Context(), "project/x", false); !errors.Is(err, ErrHeld) {
			t.Errorf("a second holder: %v", err)
		}
		other, err := a.Lock(t.Context(), "project/y", false)
		if err != nil {
			t.Errorf("another lock: %v", err)
		} else {
			other()
		}
		short, stop := context.WithTimeout(t.Context(), 80*time.Millisecond)
		defer stop()
		if _, err := a.Lock(short, "project/x", true); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("waiting for a held lock: %v", err)
		}
		got := make(chan error, 1)
		go func() {
			unlock, err := a.Lock(t.Context(), "project/x", true)
			if err == nil {
				unlock()
			}
			got <- err
		}()
		time.Sleep(20 * time.Millisecond)
		unlock()
		unlock() // twice is once
		select {
		case err := <-got:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second):
			t.Error("who waited for the lock never got it")
		}
		again, err := a.Lock(t.Context(), "project/x", false)
		if err != nil {
			t.Errorf("a lock let go: %v", err)
		} else {
			again()
		}
	})
}

func TestAClosedStoreSaysSo(t *testing.T) {
	eachStore(t, func(t *testing.T, open func() Store) {
		s := open()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Get(t.Context(), Key{Meta, "a"}); !errors.Is(err, ErrClosed) {
			t.Errorf("get: %v", err)
		}
		if _, err := s.Keys(t.Context(), Meta); !errors.Is(err, ErrClosed) {
			t.Errorf("keys: %v", err)
		}
		if err := s.Commit(t.Context(), Batch{Puts: []Put{put(Meta, "a", "x")}}); !errors.Is(err, ErrClosed) {
			t.Errorf("commit: %v", err)
		}
	})
}

func TestACancelledCallAnswersAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, open func() Store) {
		s := open()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.Commit(ctx, Batch{Puts: []Put{put(Meta, "a", "x")}}); err == nil {
			t.Error("a cancelled commit answered nil")
		}
		if got := get(t, s, Meta, "a"); got != "(none)" && got != "x" {
			t.Errorf("half of it: %q", got)
		}
	})
}

// The bytes given stay what they are whatever the caller does with its own.
func TestValuesAreCopies(t *testing.T) {
	eachStore(t, func(t *testing.T, open func() Store) {
		s := open()
		mine := []byte("first")
		commit(t, s, Batch{Puts: []Put{{Key{Blobs, "b"}, mine}}})
		copy(mine, bytes.Repeat([]byte("x"), 5))
		if got := get(t, s, Blobs, "b"); got != "first" {
			t.Errorf("kept %q", got)
		}
	})
}
