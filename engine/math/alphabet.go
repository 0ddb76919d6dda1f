package math

// alphabet is a style of letters, as \mathbb and its kin choose it.
type alphabet uint8

const (
	normal alphabet = iota // letters slanted, figures upright
	upright
	bold
	italic
	boldItalic
	double
	script_
	boldScript
	fraktur
	boldFraktur
	sans
	sansBold
	sansItalic
	mono
)

// alphabets are the starts of the runs of the block Mathematical Alphanumeric
// Symbols (Unicode 15, chart U1D400); 0: there is none, the letter stays.
var alphabets = [...]struct{ upper, lower, digit, greekUpper, greekLower rune }{
	normal:      {0x1D434, 0x1D44E, 0, 0, 0x1D6FC},
	upright:     {},
	bold:        {0x1D400, 0x1D41A, 0x1D7CE, 0x1D6A8, 0x1D6C2},
	italic:      {0x1D434, 0x1D44E, 0, 0x1D6E2, 0x1D6FC},
	boldItalic:  {0x1D468, 0x1D482, 0x1D7CE, 0x1D71C, 0x1D736},
	double:      {0x1D538, 0x1D552, 0x1D7D8, 0, 0},
	script_:     {0x1D49C, 0x1D4B6, 0, 0, 0},
	boldScript:  {0x1D4D0, 0x1D4EA, 0, 0, 0},
	fraktur:     {0x1D504, 0x1D51E, 0, 0, 0},
	boldFraktur: {0x1D56C, 0x1D586, 0, 0, 0},
	sans:        {0x1D5A0, 0x1D5BA, 0x1D7E2, 0, 0},
	sansBold:    {0x1D5D4, 0x1D5EE, 0x1D7EC, 0x1D756, 0x1D770},
	sansItalic:  {0x1D608, 0x1D622, 0x1D7E2, 0, 0},
	mono:        {0x1D670, 0x1D68A, 0x1D7F6, 0, 0},
}

// holes are the letters of that block that Unicode had before, in Letterlike
// Symbols.
var holes = map[rune]rune{
	0x1D455: 0x210E,
	0x1D49D: 0x212C, 0x1D4A0: 0x2130, 0x1D4A1: 0x2131, 0x1D4A3: 0x210B, 0x1D4A4: 0x2110, 0x1D4A7: 0x2112,
	0x1D4A8: 0x2133, 0x1D4AD: 0x211B, 0x1D4BA: 0x212F, 0x1D4BC: 0x210A, 0x1D4C4: 0x2134,
	0x1D506: 0x212D, 0x1D50B: 0x210C, 0x1D50C: 0x2111, 0x1D515: 0x211C, 0x1D51D: 0x2128,
	0x1D53A: 0x2102, 0x1D53F: 0x210D, 0x1D545: 0x2115, 0x1D547: 0x2119, 0x1D548: 0x211A, 0x1D549: 0x211D, 0x1D551: 0x2124,
}

// variants are the Greek forms that follow ω in the block, in its order.
var greekVariants = []rune{0x2202, 0x03F5, 0x03D1, 0x03F0, 0x03D5, 0x03F1, 0x03D6}

// in gives a character in an alphabet.
func (a alphabet) in(r rune) rune {
	t := &alphabets[a]
	at := func(start, first rune) rune {
		if start == 0 {
			return r
		}
		m := start + r - first
		if h, ok := holes[m]; ok {
			return h
		}
		return m
	}
	switch {
	case r >= 'A' && r <= 'Z':
		return at(t.upper, 'A')
	case r >= 'a' && r <= 'z':
		return at(t.lower, 'a')
	case r >= '0' && r <= '9':
		return at(t.digit, '0')
	case r >= 0x391 && r <= 0x3A9:
		return at(t.greekUpper, 0x391)
	case r >= 0x3B1 && r <= 0x3C9:
		return at(t.greekLower, 0x3B1)
	case r == 0x2207 && t.greekUpper != 0:
		return t.greekUpper + 25
	case r == 0x131 && (a == normal || a == italic):
		return 0x1D6A4
	case r == 0x237 && (a == normal || a == italic):
		return 0x1D6A5
	}
	if t.greekLower != 0 {
		for i, v := range greekVariants {
			if v == r {
				return t.greekLower + 25 + rune(i)
			}
		}
	}
	return r
}

// slanted reports whether a character is drawn slanted, so that an italics
// correction is due before an upright neighbour.
func slanted(r rune) bool {
	switch {
	case r == 0x210E || r == 0x210F:
		return true
	case r >= 0x1D434 && r <= 0x1D503: // italic, bold italic, scripts
		return true
	case r >= 0x1D608 && r <= 0x1D66F, r >= 0x1D6A4 && r <= 0x1D6A5, r >= 0x1D6E2 && r <= 0x1D755:
		return true
	}
	return false
}
