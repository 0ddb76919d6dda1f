package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

//go:embed compress.mjs
var compressScript string

// forms are the compressed forms of a file; its name ends in the form.
var forms = [...]string{"br", "gz"}

// packing is one file to be compressed.
type packing struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Form    string `json:"form"`
	Quality int    `json:"quality"`
	size    int    // of From, in bytes
}

// compress runs compress.mjs in Node, which web/package.json asks for anyway.
// The largest file begins first: it is the one to wait for.
func compress(jobs []packing) error {
	if len(jobs) == 0 {
		return nil
	}
	slices.SortStableFunc(jobs, func(a, b packing) int { return b.size - a.size })
	list, err := json.Marshal(jobs)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if err := os.MkdirAll(filepath.Dir(j.To), 0o755); err != nil {
			return err
		}
	}
	cmd := exec.Command("node", "--input-type=module", "--eval", compressScript)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(list), os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("compressing with node: %w", err)
	}
	return nil
}
