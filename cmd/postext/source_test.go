package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"postext/cmd/postext/assets"
	"postext/engine/font/fontdir"
)

func TestFontsOutsideTheBookAreNotRead(t *testing.T) {
	outside := t.TempDir()
	files, err := assets.Fonts()
	if err != nil {
		t.Fatal(err)
	}
	d, err := fontdir.OpenFS(files)
	if err != nil {
		t.Fatal(err)
	}
	font, err := d.Font(context.Background(), "Open Sans", 400, false)
	if err != nil {
		t.Fatal(err)
	}
	data := font.Data
	secret := filepath.Join(outside, "Secret_400Regular.ttf")
	if err := os.WriteFile(secret, data, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		make func(dir string) error
		own  bool
	}{
		{"no fonts", func(string) error { return nil }, false},
		{"a file called fonts", func(dir string) error { return os.WriteFile(filepath.Join(dir, "fonts"), nil, 0o644) }, false},
		{"fonts is a link leading out", func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "fonts")) }, false},
		{"a font is a link leading out", func(dir string) error {
			if err := os.Mkdir(filepath.Join(dir, "fonts"), 0o755); err != nil {
				return err
			}
			return os.Symlink(secret, filepath.Join(dir, "fonts", "Secret_400Regular.ttf"))
		}, false},
		{"a font", func(dir string) error {
			if err := os.Mkdir(filepath.Join(dir, "fonts"), 0o755); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "fonts", "Secret_400Regular.ttf"), data, 0o644)
		}, true},
	} {
		dir := t.TempDir()
		if err := c.make(dir); err != nil {
			t.Fatal(err)
		}
		w, err := newWorld(dir, "")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		_, err = w.Font(context.Background(), "Secret", 400, false)
		if (err == nil) != c.own {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestDownloadsStayWithHTTPS(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("plain")) }))
	defer plain.Close()
	safe := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/out":
			http.Redirect(w, r, plain.URL, http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/on":
			http.Redirect(w, r, "/text", http.StatusFound)
		case "/text":
			w.Write([]byte("text"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer safe.Close()
	was := downloads.Transport
	downloads.Transport = safe.Client().Transport
	defer func() { downloads.Transport = was }()
	for path, want := range map[string]string{"/text": "text", "/on": "text"} {
		if data, err := download(context.Background(), safe.URL+path, 100); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	for path, want := range map[string]string{"/out": "only https: is read", "/round": "more than 10 times", "/none": "404"} {
		if data, err := download(context.Background(), safe.URL+path, 100); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	if _, err := download(context.Background(), safe.URL+"/text", 3); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("over the limit: %v", err)
	}
}
