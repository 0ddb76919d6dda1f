package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func TestServeOnLoopbackAnswersOnlyNamesOfThisMachine(t *testing.T) {
	for _, c := range []struct {
		addr, host string
		status     int
	}{
		{"127.0.0.1:0", "", http.StatusOK},
		{"127.0.0.1:0", "localhost", http.StatusOK},
		{"127.0.0.1:0", "evil.example", http.StatusMisdirectedRequest},
		{"0.0.0.0:0", "books.example", http.StatusOK},
	} {
		ctx, stop := context.WithCancel(t.Context())
		r, w := io.Pipe()
		done := make(chan error, 1)
		go func() {
			cmd := ServeCmd{Addr: c.addr, Site: testSite(t)}
			done <- cmd.serve(ctx, w)
		}()
		line := make([]byte, 200)
		n, err := r.Read(line)
		if err != nil {
			t.Fatal(err)
		}
		port := regexp.MustCompile(`:(\d+)/`).FindStringSubmatch(string(line[:n]))
		if port == nil {
			t.Fatalf("%q", line[:n])
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort("127.0.0.1", port[1])+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.host != "" {
			req.Host = c.host + ":" + port[1]
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != c.status || c.status == http.StatusMisdirectedRequest && !strings.Contains(string(text), "open it as localhost or 127.0.0.1") {
			t.Errorf("%s, Host %q: %s, %v, %s", c.addr, req.Host, res.Status, err, text)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
