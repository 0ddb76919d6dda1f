package cite

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Library gives the styles and the words of languages: files NAME.csl in styles,
// LANGUAGE.txt in terms, one after the other, each behind FileMark and its name on a
// line. Package library sets it, or a program that fetches them. A failure is asked
// again for the next book that cites.
var Library func() (string, error)

// FileMark begins a file of the library.
const FileMark = "\x1e"

// ErrLibrary is matched by the fault of a set that is cited without the library.
var ErrLibrary = errors.New("the citation styles cannot be had")

// library keeps the files of the library, and the styles among them that have been read.
var library struct {
	sync.Mutex
	files  map[string]string
	styles map[string]*style
	shared map[string]*element
}

// file is one of the library's, "" when there is none of the name.
func file(name string) (string, error) {
	library.Lock()
	defer library.Unlock()
	if library.files == nil {
		if Library == nil {
			return "", fmt.Errorf("%w: the program has none", ErrLibrary)
		}
		text, err := Library()
		if err != nil {
			return "", fmt.Errorf("%w (%w)", ErrLibrary, err)
		}
		files := map[string]string{}
		for _, f := range strings.Split(text, FileMark)[1:] {
			name, data, _ := strings.Cut(f, "\n")
			files[name] = data
		}
		library.files = files
	}
	return library.files[name], nil
}

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

// own reads a style of the library. Where there is no library it is the bare one.
func own(name string) (*style, error) {
	common, err := file("styles/common.csl")
	if err != nil {
		return bare(), err
	}
	text, err := file("styles/" + name + ".csl")
	if err != nil {
		return bare(), err
	}
	library.Lock()
	defer library.Unlock()
	if s := library.styles[name]; s != nil {
		return s, nil
	}
	if library.shared == nil {
		shared := map[string]*element{}
		for _, m := range mustRead(common).all("macro") {
			shared[m.get("name")] = m
		}
		library.shared, library.styles = shared, map[string]*style{}
	}
	s, err := parseStyle(text, library.shared)
	if err != nil {
		return bare(), fmt.Errorf("%w (%w)", ErrLibrary, err)
	}
	library.styles[name] = s
	return s, nil
}

// bare names a work by its author and year where there is no style to be had, in the
// list by its title, too.
var bare = sync.OnceValue(func() *style {
	s, err := parseStyle(`<style class="in-text" version="1.0">
<macro name="who"><names variable="author"><name form="short"/><substitute><names variable="editor"/><text variable="title"/></substitute></names></macro>
<macro name="when"><date variable="issued"><date-part name="year"/></date></macro>
<citation><layout prefix="(" suffix=")" delimiter="; "><group delimiter=", "><text macro="who"/><text macro="when"/><text variable="locator"/></group></layout></citation>
<bibliography><layout suffix="."><group delimiter=". "><text macro="who"/><text variable="title"/><text macro="when"/><text variable="URL"/></group></layout></bibliography></style>`, nil)
	if err != nil {
		panic(err) // it is a constant
	}
	return s
})

// custom keeps the last style of a book that was read: a book is cited by one.
var custom struct {
	sync.Mutex
	src   string
	style *style
	err   error
}

// styleFor finds the style of the options; where it is not to be had it is the
// first, and the error says why. Without a library it is the bare one.
func styleFor(o Options) (*style, error) {
	instead := func(err error) (*style, error) {
		s, fault := own(known[0].file)
		if fault != nil {
			err = fault
		}
		return s, err
	}
	if o.Style == "custom" {
		if strings.TrimSpace(o.Custom) == "" {
			return instead(errors.New("there is no style in citations.customStyle: put the text of a .csl file there"))
		}
		custom.Lock()
		defer custom.Unlock()
		if custom.src != o.Custom {
			custom.src = o.Custom
			custom.style, custom.err = parseStyle(o.Custom, nil)
		}
		if custom.err != nil {
			return instead(fmt.Errorf("citations.customStyle cannot be read: %w", custom.err))
		}
		return custom.style, nil
	}
	for _, k := range known {
		if family, ok := strings.CutSuffix(k.id, "*"); k.id == o.Style || ok && strings.HasPrefix(o.Style, family) {
			return own(k.file)
		}
	}
	if o.Style == "" {
		return own(known[0].file)
	}
	return instead(fmt.Errorf("the citation style %q is not there. There are %s; any other is given as CSL text in citations.customStyle, with citations.style set to custom",
		o.Style, strings.Join(Styles(), ", ")))
}

// Unusable says why a style cannot be cited in and which is instead; nil when it can.
func Unusable(style, custom string) error {
	if _, err := styleFor(Options{Style: style, Custom: custom}); err != nil {
		return errors.New(Instead(err))
	}
	return nil
}

// Instead is the fault of a set with how its works are cited instead.
func Instead(fault error) string {
	if errors.Is(fault, ErrLibrary) {
		return "works are cited by author and year alone: " + fault.Error()
	}
	return "works are cited in " + known[0].id + ": " + fault.Error()
}

// Notes reports whether a style cites in notes.
func Notes(style, custom string) bool {
	s, _ := styleFor(Options{Style: style, Custom: custom})
	return s.notes
}
