package settings

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The table is held against the catalogue it follows, settings.md, setting by
// setting: which there are, their types, defaults, words, bounds and priorities.

// specRow is one setting as a row of the catalogue has it.
type specRow struct {
	section, path        string
	typ, def, values     string
	words                []string
	follows              string
	priority             string
	hasType, hasPriority bool
}

var (
	specKeys = regexp.MustCompile(`\[[^\]]*\]`)
	ticked   = regexp.MustCompile("`([^`]*)`")
	inParens = regexp.MustCompile(`\([^)]*\)`)
)

// specPattern writes a path of the catalogue as a pattern.
func specPattern(s string) string { return specKeys.ReplaceAllString(s, "[]") }

// specReadings are the places where the catalogue says in words what the test
// reads as something else, or one cell speaks of several settings.
var specReadings = map[string]string{
	"page.width":                                  "the preset's width", // the default is the derived one
	"page.height":                                 "the preset's height",
	"header.elements[].placement.anchor.to":       "the last word stands for any id",
	"header.elements[].content":                   "the words are placeholders",
	"header.elements[].direction":                 "texts and rules share the name",
	"bodyText.color":                              "black in the cmyk model",
	"bodyText.referenceColor":                     "boldColor when set",
	"bodyText.textAlign":                          "center and right are for styles",
	"bodyText.hyphenation.locale":                 "the languages there are patterns for",
	"locale":                                      "the bundle's or the interface's language before en-us",
	"numerals":                                    "the last word is a warning",
	"direction":                                   "the last word is a warning",
	"paragraphStyles[].dropCap.sink":              "as many as lines",
	"headingStyles[].numberingTemplate":           "a field of the level",
	"headingStyles[].palette":                     "an empty map is none",
	"math.equationNumbering.resetOn":              "h1 to h6",
	"resourceTypes[].resetOn":                     "h1 to h6",
	"calloutStyles[].numbering.suffix":            "the words belong to placement",
	"toc.pageNumber.fontFamily":                   "the default belongs to italic",
	"toc.pageNumber.fontSize":                     "the default belongs to italic",
	"toc.pageNumber.fontWeight":                   "the default belongs to italic",
	"toc.pageNumber.color":                        "the default belongs to italic",
	"index.groups.fontFamily":                     "the default belongs to fontWeight",
	"index.groups.fontSize":                       "the default belongs to fontWeight",
	"index.groups.color":                          "the default belongs to fontWeight",
	"index.ignoreArticle":                         "on in Arabic only",
	"footnotes.numbering":                         "page for symbols",
	"footnotes.symbols":                           "a list written as a text",
	"resourceTypes[].numberingTemplate":           "the words are placeholders",
	"resourceTypes[].defaultPlacement.shrink":     "the layout's",
	"resourceTypes[].defaultPlacement.minScale":   "the layout's",
	"resourceTypes[].defaultPlacement.wrapGap":    "the layout's",
	"resourceTypes[].defaultPlacement.citingPage": "the layout's",
	"captionStyle.labelSeparator":                 "another one in Japanese",
	"colorPalette[].id":                           "of the built-in entry",
	"colorPalette[].name":                         "of the built-in entry",
	"colorPalette[].value":                        "of the built-in entry",
}

// specPrefix tells under what the rows of a section stand that do not say so.
var specPrefix = map[string]string{
	"7.1": "header.elements[].", "7.2": "header.elements[].", "7.3": "header.elements[].",
	"8.5": "paragraphStyles[].dropCap.", "22": "lineNumbers.", "29": "videoStyle.", "35": "folio.", "38": "comics.",
}

var specUnder = regexp.MustCompile("under `([^`]*)`")

