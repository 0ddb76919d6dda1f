package main

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// rewriteCode writes every function of a code section anew, in the same order and
// with the same effect; params are the numbers of their parameters.
func rewriteCode(section []byte, params []int) ([]byte, error) {
	r := reader{rest: section}
	count := r.unsigned()
	if count != uint64(len(params)) {
		return nil, errors.New("there are not as many bodies as functions")
	}
	out := binary.AppendUvarint(make([]byte, 0, len(section)), count)
	for n := range params {
		body := r.take(r.unsigned())
		if r.err != nil {
			return nil, r.err
		}
		f, err := readFunction(body, params[n])
		if err != nil {
			return nil, fmt.Errorf("function %d: %w", n, err)
		}
		f.threadJumps()
		f.branchOnce()
		f.shorten()
		f.addressStack()
		f.leave()
		f.returnAddresses()
		b := f.bytes()
		out = binary.AppendUvarint(out, uint64(len(b)))
		out = append(out, b...)
	}
	return out, nil
}

// parameters are the numbers of the parameters of the functions of a module, by
// its sections of types and functions.
func parameters(types, functions []byte) ([]int, error) {
	const functionType = 0x60
	r := reader{rest: types}
	var counts []int
	for n := r.unsigned(); n > 0 && r.err == nil; n-- {
		if r.byte() != functionType {
			r.fail("a type is not of a function")
		}
		params := r.unsigned()
		r.take(params)
		r.take(r.unsigned())
		counts = append(counts, int(params))
	}
	if r.err != nil {
		return nil, r.err
	}
	r = reader{rest: functions}
	var params []int
	for n := r.unsigned(); n > 0 && r.err == nil; n-- {
		t := r.unsigned()
		if t >= uint64(len(counts)) {
			r.fail("a function has a type that is not there")
			break
		}
		params = append(params, counts[t])
	}
	return params, r.err
}
