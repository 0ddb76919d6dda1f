//go:build js

package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"testing"
)

var made int

var makers = map[string]func(t *testing.T) maker{
	"IndexedDB": func(t *testing.T) maker {
		made++
		name := fmt.Sprintf("test-%d", made)
		return func() (Store, error) { return OpenIndexedDB(t.Context(), name) }
	},
}

// A database of the first issue opens, and its texts are read.
func TestADatabaseOfTheFirstIssueOpens(t *testing.T) {
	req := js.Global().Get("indexedDB").Call("open", "early", 1)
	done := newOutcome()
	defer done.release()
	done.on(req, "onupgradeneeded", func(js.Value) {
		db := req.Get("result")
		db.Call("createObjectStore", "books").Call("put", `{"version":1}`, "sample/x")
		db.Call("createObjectStore", "meta").Call("put", "sample/x", "open")
	})
	done.on(req, "onsuccess", func(js.Value) { done.succeed(req.Get("result")) })
	db, err := done.wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db.Call("close")
	s, err := OpenIndexedDB(t.Context(), "early")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := get(t, s, Early, "sample/x"), get(t, s, Meta, "open"); a != `{"version":1}` || b != "sample/x" {
		t.Errorf("read %q and %q", a, b)
	}
	commit(t, s, Batch{Puts: []Put{put(Projects, "p", "new")}, Deletes: []Key{{Early, "sample/x"}}})
	if a, b := get(t, s, Early, "sample/x"), get(t, s, Projects, "p"); a != "(none)" || b != "new" {
		t.Errorf("then %q and %q", a, b)
	}
}

// An exception of the browser's in the middle of a batch undoes all of it, and
// quota errors are told apart.
func TestABatchTheBrowserRefusesIsUndone(t *testing.T) {
	s, err := OpenIndexedDB(context.Background(), "refusing")
	if err != nil {
		t.Fatal(err)
	}
	proto := js.Global().Get("IDBObjectStore").Get("prototype")
	real := proto.Get("put")
	js.Global().Set("realPut", real)
	proto.Set("put", js.Global().Get("Function").New("value", "key",
		`if (key === 'second') throw new DOMException('no room', 'QuotaExceededError'); return realPut.call(this, value, key)`))
	for _, guards := range [][]Guard{nil, {{Key{Meta, "none"}, nil}}} {
		err = s.Commit(t.Context(), Batch{Guards: guards, Puts: []Put{put(Meta, "first", "1"), put(Meta, "second", "2")}})
		if !errors.Is(err, ErrQuota) || !strings.Contains(err.Error(), "no room") {
			t.Errorf("the error is %v", err)
		}
	}
	proto.Set("put", real)
	if got := get(t, s, Meta, "first"); got != "(none)" {
		t.Errorf("half of the batch is there: %q", got)
	}
}
