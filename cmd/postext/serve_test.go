package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func testSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("home"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestServeSaysWhereAndStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		c := ServeCmd{Addr: "127.0.0.1:0", Site: testSite(t)}
		ended <- c.serve(ctx, w)
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`^Postext is at (http://127\.0\.0\.1:[1-9]\d*)/en/sandbox\n$`).FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("it says %q", line)
	}
	res, err := http.Get(m[1] + "/")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil || string(body) != "home" {
		t.Errorf("body %q, %v", body, err)
	}
	if err := res.Body.Close(); err != nil {
		t.Error(err)
	}
	stop()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("stopping gives %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not stop")
	}
}

func TestServeErrorsSayWhatToDo(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	site := testSite(t)
	for _, c := range []struct {
		name string
		cmd  ServeCmd
		want string
	}{
		{"port taken", ServeCmd{Addr: taken.Addr().String(), Site: site}, "already in use; choose another port with --addr"},
		{"no port", ServeCmd{Addr: "127.0.0.1", Site: site}, "--addr 127.0.0.1"},
		{"no address", ServeCmd{Addr: "", Site: site}, "--addr is empty: give an address and a port"},
		{"no site", ServeCmd{Addr: "127.0.0.1:0", Site: t.TempDir()}, "not a built site"},
		{"no book", ServeCmd{Addr: "127.0.0.1:0", Site: site, Book: []string{filepath.Join(site, "none")}}, "--book"},
	} {
		err := c.cmd.serve(t.Context(), io.Discard)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.name, err, c.want)
		}
	}
}

// bundle.md, A folder as a book: each folder that is served has its address said.
func TestServeSaysWhereEachFolderIs(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	folder := filepath.Join(t.TempDir(), "My Tales")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "01.md"), []byte("# One\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		c := ServeCmd{Addr: "127.0.0.1:0", Site: testSite(t), Book: []string{folder}}
		ended <- c.serve(ctx, w)
	}()
	lines := bufio.NewReader(r)
	first, err1 := lines.ReadString('\n')
	second, err2 := lines.ReadString('\n')
	at := strings.TrimSuffix(strings.TrimPrefix(first, "Postext is at "), "\n")
	if want := "My Tales is at " + at + "#preset=my-tales\n"; err1 != nil || err2 != nil || second != want {
		t.Errorf("it says %q and %q, want %q", first, second, want)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
