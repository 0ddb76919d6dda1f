package math

import "postext/engine/unit"

// class is the kind of an atom, which decides the space around it (The TeXbook,
// chapter 18).
type class uint8

const (
	ord class = iota
	op
	bin
	rel
	open
	shut // TeX's close
	punct
	inner
	none // no atom: space, style changes
)

// style is one of TeX's eight styles: display, text, script, script of script,
// each also cramped.
type style uint8

const (
	display style = iota << 1
	text
	script
	scriptscript
	cramped style = 1
)

// The styles of parts (The TeXbook, appendix G, page 441).
func (s style) cramp() style { return s | cramped }

func (s style) sup() style {
	if s < script {
		return script | s&cramped
	}
	return scriptscript | s&cramped
}

func (s style) sub() style { return s.sup() | cramped }

func (s style) numerator() style {
	if s < scriptscript {
		return s + 2
	}
	return s
}

func (s style) denominator() style { return s.numerator() | cramped }

func (s style) big() bool { return s < text }

// level is 0 for display and text, 1 for scripts, 2 for scripts of scripts.
func (s style) level() uint8 {
	switch {
	case s < script:
		return 0
	case s < scriptscript:
		return 1
	}
	return 2
}

// node is one element of a math list. Which fields mean something depends on
// what the node is.
type node struct {
	what  what
	class class
	at    int // byte offset in the source

	r     rune    // symbol, delimiter, accent
	large bool    // an operator that is larger in display
	lim   limits  // where its scripts go
	name  string  // text, colour, operator name
	body  []*node // the nucleus or content
	sup   []*node
	sub   []*node
	has   scripts

	second []*node // denominator, degree, what is stacked
	left   rune    // delimiters, 0: none
	right  rune
	st     style // of a style change; of a fraction
	force  bool  // st is meant
	rule   thickness
	width  length // space; width of a rule
	height length
	depth  length
	align  byte // of a numerator, of lapped content: l, c, r
	flags  flags
	alpha  alphabet // of words
	array  *array
	ink    unit.Color // zero: the formula's
}

type what uint8

const (
	symbol what = iota
	group       // a list in braces
	fraction
	radical
	accent
	fence    // \left … \right
	middle   // \middle inside it
	bigDelim // \big and its kin
	words    // \text
	space
	styled // a change of style up to the end of the list
	phantom
	overUnder // a stack: \overset, \underset, braces, \stackrel
	line      // \overline, \underline
	arrays
	ruleBox
	raised
	boxed
	arrow // an arrow as long as its labels
	reference
)

type scripts uint8

const (
	hasSup scripts = 1 << iota
	hasSub
)

type limits uint8

const (
	limitsInDisplay limits = iota
	limitsAlways
	limitsNever
)

type thickness uint8

const (
	ruled thickness = iota
	unruled
)

type flags uint8

const (
	flagWidth   flags = 1 << iota // phantom: keeps its width
	flagHeight                    // keeps height and depth
	flagShown                     // is drawn
	flagUnder                     // stands below
	flagStretch                   // grows with what it covers
	flagBrace                     // a brace, whose scripts are its label
	flagEq                        // \eqref: with parentheses
	flagOverlay                   // an accent struck through its base
)

// length is a written length in thousandths of an em (or of a mu × 18) of the
// size it stands at, or in scaled points.
type length struct {
	em int32 // thousandths
	pt unit.Sp
}

// array is a grid of cells.
type array struct {
	cols   []column
	rows   []arrayRow
	rules  []int // horizontal rules: rows above which they stand
	jot    int32 // extra space between rows, thousandths of an em
	strut  int32 // height of a row's strut, thousandths of an em; depth is 3/7 of it
	cell   style
	sep    int32
	edge   int32 // space at both ends, thousandths of an em
	top    byte  // vertical alignment: t, b, c
	open   rune
	shut   rune
	spread bool // rows of a display, with numbers
	stair  bool // multline: first row left, last right
}

type column struct {
	align byte  // l c r
	gap   int32 // before it, thousandths of an em
	rules int   // vertical rules before it
}

type arrayRow struct {
	cells [][]*node
	gap   length // added below
	label Row
}
