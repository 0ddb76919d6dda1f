package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"postext/bridge"
	"postext/bridge/check"
	"postext/bridge/schema"
	"postext/engine"
	"postext/engine/font/catalogue"
	"postext/engine/font/catalogue/families"
	"postext/engine/font/fontdir"
	"postext/sandbox"
	"postext/sandbox/store"
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
	// Library is a store of own books and changed samples.
	Library string `help:"Work on the books kept in this folder (made if need be) instead of BOOK: the one open last." placeholder:"FOLDER" type:"path"`
	Fonts   string `help:"A folder of further fonts: files, or npm font packages." placeholder:"FOLDER"`
	// Indent makes the answer easier for a person.
	Indent bool `help:"Indent the answer."`
}

// errRefused ends the program with status 1; the answer has said why.
var errRefused = errors.New("the tool refused the call")

// errUnsaved ends it likewise when the change could not be written.
var errUnsaved = errors.New("the change was not saved; the answer says why")

// Run implements the command.
func (c *CallCmd) Run(out io.Writer) error {
	if c.Save && c.Book == "" {
		return errors.New("--save needs BOOK, the folder to write into")
	}
	if c.Save && isBundle(c.Book) {
		return errors.New("--save writes into a folder: make one of the .postext file with postext import")
	}
	args := []byte(c.Args)
	if c.Args == "-" {
		var err error
		if args, err = io.ReadAll(os.Stdin); err != nil {
			return err
		}
	}
	if c.Library != "" && (c.Book != "" || c.Save) {
		return errors.New("--library keeps its books itself: leave out BOOK and --save")
	}
	ctx := context.Background()
	w, err := newWorld(c.Book, c.Fonts)
	if err != nil {
		return err
	}
	opts := sandbox.Options{Typesetter: engine.New(w), Families: w.families, Fetch: download, Face: fontdir.Describe,
		Catalogue:  func(context.Context) (catalogue.List, error) { return families.List() },
		Catalogued: func(f *catalogue.Family) bool { return slices.Contains(w.families(), f.Family) },
		Listener:   sandbox.Listener{Bug: explain}}
	s, err := c.open(ctx, opts)
	if err != nil {
		return err
	}
	checker := check.New(schema.For)
	const listing = "postext tools"
	checker.Listing = listing
	r := bridge.NewRegistry(bridge.Options{Checker: checker, Listing: listing, Log: func(id, tool string, err error, stack []byte) {
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
	var unsaved error
	if !answer.Refused {
		if unsaved = s.Close(ctx); unsaved != nil { // which saves
			if answer.JSON, err = notSaved(answer.JSON, c.Book, unsaved); err != nil {
				return errors.Join(unsaved, err)
			}
		}
	}
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
	switch {
	case answer.Refused:
		return errRefused
	case unsaved != nil:
		return errUnsaved
	}
	return nil
}

// notSaved says in an answer that what it tells of could not be written, and why.
func notSaved(answer json.RawMessage, folder string, cause error) (json.RawMessage, error) {
	why := cause.Error()
	if folder != "" {
		why = "the folder " + folder + ": " + why
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(answer, &fields); err != nil {
		return nil, err
	}
	said, err := json.Marshal(struct {
		Saved    bool   `json:"saved"`
		NotSaved string `json:"notSaved"`
	}{false, why})
	if err != nil {
		return nil, err
	}
	if _, ok := fields["saved"]; ok { // of the moment before
		delete(fields, "saved")
		if answer, err = json.Marshal(fields); err != nil {
			return nil, err
		}
	}
	if len(fields) == 0 {
		return said, nil
	}
	return slices.Concat(answer[:len(answer)-1], []byte(","), said[1:]), nil
}

// open makes the session on BOOK or the library.
func (c *CallCmd) open(ctx context.Context, opts sandbox.Options) (*sandbox.Session, error) {
	if c.Library != "" {
		kept, err := store.OpenFolder(c.Library)
		if err != nil {
			return nil, err
		}
		opts.Library = &sandbox.Library{Store: kept, Samples: samples{}, Language: "en"}
		s := sandbox.New(opts)
		return s, s.Start(ctx, sandbox.Ref{})
	}
	b, err := openBook(c.Book, "")
	if err != nil {
		return nil, err
	}
	if c.Save {
		opts.Keeper = sandbox.NewFolder(c.Book, b)
	}
	s := sandbox.New(opts)
	return s, s.Open(b, nil, nil)
}

// explain prints a panic that cost a chapter or a layout.
func explain(err error, stack []byte) { fmt.Fprintf(os.Stderr, "postext: %v\n%s", err, stack) }