func readSpec(t *testing.T) []specRow {
	data, err := os.ReadFile("../../../shared/spec/settings.md")
	if err != nil {
		t.Skip("the catalogue is not here")
	}
	var out []specRow
	section := ""
	var columns []string
	prefix := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "#") {
			section = strings.TrimRight(strings.Fields(strings.TrimLeft(line, "# "))[0], ".")
			columns = nil
			continue
		}
		if !strings.HasPrefix(line, "|") {
			columns = nil
			continue
		}
		cells := strings.Split(strings.Trim(strings.ReplaceAll(line, `\|`, "¦"), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if columns == nil {
			columns = cells
			prefix = specPrefix[section]
			if m := specUnder.FindStringSubmatch(cells[0]); m != nil && !strings.HasPrefix(m[1], "…") {
				prefix = specPattern(m[1]) + "."
			}
			if section == "25" && cells[0] == "Field" {
				prefix = "resourceTypes[].defaultPlacement."
			}
			continue
		}
		if strings.HasPrefix(cells[0], "---") || !strings.HasPrefix(columns[0], "Path") && columns[0] != "Field" {
			continue
		}
		n, err := strconv.ParseFloat(section, 64)
		if err != nil || n < 5 || section == "34" {
			continue
		}
		out = append(out, specRowsOf(section, prefix, columns, cells)...)
	}
	return out
}

func specRowsOf(section, prefix string, columns, cells []string) []specRow {
	column := func(name string) (string, bool) {
		for i, c := range columns {
			if strings.HasPrefix(c, name) && i < len(cells) {
				return cells[i], true
			}
		}
		return "", false
	}
	typ, hasType := column("Type")
	def, _ := column("Default")
	values, _ := column("Values")
	p, hasP := column("P")
	if columns[0] == "P" || strings.HasPrefix(columns[len(columns)-1], "auto") {
		p, hasP = "", false
	}
	if c := columns[len(columns)-1]; c == "P" {
		p, hasP = cells[len(cells)-1], true
	}
	head, levels, isLevels := strings.Cut(cells[0], "]`: ")
	var paths []string
	base := ""
	names := ticked.FindAllStringSubmatch(cells[0], -1)
	if isLevels {
		base = specPattern(strings.Trim(head, "`")+"]") + "."
		names = ticked.FindAllStringSubmatch(levels, -1)
	}
	for _, m := range names {
		name := strings.TrimPrefix(specPattern(m[1]), "…tabStops")
		if name != specPattern(m[1]) {
			name = "bodyText.tabStops" + name
		}
		switch {
		case isLevels:
			name = base + name
		case strings.HasPrefix(name, "."):
			name = base + name[1:]
		case len(paths) > 0 && At(prefix+name) == nil && At(base+name) != nil:
			name = base + name
		default:
			name = prefix + name
		}
		paths = append(paths, name)
		if !isLevels && len(paths) == 1 {
			base = name[:strings.LastIndexByte(name, '.')+1]
		}
	}
	var out []specRow
	defs := ticked.FindAllStringSubmatch(inParens.ReplaceAllString(def, ""), -1)
	parts := strings.Split(def, ", ")
	for i, path := range paths {
		if strings.Contains(path, "<") || strings.Contains(path, "*") || strings.Contains(path, "KIND") {
			continue
		}
		r := specRow{section: section, path: path, typ: typ, hasType: hasType && typ != "", values: values, priority: p, hasPriority: hasP}
		switch {
		case len(paths) == 1 && len(defs) == 1 && strings.HasPrefix(def, "`"), len(paths) > 1 && len(defs) == 1 && len(parts) == 1:
			r.def = defs[0][1]
		case len(defs) == len(paths) && len(parts) == len(paths):
			r.def = defs[i][1]
		case len(parts) == len(paths) && len(paths) > 1:
			if m := ticked.FindStringSubmatch(parts[i]); m != nil {
				r.def = m[1]
			} else if parts[i] == "main" {
				r.def = "main"
			}
		case def == "main" || strings.HasPrefix(def, "`#000000` (cmyk)"):
			r.def = map[bool]string{true: "main", false: "black"}[def == "main"]
		}
		r.follows, _ = column("Unset")
		for _, m := range ticked.FindAllStringSubmatch(values, -1) {
			r.words = append(r.words, m[1])
		}
		out = append(out, r)
	}
	return out
}

