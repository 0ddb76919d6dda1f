package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall/js"
	"time"
)

// IndexedDB keeps a store in the browser's database, from a worker or a window.
// A batch is one transaction: its guards are read and its changes made in the
// transaction's own callbacks, without coming back to Go's scheduler, because a
// transaction with nothing to do ends itself.
//
// A batch is answered when the operating system has it, which outlives the page and
// the browser; for the power failing, all of them are forced onto the disk a moment
// later. To wait for the disk each time takes several times as long, and every answer
// of a changing tool would wait with it.
type IndexedDB struct {
	name string

	mu     sync.Mutex
	db     js.Value // undefined while there is none
	closed bool
	gone   string // why the database cannot be used any more
	// forcing: what was changed is about to be forced onto the disk.
	forcing bool
}

// How much a transaction waits for (IndexedDB 3.0, 2.7.2: durability hints).
const (
	relaxed = "relaxed" // the operating system has it
	strict  = "strict"  // the disk has it
)

// forceAfter is how long a change may be with the operating system alone.
const forceAfter = time.Second

// databaseVersion is the number of the set of tables; 1 had two of them.
const databaseVersion = 2

// OpenIndexedDB opens the database, or makes it. An error means that this
// browser gives no storage, in words.
func OpenIndexedDB(ctx context.Context, name string) (*IndexedDB, error) {
	s := &IndexedDB{name: name}
	_, err := s.conn(ctx)
	return s, err
}

