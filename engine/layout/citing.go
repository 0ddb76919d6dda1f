package layout

import (
	"errors"
	"slices"

	"postext/engine/unit"
)

// Floats at the citing page (layout.md 9). A float comes behind the line that cites
// it first; one that may head its page or column is tried there: the walk goes back
// to the head of the page, sets the float and goes on. Where its line then lands
// elsewhere, the walk goes back once more and the float takes its usual place.

// errAgain is returned up the walk when the page at hand is to be set again from
// p.againAt.
var errAgain = errors.New("layout: the page is set again")

// maxHeads is how many floats are tried at the heads of one page.
const maxHeads = 5

// headFloat is a float set at the head of the page, or of one of its columns, on
// which it is going to be cited.
type headFloat struct {
	float  int32
	col    int // −1: across the page
	at     resume
	landed bool // its citing line stands there
}

// run places the nodes from i on.
func (p *placer) run(i int) error {
	for {
		err := p.walk(i)
		if err != errAgain {
			return err
		}
		if p.err == errAgain {
			p.err = nil
		}
		if i, err = p.back(p.againAt); err != nil {
			return err
		}
	}
}

// back takes the walk back to a page's head, and further where a float at its head
// asks for it.
func (p *placer) back(at resume) (next int, err error) {
	for {
		if next, err = p.rewind(at); err != errAgain {
			return next, err
		}
		at = p.againAt
	}
}

// tryHead reports whether a float cited by the line at hand is to be tried at the
// head of its column or page; the walk then goes back.
func (p *placer) tryHead(float int32) (bool, error) {
	fl := &p.f.floats[float]
	pl := fl.place()
	if !pl.CitingPage || fl.spec == nil || p.tried[float] || pl.Position != "auto" && pl.Position != "top" || pl.Wrap != "none" || pl.Columns > 1 ||
		pl.Span == "side" || p.wide || p.onPart || p.apart.W > 0 || p.band > 0 || p.cap > 0 || p.closing || len(p.at.cols) > 0 || p.resumed != nil {
		return false, nil
	}
	if p.headsPage == len(p.pages) && len(p.heads) >= maxHeads {
		return false, nil
	}
	for i := range p.queue {
		if p.f.floats[p.queue[i].float].kind() == fl.kind() {
			return false, nil // an earlier one has not been set
		}
	}
	s := slot{col: p.col}
	if p.span(pl) == "page" {
		s.col = -1
	}
	if first, last := p.over(s); p.taken(first, last) > 0 {
		return false, nil
	}
	if s.col <= 0 && p.at.from+p.at.base == 0 && (p.at.node == 0 || p.f.nodes[p.at.node-1].what == nBreak) {
		return false, nil // an explicit break opens the page
	}
	f, err := p.figure(waitingFloat{float: int(float)}, p.slotWidth(s), p.full, 1)
	if err != nil || f.next > 0 || f.height > unit.Sp(float64(p.j.d.Figures.MaxTop*float64(p.full))) {
		return false, err
	}
	if p.tried == nil {
		p.tried = map[int32]bool{}
	}
	p.tried[float] = true
	if p.headsPage != len(p.pages) {
		p.heads = nil
	}
	p.headsPage = len(p.pages)
	p.heads = append(slices.Clip(p.heads), headFloat{float: float, col: s.col, at: p.at})
	p.againAt = p.at
	return true, nil
}

// setHeads sets the floats that head the page just begun.
func (p *placer) setHeads() error {
	if p.headsPage != len(p.pages) {
		return nil
	}
	p.heads = slices.Clone(p.heads)
	for i := range p.heads {
		h := &p.heads[i]
		h.landed = false
		fl := &p.f.floats[h.float]
		s := slot{col: h.col}
		f, err := p.figure(waitingFloat{float: int(h.float)}, p.slotWidth(s), p.full, 1)
		if err != nil {
			return err
		}
		p.put(f, s, fl.kind())
		p.landed(fl, true)
		p.called[h.float] = true
	}
	return nil
}

// meets is told of the line that cites a float: one set at the head of the page has
// to stand where the line does.
func (p *placer) meets(float int32) error {
	for i := range p.heads {
		h := &p.heads[i]
		if h.float != float || h.landed {
			continue
		}
		if p.headsPage != len(p.pages) || h.col >= 0 && h.col != p.col {
			return p.dropHead(i)
		}
		p.heads = slices.Clone(p.heads)
		p.heads[i].landed = true
		return nil
	}
	return nil
}

// leftHeads is asked before a page is begun: a float at the head of the one before
// whose line has not been met there is taken back.
func (p *placer) leftHeads() error {
	if len(p.heads) == 0 || p.headsPage >= len(p.pages) {
		return nil
	}
	for i := range p.heads {
		if !p.heads[i].landed {
			return p.dropHead(i)
		}
	}
	p.heads = nil
	return nil
}

// dropHead takes a float from the head of its page and the walk back to it.
func (p *placer) dropHead(i int) error {
	p.againAt = p.heads[i].at
	p.heads = slices.Delete(slices.Clone(p.heads), i, i+1)
	for k := range p.heads {
		p.heads[k].landed = false
	}
	return errAgain
}
