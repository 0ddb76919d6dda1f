package picture

import "postext/engine/unit"

// Drawing is an SVG as a display list: what every output paints, by its own
// means. Paths are in user units, each with the matrix that takes it to points
// of the drawing at its natural size, from its top left corner.
type Drawing struct {
	W, H unit.Sp // natural size
	Ops  []Op

	notes   []string
	missing []string
}

// Op is one step: a path filled or stroked, or a group of steps.
type Op struct {
	Path   path
	Matrix matrix
	Paint  Paint
	// EvenOdd is the fill rule; Stroke, when not nil, draws along the path
	// instead of filling it.
	EvenOdd bool
	Stroke  *Stroke

	// Group, when not nil, is painted as one, at Opacity and inside Clip.
	Group   []Op
	Opacity float64
	Clip    *Clip
}

// Paint is a colour or a gradient.
type Paint struct {
	Color    unit.Color
	Gradient *Gradient
}

// Gradient runs from the line's or circle's start (0) to its end (1).
type Gradient struct {
	Radial bool
	// Linear: X1, Y1 to X2, Y2. Radial: focus X1, Y1 to the circle about X2, Y2.
	X1, Y1, X2, Y2, R float64
	Spread            uint8  // pad, reflect, repeat
	Matrix            matrix // gradient units to user units
	Stops             []Stop
}

// Spreads.
const (
	spreadPad uint8 = iota
	spreadReflect
	spreadRepeat
)

// Stop is a colour at a place of a gradient.
type Stop struct {
	At    float64
	Color unit.Color
}

// Stroke is how a line is drawn.
type Stroke struct {
	Width  float64
	Cap    uint8 // butt, round, square
	Join   uint8 // miter, round, bevel
	Miter  float64
	Dashes []float64
	Offset float64
}

// Caps and joins.
const (
	capButt uint8 = iota
	capRound
	capSquare
)
const (
	joinMiter uint8 = iota
	joinRound
	joinBevel
)

// Clip is the area inside of which is painted: that of its paths, inside Outer.
type Clip struct {
	Ops   []Op
	Outer *Clip
}