// conn gives the connection; one that the browser has closed is made anew.
func (s *IndexedDB) conn(ctx context.Context) (js.Value, error) {
	s.mu.Lock()
	db, closed, gone := s.db, s.closed, s.gone
	s.mu.Unlock()
	switch {
	case closed:
		return db, ErrClosed
	case gone != "":
		return db, errors.New(gone)
	case !db.IsUndefined():
		return db, nil
	}
	factory := js.Global().Get("indexedDB")
	if factory.IsUndefined() || factory.IsNull() {
		return db, errors.New("this browser has no IndexedDB")
	}
	req, err := try(func() js.Value { return factory.Call("open", s.name, databaseVersion) })
	if err != nil {
		return db, err
	}
	done := newOutcome()
	defer done.release()
	done.on(req, "onupgradeneeded", func(js.Value) {
		made := req.Get("result")
		names := made.Get("objectStoreNames")
		for _, t := range Tables {
			if t != Early && !names.Call("contains", string(t)).Bool() {
				made.Call("createObjectStore", string(t))
			}
		}
	})
	done.on(req, "onblocked", func(js.Value) {
		done.fail(errors.New("another tab has an earlier version of this page open: close it, then reload"))
	})
	done.on(req, "onsuccess", func(js.Value) { done.succeed(req.Get("result")) })
	done.on(req, "onerror", func(js.Value) { done.fail(domError(req.Get("error"))) })
	if db, err = done.wait(ctx); err != nil {
		return js.Undefined(), err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.db = db
	// These last as long as the program does.
	db.Set("onversionchange", js.FuncOf(func(js.Value, []js.Value) any {
		s.drop(db, "a newer version of this page was opened in another tab: reload")
		return nil
	}))
	db.Set("onclose", js.FuncOf(func(js.Value, []js.Value) any {
		s.drop(db, "")
		return nil
	}))
	return db, nil
}

// drop lets go of a connection; why not to make another, or "".
func (s *IndexedDB) drop(db js.Value, why string) {
	db.Call("close")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.db, s.gone = js.Undefined(), why
}

// transaction begins one over the tables given that exist.
func (s *IndexedDB) transaction(ctx context.Context, mode, durability string, tables []Table) (tx js.Value, have map[Table]bool, err error) {
	for attempt := 0; ; attempt++ {
		db, err := s.conn(ctx)
		if err != nil {
			return db, nil, err
		}
		have = map[Table]bool{}
		var list []any
		names := db.Get("objectStoreNames")
		for _, t := range tables {
			if !have[t] && names.Call("contains", string(t)).Bool() {
				have[t] = true
				list = append(list, string(t))
			}
		}
		if len(list) == 0 {
			return js.Undefined(), have, nil
		}
		tx, err = try(func() js.Value {
			return db.Call("transaction", js.ValueOf(list), mode, js.ValueOf(map[string]any{"durability": durability}))
		})
		if err == nil {
			return tx, have, nil
		}
		if attempt > 0 {
			return tx, nil, err
		}
		s.drop(db, "") // the browser closed it without saying so
	}
}

// Get implements Store.
func (s *IndexedDB) Get(ctx context.Context, k Key) ([]byte, error) {
	v, err := s.ask(ctx, k.Table, func(t js.Value) js.Value { return t.Call("get", k.Name) })
	if err != nil {
		return nil, err
	}
	return bytesOf(v), nil
}

// ask makes one reading request; undefined when there is no such table.
func (s *IndexedDB) ask(ctx context.Context, t Table, request func(table js.Value) js.Value) (js.Value, error) {
	tx, have, err := s.transaction(ctx, "readonly", relaxed, []Table{t})
	if err != nil || !have[t] {
		return js.Undefined(), err
	}
	req, err := try(func() js.Value { return request(tx.Call("objectStore", string(t))) })
	if err != nil {
		return js.Undefined(), err
	}
	done := newOutcome()
	defer done.release()
	done.on(req, "onsuccess", func(js.Value) { done.succeed(req.Get("result")) })
	done.on(tx, "onabort", func(js.Value) { done.fail(domError(tx.Get("error"))) })
	return done.wait(ctx)
}

// Keys implements Store.
func (s *IndexedDB) Keys(ctx context.Context, t Table) ([]string, error) {
	v, err := s.ask(ctx, t, func(t js.Value) js.Value { return t.Call("getAllKeys") })
	if err != nil {
		return nil, err
	}
	list := []string{}
	if !v.IsUndefined() {
		for i := range v.Length() {
			list = append(list, v.Index(i).String())
		}
	}
	slices.Sort(list) // the browser sorts by UTF-16
	return list, nil
}

// Commit implements Store.
func (s *IndexedDB) Commit(ctx context.Context, b Batch) error {
	if err := b.check(); err != nil {
		return err
	}
	var tables []Table
	for _, g := range b.Guards {
		tables = append(tables, g.Table)
	}
	for _, p := range b.Puts {
		tables = append(tables, p.Table)
	}
	for _, k := range b.Deletes {
		tables = append(tables, k.Table)
	}
	// The bytes cross to JavaScript before the transaction begins.
	data := make([]js.Value, len(b.Puts))
	for i, p := range b.Puts {
		var err error
		if data[i], err = try(func() js.Value { return uint8Array(p.Data) }); err != nil {
			return fmt.Errorf("%w: %v", ErrQuota, err) // no room even in memory
		}
	}
	tx, have, err := s.transaction(ctx, "readwrite", relaxed, tables)
	if err != nil {
		return err
	}
	if tx.IsUndefined() {
		return nil
	}
	done := newOutcome()
	defer done.release()
	var reason error // why we ended the transaction ourselves
	change := func() {
		for i, p := range b.Puts {
			tx.Call("objectStore", string(p.Table)).Call("put", data[i], p.Name)
		}
		for _, k := range b.Deletes {
			if have[k.Table] {
				tx.Call("objectStore", string(k.Table)).Call("delete", k.Name)
			}
		}
		// Else it ends itself only when each of these has come back.
		if tx.Get("commit").Truthy() {
			tx.Call("commit")
		}
	}
	done.on(tx, "oncomplete", func(js.Value) { done.succeed(js.Undefined()) })
	done.on(tx, "onabort", func(js.Value) {
		if reason == nil {
			reason = domError(tx.Get("error"))
		}
		done.fail(reason)
	})
	_, err = try(func() js.Value {
		left := len(b.Guards)
		if left == 0 {
			change()
		}
		for _, g := range b.Guards {
			req := tx.Call("objectStore", string(g.Table)).Call("get", g.Name)
			done.on(req, "onsuccess", func(js.Value) {
				left--
				switch {
				case reason != nil:
				case !g.holds(bytesOf(req.Get("result"))):
					reason = ErrConflict
					tx.Call("abort")
				case left == 0:
					if _, reason = try(func() js.Value { change(); return js.Undefined() }); reason != nil {
						tx.Call("abort")
					}
				}
			})
		}
		return js.Undefined()
	})
	if err != nil {
		// A transaction that has begun is undone; one that never did cannot be.
		if _, e := try(func() js.Value { return tx.Call("abort") }); e != nil {
			return errors.Join(err, e)
		}
		return err
	}
	if _, err = done.wait(ctx); err == nil && len(b.Puts) > 0 { // what is only deleted may come back
		s.force(slices.MinFunc(b.Puts, func(a, b Put) int { return len(a.Data) - len(b.Data) }).Key)
	}
	return err
}

// force has what was changed forced onto the disk in a moment: a strict transaction
// does that with all before it, once it has something to write. It writes a key as it
// is then.
func (s *IndexedDB) force(k Key) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.forcing {
		return
	}
	s.forcing = true
	time.AfterFunc(forceAfter, func() {
		s.mu.Lock()
		s.forcing = false
		s.mu.Unlock()
		if err := s.rewrite(k); err != nil && !errors.Is(err, ErrClosed) {
			// The change is kept; a full or broken storage shows at the next one.
			println("postext: the storage could not be forced onto the disk: " + err.Error())
		}
	})
}

