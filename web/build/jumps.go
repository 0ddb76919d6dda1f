package main

// threadJumps leads a function's jumps straight to their aim.
//
// Go's compiler knows no nested blocks, WebAssembly no jumps. So its functions are
// a loop around as many blocks as there are places to come back to, and any jump
// writes the number of its aim and runs to the head of the loop, where a table
// leads on (cmd/internal/obj/wasm, entryPointLoop). Most aims lie ahead: there a
// branch out of the block that ends at the aim does the same in one instruction,
// and much faster. Jumps back go the long way still, and so does who returns to a
// function that was left for another goroutine.
func (f *function) threadJumps() {
	if !f.keepsAim() {
		return
	}
	type label struct {
		at    int // of block, loop or if
		table int // of a loop that begins with a table of labels: where that is
	}
	var open []label
	for at := range f.code {
		i := &f.code[at]
		switch i.op {
		case opBlock, opLoop, opIf:
			l := label{at: at}
			if i.op == opLoop {
				l.table = f.table(at)
			}
			open = append(open, l)
		case opEnd:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		case opBr:
			// i32.const aim; local.set 0; br loop
			if at < 2 || i.number >= int64(len(open)) || !f.is(at-1, opLocalSet, 0) || f.code[at-2].op != opI32Const {
				continue
			}
			loop := len(open) - 1 - int(i.number)
			table := open[loop].table
			if table == 0 {
				continue
			}
			labels := f.code[table].labels
			aim := f.code[at-2].number
			if aim < 0 || aim >= int64(len(labels)) {
				aim = int64(len(labels)) - 1
			}
			// the blocks between loop and table, the innermost last
			block := table - 2 - int(labels[aim])
			place := loop + block - open[loop].at
			if block <= open[loop].at || place >= len(open) || open[place].at != block {
				continue // it has ended: the aim lies behind
			}
			i.number = int64(len(open) - 1 - place)
			f.code[at-2].dead, f.code[at-1].dead = true, true
		}
	}
	f.sweep()
}

// table is where the table of labels is that a loop begins with: after blocks and
// nothing else, and led by local 0. It is 0 when the loop is not of that kind.
func (f *function) table(loop int) int {
	at := loop + 1
	for at < len(f.code) && f.is(at, opBlock, noValue) {
		at++
	}
	if at == loop+1 || !f.is(at, opLocalGet, 0) || at+1 == len(f.code) || f.code[at+1].op != opBrTable {
		return 0
	}
	return at + 1
}

func (f *function) is(at int, op byte, number int64) bool {
	return at >= 0 && at < len(f.code) && f.code[at].op == op && f.code[at].number == number
}

// keepsAim says that local 0, the number of a jump's aim, is read by one table of
// labels and nothing else. It is also a place to lay the function of an indirect
// call for a moment.
func (f *function) keepsAim() bool {
	tables := 0
	for at := range f.code {
		switch {
		case f.is(at, opLocalTee, 0):
			return false
		case f.is(at, opLocalGet, 0):
			if at+1 < len(f.code) && f.code[at+1].op == opBrTable {
				tables++
			} else if !f.is(at-1, opI32Const, 0) || !f.is(at-2, opLocalSet, 0) {
				return false
			}
		}
	}
	return tables == 1
}

// branchOnce makes one conditional branch of a branch that is all a condition
// guards, and turns what leaves the function into a return. The latter is longer,
// but the same wherever it stands: the distance to the function's end, which the
// compiler writes behind each call, is different there each time, and costs more
// once it is compressed.
func (f *function) branchOnce() {
	var open []int // blocks
	ends := f.ends()
	code := make([]instruction, 0, len(f.code)+len(f.code)/8)
	n := len(f.code)
	for at := 0; at < n; at++ {
		i := f.code[at]
		switch i.op {
		case opBlock, opLoop:
			open = append(open, at)
		case opIf:
			if i.number == noValue && at+2 < n && f.code[at+1].op == opBr && f.code[at+1].number > 0 && f.code[at+2].op == opEnd {
				i = instruction{op: opBrIf, number: f.code[at+1].number - 1}
				at += 2
			} else {
				open = append(open, at)
			}
		case opEnd:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
		if i.op == opBrIf && i.number < int64(len(open)) {
			aim := open[len(open)-1-int(i.number)]
			end := ends[aim]
			if f.code[aim].op == opBlock && f.code[aim].number == noValue &&
				end+3 == n && f.code[end+1].op == opI32Const && f.code[end+2].op == opEnd {
				code = append(code, instruction{op: opIf, number: noValue}, f.code[end+1], instruction{op: opReturn}, instruction{op: opEnd})
				continue
			}
		}
		code = append(code, i)
	}
	f.code = code
}

// ends are the places where blocks end, by those where they begin.
func (f *function) ends() map[int]int {
	ends := map[int]int{}
	var open []int
	for at := range f.code {
		switch f.code[at].op {
		case opBlock, opLoop, opIf:
			open = append(open, at)
		case opEnd:
			if len(open) > 0 {
				ends[open[len(open)-1]] = at
				open = open[:len(open)-1]
			}
		}
	}
	return ends
}
