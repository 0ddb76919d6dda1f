// Command build writes the site that "postext serve" serves into web/dist.
//
//	go run ./web/build [-quick | -draft]
//
// It compiles the two WebAssembly programs, bundles the TypeScript and CSS with
// esbuild, copies fonts and books, and puts a brotli and a gzip form beside every
// file that gains by it. Names under assets/ carry a hash of their content. The
// names the program needs at run time (the worker's script, the two modules) are
// put into the script as constants, so the order is: modules, worker, page.
//
// Files are written only when their content changed, and what this run did not
// write is removed: a server may go on serving the folder meanwhile. Fonts and
// books also go to cmd/postext/assets, where the native program embeds them.
//
// The best brotli takes over a minute of processor time for the two programs: what
// is compressed is kept by its hash, and -quick takes a lesser quality, for a site
// that is only tried here. With -draft nothing is minified, slimmed or compressed.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/evanw/esbuild/pkg/api"

	"postext/bridge"
)

func main() {
	draft := flag.Bool("draft", false, "neither minify, slim nor compress")
	quick := flag.Bool("quick", false, "compress less well")
	fonts := flag.String("fonts", "", "address below which the files of the font catalogue lie (catalogue: the folder fonts/catalogue of the site); left out: there are none but those of postext serve --fonts")
	flag.Parse()
	start := time.Now()
	b := &builder{draft: *draft, quick: *quick, fontFiles: *fonts, packages: map[string]bool{}}
	if err := b.run(); err != nil {
		fmt.Fprintln(os.Stderr, "web/build:", err)
		os.Exit(1)
	}
	fmt.Printf("web/dist: %d files in %.1f s\n", len(b.dist.written), time.Since(start).Seconds())
}

type builder struct {
	draft bool
	quick bool
	// fontFiles is where the files of the font catalogue lie, "" for none.
	fontFiles string
	root      string // of the repository
	goDir     string // GOROOT
	dist      *output
	// npm packages that are in the bundles
	packages map[string]bool
}

func (b *builder) run() error {
	var err error
	if b.root, err = moduleRoot(); err != nil {
		return err
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	b.goDir = strings.TrimSpace(string(out))
	if _, err := os.Stat(b.path("web", "node_modules", "codemirror")); err != nil {
		return errors.New("web/node_modules is missing: run npm ci in web, or make build")
	}
	release, err := lock(b.path("web", ".cache", "lock"))
	if err != nil {
		return err
	}
	return errors.Join(b.write(), release())
}

// write makes the site; no other build writes meanwhile.
func (b *builder) write() (err error) {
	b.dist = newOutput(b.path("web", "dist"), b.path("web", ".cache"), !b.draft)
	if b.quick {
		b.dist.quality = quickly
	}

	names := map[string]string{}
	for _, program := range []string{"page", "worker"} {
		if names[program+".wasm"], err = b.wasm(program); err != nil {
			return err
		}
	}
	constants := map[string]string{
		"__VERSION__":     quote(bridge.Version),
		"__PAGE_WASM__":   quote(names["page.wasm"]),
		"__WORKER_WASM__": quote(names["worker.wasm"]),
	}
	if names["worker.js"], err = b.script("worker", constants); err != nil {
		return err
	}
	constants["__WORKER_JS__"] = quote(names["worker.js"])
	if names["rehearsal.js"], err = b.script("rehearsal", constants); err != nil {
		return err
	}
	constants["__REHEARSAL_JS__"] = quote(names["rehearsal.js"])
	for _, page := range []string{"early", "app", "site"} {
		if names[page+".js"], err = b.script(page, constants); err != nil {
			return err
		}
	}
	for _, sheet := range []string{"app", "site"} {
		if names[sheet+".css"], err = b.sheet(sheet); err != nil {
			return err
		}
	}
	for _, page := range []struct{ source, to string }{
		{"index.html", "index.html"},
		{"index.html", "en/index.html"},
		{"sandbox.html", "en/sandbox.html"},
	} {
		if err := b.html(page.source, page.to, names); err != nil {
			return err
		}
	}
	if err := b.hostModule(constants); err != nil {
		return err
	}
	if err := b.errorPages(names); err != nil {
		return err
	}
	favicon, err := os.ReadFile(b.path("web", "src", "favicon.svg"))
	if err != nil {
		return err
	}
	if err := b.dist.put("favicon.svg", favicon); err != nil {
		return err
	}
	if err := b.licenses(); err != nil {
		return err
	}
	assets := newOutput(b.path("cmd", "postext", "assets"), "", false)
	if err := b.fonts(b.dist, assets); err != nil {
		return err
	}
	if err := b.brotli(); err != nil {
		return err
	}
	if err := b.patterns(); err != nil {
		return err
	}
	if err := b.citations(); err != nil {
		return err
	}
	if err := b.books(b.dist, assets); err != nil {
		return err
	}
	if err := assets.sweep("fonts", "books"); err != nil {
		return err
	}
	return b.dist.sweep(".")
}

func (b *builder) path(parts ...string) string {
	return filepath.Join(append([]string{b.root}, parts...)...)
}

// moduleRoot walks up to the folder of go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("run it inside the repository: there is no go.mod here or above")
		}
		dir = up
	}
}

