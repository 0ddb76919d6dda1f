package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"postext/bridge"
	"postext/bridge/check"
	"postext/bridge/schema"
	"postext/engine"
	"postext/sandbox"
)

// ToolsCmd lists the tools.
type ToolsCmd struct {
	Names bool `help:"Only names and titles."`
}

// Run implements the command.
func (c *ToolsCmd) Run(out io.Writer) error {
	tools := sandbox.Tools(sandbox.New(sandbox.Options{}))
	if c.Names {
		for _, t := range tools {
			if _, err := fmt.Fprintf(out, "%-26s %s\n", t.Name, t.Title); err != nil {
				return err
			}
		}
		return nil
	}
	text, err := schema.Listing(tools)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

// CallCmd runs one tool.
type CallCmd struct {
	Tool string `arg:"" help:"The tool's name, such as sandbox_get_state."`
	Args string `arg:"" optional:"" default:"{}" help:"Its arguments as JSON; - reads them from the standard input."`
	Book string `arg:"" optional:"" help:"A folder or a .md file; left out: the built-in guide." placeholder:"BOOK"`
	Save bool   `help:"Write what the tool changed back into the folder."`
	// Indent makes the answer easier for a person.
	Indent bool `help:"Indent the answer."`
}

// errRefused ends the program with status 1; the answer has said why.
var errRefused = errors.New("the tool refused the call")

// Run implements the command.
func (c *CallCmd) Run(out io.Writer) error {
	if c.Save && c.Book == "" {
		return errors.New("--save needs BOOK, the folder to write into")
	}
	args := []byte(c.Args)
	if c.Args == "-" {
		var err error
		if args, err = io.ReadAll(os.Stdin); err != nil {
			return err
		}
	}
	ctx := context.Background()
	b, err := openBook(c.Book)
	if err != nil {
		return err
	}
	w, err := newWorld(c.Book)
	if err != nil {
		return err
	}
	opts := sandbox.Options{Typesetter: engine.New(w), Families: w.families, Fetch: download,
		Listener: sandbox.Listener{Bug: func(err error, stack []byte) { fmt.Fprintf(os.Stderr, "postext: %v\n%s", err, stack) }}}
	s := sandbox.New(opts)
	if err := s.Open(b, nil, nil); err != nil {
		return err
	}
	r := bridge.NewRegistry(bridge.Options{Checker: check.New(schema.For), Log: func(id, tool string, err error, stack []byte) {
		fmt.Fprintf(os.Stderr, "postext: internal error %s in %s: %v\n%s", id, tool, err, stack)
	}})
	if err := r.Add(sandbox.Tools(s)...); err != nil {
		return err
	}
	if c.Tool == "sandbox_get_state" {
		// The state never waits; here nobody would ask again.
		if _, err := s.Layout(ctx); err != nil {
			fmt.Fprintf(os.Stderr, "postext: the pages: %v\n", err)
		}
	}
	answer := r.Call(ctx, c.Tool, json.RawMessage(args))
	text := []byte(answer.JSON)
	if c.Indent {
		var buf bytes.Buffer
		if err := json.Indent(&buf, text, "", "  "); err != nil {
			return err
		}
		text = buf.Bytes()
	}
	if _, err := fmt.Fprintf(out, "%s\n", text); err != nil {
		return err
	}
	if answer.Refused {
		return errRefused
	}
	if c.Save {
		after, rev, err := s.Book(ctx)
		if err != nil {
			return err
		}
		store := sandbox.NewFolder(c.Book, b)
		if err := store.Save(ctx, sandbox.NewRecord(after, b, s.View(), rev)); err != nil {
			return err
		}
	}
	return s.Close(ctx)
}
