package highlight

import "strings"

// jsonScan tells keys from values.
func jsonScan(s *scanner) {
	for s.more() {
		c := s.src[s.i]
		switch {
		case isBlank(c):
			s.i++
		case s.comment(false):
		case c == '"' || c == '\'':
			i := s.i + 1
			for i < len(s.src) && s.src[i] != c && s.src[i] != '\n' {
				if s.src[i] == '\\' {
					i++
				}
				i++
			}
			i = min(i+1, len(s.src))
			k := i
			for k < len(s.src) && isBlank(s.src[k]) {
				k++
			}
			if k < len(s.src) && s.src[k] == ':' {
				s.emit(i, Variable)
			} else {
				s.emit(i, String)
			}
		case isDigit(c) || c == '-':
			s.emit(max(number(s.src, s.i+1), s.i+1), Number)
		case nameStart(s.src, s.i):
			end := wordEnd(s.src, s.i, "")
			if s.lang.constants[s.src[s.i:end]] {
				s.emit(end, Keyword)
			} else {
				s.i = end
			}
		case c < 0x80:
			s.emit(s.i+1, Punctuation)
		default:
			s.i++
		}
	}
}

// consoleScan tells what was typed from what was answered: a line that begins
// with a prompt is typed.
func consoleScan(s *scanner) {
	for s.more() {
		end := s.lineEnd(s.i)
		line := s.src[s.i:end]
		if n := prompt(line); n > 0 {
			s.emit(s.i+n, Prompt)
			s.i = end
		} else if line != "" {
			s.emit(end, Output)
		}
		if s.i < len(s.src) {
			s.i++
		}
	}
}

// prompt is the length of the prompt a line begins with: a dollar, a per cent
// sign, a hash or angles, perhaps behind a name and a place.
func prompt(line string) int {
	for _, p := range [...]string{">>> ", "... ", "$ ", "% ", "# ", "> ", "PS> "} {
		if strings.HasPrefix(line, p) {
			return len(p)
		}
	}
	for _, p := range [...]string{"$ ", "# ", "% "} { // user@host:~$
		if i := strings.Index(line, p); i > 0 && i < 60 && strings.ContainsAny(line[:i], "@~:") && !strings.ContainsAny(line[:i], " \t") {
			return i + len(p)
		}
	}
	return 0
}

// markupScan reads tags, attributes and comments.
func markupScan(s *scanner) {
	for s.more() {
		rest := s.rest()
		switch {
		case strings.HasPrefix(rest, "<!--"):
			end := len(s.src)
			if n := strings.Index(rest, "-->"); n >= 0 {
				end = s.i + n + 3
			}
			s.emit(end, Comment)
		case strings.HasPrefix(rest, "<!"), strings.HasPrefix(rest, "<?"):
			end := len(s.src)
			if n := strings.IndexByte(rest, '>'); n >= 0 {
				end = s.i + n + 1
			}
			s.emit(end, Meta)
		case rest[0] == '<' && len(rest) > 1 && (rest[1] == '/' || nameByte(rest[1])):
			s.tag()
		case rest[0] == '&':
			if n := strings.IndexByte(rest, ';'); n > 0 && n < 12 {
				s.emit(s.i+n+1, Number)
			} else {
				s.i++
			}
		default:
			n := strings.IndexAny(rest[1:], "<&")
			if n < 0 {
				s.i = len(s.src)
			} else {
				s.i += n + 1
			}
		}
	}
}

func (s *scanner) tag() {
	n := 1
	if s.src[s.i+1] == '/' {
		n = 2
	}
	s.emit(s.i+n, Punctuation)
	s.emit(wordEnd(s.src, s.i, "-:."), Keyword)
	for s.more() {
		c := s.src[s.i]
		switch {
		case c == '>':
			s.emit(s.i+1, Punctuation)
			return
		case c == '<':
			return
		case c == '"' || c == '\'':
			end := len(s.src)
			if n := strings.IndexByte(s.src[s.i+1:], c); n >= 0 {
				end = s.i + n + 2
			}
			s.emit(end, String)
		case nameByte(c) || c == '@' || c == ':':
			s.emit(max(wordEnd(s.src, s.i, "-:.@"), s.i+1), Variable)
		case c == '=' || c == '/':
			s.emit(s.i+1, Punctuation)
		default:
			s.i++
		}
	}
}

