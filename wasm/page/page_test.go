//go:build !js

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"postext/bridge"
	"postext/bridge/check"
	"postext/bridge/schema"
)

// The window's program links the bridge and the site, never the engine, the
// session or what makes schemas from Go types (design.md).
func TestImportsOnlyBridgeAndSite(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", ".")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range strings.Fields(string(out)) {
		switch {
		case pkg == "postext/wasm/page", pkg == "postext/bridge", pkg == "postext/bridge/check", pkg == "postext/bridge/webmcp",
			pkg == "postext/site", strings.HasPrefix(pkg, "postext/site/"):
		case strings.HasPrefix(pkg, "postext/"), pkg == "net/http", pkg == "text/template":
			t.Errorf("wasm/page links %s", pkg)
		}
	}
}

// The embedded listing keeps to the subset of keywords and every schema passes
// the 2020-12 meta-schema, which compiling checks.
func TestListingIsUsable(t *testing.T) {
	text, err := os.ReadFile("sandbox_tools.json")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := bridge.ReadListing(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(tools) == 0 {
		t.Fatal("no tools")
	}
	checker := check.New(nil)
	for _, tool := range tools {
		if !bridge.ValidName(tool.Name) || tool.Description == "" || tool.Title == "" {
			t.Errorf("%q lacks a name, title or description", tool.Name)
		}
		if err := schema.InSubset(tool.Schema); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		if err := checker.Compile(tool); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
	}
}
