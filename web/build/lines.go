package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The table of functions ("pclntab") as Go's linker has written it since 1.20:
// cmd/link/internal/ld/pcln.go; runtime/symtab.go reads it.
const (
	pclnMagic  = 0xfffffff1
	pclnHeader = 72 // bytes

	// Fields of runtime._func, in bytes from its beginning. Behind it come the
	// offsets of its numbered tables: pcdata, then funcdata.
	funcName      = 4
	funcPcsp      = 16
	funcPcfile    = 20
	funcPcln      = 24
	funcPcdataLen = 28
	funcUnit      = 32
	funcStartLine = 36
	funcID        = 40 // one byte
	funcDataLen   = 43 // one byte
	funcSize      = 44

	// Those that only traces read: internal/abi/symtab.go.
	pcdataInlineTree   = 2
	pcdataArgsLive     = 3
	funcdataInlineTree = 3
	funcdataArgs       = 5
	funcdataArgsLive   = 6

	noFuncdata = 1<<32 - 1
	idWrapper  = 23 // internal/abi.FuncIDWrapper
	inlineSize = 16 // bytes of runtime.inlinedCall

	// Fields of runtime.moduledata, which begins with the table's address.
	moduleNames   = 8
	moduleBuckets = 152 // from code to functions
	moduleCode    = 160 // its first address, and behind it its last
	moduleGofunc  = 320 // what offsets of funcdata count from

	// runtime.findfuncbucket: a function, and what to add in each sixteenth.
	bucketSize = 4 + 16
	bucketCode = 4096 // addresses of a bucket
)

// functions are the parts of a program's memory that clearLines works on.
type functions struct {
	names  []byte // of functions, each ended by a zero
	files  []byte // compilation units and the names of their files
	pctab  []byte // tables by program counter
	table  []byte // pairs of entry and offset of a function, then the functions
	count  int
	gofunc []byte // funcdata, and whatever lies behind
	// buckets is the table from code to functions
	buckets []byte
}

// clearLines empties the tables from code to lines in a program's memory. The
// runtime knows functions without them, from assembler: where a table is missing
// it says "?" for the file and 0 for the line. The tables that stacks grow by and
// that the garbage collector finds pointers by stay. Memory that is not laid out
// as this compiler does is an error: the runtime must never meet a broken table.
func clearLines(memory []byte) error {
	fs, err := findFunctions(memory)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	live := make([]bool, len(fs.pctab)) // bytes that are read
	live[0] = true
	data := map[uint32]bool{} // funcdata that is read
	trees := map[uint32]int{} // inlined calls that are no longer, and how many
	named := map[uint32]bool{}
	for i := range fs.count {
		at := int(le.Uint32(fs.table[8*i+4:]))
		if at+funcSize > len(fs.table) {
			return fmt.Errorf("function %d lies outside its table", i)
		}
		f := fs.table[at:]
		pcdata, funcdata := int(le.Uint32(f[funcPcdataLen:])), int(f[funcDataLen])
		if pcdata > 16 || funcdata > 16 || funcSize+4*(pcdata+funcdata) > len(f) {
			return fmt.Errorf("function %d is not laid out as in Go 1.26", i)
		}
		pcdataAt, funcdataAt := f[funcSize:], f[funcSize+4*pcdata:]
		if pcdata > pcdataInlineTree && funcdata > funcdataInlineTree {
			last, err := walkTable(fs.pctab, le.Uint32(pcdataAt[4*pcdataInlineTree:]), nil)
			if err != nil {
				return fmt.Errorf("function %d: %w", i, err)
			}
			if tree := le.Uint32(funcdataAt[4*funcdataInlineTree:]); tree != noFuncdata {
				trees[tree] = max(trees[tree], int(last)+1)
			}
		}
		if name := le.Uint32(f[funcName:]); keepsName(fs.name(name), f[funcID]) {
			named[name] = true
		} else {
			le.PutUint32(f[funcName:], 0)
		}
		for _, field := range []int{funcPcfile, funcPcln, funcUnit, funcStartLine} {
			le.PutUint32(f[field:], 0)
		}
		tables := []uint32{le.Uint32(f[funcPcsp:])}
		for k := range pcdata {
			if k == pcdataInlineTree || k == pcdataArgsLive {
				le.PutUint32(pcdataAt[4*k:], 0)
			}
			tables = append(tables, le.Uint32(pcdataAt[4*k:]))
		}
		for k := range funcdata {
			if k == funcdataInlineTree || k == funcdataArgs || k == funcdataArgsLive {
				le.PutUint32(funcdataAt[4*k:], noFuncdata)
			}
			data[le.Uint32(funcdataAt[4*k:])] = true
		}
		for _, offset := range tables {
			if _, err := walkTable(fs.pctab, offset, live); err != nil {
				return fmt.Errorf("function %d: %w", i, err)
			}
		}
	}
	for i, is := range live {
		if !is {
			fs.pctab[i] = 0
		}
	}
	clear(fs.files)
	shortenNames(fs.names, named)
	fs.coarsenBuckets()
	return fs.clearTrees(trees, data)
}

// keepsName tells whether the program is to know a function by its name: one of its
// own, one that the runtime looks at the name of (its own, reflect's, and a method's
// wrapper that finds a nil pointer). A trace leaves the others out.
func keepsName(name string, id byte) bool {
	for _, own := range [...]string{"postext/", "main.", "runtime.", "internal/runtime/", "reflect."} {
		if strings.HasPrefix(name, own) {
			return true
		}
	}
	return id == idWrapper && strings.Contains(name, "(")
}

