// Package linebreak finds the best set of breaks for a paragraph of boxes, glue
// and penalties, after Knuth & Plass, "Breaking Paragraphs into Lines",
// Software: Practice and Experience 11 (1981), with the parameters and additions
// of layout.md section 5. It knows no fonts and no text.
//
// A line may end at glue that follows a box, at a penalty below Never, and must
// end at a Forced penalty and at the end of the items. Glue and penalties right
// after a break are dropped, up to the next box or forced penalty; those at the
// start of the paragraph are kept. Items after the last box or forced penalty
// are ignored. When the items do not end in a forced penalty, the last line is
// filled out with space without limit, as if Fill stood before the end.
//
// The cost of a line with ratio r and badness b = min(10000, round(100·|r|³)):
//
//	(1 + b + p)²     at a penalty p ≥ 0 (glue: p = 0)
//	(1 + b)² − p²    at a penalty p < 0
//	(1 + b)²         at a forced penalty
//	+ LooseDemerits  justified and stretched past r = LooseFrom
//	+ OverCost·r²    stretched past r = 1, r counted up to MaxRatio
//	+ LimitCost·r²   stretched past Limit, r counted up to 16; beyond it
//	                 LimitCost·4·(r − 16) more, so that of two hopeless lines the
//	                 fuller one is taken
//	+ OverfullCost   too wide with nothing inside it to break at
//
// and between two lines FlaggedDemerits, FitnessDemerits and RunCost. A line
// too wide even when shrunk (r < −1) is no line, unless it is one unit without
// a break inside. So there is always an answer, and the answer is the set of
// breaks of least total cost.
//
// All arithmetic is in integers: the same items give the same breaks everywhere.
package linebreak

import "postext/engine/unit"

// Kind is what an item is.
type Kind uint8

// Item kinds.
const (
	Box     Kind = iota // something of a width that is never divided
	Glue                // space that may stretch and shrink; a line may end at glue after a box
	Penalty             // a place where a line may end at a cost
)

// Forced and Never are the penalties that decide.
const (
	Forced int32 = -10000
	Never  int32 = 10000
)

// Fill as the Stretch of glue fills a line out without cost: the line is set at
// its natural width (ratio 0) or shrunk. A line never ends at such glue. It
// stands at the end of a paragraph and before a forced break inside it.
const Fill unit.Sp = 1 << 42

// One is the unit of ratios: 1 in 1/65536.
const One int32 = 1 << 16

// MaxRatio is the largest ratio told or counted; a line without any stretch that
// falls short has it.
const MaxRatio = 64 * One

// Costs that stand outside the squares. OverCost is higher than a runt, a run
// of hyphens and a line at r = 1 together, so that the breaker takes any of them
// before a line stretched further. LimitCost is higher than all of those summed
// over a paragraph: no line passes Limit where any set of breaks avoids it.
const (
	OverCost     int64 = 1 << 22 // times r², for a line stretched past r = 1
	RunCost      int64 = 1 << 20 // each flagged end beyond MaxFlagged in a row
	LimitCost    int64 = 1 << 34 // times r², for a line stretched past Limit
	OverfullCost int64 = 1 << 44 // a unit wider than its line
	trackBadness int64 = 50      // added to the badness of a line tracked to the full
)

// Item is one item of a paragraph. Width of a Penalty counts only when the line
// ends there (the hyphen); it may be negative (a hyphen hanging in the margin).
// Other widths, and Width − Shrink − Track, are expected not to be negative: a
// line once too wide is not looked at again. Lengths beyond ±2^38 are clamped.
type Item struct {
	Kind            Kind
	Flagged         bool // a hyphen: two flagged ends in a row cost extra
	NoTrack         bool // its line takes no letter spacing (a chip)
	Penalty         int32
	Width           unit.Sp
	Stretch, Shrink unit.Sp
	// After is what the next line begins with when a line ends at this Penalty
	// (a hyphen that is repeated); it is not stretched.
	After unit.Sp
	// Track is how much the item grows or gives at the largest letter spacing:
	// characters × the limit; glue may take back what stands behind the last
	// character before it (a negative Track). Zero everywhere switches tracking off.
	Track unit.Sp
}

