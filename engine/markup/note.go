package markup

// noteStart reports the offset after "[^id]:" at pos, 0 when there is none.
func (p *parser) noteStart(l line, pos int) int {
	s := p.src[pos:l.end]
	if len(s) < 5 || s[1] != '^' {
		return 0
	}
	end := scanID(s, 2)
	if end == 2 || end+1 >= len(s) || s[end] != ']' || s[end+1] != ':' {
		return 0
	}
	return pos + end + 2
}

// note reads the footnote definition at line i: a paragraph as any other, then
// whatever is indented by four columns. It leaves the flow (section 8).
func (r *run) note(i, pos, after int) int {
	p := r.p
	j := i + 1
	var code codeTracker
	paragraph := true // the first paragraph, which needs no indent, goes on
	next := j
	for ; j < len(r.ls); j++ {
		ind, at := p.indent(r.ls[j])
		if at == int(r.ls[j].end) {
			paragraph = false
			continue
		}
		if int(r.ls[j].rel)+ind < 4 {
			if !paragraph || r.interrupts(j, ind, at) {
				break
			}
		} else if !code.open() && j > next {
			paragraph = false
		}
		if !p.o.NoCodeBlocks {
			code.line(p.src[at:r.ls[j].end])
		}
		next = j + 1
	}
	id := p.src[pos+2 : after-2]
	sub := p.lineRun(next - i)
	sub = append(sub, r.ls[i].from(after, after-pos))
	for k := i + 1; k < next; k++ {
		sub = append(sub, p.cutTo(r.ls[k], 4))
	}
	if first, start := p.text(sub[0]); first != "" {
		sub[0] = line{start: int32(start), end: sub[0].end}
	}
	last, lastStart := p.text(r.ls[next-1])
	n := &Note{ID: id, Start: pos, End: lastStart + len(last)}
	// Its place in the order is before the notes defined inside it.
	n.Blocks = p.blocks(sub, blockContext{note: true, level: 0}, r.inner())
	if k := len(n.Blocks); k > 0 && n.Blocks[k-1].End > n.End {
		n.End = n.Blocks[k-1].End
	}
	if p.notes[id] != nil {
		p.problem("unusedFootnote", "[^"+id+"]: is defined a second time; the first definition is set", n.Start, n.End, Attr{Key: "id", Value: id})
		return next
	}
	if p.notes == nil {
		p.notes = map[string]*Note{}
	}
	p.notes[id] = n
	p.doc.Notes = append(p.doc.Notes, n)
	return next
}
