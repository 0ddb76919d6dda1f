package markup

import (
	"bufio"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"postext/book/booktest/tree"
)

// The suite: each of CommonMark's examples gives the same structure as there,
// or stands in testdata/commonmark-exceptions.txt with the rule that wins.
// Expected HTML and our tree are both brought to a flat form: block tags, and
// runs of text with the styles and the link they stand in.

type specExample struct {
	number         int
	section        string
	markdown, html string
}

func specExamples(t *testing.T) []specExample {
	path := filepath.Join(tree.Root(t), "web", "node_modules", "commonmark-spec", "spec.txt")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("the CommonMark suite is not installed (%v): run `make test`, which installs the packages of web/ first", err)
	}
	const fence = "````````````````````````````````"
	var list []specExample
	var ex specExample
	state := 0
	section := ""
	for _, l := range strings.Split(strings.ReplaceAll(string(data), "→", "\t"), "\n") {
		switch {
		case state == 0 && strings.HasPrefix(l, fence+" example"):
			state = 1
			ex = specExample{number: len(list) + 1, section: section}
		case state == 0 && strings.HasPrefix(l, "#"):
			section = strings.TrimLeft(l, "# ")
		case state == 1 && l == ".":
			state = 2
		case state == 2 && l == fence:
			list = append(list, ex)
			state = 0
		case state == 1:
			ex.markdown += l + "\n"
		case state == 2:
			ex.html += l + "\n"
		}
	}
	return list
}

// form collects the flat form.
type form struct {
	out   []string
	run   string // text being collected
	key   string // its styles and link
	space bool   // white space waits
	block bool   // a block has just begun or ended
	pre   bool
}

func (f *form) flush() {
	if f.run != "" {
		f.out = append(f.out, fmt.Sprintf("%s%q", f.key, f.run))
	}
	f.run = ""
}

func (f *form) tag(s string) {
	f.flush()
	if n := len(f.out) - 1; s == "</p>" && n >= 0 && f.out[n] == "<p>" {
		f.out = f.out[:n] // a paragraph without text is none
		return
	}
	f.space, f.block = false, true
	f.out = append(f.out, s)
}

// inlineTag is an image or a break: white space beside a break counts for
// nothing.
func (f *form) inlineTag(s string) {
	if f.space && s != "<br>" {
		f.run += " "
	}
	f.flush()
	f.space = false
	f.block = s == "<br>"
	f.out = append(f.out, s)
}

func (f *form) text(s, key string, exact bool) {
	for _, r := range s {
		if !exact && !f.pre && strings.ContainsRune(" \t\n\r", r) {
			if !f.block {
				f.space = true
			}
			continue
		}
		if f.space {
			// White space between two styles belongs to neither.
			if f.key != key {
				f.flush()
				f.out = append(f.out, "_")
				f.key = key
			} else {
				f.run += " "
			}
			f.space = false
		}
		if f.key != key {
			f.flush()
			f.key = key
		}
		f.block = false
		f.run += string(r)
	}
}

func runKey(bold, italic, code bool, link string) string {
	k := ""
	if bold {
		k += "b"
	}
	if italic {
		k += "i"
	}
	if code {
		k += "c"
	}
	if link != "" {
		k += "(" + link + ")"
	}
	return k
}

// formOfHTML reads the expected output.
func formOfHTML(s string) []string {
	var f form
	var bold, italic, code int
	link := ""
	inText := 0 // depth of elements that hold text
	implicit := false
	open := func(tag string) {
		if implicit {
			f.tag("</p>")
			implicit = false
		}
		f.tag(tag)
	}
	for i := 0; i < len(s); {
		if s[i] != '<' {
			n := strings.IndexByte(s[i:], '<')
			if n < 0 {
				n = len(s) - i
			}
			t := html.UnescapeString(s[i : i+n])
			i += n
			if inText == 0 && !implicit {
				if strings.TrimSpace(t) == "" {
					continue
				}
				f.tag("<p>")
				implicit = true
			}
			f.text(t, runKey(bold > 0, italic > 0, code > 0 && !f.pre, link), code > 0 && !f.pre)
			continue
		}
		if strings.HasPrefix(s[i:], "<!--") {
			if n := strings.Index(s[i+2:], "-->"); n >= 0 {
				i += n + 5
				continue
			}
		}
		skipped := false
		for _, m := range [][2]string{{"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"}} {
			if strings.HasPrefix(s[i:], m[0]) {
				if n := strings.Index(s[i:], m[1]); n >= 0 {
					i += n + len(m[1])
					skipped = true
					break
				}
			}
		}
		if skipped {
			continue
		}
		name, closing, end := htmlTag(s, i)
		if end == 0 {
			if inText == 0 && !implicit {
				f.tag("<p>")
				implicit = true
			}
			f.text("<", runKey(bold > 0, italic > 0, code > 0 && !f.pre, link), false)
			i++
			continue
		}
		tag := s[i:end]
		i = end
		step := 1
		if closing {
			step = -1
		}
		switch name {
		case "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre":
			if closing && name == "pre" {
				f.run = strings.TrimSuffix(f.run, "\n")
			}
			inText += step
			if closing {
				f.tag("</" + name + ">")
			} else {
				open("<" + name + ">")
			}
			if name == "pre" {
				f.pre = !closing
			}
		case "blockquote", "ul", "ol":
			t := "<" + name + attrOf(tag, "start") + ">"
			if closing {
				t = "</" + name + ">"
			}
			open(t)
		case "li":
			inText += step
			if closing {
				f.tag("</li>")
			} else {
				open("<li>")
			}
		case "hr":
			open("<hr>")
		case "br":
			f.inlineTag("<br>")
		case "img":
			if inText == 0 && !implicit {
				f.tag("<p>")
				implicit = true
			}
			f.inlineTag(imgForm(attrOf(tag, "src"), attrOf(tag, "alt"), attrOf(tag, "title")) + runKey(false, false, false, link))
		case "em", "i":
			italic += step
		case "strong", "b":
			bold += step
		case "code":
			if f.pre {
				if !closing {
					f.out = append(f.out, attrOf(tag, "class"))
				}
				continue
			}
			code += step
		case "a":
			link = attrOf(tag, "href")
			if !closing && link == "" {
				link = "#"
			}
			if closing {
				link = ""
			}
		}
	}
	if implicit {
		f.tag("</p>")
	}
	f.flush()
	return f.out
}