// wasm compiles wasm/<program> and returns the address of the module.
func (b *builder) wasm(program string) (string, error) {
	file := b.path("web", ".cache", program+".wasm")
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", file}, compilerFlags(program)...)
	cmd := exec.Command("go", append(args, "./wasm/"+program)...)
	cmd.Dir = b.root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("compiling wasm/%s: %w", program, err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if !b.draft {
		if data, err = slim(data); err != nil {
			return "", fmt.Errorf("wasm/%s: %w", program, err)
		}
	}
	sum := sha256.Sum256(data)
	name := fmt.Sprintf("assets/%s-%s.wasm", program, hex.EncodeToString(sum[:8]))
	return "/" + name, b.dist.put(name, data)
}

// script bundles src/<name>.ts and returns its address. "wasm_exec" is the
// loader that belongs to the compiler the modules were built with.
func (b *builder) script(name string, constants map[string]string) (string, error) {
	return b.bundle(name+".ts", api.BuildOptions{Format: api.FormatIIFE, Define: constants, Alias: b.aliases()})
}

func (b *builder) aliases() map[string]string {
	return map[string]string{
		"wasm_exec":             filepath.Join(b.goDir, "lib", "wasm", "wasm_exec.js"),
		"@codemirror/lang-html": b.path("web", "src", "plainhtml.ts"),
	}
}

// sheet bundles src/<name>.css and returns its address.
func (b *builder) sheet(name string) (string, error) {
	return b.bundle(name+".css", api.BuildOptions{External: []string{"/fonts/*"}})
}

func (b *builder) bundle(source string, o api.BuildOptions) (string, error) {
	o.EntryPoints = []string{b.path("web", "src", source)}
	o.Bundle = true
	o.Outdir = b.path("web", "dist", "assets")
	if o.EntryNames == "" {
		o.EntryNames = "[name]-[hash]"
	}
	o.Target = api.ES2022
	o.Charset = api.CharsetUTF8
	o.LogLevel = api.LogLevelWarning
	o.AbsWorkingDir = b.path("web")
	o.Metafile = true
	if b.draft {
		o.Sourcemap = api.SourceMapInline
	} else {
		o.MinifyIdentifiers, o.MinifySyntax, o.MinifyWhitespace = true, true, true
		o.LegalComments = api.LegalCommentsNone // licenses.txt carries them
	}
	result := api.Build(o)
	if len(result.Errors) > 0 {
		return "", fmt.Errorf("bundling %s: %s", source, result.Errors[0].Text)
	}
	if len(result.OutputFiles) != 1 {
		return "", fmt.Errorf("bundling %s: %d files instead of one", source, len(result.OutputFiles))
	}
	if err := b.bundled(result.Metafile); err != nil {
		return "", err
	}
	name := "assets/" + filepath.Base(result.OutputFiles[0].Path)
	return "/" + name, b.dist.put(name, result.OutputFiles[0].Contents)
}

// html writes a page with the addresses of the built files put in for
// %name%; a name that was not built is an error.
func (b *builder) html(source, to string, names map[string]string) error {
	data, err := os.ReadFile(b.path("web", "src", source))
	if err != nil {
		return err
	}
	text := string(data)
	for _, name := range sortedKeys(names) {
		text = strings.ReplaceAll(text, "%"+name+"%", names[name])
	}
	if i := strings.IndexByte(text, '%'); i >= 0 {
		return fmt.Errorf("%s asks for a file that is not built: %.30s", source, text[i:])
	}
	return b.dist.put(to, []byte(text))
}

func quote(s string) string { return `"` + s + `"` }
