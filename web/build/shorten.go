package main

// shorten takes out conversions there and back: pointers are 64 bits wide to Go and
// addresses 32, truths are 64 bits wide and conditions 32. The result is the same,
// but that a load of the last bytes of memory is no error where they are enough.
func (f *function) shorten() {
	// kept are the places of what is not taken out
	kept := make([]int, 0, len(f.code))
	last := func(n int) *instruction {
		if len(kept) < n {
			return &instruction{op: opUnreachable}
		}
		return &f.code[kept[len(kept)-n]]
	}
	drop := func(n int) {
		for range n {
			f.code[kept[len(kept)-1]].dead = true
			kept = kept[:len(kept)-1]
		}
	}
	for at := range f.code {
		i := &f.code[at]
		if i.op == opI64Eqz && last(1).op == opI64ExtendI32 {
			drop(1)
			i.op = opI32Eqz
		}
		a, b := last(1), last(2)
		switch {
		case i.op == opI32WrapI64 && a.op == opI64ExtendI32: // to 64 bits and back
			drop(1)
			i.dead = true
		case i.op == opI32WrapI64 && a.op == opI64Const:
			a.op, a.number = opI32Const, int64(int32(a.number))
			i.dead = true
		case i.op == opI32WrapI64 && a.op == opI64Load: // the lower half comes first
			a.op, a.align = opI32Load, min(a.align, 2)
			i.dead = true
		case i.op == opI32WrapI64 && a.op == opI64Add && b.op == opI64Const && last(3).op == opI64ExtendI32:
			// the lower half of a sum is the sum of the lower halves
			n := int64(int32(b.number))
			drop(3)
			f.code[at-1].dead = false
			f.code[at-1] = instruction{op: opI32Const, number: n}
			kept = append(kept, at-1)
			i.op = opI32Add
		case (i.op == opIf || i.op == opBrIf) && a.op == opI32Eqz && b.op == opI32Eqz:
			drop(2)
		case i.op == opI32Eqz && a.opposite() != 0:
			a.op = a.opposite()
			i.dead = true
		}
		if !i.dead {
			kept = append(kept, at)
		}
	}
	f.sweep()
}

// opposite is the comparison of whole numbers that is true where this one is not,
// 0 for other instructions.
func (i *instruction) opposite() byte {
	const equal32, equal64 = 0x46, 0x51
	// equal, unequal, then less, greater, at most and at least, signed and unsigned
	opposites := [...]byte{1, 0, 8, 9, 6, 7, 4, 5, 2, 3}
	for _, first := range []byte{equal32, equal64} {
		if n := int(i.op) - int(first); n >= 0 && n < len(opposites) {
			return first + opposites[n]
		}
	}
	return 0
}
