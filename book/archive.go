package book

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// Limits of a .postext file (bundle.md 1.2).
const (
	maxArchive  = 1 << 30
	maxInflated = 4 << 30
	maxRatio    = 200     // to 1, of an entry
	ratioFrom   = 1 << 20 // bytes inflated below which the ratio does not matter
	maxNameLen  = 512
	maxManifest = 32 << 20
)

// bundleFiles are the files of a bundle under their cleaned paths.
type bundleFiles interface {
	has(name string) bool
	// read gives a file of at most limit bytes, whole and verified.
	read(name string, limit int64) ([]byte, error)
	// check reads a file through without keeping it and gives its size.
	check(name string, limit int64) (int64, error)
	names() []string
}

// archive is a zip archive whose directory has been found sound.
type archive struct {
	entries  map[string]*zip.File
	sorted   []string
	inflated atomic.Int64
}

// openArchive reads the directory of a zip archive and refuses one that lies,
// leads out of itself or would fill the memory.
func openArchive(r io.ReaderAt, size int64) (*archive, error) {
	if size == 0 {
		return nil, errors.New("the file is empty")
	}
	if size > maxArchive {
		return nil, fmt.Errorf("the file is %d MiB; at most %d MiB are taken", size>>20, int64(maxArchive)>>20)
	}
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, errors.New("it is not a zip archive, or a damaged one")
	}
	if len(z.File) > maxEntries {
		return nil, fmt.Errorf("the archive has %d entries; at most %d are taken", len(z.File), maxEntries)
	}
	a := &archive{entries: map[string]*zip.File{}}
	var packed, unpacked uint64
	for _, f := range z.File {
		name, err := entryName(f.Name)
		if err != nil {
			return nil, err
		}
		packed += f.CompressedSize64
		unpacked += f.UncompressedSize64
		switch {
		case f.Flags&1 != 0:
			return nil, fmt.Errorf("%s is encrypted: save the archive without a password", quoteName(f.Name))
		case f.Mode()&fs.ModeSymlink != 0:
			return nil, fmt.Errorf("%s is a link; a bundle holds files only", quoteName(f.Name))
		case f.Mode()&^(fs.ModePerm|fs.ModeDir|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky) != 0:
			return nil, fmt.Errorf("%s is no file; a bundle holds files only", quoteName(f.Name))
		case f.CompressedSize64 > uint64(size) || packed > uint64(size):
			return nil, errors.New("the archive lies: its entries are together larger than the archive, or lie over one another")
		case unpacked > maxInflated || f.UncompressedSize64 > maxInflated:
			return nil, fmt.Errorf("the archive would unpack to more than %d GiB", int64(maxInflated)>>30)
		case tooPacked(f.UncompressedSize64, f.CompressedSize64):
			return nil, fmt.Errorf("%s is packed %d : 1, as no book is; at most %d : 1 is taken", quoteName(f.Name), f.UncompressedSize64/max(f.CompressedSize64, 1), maxRatio)
		}
		if name == "" || strings.HasSuffix(f.Name, "/") || f.Mode().IsDir() {
			continue
		}
		if f.Method != zip.Store && f.Method != zip.Deflate {
			return nil, fmt.Errorf("%s is packed by a method that is not read (%d); only stored and deflated entries are", quoteName(f.Name), f.Method)
		}
		if a.entries[name] != nil {
			return nil, fmt.Errorf("two entries of the archive have the name %s", quoteName(name))
		}
		a.entries[name] = f
		a.sorted = append(a.sorted, name)
	}
	slices.Sort(a.sorted)
	return a, nil
}

func tooPacked(inflated, packed uint64) bool {
	return inflated > ratioFrom && inflated/max(packed, 1) > maxRatio
}

