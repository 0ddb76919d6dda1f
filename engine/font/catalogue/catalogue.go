// Package catalogue knows the families of the open font catalogue by name: what
// there is, not the files. The list is text, a family a line, so that it can be
// fetched when somebody looks for a font and searched without a network.
//
// Its fields are parted by tabs: name, category, weights, weights of the italics,
// scripts, licence. Weights are hundreds in one letter each, "47" for 400 and 700.
package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"postext/engine/font"
)

// File is the name of the list beside the program.
const File = "catalogue.txt"

// Family is one family of the catalogue.
type Family struct {
	Family   string   `json:"family"`
	Category string   `json:"category"`
	Weights  []int    `json:"weights"`
	Italics  []int    `json:"italics"`
	Scripts  []string `json:"scripts"`
	Licence  string   `json:"licence"`
}

// Categories are those a family may be of.
func Categories() []string { return []string{"serif", "sans", "display", "handwriting", "monospace"} }

// List is the catalogue.
type List []Family

// maxFamilies bounds a foreign list.
const maxFamilies = 20_000

// Parse reads the list.
func Parse(text string) (List, error) {
	var out List
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 6 || len(out) >= maxFamilies {
			return nil, fmt.Errorf("the font catalogue cannot be read: line %d", len(out)+1)
		}
		out = append(out, Family{f[0], f[1], weights(f[2]), weights(f[3]), strings.Fields(f[4]), f[5]})
	}
	return out, nil
}

func weights(s string) []int {
	out := []int{}
	for _, c := range s {
		if c >= '1' && c <= '9' {
			out = append(out, int(c-'0')*100)
		}
	}
	return out
}

// Find returns the family of a name, whatever its case and spaces.
func (l List) Find(name string) (Family, bool) {
	k := font.Fold(name)
	for _, f := range l {
		if font.Fold(f.Family) == k {
			return f, true
		}
	}
	return Family{}, false
}

// Search returns the families whose names hold every word of the query, those
// that begin with it first, of a category and a script ("" for any).
func (l List) Search(query, category, script string) List {
	words := strings.Fields(strings.ToLower(query))
	whole := font.Fold(query)
	rank := func(f *Family) int {
		name := strings.ToLower(f.Family)
		for _, w := range words {
			if !strings.Contains(name, w) && !strings.Contains(font.Fold(name), font.Fold(w)) {
				return -1
			}
		}
		switch k := font.Fold(name); {
		case k == whole:
			return 0
		case strings.HasPrefix(k, whole):
			return 1
		}
		for _, part := range strings.Fields(name) {
			if len(words) > 0 && strings.HasPrefix(part, words[0]) {
				return 2
			}
		}
		return 3
	}
	var ranked [4]List
	for i := range l {
		f := &l[i]
		if category != "" && f.Category != category || script != "" && !slices.Contains(f.Scripts, script) {
			continue
		}
		if r := rank(f); r >= 0 {
			ranked[r] = append(ranked[r], *f)
		}
	}
	return slices.Concat(ranked[:]...)
}

// Names lists the families.
func (l List) Names() []string {
	out := make([]string, len(l))
	for i := range l {
		out[i] = l[i].Family
	}
	return out
}

// styleNames are the words the npm packages of the catalogue write a weight in.
var styleNames = [9]string{"Thin", "ExtraLight", "Light", "Regular", "Medium", "SemiBold", "Bold", "ExtraBold", "Black"}

// The first lines of a list may say where the files lie and of which families
// there are any.
const (
	filesLine   = "# files: "
	foldersLine = "# folders: "
	noFiles     = "none"
)

// Place is where the files of a list lie.
type Place struct {
	// Base is the address, ending in a slash, below which they lie, or that of a
	// folder beside the list; "" where there are none.
	Base string
	// Folders are those of the families that are there, sorted; nil for every one.
	Folders []string
}

// Has tells whether the files of a family are there.
func (p Place) Has(f *Family) bool {
	if p.Base == "" || p.Folders == nil {
		return p.Base != ""
	}
	_, ok := slices.BinarySearch(p.Folders, f.folder())
	return ok
}

// WithPlace is a list that says where the files of its families lie, whatever it
// said before.
func WithPlace(text string, p Place) string {
	for strings.HasPrefix(text, filesLine) || strings.HasPrefix(text, foldersLine) {
		_, text, _ = strings.Cut(text, "\n")
	}
	if p.Base == "" {
		return filesLine + noFiles + "\n" + text
	}
	head := filesLine + strings.TrimRight(p.Base, "/") + "/\n"
	if p.Folders != nil {
		head += foldersLine + strings.Join(p.Folders, " ") + "\n"
	}
	return head + text
}

// PlaceOf reads where the files of a list lie; a list that does not say has none.
func PlaceOf(text string) Place {
	rest, ok := strings.CutPrefix(text, filesLine)
	if !ok {
		return Place{}
	}
	base, rest, _ := strings.Cut(rest, "\n")
	if base = strings.TrimSpace(base); base == noFiles {
		return Place{}
	}
	p := Place{Base: base}
	if rest, ok = strings.CutPrefix(rest, foldersLine); ok {
		folders, _, _ := strings.Cut(rest, "\n")
		p.Folders = append([]string{}, strings.Fields(folders)...)
		slices.Sort(p.Folders)
	}
	return p
}

// folder is that of the family among the npm packages.
func (f *Family) folder() string {
	return strings.ToLower(strings.ReplaceAll(f.Family, " ", "-"))
}

// Path is where a face lies below the base address of the catalogue's files: as
// in the npm packages @expo-google-fonts, whole files, one a style.
// weight is one of the family's.
func (f *Family) Path(weight int, italic bool) string {
	style := fmt.Sprintf("%d%s", weight, styleNames[min(max(weight/100-1, 0), 8)])
	if italic {
		style += "_Italic"
	}
	short := strings.ReplaceAll(f.Family, " ", "")
	return f.folder() + "/" + style + "/" + short + "_" + style + ".ttf"
}

// Nearest returns the style of the family that serves a request best.
func (f *Family) Nearest(weight int, italic bool) (int, bool) {
	var styles []font.Style
	for _, w := range f.Weights {
		styles = append(styles, font.Style{Weight: w})
	}
	for _, w := range f.Italics {
		styles = append(styles, font.Style{Weight: w, Italic: true})
	}
	i := font.Nearest(styles, weight, italic)
	if i < 0 {
		return 400, false
	}
	return styles[i].Weight, styles[i].Italic
}