// rewrite puts what a key has once more.
func (s *IndexedDB) rewrite(k Key) error {
	ctx := context.Background()
	tx, have, err := s.transaction(ctx, "readwrite", strict, []Table{k.Table})
	if err != nil || !have[k.Table] {
		return err
	}
	table := tx.Call("objectStore", string(k.Table))
	done := newOutcome()
	defer done.release()
	var reason error
	done.on(tx, "oncomplete", func(js.Value) { done.succeed(js.Undefined()) })
	done.on(tx, "onabort", func(js.Value) {
		if reason == nil {
			reason = domError(tx.Get("error"))
		}
		done.fail(reason)
	})
	req, err := try(func() js.Value { return table.Call("get", k.Name) })
	if err != nil {
		return err
	}
	done.on(req, "onsuccess", func(js.Value) {
		v := req.Get("result")
		if v.IsUndefined() {
			return // deleted meanwhile, by a batch that forces its own
		}
		if _, reason = try(func() js.Value { return table.Call("put", v, k.Name) }); reason != nil {
			tx.Call("abort")
		}
	})
	_, err = done.wait(ctx)
	return err
}

// Lock implements Store, by Web Locks. Where the browser has none (a page that
// is not on https or localhost) everybody gets the lock: then only guards tell
// that two windows change the same book.
func (s *IndexedDB) Lock(ctx context.Context, name string, wait bool) (func(), error) {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return nil, ErrClosed
	}
	locks := js.Global().Get("navigator").Get("locks")
	if locks.IsUndefined() || locks.IsNull() {
		return func() {}, nil
	}
	options := map[string]any{"ifAvailable": !wait}
	abort := js.Undefined()
	if wait {
		abort = js.Global().Get("AbortController").New()
		options["signal"] = abort.Get("signal")
	}
	done := newOutcome()
	var unlock js.Value
	gaveUp := false
	var executor, granted, refused, over js.Func
	released := make(chan struct{}) // closed when the browser has taken the lock back
	executor = js.FuncOf(func(_ js.Value, args []js.Value) any {
		unlock = args[0]
		return nil
	})
	granted = js.FuncOf(func(_ js.Value, args []js.Value) any {
		if args[0].IsNull() {
			done.fail(ErrHeld)
			return nil
		}
		if gaveUp {
			return nil // lets go at once
		}
		held := js.Global().Get("Promise").New(executor)
		done.succeed(unlock)
		return held
	})
	refused = js.FuncOf(func(_ js.Value, args []js.Value) any {
		done.fail(domError(args[0]))
		return nil
	})
	over = js.FuncOf(func(js.Value, []js.Value) any {
		close(released)
		return nil
	})
	release := func() { executor.Release(); granted.Release(); refused.Release(); over.Release() }
	if _, err := try(func() js.Value {
		return locks.Call("request", s.name+"/"+name, js.ValueOf(options), granted).Call("catch", refused).Call("then", over)
	}); err != nil {
		release()
		return nil, err
	}
	v, err := done.wait(ctx)
	if err != nil {
		// The callbacks may still be called: they are not freed.
		gaveUp = true
		if !unlock.IsUndefined() {
			unlock.Invoke() // granted at the last moment
		} else if wait && ctx.Err() != nil {
			abort.Call("abort")
		}
		return nil, err
	}
	var once sync.Once
	return func() {
		once.Do(func() {
			v.Invoke()
			<-released
			release()
		})
	}, nil
}

