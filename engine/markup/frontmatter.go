package markup

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// maxFrontMatter bounds what is given to the YAML reader, in bytes.
const maxFrontMatter = 1 << 20

// frontMatterSpan finds a front matter block: the YAML between two lines of
// three dashes, the first of them the file's first line. body is the offset
// after the closing line; ok is false when there is no front matter.
func frontMatterSpan(src string) (from, to, body int, ok bool) {
	if strings.HasPrefix(src, "\uFEFF") {
		body = len("\uFEFF") // a byte order mark is no text
	}
	line, next := cutLine(src, body)
	if line != "---" {
		return 0, 0, body, false
	}
	for from = next; next < len(src); {
		at := next
		if line, next = cutLine(src, next); line == "---" {
			return from, at, next, true
		}
	}
	return 0, 0, body, false
}

// cutLine returns the line at i without white space at its end, and the offset
// of the next.
func cutLine(src string, i int) (line string, next int) {
	n := strings.IndexByte(src[i:], '\n')
	if n < 0 {
		return strings.TrimRight(src[i:], " \t\r"), len(src)
	}
	return strings.TrimRight(src[i:i+n], " \t\r"), i + n + 1
}

// frontMatter reads the front matter into the document and returns the offset
// where the body starts.
func (p *parser) frontMatter() int {
	from, to, body, ok := frontMatterSpan(p.src)
	if !ok {
		return body
	}
	if !p.o.FirstChapter {
		p.problem("chapterFrontmatterIgnored", "only the first chapter's front matter counts; this one is left out", 0, 0)
		return body
	}
	meta, err := readMeta(p.src[from:to], p.o.Locale)
	if err != nil {
		message := strings.TrimPrefix(err.Error(), "yaml: ")
		p.problem("invalidFrontmatter", message+"; the metadata is not used", from, to, Attr{Key: "message", Value: message})
		return body
	}
	p.doc.Meta = meta
	return body
}

// readMeta reads the YAML of a front matter block.
func readMeta(text, locale string) (meta *Meta, err error) {
	if len(text) > maxFrontMatter {
		return nil, fmt.Errorf("%d bytes of front matter, more than the %d that are read", len(text), maxFrontMatter)
	}
	// The YAML reader is a foreign one and the text anybody's.
	defer func() {
		if r := recover(); r != nil {
			meta, err = nil, fmt.Errorf("the YAML reader gave up: %v", r)
		}
	}()
	var root yaml.Node
	// A line end in the place of the opening dashes: lines in messages count
	// from the file's first.
	if err := yaml.Unmarshal([]byte("\n"+text), &root); err != nil {
		return nil, err
	}
	meta = &Meta{Raw: map[string]any{}}
	if len(root.Content) == 0 {
		return meta, nil
	}
	top := root.Content[0]
	if top.Kind != yaml.MappingNode {
		if top.Kind == yaml.ScalarNode && top.ShortTag() == "!!null" {
			return meta, nil
		}
		return nil, fmt.Errorf("it holds no keys")
	}
	var raw any
	if err := top.Decode(&raw); err != nil {
		return nil, err
	}
	if m, ok := plainYAML(raw).(map[string]any); ok {
		meta.Raw = m
	}
	for i := 0; i+1 < len(top.Content); i += 2 {
		field := map[string]*string{
			"title": &meta.Title, "subtitle": &meta.Subtitle, "author": &meta.Author, "publishDate": &meta.PublishDate,
		}[top.Content[i].Value]
		if field != nil {
			*field = printYAML(top.Content[i+1], locale, 0)
		}
	}
	return meta, nil
}

// plainYAML gives maps string keys, so that every value can be written as JSON.
func plainYAML(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = plainYAML(e)
		}
	case map[any]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[fmt.Sprint(k)] = plainYAML(e)
		}
		return out
	case []any:
		for i, e := range v {
			v[i] = plainYAML(e)
		}
	}
	return v
}

// printYAML is a value as the pages print it (section 1); empty for a map or
// nothing.
func printYAML(n *yaml.Node, locale string, depth int) string {
	if depth > 8 {
		return ""
	}
	switch n.Kind {
	case yaml.AliasNode:
		return printYAML(n.Alias, locale, depth+1)
	case yaml.SequenceNode:
		var parts []string
		for _, e := range n.Content {
			if s := printYAML(e, locale, depth+1); s != "" {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, ", ")
	case yaml.ScalarNode:
		return printScalar(n, locale)
	}
	return ""
}

func printScalar(n *yaml.Node, locale string) string {
	plain := strings.ReplaceAll(n.Value, "_", "")
	switch n.ShortTag() {
	case "!!null":
		return ""
	case "!!bool":
		return strings.ToLower(n.Value)
	case "!!int":
		var i int64
		if n.Decode(&i) == nil {
			return strconv.FormatInt(i, 10)
		}
		if f, err := strconv.ParseFloat(plain, 64); err == nil {
			return formatNumber(f)
		}
	case "!!float":
		if f, err := strconv.ParseFloat(plain, 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return formatNumber(f)
		}
	case "!!timestamp":
		var t time.Time
		if n.Decode(&t) == nil {
			return LongDate(t.UTC(), locale)
		}
	case "!!str":
		if n.Style == 0 {
			if f, ok := baseSixty(plain); ok {
				return formatNumber(f)
			}
		}
	}
	return n.Value
}

func formatNumber(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// baseSixty reads YAML 1.1's base 60 numbers, 1:30 or 1:30.5.
func baseSixty(s string) (f float64, ok bool) {
	negative := strings.HasPrefix(s, "-")
	parts := strings.Split(strings.TrimLeft(s, "+-"), ":")
	if len(parts) < 2 || len(s) > 40 {
		return 0, false
	}
	for k, part := range parts {
		whole, fraction, point := strings.Cut(part, ".")
		if point && k < len(parts)-1 || strings.Trim(whole+fraction, "0123456789") != "" || whole == "" {
			return 0, false
		}
		v, err := strconv.ParseFloat(part, 64)
		if err != nil || k > 0 && (v >= 60 || len(whole) > 2) {
			return 0, false
		}
		f = float64(f*60) + v
	}
	if negative {
		f = -f
	}
	return f, true
}
