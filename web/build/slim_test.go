package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sound needs every table that the runtime reads in earnest, and every kind of jump:
// it grows its stack, has garbage collected while pointers are on it, runs deferred
// calls and recovers, is left for other goroutines amid loops and comes back, and
// compares numbers in every way and width.
const sound = `package main

import (
	"reflect"
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

// steps jumps to and fro, and is left at each step.
func steps(out chan<- int, in <-chan int) (sum int) {
	defer func() {
		if recover() != nil {
			sum = -sum
		}
	}()
	at := 0
outer:
	for {
		for k := 0; ; k++ {
			out <- at
			switch got := <-in; {
			case got%5 == 0:
				at++
				continue outer
			case got%7 == 0:
				goto far
			case got > 400:
				break outer
			default:
				sum += got ^ k
			}
			at += k
			continue
		far:
			sum -= k
			at += 2
			if k > 3 {
				break
			}
		}
		runtime.Gosched()
	}
	var none *node
	return none.at
}

type number interface {
	~int8 | ~uint8 | ~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

//go:noinline
func compare[N number](a, b N) (bits int) {
	for i, is := range []bool{a == b, a != b, a < b, a <= b, a > b, a >= b, !(a < b), !(a >= b)} {
		if is {
			bits |= 1 << i
		}
	}
	if !(a == b) && !(a > b) || a != a {
		bits |= 1 << 8
	}
	if a < b {
		return bits
	}
	return -bits
}

func all[N number](list ...N) {
	for _, a := range list {
		for _, b := range list {
			print(compare(a, b), " ")
		}
	}
	println()
}

func comparisons() {
	zero := 0.0
	all[int8](-128, -1, 0, 127)
	all[uint8](0, 127, 128, 255)
	all[int32](-1<<31, -1, 0, 1<<31-1)
	all[uint32](0, 1<<31-1, 1<<31, 1<<32-1)
	all[int64](-1<<63, -1<<32, -1, 0, 1<<32, 1<<63-1)
	all[uint64](0, 1<<32, 1<<63-1, 1<<63, 1<<64-1)
	all[float32](-1, 0, float32(zero/zero), 1)
	all(-1, 0, zero/zero, 1)
}

func main() {
	comparisons()
	there, back := make(chan int), make(chan int)
	ended := make(chan int)
	go func() { ended <- steps(there, back) }()
	for n, running := 1, true; running; {
		select {
		case at := <-there:
			n = (n*3 + at) % 1009
			back <- n
		case sum := <-ended:
			println("steps", sum)
			running = false
		}
	}
	println(deep(20000, nil))
	done := make(chan int)
	go func() { done <- deep(500, nil) }()
	println(<-done)
	println(fail([]int{1, 2}))
	println(nilMethod((*named)(nil)))
	double := reflect.MakeFunc(reflect.TypeOf(twice), func(a []reflect.Value) []reflect.Value {
		runtime.GC()
		return []reflect.Value{reflect.ValueOf(deep(int(a[0].Int()), nil))}
	}).Interface().(func(int) int)
	println(double(3000))
}

func twice(n int) int { return 2 * n }

type named struct{ a, b int }

func (n named) String() string { return "named" }

type stringer interface{ String() string }

//go:noinline
func nilMethod(s stringer) (said string) {
	defer func() { said = recover().(error).Error() }()
	return s.String()
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
	if said(before) != said(after) || !strings.Contains(after, "\nsteps ") || !strings.Contains(after, "value method main.named.String called using nil *named pointer\n4501500\n") || !strings.Contains(after, "\n200010000\n125250\nrecovered ") {
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
		"no module":             "<!doctype html>",
		"a long section":        "\x00asm\x01\x00\x00\x00\x0b\x7fabc",
		"a passive segment":     section(11, "\x01\x01\x03abc"),
		"a segment cut short":   section(11, "\x01\x00\x41\x08\x0b\x09abc"),
		"no table":              section(11, "\x01\x00\x41\x08\x0b\x03abc"),
		"an odd table":          section(11, "\x01\x00\x41\x08\x0b\x08\xf1\xff\xff\xff\x00\x00\x04\x04"),
		"bytes behind the end":  section(11, "\x00abc"),
		"code of no function":   section(10, "\x01\x02\x00\x0b"),
		"a type of no function": section(1, "\x01\x5f\x00") + section(10, "\x00")[8:],
		"unknown code":          section(1, "\x01\x60\x00\x00") + section(3, "\x01\x00")[8:] + section(10, "\x01\x03\x00\x06\x0b")[8:],
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