// Close implements Store.
func (s *IndexedDB) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if !s.db.IsUndefined() {
		s.db.Call("close")
		s.db = js.Undefined()
	}
	return nil
}

// outcome waits for one of several callbacks.
type outcome struct {
	ch    chan struct{}
	once  sync.Once
	value js.Value
	err   error
	funcs []js.Func
}

func newOutcome() *outcome { return &outcome{ch: make(chan struct{})} }

// on sets a handler of an event.
func (o *outcome) on(target js.Value, event string, f func(js.Value)) {
	fn := js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	})
	o.funcs = append(o.funcs, fn)
	target.Set(event, fn)
}

func (o *outcome) succeed(v js.Value) { o.once.Do(func() { o.value = v; close(o.ch) }) }
func (o *outcome) fail(err error)     { o.once.Do(func() { o.err = err; close(o.ch) }) }

func (o *outcome) wait(ctx context.Context) (js.Value, error) {
	select {
	case <-o.ch:
		return o.value, o.err
	case <-ctx.Done():
		return js.Undefined(), ctx.Err()
	}
}

// release frees the handlers, once nothing calls them any more.
func (o *outcome) release() {
	select {
	case <-o.ch:
		for _, f := range o.funcs {
			f.Release()
		}
	default: // given up on: the events may still come
	}
}

// try makes an exception an error.
func try(f func() js.Value) (v js.Value, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case js.Error:
			err = domError(p.Value)
		case *js.ValueError:
			err = p
		default:
			panic(p)
		}
	}()
	return f(), nil
}

// domError puts an exception into words and tells a full storage apart.
func domError(v js.Value) error {
	if v.IsNull() || v.IsUndefined() {
		return errors.New("the browser ended the transaction and gave no reason")
	}
	name, message := v.Get("name").String(), v.Get("message").String()
	if name == "QuotaExceededError" || strings.Contains(message, "Quota") {
		return fmt.Errorf("%w: %s", ErrQuota, message)
	}
	return fmt.Errorf("%s: %s", name, message)
}

func uint8Array(data []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(a, data)
	return a
}

// bytesOf copies a stored value to Go; the first issue stored texts.
func bytesOf(v js.Value) []byte {
	switch v.Type() {
	case js.TypeString:
		return []byte(v.String())
	case js.TypeObject:
		if !v.InstanceOf(js.Global().Get("Uint8Array")) {
			return nil
		}
		data := make([]byte, v.Get("byteLength").Int())
		js.CopyBytesToGo(data, v)
		return data
	}
	return nil
}
