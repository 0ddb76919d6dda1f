package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// built gives a builder that writes into a folder of the test's own.
func built(t *testing.T) (*builder, func(name string) string) {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	goDir, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	b := &builder{root: root, goDir: strings.TrimSpace(string(goDir)), packages: map[string]bool{}, dist: newOutput(dir, "", false)}
	return b, func(name string) string {
		data, err := os.ReadFile(dir + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
}

// A page of the site's owner loads one module, at an address that stays.
func TestTheHostModuleHasAnAddressThatStays(t *testing.T) {
	b, read := built(t)
	if err := b.hostModule(map[string]string{"__PAGE_WASM__": `"/assets/page-0123456789abcdef.wasm"`}); err != nil {
		t.Fatal(err)
	}
	module := read("assets/webmcp.js")
	_, exports, _ := strings.Cut(module, "export")
	for _, want := range []string{"registerWebMcpTools", "startTools"} {
		if !strings.Contains(exports, want) {
			t.Errorf("assets/webmcp.js does not export %s", want)
		}
	}
	if !strings.Contains(module, "/assets/page-0123456789abcdef.wasm") || strings.Contains(module, "__PAGE_WASM__") {
		t.Error("assets/webmcp.js does not know the page's program")
	}
	types := read("assets/webmcp.d.ts")
	for _, want := range []string{"export function registerWebMcpTools", "export function startTools", "readonly postextWebMcp"} {
		if !strings.Contains(types, want) {
			t.Errorf("assets/webmcp.d.ts has no %q", want)
		}
	}
	if strings.Contains(types, "./webmcp.js") {
		t.Error("the types ask for another file")
	}
}

// The page for what is not there has the site's script, and so its tools; servers
// fill the template beside it.
func TestErrorPagesHaveTheSitesTools(t *testing.T) {
	b, read := built(t)
	names := map[string]string{"site.css": "/assets/site-1.css", "site.js": "/assets/site-1.js", "early.js": "/assets/early-1.js"}
	if err := b.errorPages(names); err != nil {
		t.Fatal(err)
	}
	page, template := read(notFoundPage), read(errorTemplate)
	if !strings.Contains(page, `<script src="/assets/early-1.js">`) || !strings.Contains(page, `<script src="/assets/site-1.js" defer>`) || !strings.Contains(page, notFoundText) || !strings.Contains(page, "<h1>404</h1>") {
		t.Errorf("404.html:\n%s", page)
	}
	if strings.ReplaceAll(strings.ReplaceAll(template, "{status}", "404"), "{text}", notFoundText) != page {
		t.Errorf("the template is another page:\n%s", template)
	}
}
