package schema

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"postext/bridge"
)

// Listing writes tools as the JSON file that browser programs embed: an array
// of name, title, description, inputSchema and annotations, one tool a line.
// It refuses a schema outside the subset.
func Listing(tools []bridge.Tool) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("[")
	for i, t := range tools {
		text, err := For(t)
		if err != nil {
			return nil, err
		}
		if err := InSubset(text); err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		line, err := encode(bridge.Entry{Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: text, Annotations: t.Hints})
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n")
		b.Write(line)
	}
	b.WriteString("\n]\n")
	return b.Bytes(), nil
}

// Generate writes the listing to each path, leaving files that are right
// untouched. It is what go generate calls.
func Generate(tools []bridge.Tool, paths ...string) error {
	text, err := Listing(tools)
	if err != nil {
		return err
	}
	for _, path := range paths {
		old, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil && bytes.Equal(old, text) {
			continue
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Stale says which of the files differ from the listing of the tools; nil when
// none does. It is for the test beside the tools.
func Stale(tools []bridge.Tool, paths ...string) error {
	text, err := Listing(tools)
	if err != nil {
		return err
	}
	for _, path := range paths {
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, text) {
			return fmt.Errorf("%s is stale: run go generate", path)
		}
	}
	return nil
}
