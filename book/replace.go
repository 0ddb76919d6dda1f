package book

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// ReplaceFile writes a file in one step: a temporary file beside it is written,
// put on the disk and takes its name. Where that fails, for want of room say, the
// temporary file is removed and the file that was there stays as it was. A link
// stays a link: the file it leads to is replaced. What is no file, such as a named
// pipe, is written to.
func ReplaceFile(name string, data []byte) error {
	target := name
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("%s cannot be written: %w", name, reason(err))
	case info.IsDir():
		return fmt.Errorf("%s cannot be written: it is a folder", name)
	case !info.Mode().IsRegular():
		return os.WriteFile(name, data, 0o666)
	default:
		if target, err = filepath.EvalSymlinks(name); err != nil {
			return fmt.Errorf("%s cannot be written: %w", name, reason(err))
		}
	}
	root, err := os.OpenRoot(filepath.Dir(target))
	if err != nil {
		return fmt.Errorf("%s cannot be written: its folder: %w", name, reason(err))
	}
	defer root.Close() // only names were looked up in it
	if err := replace(root, filepath.Base(target), data); err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	return nil
}

// replace is ReplaceFile for a file below a folder; its error does not name it.
func replace(root *os.Root, name string, data []byte) (err error) {
	mode := fs.FileMode(0o666)
	if info, err := root.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	temp := filepath.Join(filepath.Dir(name), ".postext-"+strconv.FormatUint(rand.Uint64(), 36)+".tmp")
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return reason(err)
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err == nil {
		return nil
	}
	err = reason(err)
	if e := root.Remove(temp); e != nil {
		err = fmt.Errorf("%w (and %s is left over: %w)", err, temp, reason(e))
	}
	return err
}
