package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// hostModule writes assets/webmcp.js, the module by which a page of the site's
// owner has tools of its own beside Postext's, and its types. Its address is the
// same in every build, as such a page names it.
func (b *builder) hostModule(constants map[string]string) error {
	if _, err := b.bundle("hostpage.js", api.BuildOptions{
		Format: api.FormatESModule, Define: constants, Alias: b.aliases(), EntryNames: "webmcp",
	}); err != nil {
		return err
	}
	var types strings.Builder
	for _, name := range []string{"webmcp.d.ts", "hostpage.d.ts"} {
		data, err := os.ReadFile(b.path("web", "src", name))
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(data)) {
			if !strings.Contains(line, `from "./webmcp.js"`) { // both are one file here
				types.WriteString(line)
			}
		}
	}
	return b.dist.put("assets/webmcp.d.ts", []byte(types.String()))
}

// The files of error pages: what a server fills with {status} and {text}, under a
// name that it does not serve, and what a server of plain files takes by itself.
const (
	errorTemplate = ".error.html"
	notFoundPage  = "404.html"
	notFoundText  = "There is no such page here."
)

// errorPages writes the pages that say what is wrong; they have the site's tools
// like every other page.
func (b *builder) errorPages(names map[string]string) error {
	if err := b.html("error.html", errorTemplate, names); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(b.dist.dir, errorTemplate))
	if err != nil {
		return err
	}
	page := strings.NewReplacer("{status}", "404", "{text}", notFoundText).Replace(string(data))
	if strings.ContainsAny(page, "{}") {
		return fmt.Errorf("error.html asks for more than {status} and {text}")
	}
	return b.dist.put(notFoundPage, []byte(page))
}
