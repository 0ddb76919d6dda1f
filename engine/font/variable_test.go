package font

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf16"
)

// variable makes a variable font of a static one: a weight and a width axis, no
// deltas, three named instances.
func variable(t *testing.T) []byte {
	t.Helper()
	dir := "../../web/node_modules/@expo-google-fonts/jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf"
	data, err := os.ReadFile(filepath.FromSlash(dir))
	if err != nil {
		t.Fatalf("no test fonts (%v): run make test once: it installs the fonts", err)
	}
	be := binary.BigEndian
	all := map[string][]byte{}
	for i := range int(be.Uint16(data[4:])) {
		e := data[12+16*i:]
		at, n := be.Uint32(e[8:]), be.Uint32(e[12:])
		all[string(e[:4])] = data[at : at+n]
	}
	names := []struct {
		id   uint16
		text string
	}{{1, "Probe"}, {2, "Regular"}, {256, "Condensed Bold"}, {257, "Bold"}, {258, "Italic"}}
	name := be.AppendUint16(nil, 0)
	name = be.AppendUint16(name, uint16(len(names)))
	name = be.AppendUint16(name, uint16(6+12*len(names)))
	var text []byte
	for _, n := range names {
		at := len(text)
		for _, u := range utf16.Encode([]rune(n.text)) {
			text = be.AppendUint16(text, u)
		}
		for _, v := range []uint16{3, 1, 0x409, n.id, uint16(len(text) - at), uint16(at)} {
			name = be.AppendUint16(name, v)
		}
	}
	all["name"] = append(name, text...)
	var fvar []byte
	for _, v := range []uint16{1, 0, 16, 2, 3, 20, 3, 16} {
		fvar = be.AppendUint16(fvar, v)
	}
	fixed := func(v int) { fvar = be.AppendUint32(fvar, uint32(v<<16)) }
	for _, a := range []struct {
		tag           string
		low, def, top int
	}{{"wght", 100, 400, 800}, {"wdth", 75, 100, 100}, {"ital", 0, 0, 1}} {
		fvar = append(fvar, a.tag...)
		fixed(a.low)
		fixed(a.def)
		fixed(a.top)
		fvar = be.AppendUint32(fvar, 256)
	}
	for _, in := range []struct {
		id    int
		coord [3]int
	}{{256, [3]int{700, 75, 0}}, {257, [3]int{700, 100, 0}}, {258, [3]int{400, 100, 1}}} {
		fvar = be.AppendUint32(fvar, uint32(in.id<<16))
		for _, v := range in.coord {
			fixed(v)
		}
	}
	all["fvar"] = fvar
	delete(all, "STAT")
	return buildSFNT(0x00010000, all)
}

func TestVariableFontsAndTheirInstances(t *testing.T) {
	data := variable(t)
	list, err := Members(data)
	if err != nil || len(list) != 3 {
		t.Fatalf("%+v %v", list, err)
	}
	if m := list[0]; m.Family != "Probe" || m.Weight != 100 || m.MaxWeight != 800 || len(m.Axes) != 0 {
		t.Errorf("default: %+v", m)
	}
	if m := list[1]; m.Family != "Probe Condensed" || len(m.Axes) != 1 || m.Axes[0] != (Axis{"wdth", 75}) {
		t.Errorf("condensed: %+v", m)
	}
	if m := list[2]; m.Family != "Probe" || !m.Italic || m.Axes[0] != (Axis{"ital", 1}) {
		t.Errorf("italic: %+v", m)
	}
	keys := map[uint64]string{}
	for _, f := range []File{
		{Data: data, Family: "Probe", Weight: 400}, {Data: data, Family: "Probe", Weight: 700}, {Data: data, Family: "Probe", Weight: 900},
		{Data: data, Family: "Probe Condensed", Weight: 400, Axes: list[1].Axes},
	} {
		face, err := ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if other := keys[face.Key]; other != "" {
			t.Errorf("%v has the key of %s", face, other)
		}
		keys[face.Key] = face.String()
	}
}
