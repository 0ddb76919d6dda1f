//go:build !js

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What the worker links is downloaded by every reader: what only the native
// program needs must stay out of it.
func TestWhatOnlyTheNativeProgramNeedsIsNotLinked(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", ".")
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range strings.Fields(string(out)) {
		switch {
		case pkg == "net/http", pkg == "text/template", pkg == "html/template", pkg == "testing", pkg == "os/exec",
			strings.HasPrefix(pkg, "postext/cmd"), pkg == "postext/bridge/check", pkg == "postext/bridge/schema":
			t.Errorf("the worker links %s", pkg)
		}
	}
}
