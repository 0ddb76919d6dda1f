package main

import "math"

// stackPointer is the local in which a function of Go has global 0, which points
// to the top of the goroutine's stack.
const stackPointer = 1

// addressStack lets loads and stores count from the stack pointer themselves:
// what is added to it goes into their offset. The sum is within the stack and so
// never runs over 32 bits.
func (f *function) addressStack() {
	if !f.keepsStackPointer() {
		return
	}
	// operands are the values at hand, as far as this row of instructions made
	// them: where "local.get 1; i32.const n; i32.add" begins, or none.
	const none = -1
	var operands []int
	pop := func(n int) (lowest int) {
		lowest = none
		for range n {
			lowest = none
			if len(operands) > 0 {
				lowest = operands[len(operands)-1]
				operands = operands[:len(operands)-1]
			}
		}
		return lowest
	}
	fold := func(i *instruction, address int) {
		if address == none {
			return
		}
		if sum := i.number + f.code[address+1].number; sum <= math.MaxInt32 {
			i.number = sum
			f.code[address+1].dead, f.code[address+2].dead = true, true
		}
	}
	for at := range f.code {
		i := &f.code[at]
		switch op := i.op; {
		case op == opI32Add && f.is(at-2, opLocalGet, stackPointer) && f.code[at-1].op == opI32Const && f.code[at-1].number >= 0:
			pop(2)
			operands = append(operands, at-2)
		case op == opLocalGet || op == opGlobalGet || op >= opI32Const && op <= opF64Const:
			operands = append(operands, none)
		case i.isLoad():
			fold(i, pop(1))
			operands = append(operands, none)
		case i.isStore():
			fold(i, pop(2))
		case op == opLocalSet || op == opGlobalSet || op == opDrop:
			pop(1)
		case op == opLocalTee || isUnary(op):
			pop(1)
			operands = append(operands, none)
		case op >= opI32Eqz && op <= opSignExtend: // two operands
			pop(2)
			operands = append(operands, none)
		case op == opSelect:
			pop(3)
			operands = append(operands, none)
		default: // calls, branches: whatever is below them stays as it is
			operands = operands[:0]
		}
	}
	f.sweep()
}

// keepsStackPointer says that local 1 is global 0 wherever it is read.
func (f *function) keepsStackPointer() bool {
	for at := range f.code {
		switch {
		case f.is(at, opLocalSet, stackPointer) && !f.is(at-1, opGlobalGet, 0):
			return false
		case f.is(at, opLocalTee, stackPointer) && !f.is(at+1, opGlobalSet, 0):
			return false
		}
	}
	return len(f.code) > 1 && f.params == 1 && f.is(0, opGlobalGet, 0) && f.is(1, opLocalSet, stackPointer)
}

// leave takes the stack back in one step where a function ends. The compiler takes
// its frame off and then the address to return to, and keeps count in local 1,
// which nobody reads behind it.
func (f *function) leave() {
	if !f.keepsStackPointer() {
		return
	}
	step := func(at int) bool {
		return f.is(at, opLocalGet, stackPointer) && f.code[at+1].op == opI32Const && f.code[at+2].op == opI32Add &&
			f.is(at+3, opLocalTee, stackPointer) && f.is(at+4, opGlobalSet, 0)
	}
	const length = 5
	for at := 0; at+2*length+2 <= len(f.code); at++ {
		if !step(at) {
			continue
		}
		first := at
		if step(at + length) {
			at += length
		}
		if f.code[at+length].op != opI32Const || f.code[at+length+1].op != opReturn {
			continue
		}
		f.code[at+3].dead = true
		if first < at {
			f.code[at+1].number += f.code[first+1].number
			for k := range length {
				f.code[first+k].dead = true
			}
		}
	}
	f.sweep()
}

// returnAddresses keeps the number of the function in a local. Each call writes
// where to come back to, which is that number in the upper bits and that of the
// place in the lower: so the calls of all functions become alike.
func (f *function) returnAddresses() {
	const low = 1<<16 - 1
	counts := map[int64]int{}
	var number int64
	for at := range f.code {
		if f.isReturnAddress(at) {
			n := f.code[at].number &^ low
			if counts[n]++; counts[n] > counts[number] {
				number = n
			}
		}
	}
	if counts[number] < 3 {
		return
	}
	local := f.addLocal(typeI64)
	code := make([]instruction, 0, len(f.code)+2*counts[number]+2)
	code = append(code, instruction{op: opI64Const, number: number}, instruction{op: opLocalSet, number: local})
	for at, i := range f.code {
		if f.isReturnAddress(at) && i.number&^low == number {
			code = append(code, instruction{op: opLocalGet, number: local})
			if i.number &= low; i.number != 0 {
				code = append(code, i, instruction{op: opI64Or})
			}
			continue
		}
		code = append(code, i)
	}
	f.code = code
}

// isReturnAddress says that a constant is stored at the stack pointer and large
// enough for an address of code.
func (f *function) isReturnAddress(at int) bool {
	return f.code[at].op == opI64Const && f.code[at].number >= 1<<28 && f.code[at].number < 1<<40 &&
		at+1 < len(f.code) && f.code[at+1].op == opI64Store && f.code[at+1].number == 0 &&
		f.is(at-1, opLocalGet, stackPointer)
}
