package book

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Drawings come from anywhere and go on to anywhere: into a window, an EPUB, other
// people's programs. So what is no drawing in them is taken out when they come in:
// scripts, event handlers, foreign content, whatever points outside the file, and
// document types with their entities. A drawing without any keeps its bytes.

// CleanSVG gives the drawing without what could do harm, and names what was taken
// out. It refuses a file that is no well-formed XML with svg as its root, and one
// whose entities would have to be unfolded in one another.
func CleanSVG(data []byte) (clean []byte, took []string, err error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	c := svgCleaner{src: data, took: map[string]bool{}}
	if c.src, err = c.unfold(data); err != nil {
		return nil, nil, err
	}
	if err = c.run(); err != nil {
		return nil, nil, err
	}
	if len(c.took) == 0 {
		return data, nil, nil
	}
	for what := range c.took {
		took = append(took, what)
	}
	slices.Sort(took)
	return c.out.Bytes(), took, nil
}

type svgCleaner struct {
	src  []byte
	out  bytes.Buffer
	took map[string]bool
}

var (
	doctype = regexp.MustCompile(`(?s)<!DOCTYPE\s[^\[>]*\[(.*?)\]\s*>`)
	entity  = regexp.MustCompile(`<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>`)
)

// Limits of the entities a drawing may declare: drawing programs abbreviate their
// namespaces with them.
const maxEntities, maxEntity = 100, 500

var errEntities = errors.New("it declares entities of its own (<!ENTITY …>) that stand for more than a short text: save it with their text in their places")

// unfold puts the text of short plain entities in their places.
func (c *svgCleaner) unfold(data []byte) ([]byte, error) {
	upper := bytes.ToUpper(data[:min(len(data), 1<<20)])
	n := bytes.Count(upper, []byte("<!ENTITY"))
	if n == 0 {
		return data, nil
	}
	inner := doctype.FindSubmatch(data)
	if inner == nil {
		return nil, errEntities
	}
	found := entity.FindAllSubmatch(inner[1], -1)
	if len(found) != n || n > maxEntities {
		return nil, errEntities
	}
	var pairs []string
	grows := 0
	for _, f := range found {
		value := string(f[2]) + string(f[3])
		if len(value) > maxEntity || strings.ContainsAny(value, "&<%\"'") {
			return nil, errEntities
		}
		name := "&" + string(f[1]) + ";"
		grows += bytes.Count(data, []byte(name)) * len(value)
		pairs = append(pairs, name, value)
	}
	if grows > 1<<20 {
		return nil, errEntities
	}
	c.took["entities"] = true
	return []byte(strings.NewReplacer(pairs...).Replace(string(data))), nil
}

// droppedElements are left out with all that is in them.
var droppedElements = map[string]string{
	"script": "scripts", "handler": "scripts", "listener": "scripts",
	"foreignObject": "foreign content", "iframe": "foreign content", "object": "foreign content", "embed": "foreign content",
	"audio": "foreign content", "video": "foreign content",
}

// maxNested is how deeply the elements of a drawing may be nested.
const maxNested = 1000

func (c *svgCleaner) run() error {
	d := xml.NewDecoder(bytes.NewReader(c.src))
	depth, gone := 0, 0 // gone: the depth at which an element is being left out
	roots, style := 0, false
	for {
		from := d.InputOffset()
		t, err := d.Token()
		raw := c.src[from:d.InputOffset()]
		if err == io.EOF {
			break
		}
		if err != nil {
			return malformed(err)
		}
		keep := gone == 0
		switch t := t.(type) {
		case xml.StartElement:
			if depth++; depth > maxNested {
				return errors.New("its elements are nested too deeply")
			}
			if depth == 1 {
				if roots++; roots > 1 || t.Name.Local != "svg" {
					return errors.New("its root is not one svg element")
				}
			}
			if !keep {
				break
			}
			what, is := droppedElements[t.Name.Local]
			if !is && animatesLink(t) {
				what, is = "references to other files", true
			}
			if is {
				c.took[what] = true
				gone, keep = depth, false
				break
			}
			style = t.Name.Local == "style"
			raw = c.attributes(raw)
		case xml.EndElement:
			if depth == gone {
				gone = 0
			}
			depth--
			style = false
		case xml.ProcInst:
			if t.Target != "xml" {
				c.took["references to other files"] = true
				keep = false
			}
		case xml.Directive:
			c.took["a document type"] = true
			keep = false
		case xml.CharData:
			if style && keep {
				if text, changed := cleanCSS(string(t)); changed {
					c.took["references to other files"] = true
					var b bytes.Buffer
					if err := xml.EscapeText(&b, []byte(text)); err != nil {
						return err
					}
					raw = b.Bytes()
				}
			}
		}
		if keep {
			c.out.Write(raw)
		}
	}
	if roots == 0 {
		return errors.New("it holds no svg element")
	}
	return nil
}