// cssScan reads style sheets: selectors outside braces, properties and values
// inside.
func cssScan(s *scanner) {
	depth, value := 0, false
	for s.more() {
		c := s.src[s.i]
		rest := s.rest()
		switch {
		case isBlank(c):
			s.i++
		case strings.HasPrefix(rest, "/*"):
			end := len(s.src)
			if n := strings.Index(rest, "*/"); n >= 0 {
				end = s.i + n + 2
			}
			s.emit(end, Comment)
		case strings.HasPrefix(rest, "//"):
			s.emit(s.lineEnd(s.i), Comment)
		case c == '"' || c == '\'':
			end := s.lineEnd(s.i)
			if n := strings.IndexByte(s.src[s.i+1:], c); n >= 0 {
				end = min(end, s.i+n+2)
			}
			s.emit(max(end, s.i+1), String)
		case c == '@':
			s.emit(max(wordEnd(s.src, s.i+1, "-"), s.i+1), Keyword)
		case c == '$':
			s.emit(max(wordEnd(s.src, s.i+1, "-"), s.i+1), Variable)
		case c == '{' || c == '}' || c == ';':
			if c == '{' {
				depth++
			} else if c == '}' {
				depth--
			}
			value = false
			s.emit(s.i+1, Punctuation)
		case c == ':' && depth > 0 && !value:
			value = true
			s.emit(s.i+1, Punctuation)
		case c == '#' && value:
			s.emit(max(wordEnd(s.src, s.i+1, ""), s.i+1), Number)
		case isDigit(c) || (c == '.' || c == '-') && len(rest) > 1 && isDigit(rest[1]):
			end := number(s.src, s.i+1)
			if end < len(s.src) && s.src[end] == '%' {
				end++
			}
			s.emit(end, Number)
		case nameByte(c) || c == '-' || c == '.' || c == '#':
			end := max(wordEnd(s.src, s.i+1, "-"), s.i+1)
			switch {
			case value && end < len(s.src) && s.src[end] == '(':
				s.emit(end, Function)
			case value:
				s.i = end
			case depth > 0:
				s.emit(end, Variable)
			default:
				s.emit(end, Type)
			}
		case c < 0x80:
			s.emit(s.i+1, Punctuation)
		default:
			s.i++
		}
	}
}

// yamlScan reads keys, values and comments line by line.
func yamlScan(s *scanner) {
	for s.more() {
		end := s.lineEnd(s.i)
		s.yamlLine(end)
		s.i = end
		if s.i < len(s.src) {
			s.i++
		}
	}
}

func (s *scanner) yamlLine(end int) {
	skip := func() {
		for s.i < end && isBlank(s.src[s.i]) {
			s.i++
		}
	}
	for skip(); s.i < end; skip() {
		rest := s.src[s.i:end]
		if rest == "---" || rest == "..." {
			s.emit(end, Meta)
			return
		}
		if strings.HasPrefix(rest, "- ") || rest == "-" {
			s.emit(s.i+1, Punctuation)
			continue
		}
		break
	}
	line := s.src[s.i:end]
	if k := keyEnd(line); k > 0 {
		s.emit(s.i+k, Variable)
		s.emit(s.i+1, Punctuation)
	}
	for skip(); s.i < end; skip() {
		c := s.src[s.i]
		switch {
		case c == '#' && (s.i == 0 || isBlank(s.src[s.i-1])):
			s.emit(end, Comment)
		case c == '"' || c == '\'':
			k := end
			if n := strings.IndexByte(s.src[s.i+1:end], c); n >= 0 {
				k = s.i + n + 2
			}
			s.emit(k, String)
		case c == '&' || c == '*' || c == '!':
			s.emit(max(wordEnd(s.src[:end], s.i+1, "-"), s.i+1), Meta)
		case strings.IndexByte("[]{},|>", c) >= 0:
			s.emit(s.i+1, Punctuation)
		default:
			k := s.i
			for k < end && strings.IndexByte(",]}", s.src[k]) < 0 && !(s.src[k] == '#' && isBlank(s.src[k-1])) {
				k++
			}
			k = max(s.i+len(strings.TrimRight(s.src[s.i:k], " \t\r")), s.i+1)
			switch v := strings.TrimSpace(s.src[s.i:k]); {
			case s.lang.constants[strings.ToLower(v)]:
				s.emit(k, Keyword)
			case isDigit(c) && number(v, 0) == len(v):
				s.emit(k, Number)
			default:
				s.emit(k, String)
			}
		}
	}
}

// keyEnd is the length of the key a line begins with, 0 for none.
func keyEnd(line string) int {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ':':
			if i > 0 && (i+1 == len(line) || line[i+1] == ' ') {
				return i
			}
		case '#', '{', '[':
			return 0
		}
	}
	return 0
}

// diffScan reads what two versions differ in.
func diffScan(s *scanner) {
	for s.more() {
		end := s.lineEnd(s.i)
		line := s.src[s.i:end]
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "):
			s.emit(end, Meta)
		case strings.HasPrefix(line, "@@"):
			s.emit(end, Function)
		case strings.HasPrefix(line, "+"):
			s.emit(end, String)
		case strings.HasPrefix(line, "-"):
			s.emit(end, Variable)
		}
		s.i = min(end+1, len(s.src))
	}
}

// texScan reads commands, braces, formulas and comments.
func texScan(s *scanner) {
	for s.more() {
		c := s.src[s.i]
		switch {
		case c == '%' && (s.i == 0 || s.src[s.i-1] != '\\'):
			s.emit(s.lineEnd(s.i), Comment)
		case c == '\\':
			end := s.i + 1
			for end < len(s.src) && (s.src[end]|0x20 >= 'a' && s.src[end]|0x20 <= 'z' || s.src[end] == '@') {
				end++
			}
			if end == s.i+1 && end < len(s.src) {
				end++
			}
			s.emit(end, Keyword)
		case c == '$':
			s.emit(s.i+1, String)
		case strings.IndexByte("{}[]&^_~", c) >= 0:
			s.emit(s.i+1, Punctuation)
		default:
			s.i++
		}
	}
}
