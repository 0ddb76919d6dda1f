//go:build !js

package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Folder keeps each value in a file of its own: table/name. A batch is first
// written beside the tables, then named in one file, journal, whose coming to be
// is the moment of the change; then the files take their places. A program that
// ends in between leaves a journal, and whoever opens the folder next carries it
// out. Several programs may use one folder at a time.
type Folder struct {
	dir string
	mu  sync.Mutex
	// step is asked before each thing done to the disk, by tests that end the
	// program there; nil otherwise.
	step   func(what string) error
	closed bool
}

const (
	journalFile = "journal"
	tempFolder  = "new"
	lockFolder  = "locks"
)

// OpenFolder opens a store in a folder, which is made if need be.
func OpenFolder(dir string) (*Folder, error) {
	f := &Folder{dir: dir}
	for _, t := range append([]Table{tempFolder, lockFolder}, Tables...) {
		if err := os.MkdirAll(filepath.Join(dir, string(t)), 0o777); err != nil {
			return nil, fmt.Errorf("the storage in %s: %w", dir, f.noRoom(err))
		}
	}
	unlock, err := f.hold("commit")
	if err != nil {
		return nil, f.noRoom(err)
	}
	defer unlock()
	return f, f.recover()
}

// path is the file of a key. Names are escaped, and cut into folders where they
// are longer than a file's name may be.
func (f *Folder) path(k Key) string {
	name := escape(k.Name)
	parts := []string{f.dir, string(k.Table)}
	for len(name) > maxPart {
		parts = append(parts, name[:maxPart]+"+")
		name = name[maxPart:]
	}
	return filepath.Join(append(parts, name)...)
}

const maxPart = 200

// escape writes every byte that some file system would not keep apart as =XX.
func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "=%02x", c)
	}
	return b.String()
}

func unescape(name string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] != '=' {
			b.WriteByte(name[i])
			continue
		}
		if i+3 > len(name) {
			return "", false
		}
		v, err := strconv.ParseUint(name[i+1:i+3], 16, 8)
		if err != nil {
			return "", false
		}
		b.WriteByte(byte(v))
		i += 2
	}
	return b.String(), true
}

// Get implements Store.
func (f *Folder) Get(ctx context.Context, k Key) ([]byte, error) {
	if err := f.open(ctx); err != nil {
		return nil, err
	}
	return f.read(k)
}

func (f *Folder) read(k Key) ([]byte, error) {
	data, err := os.ReadFile(f.path(k))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}

func (f *Folder) open(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return ErrClosed
	}
	return ctx.Err()
}

// Keys implements Store.
func (f *Folder) Keys(ctx context.Context, t Table) ([]string, error) {
	if err := f.open(ctx); err != nil {
		return nil, err
	}
	list := []string{}
	root := filepath.Join(f.dir, string(t))
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name := strings.ReplaceAll(filepath.ToSlash(rel), "+/", "")
		if key, ok := unescape(name); ok {
			list = append(list, key)
		}
		return nil
	})
	slices.Sort(list)
	return list, err
}

// Commit implements Store.
func (f *Folder) Commit(ctx context.Context, b Batch) error {
	if err := b.check(); err != nil {
		return err
	}
	if err := f.open(ctx); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	unlock, err := f.hold("commit")
	if err != nil {
		return f.noRoom(err) // its file may have to be made
	}
	defer unlock()
	if err := f.recover(); err != nil {
		return err
	}
	for _, g := range b.Guards {
		now, err := f.read(g.Key)
		if err != nil {
			return err
		}
		if !g.holds(now) {
			return ErrConflict
		}
	}
	if err := f.prepare(b); err != nil {
		if e := f.discard(); e != nil {
			return errors.Join(f.noRoom(err), e)
		}
		return f.noRoom(err)
	}
	return f.recover()
}

// noRoom makes an error for lack of room the store's own.
func (f *Folder) noRoom(err error) error {
	if !full(err) {
		return err
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err // the file is one of ours, with a name that says nothing
	}
	return &FullError{f.dir, err}
}

// prepare writes what is new, and last the journal.
func (f *Folder) prepare(b Batch) error {
	var j bytes.Buffer
	for i, p := range b.Puts {
		temp := strconv.Itoa(i)
		if err := f.writeFile(filepath.Join(f.dir, tempFolder, temp), p.Data); err != nil {
			return err
		}
		fmt.Fprintf(&j, "put %s %s %s\n", temp, p.Table, escape(p.Name))
	}
	for _, k := range b.Deletes {
		fmt.Fprintf(&j, "delete %s %s\n", k.Table, escape(k.Name))
	}
	j.WriteString("end\n")
	temp := filepath.Join(f.dir, tempFolder, journalFile)
	if err := f.writeFile(temp, j.Bytes()); err != nil {
		return err
	}
	if err := syncFolder(filepath.Join(f.dir, tempFolder)); err != nil {
		return err
	}
	if err := f.at("journal"); err != nil {
		return err
	}
	if err := os.Rename(temp, filepath.Join(f.dir, journalFile)); err != nil {
		return err
	}
	return syncFolder(f.dir)
}

func (f *Folder) at(what string) error {
	if f.step == nil {
		return nil
	}
	return f.step(what)
}

func (f *Folder) writeFile(name string, data []byte) error {
	if err := f.at("write " + filepath.Base(name)); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if e := file.Close(); err == nil {
		err = e
	}
	return err
}

// recover carries out the journal, if there is one, and clears away what no
// journal names. It may be ended and begun again at any place.
func (f *Folder) recover() error {
	name := filepath.Join(f.dir, journalFile)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return f.discard()
	}
	if err != nil {
		return err
	}
	touched := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		w := strings.Fields(lines.Text())
		switch {
		case len(w) == 4 && w[0] == "put":
			key, ok := unescape(w[3])
			if !ok {
				return fmt.Errorf("the storage's journal cannot be read: %q", lines.Text())
			}
			to := f.path(Key{Table(w[2]), key})
			if err := f.at("put"); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
				return err
			}
			// Already in its place when an earlier attempt ended after this.
			if err := os.Rename(filepath.Join(f.dir, tempFolder, w[1]), to); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			touched[filepath.Dir(to)] = true
		case len(w) == 3 && w[0] == "delete":
			key, ok := unescape(w[2])
			if !ok {
				return fmt.Errorf("the storage's journal cannot be read: %q", lines.Text())
			}
			from := f.path(Key{Table(w[1]), key})
			if err := f.at("delete"); err != nil {
				return err
			}
			if err := os.Remove(from); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	for dir := range touched {
		if err := syncFolder(dir); err != nil {
			return err
		}
	}
	if err := f.at("done"); err != nil {
		return err
	}
	if err := os.Remove(name); err != nil {
		return err
	}
	return f.discard()
}

// discard clears away what was prepared and never named by a journal.
func (f *Folder) discard() error {
	entries, err := os.ReadDir(filepath.Join(f.dir, tempFolder))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(f.dir, tempFolder, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// hold waits for a lock of the folder's own work.
func (f *Folder) hold(name string) (func(), error) {
	for {
		unlock, err := lockFile(filepath.Join(f.dir, lockFolder, escape(name)))
		if !errors.Is(err, ErrHeld) {
			return unlock, err
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// Lock implements Store.
func (f *Folder) Lock(ctx context.Context, name string, wait bool) (func(), error) {
	for {
		if err := f.open(ctx); err != nil {
			return nil, err
		}
		unlock, err := lockFile(filepath.Join(f.dir, lockFolder, "at-"+escape(name)))
		if !errors.Is(err, ErrHeld) || !wait {
			return unlock, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Close implements Store.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return nil
}
