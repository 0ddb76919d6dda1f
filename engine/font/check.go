package font

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// A font file is read by go-text, which checks what it reads but trusts what
// the file says about sizes. checkDirectory looks at the table directory first:
// the tables of one font, unpacked, may not be larger than a font can be, nor
// claim more bytes than the file has.
const (
	maxTables = 128
	maxFonts  = 64 // of a collection
)

func checkDirectory(data []byte) error {
	be := binary.BigEndian
	switch string(data[:4]) {
	case "\x00\x01\x00\x00", "OTTO", "true", "typ1":
		return checkTables(data, 0)
	case "wOFF":
		return checkWOFF(data)
	case "ttcf":
		n := be.Uint32(data[8:])
		if n == 0 || n > maxFonts || len(data) < 12+4*int(n) {
			return fmt.Errorf("the collection says it holds %d fonts; at most %d are read", n, maxFonts)
		}
		for i := range int(n) {
			if err := checkTables(data, int64(be.Uint32(data[12+4*i:]))); err != nil {
				return err
			}
		}
		return nil
	}
	return errors.New("not a font: TTF, OTF, TTC, WOFF and WOFF2 are read")
}

func checkTables(data []byte, at int64) error {
	if at+12 > int64(len(data)) {
		return errTruncated
	}
	n := int64(binary.BigEndian.Uint16(data[at+4:]))
	if n > maxTables {
		return fmt.Errorf("the font says it has %d tables; %d are possible", n, maxTables)
	}
	if at+12+16*n > int64(len(data)) {
		return errTruncated
	}
	sum := int64(0)
	for i := range n {
		sum += int64(binary.BigEndian.Uint32(data[at+12+16*i+12:]))
	}
	if sum > 2*int64(len(data)) { // a few fonts store a table under two names
		return errTruncated
	}
	return nil
}

func checkWOFF(data []byte) error {
	be := binary.BigEndian
	n := int(be.Uint16(data[12:]))
	if n > maxTables {
		return fmt.Errorf("the font says it has %d tables; %d are possible", n, maxTables)
	}
	if 44+20*n > len(data) {
		return errTruncated
	}
	var packed, whole int64
	for i := range n {
		packed += int64(be.Uint32(data[44+20*i+8:]))
		whole += int64(be.Uint32(data[44+20*i+12:]))
	}
	if packed > int64(len(data)) {
		return errTruncated
	}
	if whole > maxFile {
		return fmt.Errorf("the font unpacks to %d MB; at most %d MB are read", whole>>20, maxFile>>20)
	}
	return nil
}

var errTruncated = errors.New("the font file is cut off or damaged: its tables reach beyond its end")
