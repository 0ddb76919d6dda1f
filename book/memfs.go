package book

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// MemFS is a file system of files in memory, by path with slashes.
type MemFS map[string][]byte

// Open implements fs.FS.
func (m MemFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if data, ok := m[name]; ok {
		return &memFile{info: memInfo{path.Base(name), int64(len(data)), false}, Reader: bytes.NewReader(data)}, nil
	}
	entries := m.entries(name)
	if len(entries) == 0 && name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &memFile{info: memInfo{path.Base(name), 0, true}, Reader: bytes.NewReader(nil), list: entries}, nil
}

// entries are the files and folders right inside a folder, by name.
func (m MemFS) entries(dir string) []fs.DirEntry {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	seen := map[string]memInfo{}
	for name, data := range m {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		if first, _, deeper := strings.Cut(rest, "/"); deeper {
			seen[first] = memInfo{first, 0, true}
		} else {
			seen[rest] = memInfo{rest, int64(len(data)), false}
		}
	}
	var list []fs.DirEntry
	for _, info := range seen {
		list = append(list, fs.FileInfoToDirEntry(info))
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

type memFile struct {
	info memInfo
	*bytes.Reader
	list []fs.DirEntry
}

func (f *memFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *memFile) Close() error               { return nil }

// ReadDir implements fs.ReadDirFile.
func (f *memFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		list := f.list
		f.list = nil
		return list, nil
	}
	if len(f.list) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.list))
	list := f.list[:n]
	f.list = f.list[n:]
	return list, nil
}

type memInfo struct {
	name string
	size int64
	dir  bool
}

func (i memInfo) Name() string       { return i.name }
func (i memInfo) Size() int64        { return i.size }
func (i memInfo) IsDir() bool        { return i.dir }
func (i memInfo) ModTime() time.Time { return time.Time{} }
func (i memInfo) Sys() any           { return nil }
func (i memInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