// specTypes are the types a word of the catalogue may stand for.
var specTypes = map[string][]Type{
	"length": {Length, Mixed}, "boolean": {Bool, AutoBool}, "integer": {Integer}, "colour": {Color},
	"number":           {Number, Integer, Weight, Mixed},
	"string":           {String, Enum, Family, Format, Parity},
	"list":             {List, Items},
	"object":           {Object, Free},
	"slot":             {Object},
	"length or string": {Length, Mixed}, "string or number": {Mixed}, "length or number": {Mixed},
	"number or length": {Mixed}, "object or `false`": {Object}, "string or `false`": {String},
	"integer or `line`": {Mixed}, "number, string": {Weight, Enum}, "colour / length": {Color, Length},
	"length, colour, boolean": {Length, Color, Bool}, "map id → hex": {Free}, "as 10.1": {Family, Length, Color, Weight, Bool},
	"partial configuration without `htmlViewer`": {Free}, "CMYK": {Free},
}

func TestTheTableIsTheCatalogue(t *testing.T) {
	rows := readSpec(t)
	said := map[string]bool{}
	for _, r := range rows {
		s := At(r.path)
		if s == nil {
			t.Errorf("%s: %s is missing", r.section, r.path)
			continue
		}
		said[r.path] = true
		typ := strings.TrimSpace(inParens.ReplaceAllString(r.typ, ""))
		if kinds, ok := specTypes[typ]; r.hasType && !ok {
			t.Errorf("%s: %s has the type %q, which the test cannot read", r.section, r.path, typ)
		} else if r.hasType && !slices.Contains(kinds, s.Type) {
			t.Errorf("%s: %s is %s, the table says %s", r.section, r.path, typ, s.Type)
		}
		if specReadings[r.path] != "" {
			continue
		}
		if d := specDefault(r, s); d != "" {
			t.Errorf("%s: %s %s", r.section, r.path, d)
		}
		if d := specBounds(r, s); d != "" {
			t.Errorf("%s: %s %s", r.section, r.path, d)
		}
		if w := specWords(r, s); w != "" {
			t.Errorf("%s: %s %s", r.section, r.path, w)
		}
		if f := ticked.FindAllStringSubmatch(r.follows, -1); len(f) == 1 && s.Leaf() && r.follows == f[0][0] {
			want := f[0][1]
			if !strings.HasPrefix(s.Follows+s.FollowsAbout, strings.TrimRight(f[0][1], "*")) && !strings.HasSuffix(s.Follows, "."+want) {
				t.Errorf("%s: %s follows %s, the table says %q", r.section, r.path, r.follows, s.Follows+s.FollowsAbout)
			}
		}
		if r.hasPriority && strings.HasPrefix(r.priority, "P") && s.Leaf() && r.priority != "P"+strconv.Itoa(s.Priority) {
			t.Errorf("%s: %s is %s, the table says P%d", r.section, r.path, r.priority, s.Priority)
		}
	}
	t.Logf("%d rows of the catalogue", len(rows))
	prose := specProse(t, said)
	prose["tableStyle.name"] = true // 27: named styles add id and name
	for _, s := range All() {
		if p := modelOf(s.Path); !said[p] && !itemKey(p) && !prose[p] {
			t.Errorf("%s is no setting of the catalogue", s.Path)
		}
	}
}

