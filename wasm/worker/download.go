//go:build js && wasm

package main

import "context"

// download hands a file to the window, which gives it to the browser as a
// download of the person's.
func download(_ context.Context, name, mime string, data []byte) error {
	buffer := bufferOf(data)
	post(map[string]any{"t": "download", "name": name, "mime": mime, "buffers": []any{buffer}}, buffer)
	return nil
}
