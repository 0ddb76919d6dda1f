//go:build js && wasm

package main

import "postext/book"

// memFS is a file system of downloaded files, by path.
type memFS = book.MemFS
