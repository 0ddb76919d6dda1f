// Package library carries the citation styles and the words of citations in each
// language for programs that have them along: the native one and tests. In the
// browser they are a file beside the program, fetched when a book cites.
package library

import (
	"embed"
	"io/fs"
	"strings"

	"postext/engine/cite"
)

//go:embed styles/*.csl terms/*.txt
var files embed.FS

func init() { cite.Library = Text }

// Text is the library as cite.Library gives it: a file after the other, each behind
// cite.FileMark and its name on a line.
func Text() (string, error) {
	var out strings.Builder
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := files.ReadFile(name)
		out.WriteString(cite.FileMark + name + "\n" + string(data))
		return err
	})
	return out.String(), err
}
