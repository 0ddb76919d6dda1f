// Package words carries the static dictionary of Brotli (RFC 7932, appendix A),
// for programs that have it with them.
package words

import (
	_ "embed"

	"postext/engine/font/brotli"
)

// File is the dictionary: words of 4 to 24 bytes, by length. It is the Brotli
// authors' (MIT).
//
//go:embed dictionary.bin
var File string

func init() { brotli.Dictionary = func() (string, error) { return File, nil } }
