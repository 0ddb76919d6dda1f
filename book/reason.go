package book

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// words is an error of the file system said plainly, with what to do.
type words struct {
	text string
	err  error
}

func (w *words) Error() string { return w.text }
func (w *words) Unwrap() error { return w.err }

// reasons are the errors of files that have words of their own.
var reasons = []struct {
	err  error
	text string
}{
	{syscall.ENOSPC, "the disk is full: make room and try again"},
	{syscall.EDQUOT, "this account's share of the disk is used up: make room and try again"},
	{syscall.EFBIG, "a file may not be so large here: choose another place"},
	{syscall.EROFS, "the disk can only be read: choose another place"},
	{syscall.ELOOP, "its links lead round in a circle: put the file itself there"},
	{fs.ErrPermission, "this account may not do that: change the permissions of the file or its folder"},
}

// Plain is an error of opening a file or folder, without its name, in plain words with
// what to do where it has any: its message goes after the name.
func Plain(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &words{"there is no such file or folder", err}
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return &words{"a part of its path is a file, not a folder", err}
	}
	return reason(err)
}

// reason is an error without the path, which the message has already, in plain
// words where it has any.
func reason(err error) error {
	for _, r := range reasons {
		if errors.Is(err, r.err) {
			return &words{r.text, err}
		}
	}
	if strings.Contains(err.Error(), "escapes from parent") { // os has no name for this one, nor for the next
		return &words{"it is a link that leads out of the folder, where nothing is read or written: put the file itself there", err}
	}
	if strings.Contains(err.Error(), "too many symlinks") {
		return &words{"its links lead round in a circle: put the file itself there", err}
	}
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}