// entryName cleans the name of an entry: "" for one that is passed over.
func entryName(name string) (string, error) {
	if len(name) > maxNameLen {
		return "", fmt.Errorf("the archive has an entry with a name of %d bytes; at most %d are taken", len(name), maxNameLen)
	}
	if !utf8.ValidString(name) || strings.IndexByte(name, 0) >= 0 {
		return "", fmt.Errorf("the archive has an entry whose name is not UTF-8: %s", quoteName(name))
	}
	clean, err := bundlePath(name)
	if err != nil {
		if strings.Trim(name, `./\`) == "" && !strings.Contains(name, "..") {
			return "", nil
		}
		return "", fmt.Errorf("the entry %s leads out of the archive", quoteName(name))
	}
	for part := range strings.SplitSeq(clean, "/") {
		if part == "__MACOSX" || strings.HasPrefix(part, ".") {
			return "", nil
		}
	}
	return clean, nil
}

// bundlePath cleans a path: slashes forward and single, no "./" at its start. An
// absolute path and one with ".." are errors.
func bundlePath(name string) (string, error) {
	bad := fmt.Errorf("%s is not a path inside the bundle", quoteName(name))
	p := strings.ReplaceAll(name, `\`, "/")
	if strings.HasPrefix(p, "/") || len(p) > 1 && p[1] == ':' {
		return "", bad
	}
	if slices.Contains(strings.Split(p, "/"), "..") {
		return "", bad
	}
	if p = path.Clean(p); p == "." || !fs.ValidPath(p) {
		return "", bad
	}
	return p, nil
}

// quoteName quotes a name from a file for an error, cut to 80 characters.
func quoteName(name string) string {
	r := []rune(strings.ToValidUTF8(name, "\uFFFD"))
	if len(r) > 80 {
		r = append(r[:79:79], '…')
	}
	return fmt.Sprintf("%q", string(r))
}

func (a *archive) has(name string) bool { return a.entries[name] != nil }

func (a *archive) names() []string { return a.sorted }

// copyEntry inflates an entry into w. The package archive/zip checks length and
// checksum at the end.
func (a *archive) copyEntry(w io.Writer, name string, limit int64) (int64, error) {
	f := a.entries[name]
	if f == nil {
		return 0, fmt.Errorf("the bundle has no file %s", quoteName(name))
	}
	if f.UncompressedSize64 > uint64(limit) {
		return 0, fmt.Errorf("%s is larger than %d MiB", quoteName(name), limit>>20)
	}
	r, err := f.Open()
	if err != nil {
		return 0, fmt.Errorf("%s cannot be read: the archive is damaged", quoteName(name))
	}
	defer r.Close() // only read from
	n, err := io.Copy(w, io.LimitReader(r, int64(f.UncompressedSize64)+1))
	switch {
	case err == nil && n > int64(f.UncompressedSize64):
		return n, fmt.Errorf("%s is larger than the archive says", quoteName(name))
	case errors.Is(err, zip.ErrChecksum):
		return n, fmt.Errorf("%s is damaged: its checksum is wrong", quoteName(name))
	case err != nil:
		return n, fmt.Errorf("%s is damaged: it cannot be unpacked", quoteName(name))
	case a.inflated.Add(n) > 2*maxInflated: // read again and again
		return n, fmt.Errorf("the archive would unpack to more than %d GiB", int64(maxInflated)>>30)
	}
	return n, nil
}

// grown collects what is written to it, growing with what really comes rather
// than with what a directory promises.
type grown struct{ data []byte }

func (g *grown) Write(p []byte) (int, error) {
	g.data = append(g.data, p...)
	return len(p), nil
}

func (a *archive) read(name string, limit int64) ([]byte, error) {
	g := grown{data: []byte{}}
	if f := a.entries[name]; f != nil {
		g.data = make([]byte, 0, min(f.UncompressedSize64, uint64(limit), 4*f.CompressedSize64+512))
	}
	_, err := a.copyEntry(&g, name, limit)
	return g.data, err
}

func (a *archive) check(name string, limit int64) (int64, error) {
	return a.copyEntry(io.Discard, name, limit)
}

// openFiles is a bundle unzipped into a file system.
type openFiles struct{ fsys fs.FS }

func (o openFiles) has(name string) bool {
	info, err := fs.Stat(o.fsys, name)
	return err == nil && info.Mode().IsRegular()
}

func (o openFiles) read(name string, limit int64) ([]byte, error) {
	data, err := readFile(o.fsys, name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the bundle has no file %s", quoteName(name))
	}
	return data, err
}

func (o openFiles) check(name string, limit int64) (int64, error) {
	info, err := fs.Stat(o.fsys, name)
	switch {
	case err != nil:
		return 0, err
	case info.Size() > limit:
		return 0, fmt.Errorf("%s is larger than %d MiB", quoteName(name), limit>>20)
	}
	return info.Size(), nil
}

// names is never asked of a file system: its manifest stands at the root.
func (o openFiles) names() []string { return nil }

// below is the files of a folder of a bundle.
type below struct {
	bundleFiles
	folder string
}

func (b below) has(name string) bool { return b.bundleFiles.has(b.folder + name) }
func (b below) read(name string, limit int64) ([]byte, error) {
	return b.bundleFiles.read(b.folder+name, limit)
}
func (b below) check(name string, limit int64) (int64, error) {
	return b.bundleFiles.check(b.folder+name, limit)
}
