//go:build js && wasm

// Command worker is the program in the Web Worker: it holds the open book and
// the typesetter, answers the tools and the window's own commands, paints the
// pages and keeps the book in IndexedDB. The window computes nothing.
//
// # The port
//
// Messages are plain objects; everything long in them is one JSON text. The
// other side is web/src/protocol.ts.
//
// From the window:
//
//	{t:"init", base, build, book?, language, storage}   first and once. base is the
//	        site's root address, build names the program among its versions, book {preset?, project?, lang?} the book a link
//	        asks for, storage whether books may be kept.
//	{t:"call", id, name, args}   runs a tool; args is JSON text
//	{t:"cmd", id, name, args}    runs one of the commands below
//	{t:"cancel", id}             the call's caller waits no more
//	{t:"hide"}                   the page goes away: save now
//	{t:"shown", id, json}        the picture is on the screen: {selector, x, y,
//	                             width, height} in CSS pixels
//
// From the worker:
//
//	{t:"hello"}                        the program runs; answer with init
//	{t:"answer", id, json, buffers?}   of call and cmd; buffers are transferred
//	{t:"state", json}                  the published state (sandbox.State), at
//	                                   every change; of many chapters rows has those
//	                                   that changed, and chapters is left out
//	{t:"progress", json}               {done, of}: chapters laid out
//	{t:"text", chapter, revision, markdown}
//	                                   a tool changed the text of a chapter (id)
//	{t:"reveal", json}                 sandbox.Reveal: a tool moved the reader
//	{t:"show", id, json, buffers}      a picture for the screen, pixel for pixel:
//	                                   {mimeType, width, height, row, title} and
//	                                   its bytes; row counts the pictures of one
//	                                   call from 0; answer with shown
//	{t:"died", error}                  the program cannot go on
//
// Commands answer {ok, …} like tools; chapters are named by id, offsets count
// UTF-16 units:
//
//	type  {chapter, changes: [{from, to, insert}], length?, base?}
//	      typed text. length is the text's length before, base the revision the
//	      editor knows; a text that differs refuses. → revision
//	text  {chapter} → text, revision, visit; left: how the visit that kept it left
//	      it: {visit, tool, typed}, the last two revisions
//	paint {chapter, position, width, guides?, negative?} → width, height, key,
//	      and the RGBA pixels as buffers[0]
//	view  {} or any of sandbox.View's fields → view, pages (sandbox.PageInfo),
//	      complete, revision
//	caret {chapter, offset} → position, page, x, y, width, height (fractions)
//	passage {chapter, offset, toOffset} → parts: the passage line by line, each with
//	      position, x, y, width, height (fractions)
//	point {chapter, position, x, y} → as sandbox_inspect_point
//	cover {kind, id, language?} → mimeType, and the picture as buffers[0]
//	resources {} → resources, types, styles (sandbox.ResourceList)
//	design    {section?, path?, paths?, changed?, uses?, taken?} → the groups of the Design
//	      panel, or the fields of a section, under a path, at paths, that differ from the
//	      design the book began with, or of a colour (sandbox.DesignFields)
//	checks    {} → what the checks found in the whole book (sandbox.WarningList)
//	resource  {id} → as sandbox_list_resources with an id, without waiting
//	picture   {id} → mimeType, and the picture that shows a resource as buffers[0]
//	face      {family, weight, italic} → a font file of the book as buffers[0]
//	fontname  {data} → family, weights, style, format of a font file (base64)
//	follow {project} or {preset, lang?} → found: opens the book that a link names; a
//	      notice tells when it is not there
//	look  {} looks whether the open sample is published anew
//	save  {} saves now
//	hash  {} → hash of the whole book's frames, pages; waits for the layout
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"syscall/js"
	"time"

	"postext/bridge"
	"postext/engine"
	"postext/engine/cite"
	"postext/engine/font/brotli"
	"postext/sandbox"
	"postext/sandbox/store"
)

func main() {
	w := &worker{calls: map[int]context.CancelFunc{}, shows: map[int]chan string{}, publish: make(chan struct{}, 1)}
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.message(args[0].Get("data"))
		return nil
	}))
	js.Global().Call("addEventListener", "online", js.FuncOf(func(js.Value, []js.Value) any {
		if s := w.session; s != nil {
			go guard(s.Online)
		}
		return nil
	}))
	post(map[string]any{"t": "hello"})
	select {} // messages do the rest
}