// malformed says where a file is no XML.
func malformed(err error) error {
	var e *xml.SyntaxError
	if errors.As(err, &e) {
		return fmt.Errorf("it is no well-formed SVG: line %d: %s", e.Line, e.Msg)
	}
	return fmt.Errorf("it is no well-formed SVG: %w", err)
}

// animatesLink reports an animation of a reference.
func animatesLink(t xml.StartElement) bool {
	if t.Name.Local != "set" && !strings.HasPrefix(t.Name.Local, "animate") {
		return false
	}
	for _, a := range t.Attr {
		if a.Name.Local == "attributeName" && (strings.HasSuffix(a.Value, "href") || strings.HasPrefix(strings.ToLower(a.Value), "on")) {
			return true
		}
	}
	return false
}

// rawAttribute finds the attributes of a well-formed opening tag.
var rawAttribute = regexp.MustCompile(`\s*([^\s=/<>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)

// attributes leaves out of an opening tag what acts or points outside.
func (c *svgCleaner) attributes(tag []byte) []byte {
	return rawAttribute.ReplaceAllFunc(tag, func(raw []byte) []byte {
		m := rawAttribute.FindSubmatch(raw)
		name := string(m[1])
		if i := strings.IndexByte(name, ':'); i >= 0 && name != "xml:base" && !strings.HasPrefix(name, "xmlns") {
			name = name[i+1:]
		}
		value := unescaped(string(m[2]) + string(m[3]))
		low := strings.ToLower(name)
		switch {
		case strings.HasPrefix(low, "xmlns"):
			return raw
		case strings.HasPrefix(low, "on"):
			c.took["event handlers"] = true
			return nil
		case low == "href" || low == "src":
			if !inside(value) {
				c.took["references to other files"] = true
				return nil
			}
		case low == "xml:base":
			c.took["references to other files"] = true
			return nil
		default:
			if css, changed := cleanCSS(value); changed {
				c.took["references to other files"] = true
				var b bytes.Buffer
				if xml.EscapeText(&b, []byte(css)) != nil {
					return nil
				}
				return []byte(" " + string(m[1]) + `="` + b.String() + `"`)
			}
		}
		return raw
	})
}

// unescaped is an attribute's value without its character references; named ones
// but the five of XML do not occur in what the decoder has passed.
func unescaped(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return charRef.ReplaceAllStringFunc(s, func(ref string) string {
		name := ref[1 : len(ref)-1]
		if t, ok := fiveEntities[name]; ok {
			return t
		}
		base := 10
		if name = name[1:]; name != "" && name[0] == 'x' {
			name, base = name[1:], 16
		}
		n, err := strconv.ParseInt(name, base, 32)
		if err != nil {
			return ""
		}
		return string(rune(n))
	})
}

var (
	charRef      = regexp.MustCompile(`&(?:#x?[0-9A-Fa-f]+|amp|lt|gt|quot|apos);`)
	fiveEntities = map[string]string{"amp": "&", "lt": "<", "gt": ">", "quot": `"`, "apos": "'"}
)

// inside reports a reference that needs nothing but the file itself.
func inside(ref string) bool {
	ref = strings.TrimSpace(ref)
	if strings.HasPrefix(ref, "#") || ref == "" {
		return true
	}
	low := strings.ToLower(ref[:min(len(ref), 40)])
	for _, kind := range [...]string{"image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "font/", "application/font", "application/x-font"} {
		if strings.HasPrefix(low, "data:"+kind) {
			return true
		}
	}
	return false
}

var (
	cssEscape = regexp.MustCompile(`\\(?:([0-9A-Fa-f]{1,6})\s?|([^0-9A-Fa-f\r\n]))`)
	cssImport = regexp.MustCompile(`(?i)@import[^;]*(?:;|$)`)
	cssURL    = regexp.MustCompile(`(?is)(?:url|src|image|image-set)\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))[^)]*(?:\)|$)`)
	cssWatch  = regexp.MustCompile(`(?i)@import|url\s*\(|src\s*\(|image\s*\(|image-set\s*\(|\\`)
)

// cleanCSS takes out of a style what points outside the file.
func cleanCSS(s string) (string, bool) {
	if !cssWatch.MatchString(s) {
		return s, false
	}
	plain := s
	if strings.Contains(s, `\`) {
		// Escapes can spell anything: what they spell is looked at.
		plain = cssEscape.ReplaceAllStringFunc(s, func(e string) string {
			m := cssEscape.FindStringSubmatch(e)
			if m[1] == "" {
				return m[2]
			}
			n, err := strconv.ParseInt(m[1], 16, 32)
			if err != nil || n < 0x20 {
				return ""
			}
			return string(rune(n))
		})
	}
	clean := cssImport.ReplaceAllString(plain, "")
	clean = cssURL.ReplaceAllStringFunc(clean, func(u string) string {
		m := cssURL.FindStringSubmatch(u)
		if inside(m[1] + m[2] + m[3]) {
			return u
		}
		return "none"
	})
	if clean == plain {
		return s, false // escapes that spell nothing of the kind stay
	}
	return clean, true
}
