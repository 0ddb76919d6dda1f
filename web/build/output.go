package main

import (
	"bytes"
	"compress/gzip"
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
	"sync"

	"github.com/andybalholm/brotli"
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

// small is the size under which compressing gains nothing.
const small = 600

// packed are the endings of files that are compressed already.
var packed = []string{".png", ".jpg", ".jpeg", ".webp", ".gif", ".woff2", ".mp4", ".webm", ".postext"}

// put writes one file, named with slashes below the folder, unless it is there
// with the same content; its compressed forms follow in sweep.
func (o *output) put(name string, data []byte) error {
	o.written[name] = true
	if o.compress && len(data) >= small && !slices.Contains(packed, strings.ToLower(path.Ext(name))) {
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

// pack writes the .br and .gz forms of what was put, several at a time.
func (o *output) pack() error {
	var (
		mu   sync.Mutex
		errs []error
		wg   sync.WaitGroup
		gate = make(chan struct{}, workers())
	)
	for _, j := range o.jobs {
		for _, c := range coders {
			wg.Add(1)
			gate <- struct{}{}
			go func() {
				defer func() { <-gate; wg.Done() }()
				if err := o.packOne(j, c, &mu); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}()
		}
	}
	wg.Wait()
	o.jobs = nil
	return errors.Join(errs...)
}

func (o *output) packOne(j job, c coder, mu *sync.Mutex) error {
	sum := sha256.Sum256(j.data)
	kept := filepath.Join(o.cache, fmt.Sprintf("%s%d", c.suffix[1:], o.quality), hex.EncodeToString(sum[:16]))
	data, err := os.ReadFile(kept)
	if errors.Is(err, fs.ErrNotExist) {
		if data, err = c.encode(j.data, o.quality); err == nil {
			err = (&output{dir: filepath.Dir(kept)}).write(filepath.Base(kept), data)
		}
	}
	if err != nil {
		return fmt.Errorf("compressing %s: %w", j.name, err)
	}
	name := j.name + c.suffix
	if len(data) >= len(j.data) {
		return nil
	}
	mu.Lock()
	o.written[name] = true
	mu.Unlock()
	if err := o.write(name, data); err != nil {
		return err
	}
	// The server takes a form older than its original for one of another build.
	file := filepath.Join(o.dir, filepath.FromSlash(name))
	plain, err := os.Stat(filepath.Join(o.dir, filepath.FromSlash(j.name)))
	if err != nil {
		return err
	}
	form, err := os.Stat(file)
	if err != nil || !form.ModTime().Before(plain.ModTime()) {
		return err
	}
	return os.Chtimes(file, plain.ModTime(), plain.ModTime())
}

type coder struct {
	suffix string
	encode func(data []byte, quality int) ([]byte, error)
}

var coders = [...]coder{
	{".br", func(data []byte, quality int) ([]byte, error) {
		var b bytes.Buffer
		w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: quality, LGWin: 22})
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
		err := w.Close()
		return b.Bytes(), err
	}},
	{".gz", func(data []byte, quality int) ([]byte, error) {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, min(quality, gzip.BestCompression))
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
		err = w.Close()
		return b.Bytes(), err
	}},
}
