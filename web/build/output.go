package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// output is a folder being written: it remembers what was written, so that the
// rest can be swept away.
type output struct {
	dir      string
	cache    string // compressed forms by hash of the content
	compress bool
	quality  int // of brotli, 0 to 11
	written  map[string]bool
	jobs     []job
}

type job struct {
	name string
	data []byte
}

func newOutput(dir, cache string, compress bool) *output {
	return &output{dir: dir, cache: cache, compress: compress, quality: best, written: map[string]bool{}}
}

// Qualities of brotli: what ships, and what is good enough to try a change.
const (
	best    = 11
	quickly = 5
)

// recipe counts the ways of compressing: what was made another way is made anew.
const recipe = 2

// small is the size under which compressing gains nothing.
const small = 600

// packed are the endings of files that are compressed already.
var packed = []string{".png", ".jpg", ".jpeg", ".webp", ".gif", ".woff2", ".mp4", ".webm", ".postext", ".bin"}

// put writes one file, named with slashes below the folder, unless it is there
// with the same content; its compressed forms follow in sweep.
func (o *output) put(name string, data []byte) error {
	o.written[name] = true
	hidden := strings.HasPrefix(path.Base(name), ".") // a server reads it, nobody else
	if o.compress && !hidden && len(data) >= small && !slices.Contains(packed, strings.ToLower(path.Ext(name))) {
		o.jobs = append(o.jobs, job{name, data})
	}
	return o.write(name, data)
}

func (o *output) write(name string, data []byte) error {
	file := filepath.Join(o.dir, filepath.FromSlash(name))
	if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	// Written beside and moved: a server never sees half a file.
	temp := file + ".new"
	if err := os.WriteFile(temp, data, 0o644); err != nil {
		return err
	}
	return os.Rename(temp, file)
}

// sweep writes the compressed forms and removes every file below the folders
// named that this run did not write.
func (o *output) sweep(folders ...string) error {
	if err := o.pack(); err != nil {
		return err
	}
	for _, folder := range folders {
		base := filepath.Join(o.dir, folder)
		err := filepath.WalkDir(base, func(file string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(o.dir, file)
			if err != nil {
				return err
			}
			if o.written[filepath.ToSlash(name)] || strings.HasPrefix(d.Name(), ".") {
				return nil
			}
			return os.Remove(file)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pack writes the .br and .gz forms of what was put. A form is made once for each
// content and kept in the cache.
func (o *output) pack() error {
	var missing []packing
	asked := map[string]bool{}
	for _, j := range o.jobs {
		for _, form := range forms {
			kept := o.kept(j.data, form)
			if _, err := os.Stat(kept); err == nil || asked[kept] {
				continue
			} else if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			asked[kept] = true
			missing = append(missing, packing{
				From: filepath.Join(o.dir, filepath.FromSlash(j.name)), To: kept,
				Form: form, Quality: o.quality, size: len(j.data),
			})
		}
	}
	if err := compress(missing); err != nil {
		return err
	}
	for _, j := range o.jobs {
		for _, form := range forms {
			if err := o.putForm(j, form); err != nil {
				return err
			}
		}
	}
	o.jobs = nil
	return nil
}

// kept is where the cache has a form of a content.
func (o *output) kept(data []byte, form string) string {
	sum := sha256.Sum256(data)
	return filepath.Join(o.cache, fmt.Sprintf("%s%d-%d", form, o.quality, recipe), hex.EncodeToString(sum[:16]))
}

// putForm writes a form from the cache beside its original, unless nothing is
// gained by it.
func (o *output) putForm(j job, form string) error {
	data, err := os.ReadFile(o.kept(j.data, form))
	if err != nil || len(data) >= len(j.data) {
		return err
	}
	name := j.name + "." + form
	o.written[name] = true
	if err := o.write(name, data); err != nil {
		return err
	}
	// The server takes a form older than its original for one of another build.
	file := filepath.Join(o.dir, filepath.FromSlash(name))
	plain, err := os.Stat(filepath.Join(o.dir, filepath.FromSlash(j.name)))
	if err != nil {
		return err
	}
	packed, err := os.Stat(file)
	if err != nil || !packed.ModTime().Before(plain.ModTime()) {
		return err
	}
	return os.Chtimes(file, plain.ModTime(), plain.ModTime())
}
