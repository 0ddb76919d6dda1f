//go:build unix

package engine

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime is the processor time of the whole program so far, collector included.
// It means the same on a busy machine and on an idle one.
func cpuTime(b testing.TB) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
