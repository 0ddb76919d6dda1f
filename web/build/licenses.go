package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// licenses writes licenses.txt: the summary of LICENSES.md and the full text of
// every package that is in the built files.
func (b *builder) licenses() error {
	summary, err := os.ReadFile(b.path("web", "LICENSES.md"))
	if err != nil {
		return err
	}
	folders := map[string]string{"Go": b.goDir}
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Version}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", "./wasm/page", "./wasm/worker")
	cmd.Dir = b.root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	list, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("listing the modules: %w", err)
	}
	for line := range strings.Lines(string(list)) {
		if name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			folders[name] = dir
		}
	}
	for name := range b.packages {
		folders[name] = b.path("web", "node_modules", filepath.FromSlash(name))
	}
	var out bytes.Buffer
	out.Write(summary)
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		text, err := licenceOf(folders[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&out, "\n\n## %s\n\n%s\n", name, bytes.TrimSpace(text))
	}
	patterns, err := os.ReadFile(b.path("engine", "hyphen", "NOTICE"))
	if err != nil {
		return err
	}
	fmt.Fprintf(&out, "\n\n## Hyphenation patterns\n\n%s\n", bytes.TrimSpace(patterns))
	return b.dist.put("licenses.txt", out.Bytes())
}

func licenceOf(dir string) ([]byte, error) {
	for _, name := range []string{"LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "UNLICENSE", "COPYING"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if !errors.Is(err, fs.ErrNotExist) {
			return text, err
		}
	}
	return nil, errors.New("it has no licence file")
}

// bundled notes the npm packages of a bundle, from esbuild's account of it.
func (b *builder) bundled(metafile string) error {
	var meta struct{ Inputs map[string]json.RawMessage }
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return fmt.Errorf("esbuild's account: %w", err)
	}
	for input := range meta.Inputs {
		_, rest, ok := strings.Cut(input, "node_modules/")
		if !ok {
			continue
		}
		parts := strings.SplitN(rest, "/", 3)
		name := parts[0]
		if strings.HasPrefix(name, "@") {
			name = strings.Join(parts[:2], "/")
		}
		b.packages[name] = true
	}
	return nil
}
