package brotli

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"strings"
	"testing"
)

func init() {
	Dictionary = func() (string, error) {
		data, err := os.ReadFile("words/dictionary.bin")
		return string(data), err
	}
}

// A dictionary that cannot be had is said; data without its words is read all the
// same.
func TestTheDictionaryIsAskedForWhenAWordIs(t *testing.T) {
	have := Dictionary
	defer func() { Dictionary = have }()
	away := errors.New("the network is down")
	asked := 0
	Dictionary = func() (string, error) { asked++; return "", away }
	for _, c := range packed {
		data, err := base64.StdEncoding.DecodeString(c.data)
		if err != nil {
			t.Fatal(err)
		}
		before := asked
		if _, err := Decode(data, 1<<20); (err != nil) != (asked > before) || err != nil && !errors.Is(err, away) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if asked == 0 || asked == len(packed) {
		t.Errorf("asked for %d times of %d", asked, len(packed))
	}
	Dictionary = func() (string, error) { return "short", nil }
	data, err := base64.StdEncoding.DecodeString(packed[1].data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(data, 1<<20); err == nil || !strings.Contains(err.Error(), "5 bytes") {
		t.Errorf("%v", err)
	}
}

// Streams written by another program (node's zlib, qualities 11 and 5), which use
// the dictionary, its transforms, block types and context maps.
var packed = []struct{ name, text, data string }{
	{"short", "hello hello hello", "GxAA+I2Ubt5EVYaWbCBvAU8cYBw="},
	{"dictionary", "The time of the year and this is not the same as that of the people, <div class=\"content\"> the government of the United States, Международных организаций", "G7AA6B0JdqzJYHTqXQ0dDULVbWzsK4jLcT2jUUGjQANVDtiXTKbU7CAnOPE94PLNCVYQ9qtbSgEpGc58je30k8PiK7yL9RVjdfQqDAAPOY3fHA=="},
	{"fast", "It is a truth universally acknowledged, that a setting in possession of a good default must be in want of a test.", "G3AAAATKbakeXYx9YYIwePFnUCenB+XaqUUtDCShQCMMLLcxPEcEbbQqGpvVjfoEb5zmuo6qT1p7cEI3A//g4chOewulRV+jqmNSuHzJTFnd6Z4="},
	{"long", "a book is made of pages, and pages of lines; *", "G09GgCRBdsLAIQfs/8Ikcgk8ZCWfKaLZQL2Q4Er1nSUY8e4egIgB"},
}

func TestStreamsOfAnotherPacker(t *testing.T) {
	for _, c := range packed {
		data, err := base64.StdEncoding.DecodeString(c.data)
		if err != nil {
			t.Fatal(err)
		}
		text := c.text
		if n := strings.Index(text, "*"); n > 0 && c.name == "long" {
			text = strings.Repeat(text[:n], 400)
		}
		got, err := Decode(data, len(text))
		if err != nil || string(got) != text {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
		if _, err := Decode(data, len(text)-1); err == nil {
			t.Errorf("%s: the limit is passed", c.name)
		}
		for cut := range data {
			Decode(data[:cut], 1<<16) // ends, whatever it says
		}
	}
}

func TestStoredBlocksAndMetadata(t *testing.T) {
	// A window of 16 bits; a block of metadata of 3 bytes; a stored block of 5;
	// the end.
	var w bitWriter
	w.put(0, 1)
	w.put(0, 1)
	w.put(3, 2)
	w.put(0, 1)
	w.put(1, 2)
	w.put(2, 8)
	w.align()
	w.b = append(w.b, "xyz"...)
	w.put(0, 1)
	w.put(0, 2)
	w.put(4, 16)
	w.put(1, 1)
	w.align()
	w.b = append(w.b, "hello"...)
	w.put(3, 2)
	w.align()
	got, err := Decode(w.b, 100)
	if err != nil || string(got) != "hello" {
		t.Errorf("%q %v", got, err)
	}
}

type bitWriter struct {
	b []byte
	n uint
	v uint64
}

func (w *bitWriter) put(v uint64, n uint) {
	w.v |= v << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.b = append(w.b, byte(w.v))
		w.v >>= 8
	}
}

func (w *bitWriter) align() {
	if w.n > 0 {
		w.put(0, 8-w.n)
	}
}

// Any data ends soon and within the limit.
func FuzzDecode(f *testing.F) {
	for _, c := range packed {
		data, _ := base64.StdEncoding.DecodeString(c.data)
		f.Add(data)
	}
	f.Add([]byte{0x0b, 0x02, 0x80, 0x03})
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := Decode(data, 1<<16)
		if err == nil && len(out) > 1<<16 {
			t.Error("beyond the limit")
		}
		again, _ := Decode(data, 1<<16)
		if !bytes.Equal(out, again) {
			t.Error("not the same twice")
		}
	})
}
