package cite

import (
	"embed"
	"errors"
	"fmt"
	"strings"
	"sync"
)

//go:embed styles/*.csl
var files embed.FS

// known are the ids of styles with their files, the default first. An id that ends
// in * is one of a family: what follows in it names a language or an edition, in
// which the family's styles do not differ.
var known = [...]struct{ id, file string }{
	{"apa", "apa"},
	{"chicago-author-date", "chicago-author-date"},
	{"chicago-notes-bibliography", "chicago-notes-bibliography"},
	{"harvard-cite-them-right", "harvard-cite-them-right"},
	{"modern-language-association", "modern-language-association"},
	{"ieee", "ieee"},
	{"elsevier-vancouver", "elsevier-vancouver"},
	{"vancouver", "elsevier-vancouver"},
	{"american-medical-association", "american-medical-association"},
	{"nature", "nature"},
	{"oscola", "oscola"},
	{"iso690-author-date*", "iso690-author-date"},
	{"iso690-numeric*", "iso690-numeric"},
	{"iso690-note*", "iso690-note"},
	{"iso690-full-note*", "iso690-note"},
	{"china-national-standard-gb-t-7714-2015-numeric*", "gb7714-numeric"},
	{"china-national-standard-gb-t-7714-2015-author-date*", "gb7714-author-date"},
	{"china-national-standard-gb-t-7714-2015-note*", "gb7714-note"},
	{"china-national-standard-gb-t-7714-2025-numeric*", "gb7714-numeric"},
	{"china-national-standard-gb-t-7714-2025-author-date*", "gb7714-author-date"},
	{"china-national-standard-gb-t-7714-2025-note*", "gb7714-note"},
	{"sist02", "sist02"},
}

// Styles lists the ids of the styles, the default first.
func Styles() []string {
	var out []string
	for _, k := range known {
		out = append(out, strings.TrimSuffix(k.id, "*"))
	}
	return out
}

// parsed keeps the styles of the program that have been read.
var parsed struct {
	sync.Mutex
	styles map[string]*style
	shared map[string]*element
}

// own reads a style of the program.
func own(file string) *style {
	parsed.Lock()
	defer parsed.Unlock()
	if s := parsed.styles[file]; s != nil {
		return s
	}
	read := func(name string) string {
		data, err := files.ReadFile("styles/" + name + ".csl")
		if err != nil {
			panic(err) // it is built in
		}
		return string(data)
	}
	if parsed.shared == nil {
		parsed.styles, parsed.shared = map[string]*style{}, map[string]*element{}
		for _, m := range mustRead(read("common")).all("macro") {
			parsed.shared[m.get("name")] = m
		}
	}
	s, err := parseStyle(read(file), parsed.shared)
	if err != nil {
		panic(err)
	}
	parsed.styles[file] = s
	return s
}

// custom keeps the last style of a book that was read: a book is cited by one.
var custom struct {
	sync.Mutex
	src   string
	style *style
	err   error
}

// styleFor finds the style of the options; where it is not to be had it is the
// first, and the error says why.
func styleFor(o Options) (*style, error) {
	if o.Style == "custom" {
		if strings.TrimSpace(o.Custom) == "" {
			return own(known[0].file), errors.New("there is no style in citations.customStyle: put the text of a .csl file there")
		}
		custom.Lock()
		defer custom.Unlock()
		if custom.src != o.Custom {
			custom.src = o.Custom
			custom.style, custom.err = parseStyle(o.Custom, nil)
		}
		if custom.err != nil {
			return own(known[0].file), fmt.Errorf("citations.customStyle cannot be read: %w", custom.err)
		}
		return custom.style, nil
	}
	for _, k := range known {
		if family, ok := strings.CutSuffix(k.id, "*"); k.id == o.Style || ok && strings.HasPrefix(o.Style, family) {
			return own(k.file), nil
		}
	}
	if o.Style == "" {
		return own(known[0].file), nil
	}
	return own(known[0].file), fmt.Errorf("the citation style %q is not there. There are %s; any other is given as CSL text in citations.customStyle, with citations.style set to custom",
		o.Style, strings.Join(Styles(), ", "))
}

// Unusable says why a style cannot be cited in and which is instead; nil when it can.
func Unusable(style, custom string) error {
	if _, err := styleFor(Options{Style: style, Custom: custom}); err != nil {
		return fmt.Errorf("works are cited in %s: %w", known[0].id, err)
	}
	return nil
}

// Notes reports whether a style cites in notes.
func Notes(style, custom string) bool {
	s, _ := styleFor(Options{Style: style, Custom: custom})
	return s.notes
}
