package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"postext/cmd/postext/internal/server"
)

// ServeCmd serves the Sandbox and the books given to it.
type ServeCmd struct {
	Addr  string   `help:"Address and port to listen on; port 0 takes a free one. On an address of this machine alone only its own names are answered (localhost, 127.0.0.1, [::1])." default:"127.0.0.1:8080"`
	Book  []string `help:"A folder (or one .md file) to open as a book; may be given several times." placeholder:"FOLDER"`
	Fonts string   `help:"A folder of npm font packages (node_modules/@expo-google-fonts): the families of the catalogue that are in it can be used." placeholder:"FOLDER"`
	Site  string   `help:"Folder of the built site; looked for beside the program when left out." placeholder:"FOLDER"`
}

// Run serves until it is interrupted.
func (c *ServeCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return c.serve(ctx, os.Stdout)
}

// serve listens, says where on out, and stops when ctx ends: requests under way
// have five seconds to finish.
func (c *ServeCmd) serve(ctx context.Context, out io.Writer) error {
	if c.Addr == "" {
		return errors.New("--addr is empty: give an address and a port, such as 127.0.0.1:8080, or leave it out; 0.0.0.0:8080 listens for the whole network")
	}
	site := c.Site
	if site == "" {
		var err error
		if site, err = findSite(); err != nil {
			return err
		}
	}
	handler, err := server.New(site, c.Book...)
	if err != nil {
		return err
	}
	if c.Fonts != "" {
		if err := handler.Fonts(c.Fonts); err != nil {
			return errors.Join(err, handler.Close())
		}
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		err = listenError(c.Addr, err)
		return errors.Join(err, handler.Close())
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		handler.LoopbackOnly()
	}
	srv := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      2 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	at := address(listener.Addr()) + "/en/sandbox"
	fmt.Fprintf(out, "Postext is at %s\n", at)
	for _, b := range handler.Books() {
		fmt.Fprintf(out, "%s is at %s#preset=%s\n", b.Name, at, b.ID)
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(listener) }()
	select {
	case err = <-failed:
	case <-ctx.Done():
		// A second interrupt, after NotifyContext's stop, ends the program.
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		if err = srv.Shutdown(grace); errors.Is(err, context.DeadlineExceeded) {
			err = srv.Close()
		}
	}
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, handler.Close())
}

// listenError says what to do about an address that cannot be had.
func listenError(addr string, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%s is already in use; choose another port with --addr 127.0.0.1:8081, or --addr 127.0.0.1:0 for a free one", addr)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("%s may not be used by this account; choose a port above 1023 with --addr", addr)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("%s is no address of this machine; choose one with --addr, such as 127.0.0.1:8080", addr)
	}
	return fmt.Errorf("--addr %s: %w", addr, err)
}

// address is where a person on this machine finds the listener.
func address(a net.Addr) string {
	tcp, ok := a.(*net.TCPAddr)
	if !ok {
		return "http://" + a.String()
	}
	host := tcp.IP.String()
	if tcp.IP.IsUnspecified() {
		host = "localhost"
	}
	return fmt.Sprintf("http://%s", net.JoinHostPort(host, fmt.Sprint(tcp.Port)))
}

// findSite looks for the built site where make and a release put it: beside the
// program's folder, or under the working folder.
func findSite() (string, error) {
	var tried []string
	if exe, err := os.Executable(); err == nil {
		if exe, err = filepath.EvalSymlinks(exe); err == nil {
			dir := filepath.Dir(exe)
			tried = append(tried, filepath.Join(dir, "..", "web", "dist"), filepath.Join(dir, "site"))
		}
	}
	tried = append(tried, filepath.Join("web", "dist"))
	for _, dir := range tried {
		if _, err := os.Stat(filepath.Join(dir, "index.html")); err == nil {
			return filepath.Clean(dir), nil
		}
	}
	return "", errors.New("the built site is not beside the program; make build writes it, or name its folder with --site")
}
