package math

import "postext/engine/unit"

// kernAt is the cut-in of a glyph's corner at a height (font units scaled back).
func (s *setter) kernAt(b *box, c corner, height unit.Sp) unit.Sp {
	if !b.char || b.face == nil {
		return 0
	}
	ks := s.t.kerns[b.id]
	if ks == nil {
		return 0
	}
	return unit.Scale(ks[c].at(int32(unit.MulDiv(int64(height), int64(s.f.Face.UPem), int64(max(b.size, 1))))), b.size, s.f.Face.UPem)
}

// cutIn is how much nearer a script may stand: the kerns of base and script are
// added at the script's near edge and at the base's far edge, and the larger sum
// holds (OpenType, MathKernInfo).
func (s *setter) cutIn(base, scr *box, baseCorner, scriptCorner corner, shift unit.Sp, up bool) unit.Sp {
	inner, outer := shift-scr.d, base.h // heights over the base's baseline
	if !up {
		inner, outer = -shift+scr.h, -base.d
		shift = -shift
	}
	a := s.kernAt(base, baseCorner, inner) + s.kernAt(scr, scriptCorner, inner-shift)
	b := s.kernAt(base, baseCorner, outer) + s.kernAt(scr, scriptCorner, outer-shift)
	return max(a, b)
}

// scripted attaches scripts beside a nucleus (rule 18).
func (s *setter) scripted(n *node, base *box, st style) *box {
	t := s.t
	var sup, sub *box
	if n.has&hasSup != 0 {
		sup = s.nucleusOf(n.sup, st.sup())
	}
	if n.has&hasSub != 0 {
		sub = s.nucleusOf(n.sub, st.sub())
	}
	if s.err != nil {
		return base
	}
	var u, v unit.Sp
	single := base.char || n.what == accent && len(n.body) == 1 && n.body[0].what == symbol
	if !single {
		u = base.h - s.units(t.SuperscriptBaselineDropMax, st)
		v = base.d + s.units(t.SubscriptBaselineDropMin, st)
	}
	if sup != nil {
		least := t.SuperscriptShiftUp
		if st&cramped != 0 {
			least = t.SuperscriptShiftUpCramped
		}
		u = max(u, s.units(least, st), sup.d+s.units(t.SuperscriptBottomMin, st))
	}
	if sub != nil {
		v = max(v, s.units(t.SubscriptShiftDown, st))
		if sup == nil {
			v = max(v, sub.h-s.units(t.SubscriptTopMax, st))
		} else if gap := (u - sup.d) - (sub.h - v); gap < s.units(t.SubSuperscriptGapMin, st) {
			v += s.units(t.SubSuperscriptGapMin, st) - gap
			if psi := s.units(t.SuperscriptBottomMaxWithSubscript, st) - (u - sup.d); psi > 0 {
				u += psi
				v -= psi
			}
		}
	}
	out := empty()
	out.put(0, 0, base)
	// The width of a letter ends before its italics correction, that of a slanted
	// operator behind it: so superscripts of the one move out, subscripts of the
	// other in.
	right := base.w
	supX, subX := right, right
	if n.class == op && base.italic != 0 {
		subX -= base.italic
	} else if base.char {
		supX += base.italic
	}
	if sup != nil {
		if base.char {
			supX += s.cutIn(base, sup, topRight, bottomLeft, u, true)
		}
		out.put(supX, u, sup)
		right = max(right, supX+sup.w)
	}
	if sub != nil {
		if base.char {
			subX += s.cutIn(base, sub, bottomRight, topLeft, v, false)
		}
		out.put(subX, -v, sub)
		right = max(right, subX+sub.w)
	}
	out.w = right + s.units(t.SpaceAfterScript, st)
	return out.settle()
}

// limited sets scripts above and below a nucleus (rule 13a).
func (s *setter) limited(n *node, base *box, st style) *box {
	t := s.t
	out := empty()
	var sup, sub *box
	w := base.w
	if n.has&hasSup != 0 {
		sup = s.list(n.sup, st.sup())
		w = max(w, sup.w)
	}
	if n.has&hasSub != 0 {
		sub = s.list(n.sub, st.sub())
		w = max(w, sub.w)
	}
	out.put((w-base.w)/2, 0, base)
	if sup != nil {
		gap := max(s.units(t.UpperLimitGapMin, st), s.units(t.UpperLimitBaselineRiseMin, st)-sup.d)
		out.put((w-sup.w)/2+base.italic/2, base.h+gap+sup.d, sup)
	}
	if sub != nil {
		gap := max(s.units(t.LowerLimitGapMin, st), s.units(t.LowerLimitBaselineDropMin, st)-sub.h)
		out.put((w-sub.w)/2-base.italic/2, -(base.d + gap + sub.h), sub)
	}
	out.w = w
	return out.settle()
}
