package bridge

import (
	"encoding/json"
	"fmt"
)

// Entry is a tool as the world sees it: what listTools gives, and one element
// of a listing file.
type Entry struct {
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations Hints           `json:"annotations"`
}

// ReadListing reads a listing file (package bridge/schema writes it) into
// tools that have a schema and nothing to run yet.
func ReadListing(text []byte) ([]Tool, error) {
	var entries []Entry
	if err := json.Unmarshal(text, &entries); err != nil {
		return nil, fmt.Errorf("the tool listing cannot be read: %w", err)
	}
	tools := make([]Tool, len(entries))
	for i, e := range entries {
		tools[i] = Tool{Name: e.Name, Title: e.Title, Description: e.Description, Schema: e.InputSchema, Hints: e.Annotations}
	}
	return tools, nil
}
