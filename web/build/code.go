package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Instructions of WebAssembly that the passes look at or write, by their opcodes:
// https://webassembly.github.io/spec/core/binary/instructions.html
const (
	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opDrop         = 0x1a
	opSelect       = 0x1b
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opI32Load      = 0x28
	opI64Load      = 0x29
	opI64Load32U   = 0x35
	opI32Store     = 0x36
	opI64Store     = 0x37
	opI64Store32   = 0x3e
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opI32Eqz       = 0x45
	opI32GeU       = 0x4f
	opI64Eqz       = 0x50
	opF64Ge        = 0x66
	opI32Clz       = 0x67
	opI32Add       = 0x6a
	opI64Add       = 0x7c
	opI64Or        = 0x84
	opI32WrapI64   = 0xa7
	opI64ExtendI32 = 0xad // unsigned
	opSignExtend   = 0xc4 // the last instruction of one byte
	opPrefix       = 0xfc // conversions that saturate, and memory in bulk

	noValue = 0x40 // the type of a block that leaves nothing
	typeI32 = 0x7f
	typeI64 = 0x7e
)

// instruction is one instruction of a function. What a pass takes out is marked
// dead, so that the others keep their places.
type instruction struct {
	op   byte
	dead bool
	// number is the label, local, global, function, constant, block type, or the
	// offset of a load or store.
	number int64
	align  byte    // of a load or store: a hint, the logarithm of bytes
	labels []int64 // of br_table, the default last
	rest   []byte  // whatever else the instruction carries, as it was
}

// function is a function of a module, taken apart.
type function struct {
	params int
	locals []localRun
	code   []instruction
}

// localRun is a row of locals of one type.
type localRun struct {
	count uint64
	kind  byte
}

// readFunction takes a body apart. Only what Go's compiler writes is known: any
// other instruction is an error.
func readFunction(body []byte, params int) (*function, error) {
	r := reader{rest: body}
	f := &function{params: params}
	for n := r.unsigned(); n > 0 && r.err == nil; n-- {
		f.locals = append(f.locals, localRun{r.unsigned(), r.byte()})
	}
	f.code = make([]instruction, 0, len(body)/2)
	for len(r.rest) > 0 && r.err == nil {
		f.code = append(f.code, r.instruction())
	}
	return f, r.err
}

// bytes is the body of the function.
func (f *function) bytes() []byte {
	b := binary.AppendUvarint(nil, uint64(len(f.locals)))
	for _, l := range f.locals {
		b = append(binary.AppendUvarint(b, l.count), l.kind)
	}
	for _, i := range f.code {
		if !i.dead {
			b = i.append(b)
		}
	}
	return b
}

// addLocal adds a local and returns its number.
func (f *function) addLocal(kind byte) int64 {
	n := uint64(f.params)
	for _, l := range f.locals {
		n += l.count
	}
	if last := len(f.locals) - 1; last >= 0 && f.locals[last].kind == kind {
		f.locals[last].count++
	} else {
		f.locals = append(f.locals, localRun{1, kind})
	}
	return int64(n)
}

// sweep takes the dead instructions out.
func (f *function) sweep() {
	kept := f.code[:0]
	for _, i := range f.code {
		if !i.dead {
			kept = append(kept, i)
		}
	}
	f.code = kept
}

func (i *instruction) isLoad() bool  { return i.op >= opI32Load && i.op <= opI64Load32U }
func (i *instruction) isStore() bool { return i.op >= opI32Store && i.op <= opI64Store32 }

func (i *instruction) append(b []byte) []byte {
	b = append(b, i.op)
	switch op := i.op; {
	case op == opBlock || op == opLoop || op == opIf:
		b = append(b, byte(i.number))
	case op == opBrTable:
		b = binary.AppendUvarint(b, uint64(len(i.labels)-1))
		for _, l := range i.labels {
			b = binary.AppendUvarint(b, uint64(l))
		}
	case op == opBr || op == opBrIf || op == opCall || op >= opLocalGet && op <= opGlobalSet:
		b = binary.AppendUvarint(b, uint64(i.number))
	case i.isLoad() || i.isStore():
		b = binary.AppendUvarint(append(b, i.align), uint64(i.number))
	case op == opI32Const || op == opI64Const:
		b = appendVarint(b, i.number)
	default:
		b = append(b, i.rest...)
	}
	return b
}

// reader reads numbers and instructions from its front. After an error it gives
// zeros.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) fail(text string) {
	if r.err == nil {
		r.err = errors.New(text)
	}
	r.rest = nil
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail("the code ends within an instruction")
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) unsigned() uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.fail("a number has no end")
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// signed reads a number of at most 64 bits in the LEB128 form of WebAssembly.
func (r *reader) signed() (v int64) {
	for shift := uint(0); shift < 70; shift += 7 {
		b := r.byte()
		v |= int64(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 && shift < 57 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.fail("a number is longer than 64 bits")
	return 0
}

func (r *reader) instruction() (i instruction) {
	i.op = r.byte()
	switch op := i.op; {
	case op == opBlock || op == opLoop || op == opIf:
		if i.number = int64(r.byte()); i.number < noValue {
			r.fail("a block has a type of its own") // Go writes none
		}
	case op == opBr || op == opBrIf || op == opCall || op >= opLocalGet && op <= opGlobalSet:
		i.number = int64(r.unsigned())
	case op == opBrTable:
		n := r.unsigned()
		if n > uint64(len(r.rest)) {
			r.fail("a table of labels is longer than the code")
			return i
		}
		for range n + 1 {
			i.labels = append(i.labels, int64(r.unsigned()))
		}
	case i.isLoad() || i.isStore():
		i.align, i.number = r.byte(), int64(r.unsigned())
		if i.number > math.MaxUint32 {
			r.fail("an offset is over 32 bits")
		}
	case op == opI32Const || op == opI64Const:
		i.number = r.signed()
	case op == opF32Const:
		i.rest = r.take(4)
	case op == opF64Const:
		i.rest = r.take(8)
	case op == opCallIndirect:
		i.rest = r.numbers(2)
	case op == opMemorySize || op == opMemoryGrow:
		i.rest = r.take(1)
	case op == opPrefix:
		before := r.rest
		switch kind := r.unsigned(); {
		case kind < 8: // conversions
		case kind == 10: // memory.copy
			r.take(2)
		case kind == 11: // memory.fill
			r.take(1)
		default:
			r.fail(fmt.Sprintf("an instruction is unknown: fc %x", kind))
		}
		i.rest = before[:len(before)-len(r.rest)]
	case op <= 0x01 || op == opElse || op == opEnd || op == opReturn || op == opDrop || op == opSelect ||
		op >= opI32Eqz && op <= opSignExtend:
	default:
		r.fail(fmt.Sprintf("an instruction is unknown: %x", op))
	}
	return i
}

// numbers reads n numbers as they are written.
func (r *reader) numbers(n int) []byte {
	before := r.rest
	for range n {
		r.unsigned()
	}
	return before[:len(before)-len(r.rest)]
}

// isUnary says that a numeric instruction takes one operand.
func isUnary(op byte) bool {
	switch {
	case op == opI32Eqz || op == opI64Eqz:
	case op >= 0x67 && op <= 0x69: // clz, ctz, popcnt of i32
	case op >= 0x79 && op <= 0x7b: // and of i64
	case op >= 0x8b && op <= 0x91: // abs, neg, rounding, sqrt of f32
	case op >= 0x99 && op <= 0x9f: // and of f64
	case op >= 0xa7 && op <= 0xc4: // conversions
	default:
		return false
	}
	return true
}