func imgForm(src, alt, title string) string {
	return fmt.Sprintf("<img %s %q %q>", src, alt, title)
}

func attrOf(tag, name string) string {
	i := strings.Index(tag, " "+name+`="`)
	if i < 0 {
		return ""
	}
	rest := tag[i+len(name)+3:]
	return html.UnescapeString(rest[:strings.IndexByte(rest, '"')])
}

// encodeURL writes a target as CommonMark's renderer does.
func encodeURL(s string) string {
	var sb strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < utf8.RuneSelf && (isAlpha(c) || isDigit(c) || strings.IndexByte("-_.!~*'();/?:@&=+$,#%", c) >= 0) {
			sb.WriteByte(c)
		} else {
			fmt.Fprintf(&sb, "%%%02X", c)
		}
	}
	return sb.String()
}

// formOfTree gives our tree in the same form.
func formOfTree(blocks []*Block) []string {
	var f form
	f.blocks(blocks, false)
	f.flush()
	return f.out
}

func (f *form) blocks(list []*Block, tight bool) {
	for _, b := range list {
		switch b.Kind {
		case Paragraph:
			if !tight {
				f.tag("<p>")
			}
			f.inlines(b.Inlines)
			if !tight {
				f.tag("</p>")
			}
		case Image:
			if !tight {
				f.tag("<p>")
			}
			f.inlineTag(imgForm(encodeURL(b.Target), altText(b.Inlines), b.Title) + runKey(false, false, false, encodeURL(b.Link)))
			if !tight {
				f.tag("</p>")
			}
		case Heading:
			f.tag(fmt.Sprintf("<h%d>", b.Level))
			f.inlines(b.Inlines)
			f.tag(fmt.Sprintf("</h%d>", b.Level))
		case Quote:
			f.tag("<blockquote>")
			f.blocks(b.Children, false)
			f.tag("</blockquote>")
		case List:
			name := "ul"
			start := ""
			if b.Ordered {
				name = "ol"
				if b.First != 1 {
					start = strconv.Itoa(b.First)
				}
			}
			f.tag("<" + name + start + ">")
			for _, it := range b.Children {
				f.tag("<li>")
				f.blocks(it.Children, b.Tight)
				f.tag("</li>")
			}
			f.tag("</" + name + ">")
		case Code:
			f.tag("<pre>")
			class := ""
			if b.Info != "" {
				class = "language-" + b.Info
			}
			f.out = append(f.out, class)
			f.pre = true
			f.text(b.Literal, "", true)
			f.pre = false
			f.tag("</pre>")
		case SceneBreak:
			f.tag("<hr>")
		default:
			f.tag("<" + kindNames[b.Kind] + ">")
			f.blocks(b.Children, false)
		}
	}
}

func altText(list []Inline) string { return strings.ReplaceAll(PlainText(list), "\n", " ") }

func (f *form) inlines(list []Inline) {
	for _, a := range list {
		key := runKey(a.Style&Bold != 0, a.Style&Italic != 0, a.Style&CodeSpan != 0, encodeURL(a.Link))
		for k := range styleNames {
			if s := Style(1) << k; a.Style&s != 0 && s&(Bold|Italic|CodeSpan) == 0 {
				key += styleNames[k]
			}
		}
		switch a.Kind {
		case Text:
			f.text(a.Text, key, a.Style&CodeSpan != 0)
		case Break:
			f.inlineTag("<br>")
		case InlineImg:
			f.inlineTag(imgForm(encodeURL(a.Target), altText(a.Inner.Words), a.Inner.Title) + runKey(false, false, false, encodeURL(a.Link)))
		default:
			f.inlineTag("<" + inlineNames[a.Kind] + " " + a.Text + a.ID + ">")
		}
	}
}

func exceptions(t *testing.T) map[int]string {
	file, err := os.Open("testdata/commonmark-exceptions.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list := map[int]string{}
	sc := bufio.NewScanner(file)
	for sc.Scan() {
		l := strings.TrimSpace(sc.Text())
		if l == "" || l[0] == '#' {
			continue
		}
		number, reason, ok := strings.Cut(l, " ")
		n, err := strconv.Atoi(number)
		if err != nil || !ok || list[n] != "" {
			t.Fatalf("exceptions: %q", l)
		}
		list[n] = reason
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestCommonMarkExamples(t *testing.T) {
	list := specExamples(t)
	if len(list) != 652 {
		t.Fatalf("%d examples, the suite of 0.31.2 has 652", len(list))
	}
	except := exceptions(t)
	for _, ex := range list {
		doc := Parse(ex.markdown, Options{})
		want := strings.Join(formOfHTML(ex.html), " ")
		got := strings.Join(formOfTree(doc.Blocks), " ")
		switch reason := except[ex.number]; {
		case got == want && reason != "":
			t.Errorf("example %d passes: take it off the list (%s)", ex.number, reason)
		case got != want && reason == "":
			t.Errorf("example %d (%s)\n%s\nwant %s\ngot  %s", ex.number, ex.section, ex.markdown, want, got)
		}
	}
}