// modelOf is the setting of the catalogue that another takes its fields from.
func modelOf(path string) string {
	for _, m := range [...][2]string{
		{"headingStyles[].layout.", "layout."}, {"headingStyles[].margins.", "page.margins."}, {"parts.margins.", "page.margins."},
		{"comics.frame.margins.", "page.margins."}, {"headingStyles[].bodyStyle.", "parts.bodyStyle."},
		{"parts.bodyStyle.unorderedLists.", "unorderedLists."}, {"parts.bodyStyle.orderedLists.", "orderedLists."},
		{"resourceTypes[].captionStyle.", "captionStyle."}, {"tableStyles[].", "tableStyle."},
		{"codeStyle.titleStyle.", "calloutStyles[].titleStyle."}, {"codeStyle.label.", "calloutStyles[].label."},
		{"paragraphStyles[].tabStops[].", "bodyText.tabStops[]."}, {"calloutStyles[].body.tabStops[].", "bodyText.tabStops[]."},
		{"comics.panelStyles[].", "comics.panel."},
		{"toc.unnumbered.", "toc.levels[]."},
	} {
		if rest, ok := strings.CutPrefix(path, m[0]); ok {
			path = m[1] + rest
		}
	}
	if at := strings.Index(path, ".elements[]."); at >= 0 {
		return "header" + path[at:]
	}
	if at := strings.Index(path, ".dropCap."); at >= 0 {
		return "paragraphStyles[]" + path[at:]
	}
	if rest, ok := strings.CutPrefix(path, "headingStyles[]."); ok && At("headings.levels[]."+rest) != nil {
		return "headings.levels[]." + rest
	}
	return path
}

// specProse reads the sections written as running text: "`name` `default`
// (`word`, `word`)". It returns the settings named.
func specProse(t *testing.T, said map[string]bool) map[string]bool {
	data, err := os.ReadFile("../../../shared/spec/settings.md")
	if err != nil {
		t.Skip("the catalogue is not here")
	}
	out := map[string]bool{}
	section := ""
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			section = strings.TrimRight(strings.Fields(strings.TrimLeft(line, "# "))[0], ".")
			continue
		}
		prefix := specPrefix[section]
		switch section {
		case "16": // the kinds of tokens
			if strings.HasPrefix(line, "Token defaults") {
				for _, k := range tokenKinds {
					if !strings.Contains(line, k[0]) || k[1] != "" && !strings.Contains(line, "`"+k[1]+"`") {
						t.Errorf("16: the token %s", k[0])
					}
					for _, f := range [...]string{".color", ".bold", ".italic"} {
						out["codeStyle.tokens."+k[0]+f] = true
					}
				}
			}
			continue
		case "22", "29", "35", "38":
		default:
			continue
		}
		if strings.HasPrefix(line, "Built-in differences") {
			continue
		}
		group := ""
		for _, m := range proseItem.FindAllStringSubmatch(line, -1) {
			name, colon, def := specPattern(m[1]), m[2] != "", m[4]
			if full := prefix + name; (colon || strings.Contains(line, "`"+m[1]+"` (`panel`")) && At(full) != nil && !At(full).Leaf() {
				group = name + "."
				if At(full).Type == Items {
					group = name + "[]."
				}
				continue
			}
			at := ""
			for _, p := range [...]string{prefix + group + name, prefix + "panel." + name, prefix + "balloonStyles[]." + name, prefix + "cast[]." + name, prefix + name} {
				if At(p) != nil && (!strings.HasPrefix(p, prefix+"panel.") || strings.HasPrefix(line, "Panel")) &&
					(!strings.HasPrefix(p, prefix+"balloonStyles[].") || strings.HasPrefix(line, "`balloonStyles")) &&
					(!strings.HasPrefix(p, prefix+"cast[].") || strings.HasPrefix(line, "`cast")) {
					at = p
					break
				}
			}
			if at == "" || out[at] {
				continue // a default or a word
			}
			out[at] = true
			s := At(at)
			if def != "" && s.Leaf() && s.def != nil {
				r := specRow{path: at, def: def}
				if d := specDefault(r, s); d != "" && !strings.Contains(d, "cannot be read") {
					t.Errorf("%s: %s %s", section, at, d)
				}
			}
			if words := ticked.FindAllStringSubmatch(m[5], -1); len(words) > 1 && s.Type == Enum {
				for _, w := range words {
					if !slices.Contains(s.Enum, w[1]) {
						t.Errorf("%s: %s may be %q", section, at, w[1])
					}
				}
			}
		}
	}
	return out
}

