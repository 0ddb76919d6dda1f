package webmcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/hack-pad/safejs"

	"postext/bridge"
)

// Options sets up a Surface.
type Options struct {
	Registry *bridge.Registry
	Version  string
	// Host is what the page's script offers (package wasm/page describes it);
	// its members guard and alive are used here when they are there.
	Host safejs.Value
}

// Surface is the two doors of one page. Its methods must be called on the
// thread of the event loop.
type Surface struct {
	registry *bridge.Registry
	version  string
	host     safejs.Value
	alive    safejs.Value // AbortSignal, or undefined

	handle   safejs.Value // window.postextWebMcp
	listing  safejs.Value // its tools as one JSON string, undefined when stale
	notice   safejs.Func  // fires toolchange
	noticed  bool         // a toolchange is on its way
	owner    map[string]*Set
	executes map[string]safejs.Func // by tool name; kept, since a browser may call one late
	problems []string
}

// Tool is a tool of a Set. When Remote is set it does the work, in JavaScript,
// in place of Tool.Run.
type Tool struct {
	bridge.Tool
	Remote Remote
}

// Remote does the work of a tool in JavaScript.
type Remote interface {
	// Start begins a call and gives its promise (or its plain result). args is
	// the JSON text of the checked arguments, signal an AbortSignal that fires
	// when nobody waits any more.
	Start(name string, args, signal safejs.Value) (safejs.Value, error)
	// Answer makes the answer object of what the promise resolved with.
	Answer(name string, result safejs.Value) (safejs.Value, error)
	// Fail makes an error of what the promise rejected with.
	Fail(name string, reason safejs.Value) error
}

// Set is a number of tools that come and go together.
type Set struct {
	surface    *Surface
	tools      []Tool
	names      map[string]Tool
	gone       string // why calls under way end when the set is withdrawn
	controller safejs.Value
	stop       safejs.Value // controller's abort, bound: what alive calls
	ctx        context.Context
	cancel     context.CancelFunc
	calls      map[*call]bool
	withdrawn  bool
	refused    int // tools the browser would not have
}

// New defines window.postextWebMcp. It fails when the page has one already:
// the property can be neither replaced nor taken away.
func New(opts Options) (*Surface, error) {
	s := &Surface{registry: opts.Registry, version: opts.Version, host: opts.Host,
		alive: safejs.Undefined(), listing: safejs.Undefined(), owner: map[string]*Set{}, executes: map[string]safejs.Func{}}
	if alive, err := get(opts.Host, "alive"); err == nil && isObject(alive) {
		s.alive = alive
	}
	if err := s.defineHandle(); err != nil {
		return nil, fmt.Errorf("window.postextWebMcp: %w", err)
	}
	return s, nil
}

// Register puts tools on both doors, all or none; the error is a Refusal that
// names the tool at fault. gone is the sentence with which calls under way end
// if the set is withdrawn before they do. A browser that will not have the
// tools is reported to the console and in Problems, and disturbs nothing.
func (s *Surface) Register(tools []Tool, gone string) (*Set, error) {
	plain := make([]bridge.Tool, len(tools))
	names := make(map[string]Tool, len(tools))
	for i, t := range tools {
		if t.Remote != nil {
			t.Tool.Run = onlyRemote
		}
		plain[i], names[t.Name] = t.Tool, t
	}
	if err := s.registry.Add(plain...); err != nil {
		return nil, err
	}
	set := &Set{surface: s, tools: tools, names: names, gone: gone, calls: map[*call]bool{},
		controller: safejs.Undefined(), stop: safejs.Undefined()}
	set.ctx, set.cancel = context.WithCancel(context.Background())
	for n := range names {
		s.owner[n] = set
	}
	s.changed()
	if err := set.offer(); err != nil {
		s.problem("WebMCP: the tools could not be offered to the browser: " + thrown(err))
	}
	return set, nil
}

// onlyRemote stands in the registry for a tool whose work is JavaScript's.
func onlyRemote(context.Context, rawJSON) (any, error) {
	return nil, errors.New("this tool runs in JavaScript")
}

// Withdraw takes the set off both doors; its names are free at once. Calls
// under way are answered with a refusal, here and now. Doing it again does
// nothing.
func (set *Set) Withdraw() {
	if set.withdrawn {
		return
	}
	set.withdrawn = true
	s := set.surface
	for _, t := range set.tools {
		s.registry.Remove(t.Name)
		delete(s.owner, t.Name)
	}
	if isObject(set.controller) {
		if _, err := set.controller.Call("abort"); err != nil {
			s.problem("WebMCP: the tools could not be taken back: " + thrown(err))
		}
		if isObject(s.alive) {
			if _, err := s.alive.Call("removeEventListener", "abort", set.stop); err != nil {
				s.problem("WebMCP: a listener could not be taken back: " + thrown(err))
			}
		}
	}
	for c := range set.calls {
		c.answer(bridge.Refused(set.gone))
	}
	set.cancel()
	s.changed()
}

// Problems tells what browsers refused, for people and for site_get_context.
func (s *Surface) Problems() []string { return append([]string(nil), s.problems...) }

func (s *Surface) problem(message string) {
	if len(s.problems) < 100 {
		s.problems = append(s.problems, message)
	}
	console("warn", message)
}
