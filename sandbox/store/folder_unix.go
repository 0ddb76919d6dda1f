//go:build unix

package store

import (
	"errors"
	"os"
	"sync"
	"syscall"
)

// lockFile takes the lock on a file, or says ErrHeld. The kernel lets go of it
// when the program ends.
func lockFile(name string) (func(), error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
			err = ErrHeld
		}
		return nil, errors.Join(err, f.Close())
	}
	var once sync.Once
	return func() { once.Do(func() { f.Close() }) }, nil // closing lets go; nothing was written
}

// syncFolder puts a folder's list of files on the disk.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// full tells an error for lack of room, on the disk or for this account.
func full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
