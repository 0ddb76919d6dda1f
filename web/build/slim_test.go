package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sound needs every table that the runtime reads in earnest: it grows its stack,
// has garbage collected while pointers are on it, runs deferred calls and recovers.
const sound = `package main

import (
	"runtime"
	"runtime/debug"
)

type node struct {
	next *node
	at   int
}

func small(n int) int { return n + 1 } // put into its caller

func deep(n int, list *node) int {
	var room [64]int
	room[n%64] = n
	if n == 0 {
		runtime.GC()
		sum := 0
		for ; list != nil; list = list.next {
			sum += list.at
		}
		return sum
	}
	return deep(n-1, &node{list, n}) + room[n%64] - n
}

func fail(list []int) (trace string) {
	defer func() {
		if p := recover(); p != nil {
			println("recovered", p.(error).Error())
			trace = string(debug.Stack())
		}
	}()
	return string(rune(list[small(len(list))]))
}

func main() {
	println(deep(20000, nil))
	done := make(chan int)
	go func() { done <- deep(500, nil) }()
	println(<-done)
	println(fail([]int{1, 2}))
}
`

// A slimmed program does the same; its traces name functions, without lines.
func TestASlimmedProgramRuns(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module sound\n\ngo 1.26\n", "main.go": sound} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "sound.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	runner := filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec_node.js")
	run := func() string {
		// println writes to standard error.
		out, err := exec.Command("node", "--stack-size=8192", runner, file).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	before := run()
	module, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	slimmed, err := slim(module)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, slimmed, 0o644); err != nil {
		t.Fatal(err)
	}
	after := run()
	said := func(out string) string { head, _, _ := strings.Cut(out, "goroutine"); return head }
	if said(before) != said(after) || !strings.HasPrefix(after, "200010000\n125250\nrecovered ") {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	if !strings.Contains(before, "main.go:") || strings.Contains(after, ".go:") || !strings.Contains(after, "main.fail") {
		t.Errorf("the trace before:\n%s\nafter:\n%s", before, after)
	}
	if again, err := slim(slimmed); err != nil || !bytes.Equal(again, slimmed) {
		t.Errorf("slimming again changes it (%v)", err)
	}
}

// What is not laid out as this compiler does is refused: the runtime would read
// past a broken table.
func TestSlimRefusesWhatItDoesNotKnow(t *testing.T) {
	section := func(id byte, body string) string {
		return "\x00asm\x01\x00\x00\x00" + string([]byte{id, byte(len(body))}) + body
	}
	for name, module := range map[string]string{
		"no module":            "<!doctype html>",
		"a long section":       "\x00asm\x01\x00\x00\x00\x0b\x7fabc",
		"a passive segment":    section(11, "\x01\x01\x03abc"),
		"a segment cut short":  section(11, "\x01\x00\x41\x08\x0b\x09abc"),
		"no table":             section(11, "\x01\x00\x41\x08\x0b\x03abc"),
		"an odd table":         section(11, "\x01\x00\x41\x08\x0b\x08\xf1\xff\xff\xff\x00\x00\x04\x04"),
		"bytes behind the end": section(11, "\x00abc"),
	} {
		if _, err := slim([]byte(module)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Segments that a few zeros part become one; many zeros are left out.
func TestSegmentsAreJoined(t *testing.T) {
	memory := make([]byte, 3*gap)
	memory[70], memory[90], memory[3*gap-1] = 1, 2, 3
	section := writeSegments(memory)
	if section[0] != 2 {
		t.Errorf("%d segments, want 2", section[0])
	}
	back, err := readSegments(section)
	if err != nil || !bytes.Equal(back, memory) {
		t.Errorf("memory is not what it was (%v)", err)
	}
}