// name is the name at an offset, "" where there is none.
func (fs *functions) name(at uint32) string {
	if at >= uint32(len(fs.names)) {
		return ""
	}
	name, _, _ := bytes.Cut(fs.names[at:], []byte{0})
	return string(name)
}

// shortenNames empties the names that no function has, of calls that were inlined,
// and writes the arguments of types in the others as a trace prints them: [...].
func shortenNames(names []byte, named map[uint32]bool) {
	for at := 0; at < len(names); {
		n := bytes.IndexByte(names[at:], 0)
		if n < 0 {
			return
		}
		name := names[at : at+n]
		switch open, end := bytes.IndexByte(name, '['), bytes.LastIndexByte(name, ']'); {
		case !named[uint32(at)]:
			clear(name)
		case open > 0 && end-open > len("[...]") && !bytes.HasPrefix(name, []byte("type:")):
			rest := open + copy(name[open:], "[...]")
			rest += copy(name[rest:], name[end+1:])
			clear(name[rest:])
		}
		at += n + 1
	}
}

// coarsenBuckets lets the table from code to functions lead to one of up to seven
// functions before the right one: runtime.findfunc goes on from there, one by one.
// Most functions fill some buckets alone, so most of what changes in the table is
// gone.
func (fs *functions) coarsenBuckets() {
	le := binary.LittleEndian
	for b := fs.buckets; len(b) >= bucketSize; b = b[bucketSize:] {
		if bytes.Count(b[4:bucketSize], []byte{0}) == bucketSize-4 {
			le.PutUint32(b, le.Uint32(b)&^7)
		}
	}
}

// clearTrees empties lists of inlined calls, unless other funcdata lies there.
func (fs *functions) clearTrees(trees map[uint32]int, data map[uint32]bool) error {
	kept := slices.Sorted(maps.Keys(data))
	for at, n := range trees {
		end := uint64(at) + uint64(n)*inlineSize
		if end > uint64(len(fs.gofunc)) {
			return errors.New("inlined calls lie outside the memory")
		}
		if i, _ := slices.BinarySearch(kept, at); i < len(kept) && uint64(kept[i]) < end {
			return errors.New("other data lies among inlined calls")
		}
		clear(fs.gofunc[at:end])
	}
	return nil
}

// findFunctions finds the table of functions by its header, and the module's
// record by the pointer to it.
func findFunctions(memory []byte) (*functions, error) {
	le := binary.LittleEndian
	unknown := errors.New("the table of functions is not as in Go 1.26")
	start := bytes.Index(memory, le.AppendUint32(nil, pclnMagic))
	if start < 0 || len(memory)-start < pclnHeader {
		return nil, unknown
	}
	table := memory[start:]
	count := le.Uint64(table[8:])
	var offsets [5]uint64 // of names, units, files, tables by program counter, functions
	for i := range offsets {
		offsets[i] = le.Uint64(table[32+8*i:])
	}
	units, pcs, funcs := offsets[1], offsets[3], offsets[4]
	// instructions of at least 1 byte, pointers of 8
	if !bytes.Equal(table[4:8], []byte{0, 0, 1, 8}) || offsets[0] != pclnHeader || !slices.IsSorted(offsets[:]) ||
		pcs == funcs || funcs > uint64(len(table)) || count > (uint64(len(table))-funcs)/8 {
		return nil, unknown
	}
	record := le.AppendUint64(le.AppendUint64(nil, uint64(start)), uint64(start)+pclnHeader)
	module := bytes.Index(memory, record)
	if module < 0 || len(memory)-module < moduleGofunc+8 {
		return nil, unknown
	}
	gofunc := le.Uint64(memory[module+moduleGofunc:])
	if gofunc == 0 || gofunc >= uint64(len(memory)) {
		return nil, unknown
	}
	buckets := le.Uint64(memory[module+moduleBuckets:])
	first, last := le.Uint64(memory[module+moduleCode:]), le.Uint64(memory[module+moduleCode+8:])
	size := (last - first + bucketCode - 1) / bucketCode * bucketSize
	if buckets == 0 || first > last || size > uint64(len(memory)) || buckets > uint64(len(memory))-size {
		return nil, unknown
	}
	return &functions{
		buckets: memory[buckets : buckets+size],
		names:   table[offsets[0]:units],
		files:   table[units:pcs], pctab: table[pcs:funcs], table: table[funcs:],
		count: int(count), gofunc: memory[gofunc:],
	}, nil
}

// walkTable reads the table at an offset, 0 for none: pairs of a difference of
// values and one of addresses, ended by a difference of 0 that is not the first.
// It marks its bytes in live and gives the greatest value, -1 at least.
func walkTable(pctab []byte, offset uint32, live []bool) (greatest int32, err error) {
	value := int32(-1)
	greatest = value
	if offset == 0 {
		return greatest, nil
	}
	at := int(offset)
	for i := 0; ; i++ {
		if at >= len(pctab) {
			return 0, errors.New("a table runs on behind the end")
		}
		v, n := binary.Uvarint(pctab[at:])
		if n <= 0 {
			return 0, errors.New("a number in a table has no end")
		}
		if live != nil {
			for k := range n {
				live[at+k] = true
			}
		}
		at += n
		switch {
		case i%2 == 1: // addresses
		case v == 0 && i > 0:
			return greatest, nil
		default:
			value += int32(-(uint32(v) & 1) ^ uint32(v)>>1)
			greatest = max(greatest, value)
		}
	}
}
