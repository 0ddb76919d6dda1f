package layout

import (
	"postext/engine/bidi"
	"postext/engine/settings"
	"postext/engine/unit"
)

// alignment of the lines of a block.
type alignment uint8

const (
	justify alignment = iota
	flushLeft
	flushRight
	centred
)

func alignOf(s string) alignment {
	switch s {
	case "left", "start":
		return flushLeft
	case "right", "end":
		return flushRight
	case "center":
		return centred
	}
	return justify
}

// setting is how the text of a block is set: with the text, everything its
// lines depend on.
type setting struct {
	ts      *typeStyle
	width   unit.Sp // of the measure, indents included
	leading unit.Sp
	align   alignment
	first   unit.Sp // indent of the first line
	hang    unit.Sp // indent of the others
	verse   bool    // every source line is a line of verse; turnovers hang by turn
	turn    unit.Sp
	strict  bool // a line of verse is not tightened before it turns over
	spaces  bool // several spaces in a row keep their width
	runts   bool // avoid short last lines
	byLine  bool // break line by line
	strike  bool // done tasks
	raw     bool // spaces and line ends as they are (code)
	loose   int  // 1: set in so many lines; 2, 3: with a little letter spacing
	lines   int
	drop    *drop              // the first letter over several lines
	tabs    *settings.TabStops // the paragraph has tabs: it is filled line by line
	from    int                // start at this offset of the plain text (a block that goes on
	// in a column of another width)
	dir     bidi.Direction
	closing int // this line, from 1, closes a column and is not divided; 0: none
	beside  beside
	sig     uint64
}

// seal computes the setting's signature; call it when the fields are final.
func (s *setting) seal(j *job) *setting {
	if s.dir == bidi.Auto {
		s.dir = directions[j.d.Direction]
	}
	t := &s.ts.text
	h := newHasher()
	h.num(s.ts.sig, uint64(s.width), uint64(s.first), uint64(s.hang), uint64(s.turn), uint64(s.align),
		flag(s.verse)|flag(s.runts)<<1|flag(s.byLine)<<2|flag(s.strike)<<3|flag(s.raw)<<4|
			flag(t.Compounds)<<5|flag(t.AfterDashes)<<6|flag(t.AfterHyphens)<<7|flag(t.Optimal)<<8|
			flag(t.OptimalRagged)<<9|flag(s.strict)<<13|flag(s.spaces)<<14|flag(t.HyphenRagged)<<10|flag(t.RepeatHyphen)<<11,
		uint64(s.from)<<32|uint64(s.closing)<<8|uint64(s.dir)<<4|uint64(s.loose), uint64(t.MaxSpace)<<32|uint64(uint32(t.MinSpace)), uint64(t.MaxTracking), uint64(t.HyphenZone))
	if s.runts {
		p := &j.d.Para
		h.num(uint64(int64(p.RuntMinSpaces*1000)), uint64(p.RuntPenalty), flag(p.GradedRunt), flag(p.TightenRunts), uint64(p.MaxRuntTracking))
	}
	if s.loose > 0 {
		h.num(uint64(s.lines), uint64(j.d.Headings.Balance.Tracking))
	}
	if d := s.drop; d != nil {
		h.num(uint64(d.text)<<32|uint64(d.marks), uint64(d.lines), uint64(d.sink), uint64(d.tail), uint64(d.ends), uint64(d.width), uint64(d.shift), d.cap.f.sig, uint64(d.cap.rise), ink(d.color))
		if d.mark != nil {
			h.one(d.mark.f.sig)
		}
	}
	if s.beside.lines > 0 {
		h.num(uint64(s.beside.lines), uint64(s.beside.left), uint64(s.beside.right))
	}
	if s.tabs != nil {
		h.num(1, uint64(s.tabs.Interval))
		for i := range s.tabs.Stops {
			t := &s.tabs.Stops[i]
			h.num(uint64(t.At), uint64(t.Share), uint64(t.Gap))
			h.str(t.Align)
			h.str(t.Leader)
			h.str(t.Decimal)
		}
	}
	s.sig = h.sum()
	return s
}
