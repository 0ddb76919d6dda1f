// Package patterns holds the pattern files of package hyphen for programs that
// carry them along: the native one and tests. In the browser they are files
// beside the program, fetched when a book needs their language.
package patterns

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
)

//go:embed *.bin
var files embed.FS

// Files are the pattern files, NAME.bin each.
func Files() fs.FS { return files }

// File returns the pattern file of a name, as hyphen.NewLibrary takes it.
func File(_ context.Context, name string) ([]byte, error) {
	data, err := files.ReadFile(name + ".bin")
	if err != nil {
		return nil, fmt.Errorf("there are no hyphenation patterns %q", name)
	}
	return data, nil
}