// worker is the program's state.
type worker struct {
	world    *world
	session  *sandbox.Session
	registry *bridge.Registry
	publish  chan struct{} // a state is to be published

	mu       sync.Mutex
	calls    map[int]context.CancelFunc
	shows    map[int]chan string
	shown    int       // pictures sent to the screen
	progress time.Time // of the last progress message
}

// post sends a message to the window.
func post(m map[string]any, transfer ...any) {
	js.Global().Call("postMessage", js.ValueOf(m), js.ValueOf(map[string]any{"transfer": transfer}))
}

// guard keeps a panic of f from ending the program silently: the window is told
// what it was and starts another worker.
func guard(f func()) {
	defer func() {
		if p := recover(); p != nil {
			println(string(debug.Stack()))
			post(map[string]any{"t": "died", "error": fmt.Sprint(p)})
		}
	}()
	f()
}

// message receives one message; it must not wait.
func (w *worker) message(m js.Value) {
	switch m.Get("t").String() {
	case "init":
		go guard(func() { w.init(m) })
	case "call":
		w.serve(m, func(ctx context.Context, name string, args json.RawMessage) (bridge.Answer, []js.Value) {
			return w.registry.Call(ctx, name, args), nil
		})
	case "cmd":
		w.serve(m, w.command)
	case "shown":
		w.mu.Lock()
		shown := w.shows[m.Get("id").Int()]
		w.mu.Unlock()
		if shown != nil {
			select {
			case shown <- m.Get("json").String():
			default: // answered twice
			}
		}
	case "cancel":
		w.mu.Lock()
		cancel := w.calls[m.Get("id").Int()]
		w.mu.Unlock()
		if cancel != nil {
			cancel()
		}
	case "hide":
		if w.session != nil {
			go guard(func() { w.note(w.session.Save(context.Background())) })
		}
	}
}

// serve runs a call or command and answers it.
func (w *worker) serve(m js.Value, run func(context.Context, string, json.RawMessage) (bridge.Answer, []js.Value)) {
	id, name, args := m.Get("id").Int(), m.Get("name").String(), json.RawMessage(m.Get("args").String())
	ctx, cancel := context.WithCancel(context.Background())
	w.mu.Lock()
	w.calls[id] = cancel
	w.mu.Unlock()
	arrived := func() {}
	if w.session != nil && m.Get("t").String() == "call" {
		ctx, arrived = w.session.Arrive(ctx, name) // here, where calls are still in order
	}
	go guard(func() {
		defer arrived()
		defer func() {
			w.mu.Lock()
			delete(w.calls, id)
			w.mu.Unlock()
			cancel()
		}()
		if w.session == nil {
			post(map[string]any{"t": "answer", "id": id, "json": bridge.Refused("the worker has not been started").String()})
			return
		}
		answer, buffers := run(ctx, name, args)
		out := map[string]any{"t": "answer", "id": id, "json": answer.String()}
		if len(buffers) == 0 {
			post(out)
			return
		}
		list := make([]any, len(buffers))
		for i, b := range buffers {
			list[i] = b
		}
		out["buffers"] = list
		post(out, list...)
	})
}

