//go:build !unix && !js

package store

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"
)

// staleLock is the age at which a lock file is taken for one whose program
// ended: its holder touches it more often.
const staleLock = 10 * time.Second

// lockFile takes the lock on a file by making one beside it, or says ErrHeld.
func lockFile(name string) (func(), error) {
	name += ".held"
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, fs.ErrExist) {
		info, err := os.Stat(name)
		if err == nil && time.Since(info.ModTime()) > staleLock {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			return lockFile(name)
		}
		return nil, ErrHeld
	}
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-time.After(staleLock / 4):
				now := time.Now()
				if os.Chtimes(name, now, now) != nil {
					return // taken from us
				}
			case <-done:
				return
			}
		}
	}()
	var once sync.Once
	return func() { once.Do(func() { close(done); os.Remove(name) }) }, nil
}

// syncFolder does nothing where folders cannot be synced.
func syncFolder(string) error { return nil }

// full tells an error for lack of room; what it is called differs too much.
func full(error) bool { return false }
