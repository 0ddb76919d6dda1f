package markup

import "strings"

// htmlStyles are the tags understood inline (section 19).
var htmlStyles = [...]struct {
	tag   string
	style Style
}{
	{"sub", Sub}, {"sup", Sup}, {"em", Italic}, {"i", Italic}, {"strong", Bold}, {"b", Bold}, {"u", Underline},
	{"s", Strike}, {"kbd", Kbd}, {"mark", Mark}, {"small", Small},
}

// htmlBlockTags begin a line of their own: such a line ends the paragraph above
// it (CommonMark's block tags).
const htmlBlockTags = " address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul pre script style textarea "

// htmlMemo remembers which closing marks were looked for in vain.
type htmlMemo struct{ comment, instruction, declaration, cdata bool }

// html reads a tag, comment, instruction or declaration at < and takes it out
// of the text.
func (in *inliner) html(i int) int {
	s, p := in.buf, in.p
	end, memo := 0, (*bool)(nil)
	closing := ""
	rest := s[i:]
	from := i
	switch {
	case strings.HasPrefix(rest, "<!--"):
		switch {
		case strings.HasPrefix(rest, "<!-->"):
			end = i + 5
		case strings.HasPrefix(rest, "<!--->"):
			end = i + 6
		}
		memo, closing, from = &in.noHTML.comment, "-->", i+4
	case strings.HasPrefix(rest, "<?"):
		memo, closing, from = &in.noHTML.instruction, "?>", i+2
	case strings.HasPrefix(rest, "<![CDATA["):
		memo, closing, from = &in.noHTML.cdata, "]]>", i+9
	case len(rest) > 2 && rest[1] == '!' && isAlpha(rest[2]):
		memo, closing, from = &in.noHTML.declaration, ">", i+2
	default:
		return in.tag(i)
	}
	if end == 0 {
		if *memo {
			return i
		}
		n := strings.Index(s[from:], closing)
		if n < 0 {
			*memo = true
			return i
		}
		end = from + n + len(closing)
	}
	if closing != "-->" {
		p.problem("htmlIgnored", cutRunes(s[i:end], 30)+" is left out", in.src(i), in.srcEnd(end))
	}
	in.takeOut(i, end)
	return end
}

// takeOut drops buf[i:j] from the text.
func (in *inliner) takeOut(i, j int) {
	in.flush(i)
	in.lineNo += int32(strings.Count(in.buf[i:j], "\n"))
	in.textStart = j
}

func (in *inliner) tag(i int) int {
	s := in.buf
	name, closing, end := htmlTag(s, i)
	if end == 0 {
		return i
	}
	if name == "br" && !closing {
		j := end
		if k := skipBlank(s, end); k < len(s) && strings.IndexByte(s[end:k], '\n') >= 0 {
			j = k // the line end after it is part of the break
		}
		in.breakAt(i, j)
		return in.textStart
	}
	for _, h := range htmlStyles {
		if h.tag != name {
			continue
		}
		arg := 1
		if closing {
			arg = -1
		} else if s[end-2] == '/' {
			arg = 0
		}
		in.put(nStyle, i, end, arg)
		in.nodes[len(in.nodes)-1].style = h.style
		return end
	}
	if !closing {
		in.p.problem("htmlIgnored", "<"+name+"> is left out, its text is kept", in.src(i), in.srcEnd(end), Attr{Key: "tag", Value: name})
	}
	in.takeOut(i, end)
	return end
}

