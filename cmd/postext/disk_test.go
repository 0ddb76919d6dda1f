//go:build linux || darwin

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// limitVar makes the test's program the command itself, with no file growing
// beyond so many bytes: as on a full disk, what is written is cut off by an error.
const limitVar = "POSTEXT_TEST_FILE_LIMIT"

func TestMain(m *testing.M) {
	if text := os.Getenv(limitVar); text != "" {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil {
			panic(err)
		}
		signal.Ignore(syscall.SIGXFSZ)
		var limit syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			panic(err)
		}
		limit.Cur = n
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			panic(err)
		}
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// limited runs the command where no file may have more than limit bytes.
func limited(t *testing.T, limit int, args ...string) (out, said string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe, args...)
	c.Env = append(os.Environ(), limitVar+"="+strconv.Itoa(limit))
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	var ended *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return o.String(), e.String(), c.ProcessState.ExitCode()
}

// longBook is a folder of one chapter of about n bytes.
func longBook(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	text := "# One\n\n" + strings.Repeat("Words of a chapter that is longer than the disk has room for.\n", n/62)
	if err := os.WriteFile(filepath.Join(dir, "01.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// listing is what a folder holds.
func listing(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestAFullDiskLeavesTheOldFile(t *testing.T) {
	from := longBook(t, 40_000)
	for _, args := range [][]string{
		{"export", from, "-o", "book.md"},
		{"render", from, "-o", "page.png"},
	} {
		dir := t.TempDir()
		name := args[len(args)-1]
		file := filepath.Join(dir, name)
		args[len(args)-1] = file
		for _, was := range []string{"", "the old one"} {
			if was != "" {
				if err := os.WriteFile(file, []byte(was), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, said, code := limited(t, 4096, args...)
			if code != 1 || !strings.Contains(said, file+" cannot be written: ") || strings.Contains(said, ".tmp") {
				t.Errorf("%s: code %d, %s", name, code, said)
			}
			if was == "" {
				if l := listing(t, dir); l != "" {
					t.Errorf("%s: left behind: %s", name, l)
				}
				continue
			}
			if data, err := os.ReadFile(file); err != nil || string(data) != was || listing(t, dir) != name {
				t.Errorf("%s: %d bytes, %v, %s", name, len(data), err, listing(t, dir))
			}
		}
	}
}

func TestAFullDiskLeavesNoHalfBook(t *testing.T) {
	from := longBook(t, 40_000)
	bundle := filepath.Join(t.TempDir(), "b.postext")
	run(t, exporting{ExportCmd{Book: from, Output: bundle}})
	for _, args := range [][]string{
		{"import", bundle},
		{"new", "--from", from},
	} {
		dir := t.TempDir()
		folder := filepath.Join(dir, "shelf", "book")
		args = append(args, folder)
		_, said, code := limited(t, 4096, args...)
		if code != 1 || !strings.Contains(said, " cannot be written: ") || listing(t, dir) != "" {
			t.Errorf("%s: code %d, %s, left behind: %s", args[0], code, said, listing(t, dir))
		}
		if _, said, code := limited(t, 1<<30, args...); code != 0 {
			t.Errorf("%s again: code %d, %s", args[0], code, said)
		}
	}
}

func TestACallThatIsNotSavedSaysSo(t *testing.T) {
	dir := longBook(t, 40_000)
	was, err := os.ReadFile(filepath.Join(dir, "01.md"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"call", "sandbox_edit_text", `{"chapter":1,"edits":[{"find":"# One","replace":"# First"}]}`, dir, "--save"}
	out, _, code := limited(t, 4096, args...)
	var m struct {
		Saved    *bool
		NotSaved string
	}
	if err := json.Unmarshal([]byte(out), &m); err != nil || code != 1 {
		t.Fatalf("code %d, %v: %s", code, err, out)
	}
	if m.Saved == nil || *m.Saved || !strings.Contains(m.NotSaved, dir) || !strings.Contains(m.NotSaved, "01.md cannot be written: ") {
		t.Error(out)
	}
	if now, err := os.ReadFile(filepath.Join(dir, "01.md")); err != nil || !bytes.Equal(now, was) || listing(t, dir) != "01.md" {
		t.Errorf("the chapter was touched: %v, %s", err, listing(t, dir))
	}
	if out, _, code := limited(t, 1<<30, args...); code != 0 || strings.Contains(out, "otSaved") {
		t.Errorf("code %d: %s", code, out)
	}
}

func TestAFullDiskOfTheLibraryIsNamed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "library")
	text := strings.Repeat("Words of a chapter that is longer than the disk has room for.\n", 800)
	out, said, code := limited(t, 20_000, "call", "sandbox_write_text", `{"chapter":1,"markdown":`+strconv.Quote(text)+`}`, "--library", dir)
	if code != 1 || !strings.Contains(out, dir) || !strings.Contains(out, "there is no room on the disk of the folder") || strings.Contains(out, "browser") {
		t.Errorf("code %d: %.1500s %s", code, out, said)
	}
}
