package main

import (
	"bytes"
	"testing"
)

// in makes an instruction with a number.
func in(op byte, number int64) instruction { return instruction{op: op, number: number} }

// body is a function of Go's kind with these instructions; it keeps the stack
// pointer in local 1.
func body(code ...instruction) *function {
	f := &function{params: 1, locals: []localRun{{1, typeI32}, {4, typeI64}}}
	f.code = append([]instruction{in(opGlobalGet, 0), in(opLocalSet, stackPointer)}, code...)
	return f
}

func equal(a, b *function) bool { return bytes.Equal(a.bytes(), b.bytes()) }

// A function read and written is what it was, whatever instructions it has.
func TestFunctionsAreReadAndWritten(t *testing.T) {
	want := []byte{
		2, 1, typeI32, 2, typeI64, // locals
		opBlock, noValue, opLoop, noValue, opIf, noValue, opElse, opEnd,
		opBr, 1, opBrIf, 0, opBrTable, 2, 0, 1, 0, opReturn, opCall, 0x80, 0x01, opCallIndirect, 3, 0,
		opLocalGet, 0, opGlobalSet, 2, opI64Load, 3, 0xb8, 0x20, opI64Store32, 2, 0, opMemorySize, 0, opMemoryGrow, 0,
		opI32Const, 0x7f, opI64Const, 0x80, 0x80, 0xa0, 0x9c, 0x02, opF32Const, 1, 2, 3, 4, opF64Const, 1, 2, 3, 4, 5, 6, 7, 8,
		opI32Eqz, opSignExtend, opPrefix, 2, opPrefix, 10, 0, 0, opPrefix, 11, 0, opDrop, opSelect,
		opEnd, opEnd, opUnreachable, opEnd,
	}
	f, err := readFunction(want, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.bytes(); !bytes.Equal(got, want) {
		t.Errorf("it became\n% x\nfrom\n% x", got, want)
	}
	for name, bad := range map[string][]byte{
		"an unknown instruction": {0, 0x06, opEnd},
		"one cut short":          {0, opF64Const, 1, 2},
		"a number without end":   {0, opI64Const, 0x80, 0x80},
		"a long table":           {0, opBrTable, 0x7f, 0, opEnd},
		"a wide block":           {0, opBlock, 1, opEnd},
		"passive data":           {0, opPrefix, 8, 0, 0, opEnd},
	} {
		if _, err := readFunction(bad, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// dispatch is a function as Go's compiler lays it out: a loop, blocks that end
// where its three parts begin, and a table that leads to them.
func dispatch(first, second, third []instruction) *function {
	code := []instruction{
		in(opBlock, noValue), in(opLoop, noValue), in(opBlock, noValue), in(opBlock, noValue), in(opBlock, noValue),
		in(opLocalGet, 0), {op: opBrTable, labels: []int64{0, 1, 1, 2}}, in(opEnd, 0),
	}
	code = append(append(code, first...), in(opEnd, 0))
	code = append(append(code, second...), in(opEnd, 0))
	code = append(append(code, third...), in(opEnd, 0), in(opUnreachable, 0), in(opEnd, 0), in(opI32Const, 1), in(opEnd, 0))
	return body(code...)
}

func jump(aim, depth int64) []instruction {
	return []instruction{in(opI32Const, aim), in(opLocalSet, 0), in(opBr, depth)}
}

// A jump ahead leaves the block that ends at its aim; one back goes to the table.
func TestJumpsAheadLeaveTheirBlock(t *testing.T) {
	f := dispatch(jump(3, 2), jump(2, 1), jump(1, 0))
	f.threadJumps()
	if want := dispatch([]instruction{in(opBr, 1)}, jump(2, 1), jump(1, 0)); !equal(f, want) {
		t.Errorf("from the first part to the third, from the others back:\n% x, want\n% x", f.bytes(), want.bytes())
	}
	f = dispatch(append(append([]instruction{in(opLocalGet, 2), in(opIf, noValue)}, jump(1, 3)...), in(opEnd, 0)), jump(9, 1), nil)
	f.threadJumps()
	want := dispatch([]instruction{in(opLocalGet, 2), in(opIf, noValue), in(opBr, 1), in(opEnd, 0)}, []instruction{in(opBr, 0)}, nil)
	if !equal(f, want) {
		t.Errorf("within a condition, and by the table's last label:\n% x, want\n% x", f.bytes(), want.bytes())
	}
	// Who else reads the number of the aim must find it.
	f = dispatch(jump(3, 2), nil, []instruction{in(opLocalGet, 0), in(opDrop, 0)})
	before := f.bytes()
	if f.threadJumps(); !bytes.Equal(f.bytes(), before) {
		t.Error("a jump no longer writes its aim, though it is read")
	}
}

// A condition that guards a branch alone becomes a branch; what leaves the
// function returns.
func TestConditionalBranchesAreOneInstruction(t *testing.T) {
	f := dispatch([]instruction{in(opLocalGet, 2), in(opIf, noValue), in(opBr, 2), in(opEnd, 0)}, []instruction{in(opLocalGet, 2), in(opBrIf, 2)}, nil)
	f.branchOnce()
	want := dispatch([]instruction{in(opLocalGet, 2), in(opBrIf, 1)},
		[]instruction{in(opLocalGet, 2), in(opIf, noValue), in(opI32Const, 1), in(opReturn, 0), in(opEnd, 0)}, nil)
	if !equal(f, want) {
		t.Errorf("% x, want\n% x", f.bytes(), want.bytes())
	}
}

// Conversions there and back go, and so do negations of what can be asked the
// other way round. Comparisons of fractions cannot: neither holds for no number.
func TestConversionsThereAndBackGo(t *testing.T) {
	const lessS64, atLeastS64, lessF64 = 0x53, 0x59, 0x63
	get := in(opLocalGet, 2)
	for name, c := range map[string]struct{ from, to []instruction }{
		"there and back":     {[]instruction{in(opI64ExtendI32, 0), in(opI32WrapI64, 0)}, nil},
		"half of a sum":      {[]instruction{in(opI64ExtendI32, 0), in(opI64Const, -1<<32+8), in(opI64Add, 0), in(opI32WrapI64, 0)}, []instruction{in(opI32Const, 8), in(opI32Add, 0)}},
		"half of a load":     {[]instruction{{op: opI64Load, align: 3, number: 8}, in(opI32WrapI64, 0)}, []instruction{{op: opI32Load, align: 2, number: 8}}},
		"half of a constant": {[]instruction{in(opI64Const, 1<<32+7), in(opI32WrapI64, 0)}, []instruction{in(opI32Const, 7)}},
		"a truth":            {[]instruction{in(opI64Eqz, 0), in(opI64ExtendI32, 0), in(opI64Eqz, 0), in(opI32Eqz, 0), in(opIf, noValue)}, []instruction{in(opI64Eqz, 0), in(opIf, noValue)}},
		"the opposite":       {[]instruction{in(lessS64, 0), in(opI64ExtendI32, 0), in(opI64Eqz, 0)}, []instruction{in(atLeastS64, 0)}},
		"of fractions":       {[]instruction{in(lessF64, 0), in(opI32Eqz, 0)}, []instruction{in(lessF64, 0), in(opI32Eqz, 0)}},
		"twice for a number": {[]instruction{in(opI32Eqz, 0), in(opI32Eqz, 0), in(opI64ExtendI32, 0)}, []instruction{in(opI32Eqz, 0), in(opI32Eqz, 0), in(opI64ExtendI32, 0)}},
	} {
		f := body(append([]instruction{get}, c.from...)...)
		f.shorten()
		if want := body(append([]instruction{get}, c.to...)...); !equal(f, want) {
			t.Errorf("%s: % x, want % x", name, f.bytes(), want.bytes())
		}
	}
	for op := byte(0x46); op <= opF64Ge; op++ {
		i := in(op, 0)
		if o := i.opposite(); o != 0 {
			back := in(o, 0)
			if back.opposite() != op || o == op {
				t.Errorf("the opposite of %x is %x, and its %x", op, o, back.opposite())
			}
		}
	}
}

// What is added to the stack pointer goes into the offset of the load or store it
// is for, and into that alone.
func TestOffsetsTakeWhatIsAddedToTheStackPointer(t *testing.T) {
	sp, add := in(opLocalGet, stackPointer), in(opI32Add, 0)
	load := func(n int64) instruction { return instruction{op: opI64Load, align: 3, number: n} }
	store := func(n int64) instruction { return instruction{op: opI64Store, align: 3, number: n} }
	from := []instruction{
		sp, in(opI32Const, 16), add, // to store at
		sp, in(opI32Const, 24), add, load(8), // what is stored
		store(0),
		sp, in(opI32Const, 40), add, in(opCall, 3), // an argument
		sp, in(opI32Const, -8), add, load(0), in(opDrop, 0), // below the stack: it may run over
		in(opLocalGet, 2), in(opI32Const, 8), add, load(0), in(opDrop, 0), // another pointer may be nil
	}
	to := []instruction{
		sp, sp, load(32), store(16),
		sp, in(opI32Const, 40), add, in(opCall, 3),
		sp, in(opI32Const, -8), add, load(0), in(opDrop, 0),
		in(opLocalGet, 2), in(opI32Const, 8), add, load(0), in(opDrop, 0),
	}
	f := body(from...)
	f.addressStack()
	if want := body(to...); !equal(f, want) {
		t.Errorf("% x, want\n% x", f.bytes(), want.bytes())
	}
	// A local 1 that is something else besides is left alone.
	f = body(append(from, in(opI32Const, 0), in(opLocalSet, stackPointer))...)
	before := f.bytes()
	if f.addressStack(); !bytes.Equal(f.bytes(), before) {
		t.Error("local 1 is taken for the stack pointer")
	}
}

// The stack is taken back in one step at the end of a function.
func TestFunctionsLeaveInOneStep(t *testing.T) {
	back := func(n int64) []instruction {
		return []instruction{in(opLocalGet, stackPointer), in(opI32Const, n), in(opI32Add, 0), in(opLocalTee, stackPointer), in(opGlobalSet, 0)}
	}
	end := []instruction{in(opI32Const, 0), in(opReturn, 0), in(opEnd, 0)}
	f := body(append(append(back(48), back(8)...), end...)...)
	f.leave()
	if want := body(append([]instruction{in(opLocalGet, stackPointer), in(opI32Const, 56), in(opI32Add, 0), in(opGlobalSet, 0)}, end...)...); !equal(f, want) {
		t.Errorf("% x, want\n% x", f.bytes(), want.bytes())
	}
	// Behind a call it is read again.
	f = body(append(append(back(8), in(opCall, 3)), end...)...)
	before := f.bytes()
	if f.leave(); !bytes.Equal(f.bytes(), before) {
		t.Error("the count is gone before a call")
	}
}

// What calls write to come back by is the same number.
func TestReturnAddressesAreTheSame(t *testing.T) {
	const number = 0x1234 << 16
	var from, to []instruction
	store := instruction{op: opI64Store, align: 3}
	for place := range int64(4) {
		from = append(from, in(opLocalGet, stackPointer), in(opI64Const, number|place), store)
		to = append(to, in(opLocalGet, stackPointer), in(opLocalGet, 6))
		if place > 0 {
			to = append(to, in(opI64Const, place), in(opI64Or, 0))
		}
		to = append(to, store)
	}
	f := body(from...)
	f.returnAddresses()
	want := body(to...)
	want.locals[1].count++
	want.code = append([]instruction{in(opI64Const, number), in(opLocalSet, 6)}, want.code...)
	if !equal(f, want) {
		t.Errorf("% x, want\n% x", f.bytes(), want.bytes())
	}
}
