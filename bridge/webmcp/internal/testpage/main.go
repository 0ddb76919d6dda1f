//go:build js && wasm

// Command testpage offers tools that behave badly, for the tests of the bridge
// in a real browser: it follows the handshake of wasm/page with tools of its own.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"github.com/hack-pad/safejs"

	"postext/bridge"
	"postext/bridge/check"
	"postext/bridge/webmcp"
)

const echoSchema = `{"type":"object","properties":{
	"text":{"type":"string","description":"What to echo; some texts make the host behave badly."},
	"width":{"type":"integer","minimum":64,"maximum":4096},
	"format":{"type":"string","enum":["png","jpeg","webp"]},
	"chapter":{"type":["integer","string"]},
	"edits":{"type":"array","items":{"type":"object","properties":{"find":{"type":"string"},"replace":{"type":"string"}},"required":["find","replace"],"additionalProperties":false}},
	"patch":{"type":"object"}},"additionalProperties":false}`

const noArguments = `{"type":"object","properties":{},"additionalProperties":false}`

// bad is a Remote that panics where the bridge must recover.
type bad struct{ webmcp.Forward }

func (bad) Start(string, safejs.Value, safejs.Value) (safejs.Value, error) { panic("in Start") }

func main() {
	host, err := safejs.Global().Get("postextHost")
	if err != nil {
		panic(err)
	}
	checker := check.New(nil)
	registry := bridge.NewRegistry(bridge.Options{Checker: checker, Log: webmcp.Log})
	surface, err := webmcp.New(webmcp.Options{Registry: registry, Version: "test", Host: host})
	if err != nil {
		panic(err)
	}
	forward := webmcp.Forward{Send: func(name string, args, signal safejs.Value) (safejs.Value, error) {
		return host.Call("callTool", name, args, signal)
	}}
	tool := func(name, schema string, hints bridge.Hints, run func(context.Context, json.RawMessage) (any, error)) webmcp.Tool {
		return webmcp.Tool{Tool: bridge.Tool{Name: name, Title: name, Description: "A test tool: " + name, Schema: json.RawMessage(schema), Hints: hints, Run: run}}
	}
	reads := bridge.Hints{ReadOnly: true, Untrusted: true}
	tools := []webmcp.Tool{
		{Tool: tool("test_echo", echoSchema, reads, nil).Tool, Remote: forward},
		{Tool: tool("test_bad_remote", noArguments, reads, nil).Tool, Remote: bad{}},
		tool("test_go", echoSchema, reads, func(_ context.Context, args json.RawMessage) (any, error) {
			return map[string]any{"got": args}, nil
		}),
		tool("test_error", noArguments, reads, func(context.Context, json.RawMessage) (any, error) {
			return nil, errors.New("a secret of the house")
		}),
		tool("test_refuse", noArguments, bridge.Hints{Consequential: true}, func(context.Context, json.RawMessage) (any, error) {
			return nil, bridge.Refuse("there is no chapter %s", bridge.Quote("Nine"))
		}),
		tool("test_panic", noArguments, reads, func(context.Context, json.RawMessage) (any, error) {
			var none map[string]int
			none["x"] = 1
			return nil, nil
		}),
		tool("test_surrogate", noArguments, reads, func(context.Context, json.RawMessage) (any, error) {
			return map[string]any{"bytes": "a\xed\xa0\x80b", "text": json.RawMessage(`"a\ud800b"`)}, nil
		}),
		tool("test_wait", noArguments, reads, func(ctx context.Context, _ json.RawMessage) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}),
		tool("test_exit", noArguments, reads, func(context.Context, json.RawMessage) (any, error) {
			os.Exit(3)
			return nil, nil
		}),
	}
	var set *webmcp.Set
	mount := func([]safejs.Value) (any, error) {
		if set != nil {
			return nil, nil
		}
		var err error
		set, err = surface.Register(tools, "the set was withdrawn")
		return nil, err
	}
	if webmcp.Flag(host, "mounted") {
		if _, err := mount(nil); err != nil {
			panic(err)
		}
	}
	if err := surface.Expose("postextBridge", "postextbridge", []webmcp.Method{
		{Name: "mount", Run: mount},
		{Name: "unmount", Run: func([]safejs.Value) (any, error) {
			if set != nil {
				set.Withdraw()
				set = nil
			}
			return nil, nil
		}},
		{Name: "problems", Run: func([]safejs.Value) (any, error) {
			list := []any{}
			for _, s := range surface.Problems() {
				list = append(list, s)
			}
			return list, nil
		}},
		{Name: "registerTools", Run: func(args []safejs.Value) (any, error) {
			if err := surface.RegisterHostTools(args[0], args[1], checker); err != nil {
				return err.Error(), nil
			}
			return "", nil
		}},
	}); err != nil {
		panic(err)
	}
	select {}
}
