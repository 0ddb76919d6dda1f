// Package families holds the list of package catalogue for programs that carry it
// along: the native one and tests. In the browser it is a file beside the
// program, fetched when somebody looks for a font.
package families

import (
	_ "embed"
	"sync"

	"postext/engine/font/catalogue"
)

//go:embed catalogue.txt
var text string

// Text is the list as it is written.
func Text() string { return text }

// List reads the list, once.
var List = sync.OnceValues(func() (catalogue.List, error) { return catalogue.Parse(text) })
