package main

// Go's compiler puts small functions into their callers. In WebAssembly that buys
// speed with size, mostly in the tables that lead from code to lines. So it is
// done where the time of a layout goes: without it there, a layout takes half as
// long again. The rest answers tools, reads settings and front matter and checks
// arguments; leaving it out there makes both programs six per cent smaller. The
// page's program has nothing of the first kind.
var inlined = [...]string{
	"postext/engine/...", "golang.org/x/image/...",
	"runtime/...", "internal/...", "sync/...",
	"bytes", "cmp", "compress/...", "encoding/binary", "errors", "hash/...", "image/...", "io",
	"iter", "maps", "math/...", "slices", "sort", "strconv", "strings", "unicode/...",
}

// notInlined are exceptions to inlined: what is too seldom run to matter, and
// placing, whose functions are long (no difference was measured).
var notInlined = [...]string{
	"postext/engine", "postext/engine/layout", "postext/engine/settings", "postext/engine/markup", "postext/engine/check",
	"postext/engine/cite", "postext/engine/index", "postext/engine/collate", "postext/engine/lexicon",
	"postext/engine/highlight", "postext/engine/math", "postext/engine/font/catalogue/...",
	"postext/engine/picture", "postext/engine/bidi", "golang.org/x/image/tiff/...", "golang.org/x/image/ccitt",
}

// compilerFlags are the flags of go build that say so for wasm/<program>; of
// several that name a package the last counts.
func compilerFlags(program string) []string {
	flags := []string{"-gcflags=all=-l"}
	if program == "page" {
		return flags
	}
	for _, p := range inlined {
		flags = append(flags, "-gcflags="+p+"=")
	}
	for _, p := range notInlined {
		flags = append(flags, "-gcflags="+p+"=-l")
	}
	return flags
}