// Break is the end of one line.
type Break struct {
	// Item is the index of the glue or penalty the line ends at; at the end of
	// items without a forced penalty, the index after the last box.
	Item int
	// Ratio of the line: > 0 stretched by Ratio of its stretch, < 0 shrunk, in
	// units of 1/65536, from −1 to MaxRatio. Ragged and filled-out lines have 0
	// (a filled-out line may be shrunk).
	Ratio int32
	// Track is the letter spacing as a share of the limit, in units of 1/65536,
	// −1 to 1. Not zero only where Ratio is −1 or at least 1, and 1 where it is more.
	Track int32
}

// Options are the costs of layout.md 5.1; the zero value is not useful, see
// DefaultOptions.
type Options struct {
	// Widths of the lines: line i (from 0) is Widths[min(i, len-1)] wide.
	Widths []unit.Sp
	// Ragged keeps spaces at their width and charges a line for how far it falls
	// short: 3 em short costs what a justified line at the maximum costs.
	Ragged bool
	// Em is the font size, for ragged lines; 10 pt when not positive.
	Em unit.Sp
	// Zone, when positive, lets a ragged line end flagged only where breaking
	// before that word would leave the line more than Zone short.
	Zone unit.Sp

	// TrackEnd is what the letter spacing behind the last character of a line
	// would add to it: it is not counted.
	TrackEnd unit.Sp

	FlaggedDemerits int64 // 3000: two flagged breaks in a row
	FitnessDemerits int64 // 100: neighbours differ by more than one class
	// LooseDemerits is charged for every justified line stretched past LooseFrom,
	// in units of 1/65536, on top of its badness. Zero switches it off.
	LooseDemerits int64
	LooseFrom     int32
	// Limit, when positive, is the ratio no line is stretched past where any set
	// of breaks keeps to it, from 1 up, in units of 1/65536: LimitCost is charged
	// for a line beyond.
	Limit int32
	// MaxFlagged, when positive, charges RunCost for every flagged end beyond
	// that many in a row (up to 15), or Run where that is more (less than
	// LimitCost, for the limit to keep its rank).
	MaxFlagged int
	Run        int64

	// Unflagged, when positive, is a line (from 1) that may not end flagged: the
	// last one in its column.
	Unflagged int

	// RuntWidth: a last line naturally narrower than this has RuntPenalty (0 to
	// 1,000,000) added to its badness before squaring; when GradedRunt only the
	// share 1 − width/RuntWidth of it.
	RuntWidth   unit.Sp
	RuntPenalty int32
	GradedRunt  bool
	// Looseness asks for a paragraph that many lines longer (+) or shorter (-)
	// than the best one. When there is none of that length the nearest length is
	// taken; the caller compares the number of lines and their ratios. No line is
	// stretched past r = 3 for the sake of a length.
	Looseness int
	// Lines, when positive, asks for that many lines instead, in the same way.
	Lines int
	// FirstFit breaks line by line instead of looking at the whole paragraph.
	FirstFit bool
}

// DefaultOptions are the defaults of layout.md 5.1 for one line width.
func DefaultOptions(width unit.Sp) Options {
	return Options{Widths: []unit.Sp{width}, FlaggedDemerits: 3000, FitnessDemerits: 100}
}

// Result is a broken paragraph.
type Result struct {
	// Breaks, one a line, in order. They belong to the Breaker and hold until
	// its next call.
	Breaks []Break
	// Demerits is the total cost.
	Demerits int64
	// Feasible is false when a line is overfull: a unit wider than its line.
	Feasible bool
}

// Paragraph returns the ends of the lines of one paragraph. Callers with many
// paragraphs keep a Breaker.
func Paragraph(items []Item, o Options) []Break {
	var b Breaker
	return b.Break(items, o).Breaks
}