// init makes the session and opens a book.
func (w *worker) init(m js.Value) {
	if w.session != nil {
		return
	}
	base := m.Get("base").String()
	w.world = newWorld(base)
	brotli.Dictionary, cite.Library = w.world.dictionary, w.world.citations
	ctx := context.Background()
	shelf := &sandbox.Library{Samples: &library{base: base}, Language: m.Get("language").String()}
	notice, unstored := "", false
	if m.Get("storage").Truthy() {
		kept, err := store.OpenIndexedDB(ctx, "postext-sandbox")
		if err == nil {
			shelf.Store = kept
		} else {
			w.note(err)
			unstored = true
			notice = "this browser gives no storage: changes last until the page is closed (" + err.Error() + ")"
		}
	}
	if shelf.Store == nil {
		shelf.Store = store.NewMemory()
	}
	opts := sandbox.Options{
		Typesetter: engine.New(w.world),
		Yield:      w.world.Yield,
		Picture:    encodePicture,
		Fetch:      fetchLimited,
		Families:   w.world.families,
		Catalogue:  w.world.catalogue,
		Catalogued: w.world.has,
		Show:       w.show,
		Download:   download,
		Notice:     notice,
		Unstored:   unstored,
		Library:    shelf,
		Build:      text(m, "build"),
		Revision:   whole(m, "revision"),
		// The page may go, and its worker with it, at any moment.
		SaveAnswered: true,
		Listener: sandbox.Listener{
			Changed:  w.changed,
			Progress: w.progressed,
			Text: func(chapter, markdown string, revision int64) {
				post(map[string]any{"t": "text", "chapter": chapter, "revision": float64(revision), "markdown": markdown})
			},
			Reveal: func(r sandbox.Reveal) { postJSON("reveal", r) },
			Bug: func(err error, stack []byte) {
				println("postext: " + err.Error() + "\n" + string(stack))
			},
		},
	}
	w.session = sandbox.New(opts)
	w.registry = bridge.NewRegistry(bridge.Options{Log: func(id, tool string, err error, stack []byte) {
		println("postext: internal error " + id + " in " + tool + ": " + err.Error() + "\n" + string(stack))
	}})
	w.note(w.registry.Add(sandbox.Tools(w.session)...))
	go guard(w.publishing)
	w.changed()
	w.note(w.world.loadIndex(ctx))
	if err := w.session.Start(ctx, linked(m.Get("book"))); err != nil {
		w.session.Wait("the book could not be loaded: " + err.Error())
		w.note(err)
	}
}

// linked is the book that a link names; zero when it names none.
func linked(b js.Value) sandbox.Ref {
	if !b.Truthy() {
		return sandbox.Ref{}
	}
	if id := text(b, "project"); id != "" {
		return sandbox.Ref{Kind: "project", ID: id}
	}
	if id := text(b, "preset"); id != "" {
		return sandbox.Ref{Kind: "sample", ID: id, Language: text(b, "lang")}
	}
	return sandbox.Ref{}
}

// text is a member of a message, "" when it is no text.
func text(m js.Value, name string) string {
	if v := m.Get(name); v.Type() == js.TypeString {
		return v.String()
	}
	return ""
}

func whole(m js.Value, name string) int64 {
	if v := m.Get(name); v.Type() == js.TypeNumber {
		return int64(v.Float())
	}
	return 0
}

// changed asks for the state to be published; several requests make one.
func (w *worker) changed() {
	select {
	case w.publish <- struct{}{}:
	default:
	}
}

func (w *worker) publishing() {
	var sent []sandbox.StateChapter
	opening := 0
	for range w.publish {
		st := w.session.State()
		rows := st.Chapters
		if st.Pages == nil && st.Opening == opening {
			rows = sandbox.StillShown(sent, rows)
		}
		opening = st.Opening
		out := published{State: st}
		out.Chapters = rows
		if changed, ok := sandbox.ChangedRows(sent, rows); ok {
			out.Chapters, out.Rows = nil, &changed
		}
		sent = rows
		postJSON("state", out)
	}
}

// published is a state as it is sent: of a long list of chapters only what changed
// since the one before.
type published struct {
	sandbox.State
	Chapters []sandbox.StateChapter `json:"chapters,omitempty"`
	Rows     *sandbox.RowChanges    `json:"rows,omitempty"`
}

// progressed tells of a layout under way, ten times a second at most.
func (w *worker) progressed(done, of int) {
	now := time.Now()
	w.mu.Lock()
	due := done == of || now.Sub(w.progress) > 100*time.Millisecond
	if due {
		w.progress = now
	}
	w.mu.Unlock()
	if due {
		postJSON("progress", map[string]int{"done": done, "of": of})
	}
}

// postJSON sends a value as JSON text.
func postJSON(t string, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		println("postext: " + err.Error())
		return
	}
	post(map[string]any{"t": t, "json": string(text)})
}

// note logs an error that ends nothing; the state's notice tells the person.
func (w *worker) note(err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		println("postext: " + err.Error())
	}
}
