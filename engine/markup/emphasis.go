package markup

// delim is a run of emphasis, script or strikethrough marks.
type delim struct {
	start, end        int32 // buffer span of the run
	n, orig           int32 // marks left, marks written
	line              int32
	ch                byte // * _ ^ ~ or s for ~~
	canOpen, canClose bool
	// What the run does: marks used at its end open, marks used at its front
	// close; the marks between print.
	opens, closes [2]int32 // italic, bold
	used          [2]int32 // at the front, at the end
	on, off       Style    // scripts and strikethrough
}

// run reads a run of * _ ^ or ~.
func (in *inliner) run(i int) int {
	s := in.buf
	c := s[i]
	j := i + 1
	for j < len(s) && s[j] == c {
		j++
	}
	before, after := runeBefore(s, i), runeAt(s, j)
	d := delim{start: int32(i), end: int32(j), n: int32(j - i), orig: int32(j - i), line: in.lineNo, ch: c}
	switch {
	case in.asWritten && c == '^':
		return j
	case c == '^' && j-i > 1 || c == '~' && j-i > 2:
		return j
	case c == '~' && j-i == 1:
		if after == '\\' {
			if end := in.texRefEnd(j); end > 0 {
				in.atom(i, j, Inline{Kind: Text, Text: "\u00a0"})
				return j
			}
		}
		if in.asWritten || before > 0 && before < 0x80 && isDigit(byte(before)) && after > 0 && after < 0x80 && isDigit(byte(after)) ||
			isChineseJapanese(before) && isChineseJapanese(after) {
			return j
		}
	case c == '~':
		d.ch = 's'
		d.canOpen, d.canClose = !isSpaceRune(after) && !in.asWritten, !isSpaceRune(before)
	case c == '*' || c == '_':
		d.canOpen, d.canClose = flanking(c, before, after)
		d.canOpen = d.canOpen && !in.asWritten
		if !d.canOpen && !d.canClose {
			return j
		}
	}
	in.delims = append(in.delims, d)
	in.active = append(in.active, int32(len(in.delims)-1))
	in.put(nDelim, i, j, len(in.delims)-1)
	return j
}

// flanking applies CommonMark's rules for emphasis marks, with two changes for
// Chinese, Japanese and Korean: their letters are no word letters for _, and a
// mark between their punctuation and their letters still counts.
func flanking(c byte, before, after rune) (canOpen, canClose bool) {
	spaceBefore, spaceAfter := isSpaceRune(before), isSpaceRune(after)
	punctBefore, punctAfter := isPunctRune(before), isPunctRune(after)
	eastBefore, eastAfter := isEastAsian(before), isEastAsian(after)
	left := !spaceAfter && (!punctAfter || spaceBefore || punctBefore || eastBefore)
	right := !spaceBefore && (!punctBefore || spaceAfter || punctAfter || eastAfter)
	if c == '*' {
		return left, right
	}
	return left && (!right || punctBefore || eastBefore), right && (!left || punctAfter || eastAfter)
}

// closerClass numbers the closers that match the same openers.
func closerClass(d *delim) int {
	k := int(d.orig % 3)
	if d.canOpen {
		k += 3
	}
	if d.ch == '_' {
		k += 6
		if d.orig == 2 {
			k += 6
		}
		if d.n > 1 {
			k += 12
		}
	}
	return k
}

const closerClasses = 30

// resolve matches the unresolved runs from active[bottom] on and leaves none.
// Openers wait on a stack; for each class of closer it is remembered below
// which opener nothing matches, which keeps the work linear.
func (in *inliner) resolve(bottom int) {
	if bottom == len(in.active) {
		return
	}
	var floor [closerClasses]int32
	stack := in.stack[:0]
	scripts := [2]int32{-1, -1}
	strike := int32(-1)
	for _, idx := range in.active[bottom:] {
		d := &in.delims[idx]
		switch d.ch {
		case '^':
			scripts[0] = in.script(scripts[0], idx, Sup)
			continue
		case '~':
			scripts[1] = in.script(scripts[1], idx, Sub)
			continue
		case 's':
			switch {
			case d.canClose && strike >= 0:
				in.delims[strike].on, d.off = Strike, Strike
				strike = -1
			case d.canOpen:
				strike = idx
			}
			continue
		}
		for d.canClose && d.n > 0 {
			class := closerClass(d)
			k := len(stack) - 1
			for ; k >= 0 && stack[k] >= floor[class]; k-- {
				if matches(&in.delims[stack[k]], d) {
					break
				}
			}
			if k < 0 || stack[k] < floor[class] {
				floor[class] = idx
				break
			}
			o := &in.delims[stack[k]]
			use := int32(1)
			if o.n > 1 && d.n > 1 {
				use = 2
			}
			o.n -= use
			o.used[1] += use
			o.opens[use-1]++
			d.n -= use
			d.used[0] += use
			d.closes[use-1]++
			if o.n == 0 {
				k--
			}
			stack = stack[:k+1]
		}
		if d.canOpen && d.n > 0 {
			stack = append(stack, idx)
		}
	}
	in.stack = stack
	in.active = in.active[:bottom]
}

// matches reports that run o can open what run d closes.
func matches(o, d *delim) bool {
	if o.ch != d.ch {
		return false
	}
	if (o.canClose || d.canOpen) && (o.orig+d.orig)%3 == 0 && (o.orig%3 != 0 || d.orig%3 != 0) {
		return false
	}
	// A __ that makes no bold never becomes italic (7.1).
	if o.ch == '_' && (o.n == 1 || d.n == 1) && (o.orig == 2 || d.orig == 2) {
		return false
	}
	return true
}

// script pairs the mark idx with the open one (-1: none) and returns the mark
// that is open then. Content begins and ends with a non-space and stays on its
// line (7.2).
func (in *inliner) script(open, idx int32, style Style) int32 {
	if open < 0 {
		return idx
	}
	o, d := &in.delims[open], &in.delims[idx]
	content := in.buf[o.end:d.start]
	if o.line != d.line || content == "" || isSpaceRune(runeAt(content, 0)) || isSpaceRune(runeBefore(content, len(content))) {
		return idx
	}
	if style == Sup && (content == "_" || content == "o") && !isWordRune(runeBefore(in.buf, int(o.start))) {
		return -1 // a face: ^_^ or ^o^
	}
	o.on, d.off = style, style
	return -1
}
