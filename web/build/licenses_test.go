package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLicencesAreComplete holds that LICENSES.md names every module of go.mod,
// every npm package asked for or published, and every font, and that what is
// published is under one of the licences it may be.
func TestLicencesAreComplete(t *testing.T) {
	read := func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	summary := string(read("web/LICENSES.md"))
	var names []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(summary, -1) {
		names = append(names, m[1])
	}
	named := func(name string) bool {
		return slices.ContainsFunc(names, func(n string) bool {
			family, all := strings.CutSuffix(n, "/*")
			return n == name || all && strings.HasPrefix(name, family+"/")
		})
	}

	version := regexp.MustCompile(`/v\d+$`)
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+`).FindAllStringSubmatch(string(read("go.mod")), -1) {
		if !named(version.ReplaceAllString(m[1], "")) {
			t.Errorf("web/LICENSES.md does not name the module %s", m[1])
		}
	}

	var asked struct{ Dependencies, DevDependencies map[string]string }
	if err := json.Unmarshal(read("web/package.json"), &asked); err != nil {
		t.Fatal(err)
	}
	for _, list := range []map[string]string{asked.Dependencies, asked.DevDependencies} {
		for name := range list {
			if !named(name) {
				t.Errorf("web/LICENSES.md does not name the package %s", name)
			}
		}
	}

	var lock struct {
		Packages map[string]struct {
			License                    string
			Dev, DevOptional, Optional bool
		}
	}
	if err := json.Unmarshal(read("web/package-lock.json"), &lock); err != nil {
		t.Fatal(err)
	}
	allowed := []string{"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC", "0BSD"}
	published := 0
	for path, p := range lock.Packages {
		if path == "" || p.Dev || p.DevOptional || p.Optional {
			continue
		}
		published++
		name := path[strings.LastIndex(path, "node_modules/")+len("node_modules/"):]
		if !named(name) {
			t.Errorf("web/LICENSES.md does not name the package %s", name)
		}
		if !slices.Contains(allowed, p.License) {
			t.Errorf("%s is under %q, which is none of %s", name, p.License, strings.Join(allowed, ", "))
		}
	}
	if published < 10 {
		t.Errorf("%d packages are published: has the form of package-lock.json changed?", published)
	}

	for _, f := range families {
		if !strings.Contains(summary, f.name) || !named("@expo-google-fonts/"+f.folder) {
			t.Errorf("web/LICENSES.md does not name the font %s", f.name)
		}
	}
}
