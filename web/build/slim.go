package main

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// slim makes a program smaller than Go's linker leaves it, for what is sent is
// the brotli form and the compiler does not know of it. The program does the same.
//
//   - Code is written anew (code.go): jumps lead straight to their aim (jumps.go),
//     addresses are counted and conditions tested without detours (shorten.go,
//     stack.go), and what every call writes is alike wherever it stands. It is a
//     ninth smaller once compressed, and no slower.
//   - The linker leaves out every row of eight zeros and begins another segment
//     behind it, a hundred thousand in all. Zeros cost nothing in brotli, the
//     segments' heads do, and they break what repeats: so segments are joined
//     (a fifth of the compressed data).
//   - The tables that lead from an instruction to its file, line and inlined calls
//     serve only those who read a stack trace, and are a tenth of a program: they
//     are emptied (lines.go). A trace in the console still names the program's own
//     functions. A
//     site made with -draft keeps them.
func slim(module []byte) ([]byte, error) {
	const head = 8
	const typeSection, functionSection, codeSection, dataSection = 1, 3, 10, 11
	if len(module) < head || string(module[:4]) != "\x00asm" {
		return nil, errors.New("not a WebAssembly module")
	}
	out := append(make([]byte, 0, len(module)), module[:head]...)
	var types, functions []byte
	for rest := module[head:]; len(rest) > 0; {
		id := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, errors.New("a section is longer than the module")
		}
		body := rest[1+n:][:size]
		rest = rest[1+n+int(size):]
		switch id {
		case typeSection:
			types = body
		case functionSection:
			functions = body
		case codeSection:
			params, err := parameters(types, functions)
			if err != nil {
				return nil, err
			}
			if body, err = rewriteCode(body, params); err != nil {
				return nil, err
			}
		case dataSection:
			memory, err := readSegments(body)
			if err != nil {
				return nil, err
			}
			if err := clearLines(memory); err != nil {
				return nil, err
			}
			body = writeSegments(memory)
		}
		out = append(out, id)
		out = binary.AppendUvarint(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out, nil
}

// gap is the number of zeros from which a new segment begins. One page of memory
// keeps the module from carrying much that brotli would only have to take out.
const gap = 4096

// readSegments lays out a data section as the memory it fills, from address 0.
func readSegments(section []byte) ([]byte, error) {
	bad := errors.New("the data section is not as Go's linker writes it")
	number := func() (v uint64) {
		v, n := binary.Uvarint(section)
		if n <= 0 {
			section = nil
			return 0
		}
		section = section[n:]
		return v
	}
	var memory []byte
	for left := number(); left > 0; left-- {
		if number() != 0 || len(section) == 0 || section[0] != opI32Const {
			return nil, bad
		}
		section = section[1:]
		at := number() // signed in the format, but an address is below 2³¹ and its bits are the same
		if len(section) == 0 || section[0] != opEnd {
			return nil, bad
		}
		section = section[1:]
		size := number()
		if size > uint64(len(section)) || at > 1<<30 {
			return nil, bad
		}
		if more := int(at+size) - len(memory); more > 0 {
			memory = append(memory, make([]byte, more)...)
		}
		copy(memory[at:], section[:size])
		section = section[size:]
	}
	if len(section) > 0 {
		return nil, bad
	}
	return memory, nil
}

// writeSegments is the data section that fills a memory.
func writeSegments(memory []byte) []byte {
	zeros := make([]byte, gap)
	var segments []byte
	count := uint64(0)
	for at := 0; ; {
		for at < len(memory) && memory[at] == 0 {
			at++
		}
		if at == len(memory) {
			break
		}
		size := bytes.Index(memory[at:], zeros)
		if size < 0 {
			size = len(memory) - at
		}
		segments = append(segments, 0, opI32Const)
		segments = appendVarint(segments, int64(at))
		segments = append(segments, opEnd)
		segments = binary.AppendUvarint(segments, uint64(size))
		segments = append(segments, memory[at:at+size]...)
		at += size
		count++
	}
	return append(binary.AppendUvarint(nil, count), segments...)
}

// appendVarint appends a signed number in the LEB128 form of WebAssembly, which
// is not that of binary.AppendVarint.
func appendVarint(b []byte, v int64) []byte {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if v == 0 && low&0x40 == 0 || v == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}