// htmlTag reads an opening or closing tag at i by CommonMark's grammar; end is
// 0 when there is none. The name is in lower case.
func htmlTag(s string, i int) (name string, closing bool, end int) {
	j := i + 1
	if j < len(s) && s[j] == '/' {
		closing = true
		j++
	}
	start := j
	for j < len(s) && (isAlpha(s[j]) || j > start && (isDigit(s[j]) || s[j] == '-')) {
		j++
	}
	if j == start {
		return "", false, 0
	}
	name = strings.ToLower(s[start:j])
	if closing {
		j = skipBlank(s, j)
		if j < len(s) && s[j] == '>' {
			return name, true, j + 1
		}
		return "", false, 0
	}
	for {
		k := skipBlank(s, j)
		if k >= len(s) {
			return "", false, 0
		}
		if s[k] == '>' {
			return name, false, k + 1
		}
		if s[k] == '/' && k+1 < len(s) && s[k+1] == '>' {
			return name, false, k + 2
		}
		if k == j || !isAlpha(s[k]) && s[k] != '_' && s[k] != ':' {
			return "", false, 0
		}
		for j = k; j < len(s) && (isAlpha(s[j]) || isDigit(s[j]) || strings.IndexByte("_:.-", s[j]) >= 0); j++ {
		}
		k = skipBlank(s, j)
		if k >= len(s) || s[k] != '=' {
			continue
		}
		k = skipBlank(s, k+1)
		if k >= len(s) {
			return "", false, 0
		}
		if q := s[k]; q == '"' || q == '\'' {
			n := strings.IndexByte(s[k+1:], q)
			if n < 0 {
				return "", false, 0
			}
			j = k + 1 + n + 1
			continue
		}
		for j = k; j < len(s) && !isBlankByte(s[j]) && strings.IndexByte("\"'=<>`", s[j]) < 0; j++ {
		}
		if j == k {
			return "", false, 0
		}
	}
}

// htmlInterrupts reports a line that ends a paragraph: it begins with a block
// tag or with a comment that goes on below it.
func htmlInterrupts(s string) bool {
	if strings.HasPrefix(s, "<!--") {
		return strings.Index(s, "-->") < 0
	}
	j := 1
	if j < len(s) && s[j] == '/' {
		j++
	}
	start := j
	for j < len(s) && j-start < 12 && (isAlpha(s[j]) || isDigit(s[j])) {
		j++
	}
	if j == start || j < len(s) && !isBlankByte(s[j]) && s[j] != '>' && s[j] != '/' {
		return false
	}
	return strings.Contains(htmlBlockTags, " "+strings.ToLower(s[start:j])+" ")
}

// vanishing are the HTML constructs without text that may run over blank lines.
var vanishing = [...]struct{ open, close, what string }{
	{"<!--", "-->", ""},
	{"<?", "?>", "a processing instruction is left out"},
	{"<![CDATA[", "]]>", "a CDATA section is left out"},
	{"<script", "</script", "<script> is left out with what is in it, for that is no text"},
	{"<style", "</style", "<style> is left out with what is in it, for that is no text"},
}

// htmlBlock takes a comment, a script or the like at the beginning of a block
// out of the run: r.ls is moved past it, and the line it ends on is returned.
// What follows it on that line stays.
func (r *run) htmlBlock(i, pos int) int {
	p := r.p
	s := p.src[pos:r.ls[i].end]
	for k := range vanishing {
		v := &vanishing[k]
		if r.noEnd[k] || len(s) < len(v.open) || !strings.EqualFold(s[:len(v.open)], v.open) {
			continue
		}
		name := isAlpha(v.open[1])
		if name && len(s) > len(v.open) && !isBlankByte(s[len(v.open)]) && s[len(v.open)] != '>' {
			continue
		}
		from := pos + 2 // <!--> and <!---> are whole
		for j := i; j < len(r.ls); j++ {
			l := &r.ls[j]
			if j > i {
				from = int(l.start)
			}
			n := indexFold(p.src[from:l.end], v.close)
			if n < 0 {
				continue
			}
			end := from + n + len(v.close)
			if name {
				if n = strings.IndexByte(p.src[end:l.end], '>'); n < 0 {
					continue
				}
				end += n + 1
			}
			if v.what != "" {
				p.problem("htmlIgnored", v.what, pos, end)
			}
			*l = l.from(end, end-int(l.start))
			return j
		}
		r.noEnd[k] = true
		if v.what == "" {
			p.problem("htmlIgnored", "a comment is never closed: it prints as text", pos, pos+len(v.open))
		}
	}
	return i
}

// indexFold is strings.Index; letters of close may have either case.
func indexFold(s, close string) int {
	if !isAlpha(close[len(close)-1]) {
		return strings.Index(s, close)
	}
	for from := 0; ; {
		n := strings.Index(s[from:], "</")
		if n < 0 {
			return -1
		}
		from += n
		if len(s)-from >= len(close) && strings.EqualFold(s[from:from+len(close)], close) {
			return from
		}
		from += 2
	}
}