var proseItem = regexp.MustCompile("`([A-Za-z.\\[\\]=]+)`(?:(:)|( `([^`]*)`(?: \\(([^)]*)\\))?)?)")

func specDefault(r specRow, s *Setting) string {
	if r.def == "" || !s.Leaf() {
		return ""
	}
	if strings.HasPrefix(r.def, "= ") {
		return ""
	}
	have := ""
	if s.def != nil {
		have = s.def.String()
	}
	def := r.def
	if def == "''" {
		def = `""`
	}
	if s.Type == Length && (def == "0" || def == "0pt" || def == "0em") {
		if x, _, ok := readLength(s.def); ok && x == 0 {
			return ""
		}
	}
	if def == "auto" && s.FollowsAbout != "" && s.def == nil {
		return ""
	}
	want := func() (n *node) {
		defer func() {
			if recover() != nil {
				n = nil
			}
		}()
		return s.parseDefault(def)
	}()
	if want == nil {
		return "has the default " + strconv.Quote(r.def) + ", which cannot be read"
	}
	if want.String() != have {
		return "has the default " + want.String() + ", the table says " + have
	}
	return ""
}

var bound = regexp.MustCompile(`(≥|≤|>|<) ?([0-9.]+)`)

func specBounds(r specRow, s *Setting) string {
	if !s.Leaf() || s.Type == Weight || s.Type == Mixed {
		return ""
	}
	b := s.Bounds
	num := func(x string) float64 { v, _ := strconv.ParseFloat(x, 64); return v }
	values := strings.Split(r.values, ";")[0]
	values = inParens.ReplaceAllStringFunc(values, func(p string) string {
		if strings.Contains(p, "≥") {
			return ""
		}
		return p
	})
	for _, m := range bound.FindAllStringSubmatch(values, -1) {
		v := num(m[2])
		ok := true
		switch m[1] {
		case "≥":
			ok = b.HasMin && b.Min == v && !b.OpenMin
		case ">":
			ok = b.HasMin && b.Min == v && b.OpenMin
		case "≤":
			ok = b.HasMax && b.Max == v && !b.OpenMax
		case "<":
			ok = b.HasMax && b.Max == v && b.OpenMax
		}
		if !ok && !strings.Contains(r.values, "half") && !strings.Contains(r.values, "%") {
			return "is " + m[0] + ", the table says " + strconv.Quote(b.String())
		}
	}
	if m := regexp.MustCompile(`^([(]?)([0-9.]+)(?:–|, )([0-9.]+)([)\]]?)`).FindStringSubmatch(strings.TrimSpace(values)); m != nil && len(r.words) == 0 && len(s.Enum) == 0 {
		if !b.HasMin || !b.HasMax || b.Min != num(m[2]) || b.Max != num(m[3]) || b.OpenMin != (m[1] == "(") || b.OpenMax != (m[4] == ")") {
			return "goes " + m[0] + ", the table says " + strconv.Quote(b.String())
		}
	}
	return ""
}

func specWords(r specRow, s *Setting) string {
	if s.Type == Enum || s.Type == Parity {
		for _, w := range r.words {
			if !slices.Contains(s.Enum, w) && w != s.Path {
				return "may be " + strconv.Quote(w) + ", the table says " + strings.Join(s.Enum, ", ")
			}
		}
		for _, w := range s.Enum {
			if w == "auto" && r.section == "37" {
				continue // its default, in another column
			}
			if len(r.words) > 1 && !slices.Contains(r.words, w) {
				return "may not be " + strconv.Quote(w) + ": it is " + strings.Join(r.words, ", ")
			}
		}
		return ""
	}
	if s.Type == String && len(r.words) > 1 && len(s.Enum) == 0 {
		return "has words (" + strings.Join(r.words, ", ") + ") the table does not know"
	}
	return ""
}
