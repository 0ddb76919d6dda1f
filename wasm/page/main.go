//go:build js && wasm

// Command page is the small program in the window. It owns the tools' two
// doors, document.modelContext and window.postextWebMcp (package bridge/webmcp),
// checks arguments against the embedded listing, and hands the Sandbox's calls
// to the worker through the page's script. It links neither engine nor session.
//
// # Handshake
//
// The page's script, before it instantiates page.wasm, may set
//
//	globalThis.postextHost = {
//	  // Does the work of a sandbox_* tool. args is JSON text of an object that
//	  // fits the tool's schema; resolves with the JSON text of the answer, an
//	  // object with "ok". A rejection counts as a bug ("internal error <id>"),
//	  // unless signal has fired. signal fires when nobody waits any more: the
//	  // caller aborted, or the Sandbox was unmounted.
//	  callTool(name: string, args: string, signal: AbortSignal): Promise<string>,
//	  // The Sandbox is on screen already: its tools are registered during start-up.
//	  mounted?: boolean,
//	  // Titles in the page's language, by tool name; English otherwise.
//	  titles?: Record<string, string>,
//	  // Set by startBridge of the module postext-sandbox/webmcp, so that both doors
//	  // still answer when the Go program has died:
//	  guard?(fn: Function, kind: "list" | "answer" | "execute"): Function,
//	  alive?: AbortSignal, // fires when the Go program has ended
//	  // Takes over the handle of a page that has had one from its first moment:
//	  door?(listTools: Function, executeTool: Function): EventTarget,
//	}
//
// The object is kept; callTool is looked up anew for each call. page.wasm then
// defines window.postextWebMcp, or takes it over, and
//
//	globalThis.postextBridge = {
//	  mount(): void,       // the Sandbox came on screen: register sandbox_*
//	  unmount(): void,     // it left: withdraw them; calls under way are answered
//	  mounted(): boolean,
//	  registerTools(tools, signal?): string, // a host's own; "" or what is wrong
//	  problems(): string[],                  // what the browser refused
//	}
//
// (frozen), and last fires the event "postextbridge" on globalThis. mount and
// unmount may be called in any order, also both within one tick. The easy way
// through all of this is startBridge in web/src/webmcp.js.
package main

import (
	_ "embed"
	"strings"

	"github.com/hack-pad/safejs"

	"postext/bridge"
	"postext/bridge/check"
	"postext/bridge/webmcp"
)

//go:embed sandbox_tools.json
var sandboxTools []byte

func main() {
	if err := start(); err != nil {
		println("postext: the tools cannot be offered: " + err.Error())
		return
	}
	select {} // the callbacks do the rest
}

func start() error {
	listed, err := bridge.ReadListing(sandboxTools)
	if err != nil {
		return err
	}
	host, err := safejs.Global().Get("postextHost")
	if err != nil {
		return err
	}
	checker := check.New(nil)
	checker.Sound = true // the surface writes arguments with JSON.stringify
	const listing = "postextWebMcp.listTools()"
	checker.Listing = listing
	p := &page{checker: checker, host: host}
	registry := bridge.NewRegistry(bridge.Options{Checker: checker, Sound: true, Log: webmcp.Log, Absent: p.absent, Listing: listing})
	if p.surface, err = webmcp.New(webmcp.Options{Registry: registry, Version: bridge.Version, Host: host}); err != nil {
		return err
	}
	for _, t := range listed {
		if title := webmcp.Text(host, "titles", t.Name); title != "" {
			t.Title = title
		}
		p.sandbox = append(p.sandbox, webmcp.Tool{Tool: t, Remote: webmcp.Forward{Send: p.send}})
	}
	if webmcp.Flag(host, "mounted") {
		if err := p.mount(); err != nil {
			return err
		}
	}
	return p.expose()
}

// page is the state of the window: whether the Sandbox's tools are registered.
type page struct {
	surface *webmcp.Surface
	checker *check.Checker
	host    safejs.Value
	sandbox []webmcp.Tool
	mounted *webmcp.Set
}

// absent explains why a tool of the Sandbox is not there.
func (p *page) absent(name string) string {
	if p.mounted != nil || !strings.HasPrefix(name, "sandbox_") {
		return ""
	}
	return "there is no tool " + bridge.Quote(name) + " on this page now: the sandbox_ tools are there while the Sandbox is on screen"
}

// send hands a checked call to the page's script.
func (p *page) send(name string, args, signal safejs.Value) (safejs.Value, error) {
	if t := p.host.Type(); t != safejs.TypeObject && t != safejs.TypeFunction {
		return safejs.Undefined(), bridge.Refuse("the Sandbox of this page is not connected to its tools")
	}
	return p.host.Call("callTool", name, args, signal)
}

func (p *page) mount() error {
	if p.mounted != nil {
		return nil
	}
	set, err := p.surface.Register(p.sandbox,
		"the Sandbox left the screen while this call was running; open it again and look at sandbox_get_state for what was changed")
	if err != nil {
		return err
	}
	p.mounted = set
	return nil
}

func (p *page) unmount() {
	if p.mounted != nil {
		p.mounted.Withdraw()
		p.mounted = nil
	}
}

// expose defines postextBridge and says that it is there.
func (p *page) expose() error {
	return p.surface.Expose("postextBridge", "postextbridge", []webmcp.Method{
		{Name: "mount", Run: func([]safejs.Value) (any, error) { return safejs.Undefined(), p.mount() }},
		{Name: "unmount", Run: func([]safejs.Value) (any, error) { p.unmount(); return safejs.Undefined(), nil }},
		{Name: "mounted", Run: func([]safejs.Value) (any, error) { return p.mounted != nil, nil }},
		{Name: "problems", Run: func([]safejs.Value) (any, error) {
			list := []any{}
			for _, s := range p.surface.Problems() {
				list = append(list, s)
			}
			return list, nil
		}},
		{Name: "registerTools", Run: func(args []safejs.Value) (any, error) {
			list, signal := safejs.Undefined(), safejs.Undefined()
			if len(args) > 0 {
				list = args[0]
			}
			if len(args) > 1 {
				signal = args[1]
			}
			if err := p.surface.RegisterHostTools(list, signal, p.checker); err != nil {
				return err.Error(), nil
			}
			return "", nil
		}},
	})
}
