package markup

import (
	"strconv"
	"strings"
)

// Values that an attribute cannot have (document-format.md 3, 4 to 6): each is told
// with what is used instead.

// unread is the kind of those the specification names no other for.
const unread = "attributeValueInvalid"

const aLength = "a length like 12pt or 1.5em"

// badValue reports the value of an attribute unless it is one of those allowed.
func (p *parser) badValue(b *Block, kind, key, detail string, allowed func(string) bool) {
	if a, ok := b.Attrs.find(key); ok && !allowed(a.Value) {
		p.problem(kind, key+`="`+a.Value+`": `+detail, b.Start, b.End, Attr{Key: "key", Value: key}, Attr{Key: "value", Value: a.Value})
	}
}

func oneOf(names ...string) func(string) bool {
	return func(v string) bool { return has(names, v) }
}

// above is a number over lo, at most hi.
func above(lo, hi float64) func(string) bool {
	return func(v string) bool {
		f, err := strconv.ParseFloat(v, 64)
		return err == nil && f > lo && f <= hi
	}
}

func whole(lo, hi int) func(string) bool {
	return func(v string) bool {
		n, err := strconv.Atoi(v)
		return err == nil && n >= lo && n <= hi
	}
}

// isDropCap reports a value of dropcap: a switch, or the lines it is high.
func isDropCap(v string) bool { return has([]string{"", "true", "false", "no"}, v) || whole(1, 20)(v) }

func (p *parser) checkDropCap(b *Block) {
	p.badValue(b, unread, "dropcap", "a drop cap over the usual lines; dropcap alone is on, dropcap=false off, dropcap=2 to dropcap=20 the lines it is high", isDropCap)
}

// checkHeading and checkListing report what cannot be read of the attributes of a
// heading and of a listing.
func (p *parser) checkHeading(b *Block) {
	p.badValue(b, unread, "startAt", "the headings count on; startAt is a whole number from 1 on", whole(1, 1e9))
	p.checkDropCap(b)
}

func (p *parser) checkListing(b *Block) {
	p.badValue(b, unread, "start", "ignored; start is the whole number of the first line", whole(0, 1e9))
	p.badValue(b, unread, "span", "set in its column; a span is column or page", oneOf("column", "page"))
}

// checkFence reports attribute values no directive can use.
func (p *parser) checkFence(b *Block) {
	bad := func(kind, key, detail string, allowed func(string) bool) { p.badValue(b, kind, key, detail, allowed) }
	switch b.Name {
	case "pagebreak":
		bad("pagebreakInvalidParity", "parity", "read as any; a parity is odd, even, always-odd or always-even",
			oneOf("any", "odd", "even", "always-odd", "always-even"))
	case "space":
		bad("spaceInvalidLines", "lines", "one line is used; lines is a number above 0, at most 20", above(0, 20))
	case "numbering":
		bad("numberingInvalidFormat", "format", "no number format has this name: kept as before", IsNumberFormat)
		for _, key := range []string{"startAt", "lines"} {
			bad("numberingInvalidStartAt", key, "ignored; "+key+" is a whole number from 1 on", whole(1, 1e9))
		}
	case "columns":
		bad("columnsFlowUnknown", "flow", "the default flow is used; a flow is snake or parallel", oneOf("snake", "parallel"))
		bad(unread, "count", "set in 2 columns; a count is a whole number from 2 to 6", whole(2, 6))
		bad(unread, "gap", "the usual gap is used; a gap is "+aLength, isLength)
		bad(unread, "span", "set in one column of the page; a span is column or page", oneOf("column", "page"))
	case "callout":
		bad(unread, "span", "set in its column; a span is column, page or side", oneOf("column", "page", "side"))
		bad(unread, "placement", "set where it is written; a placement is here, auto, top, bottom or fixed", oneOf("here", "auto", "top", "bottom", "fixed"))
		bad(unread, "wrap", "no text runs beside it; wrap is left, right, start or end", oneOf("none", "left", "right", "start", "end"))
		bad(unread, "columns", "set over its style's columns; columns is a whole number from 1 on", whole(1, 1e6))
		bad(unread, "width", "the usual width is used; a width is a share of the column between 0 and 1", func(v string) bool {
			f, err := strconv.ParseFloat(v, 64)
			return err == nil && f > 0 && f < 1
		})
		bad(unread, "wrapGap", "the usual gap is used; a gap is "+aLength, isLength)
	case "paragraphs":
		bad(unread, "align", "the style's alignment is used; an alignment is start, end, left, right, center or justify",
			oneOf("start", "end", "left", "right", "center", "justify"))
		bad(unread, "indent", "ignored; an indent is "+aLength, isLength)
		p.checkDropCap(b)
		bad(unread, "endIndent", "ignored; an indent is "+aLength, isLength)
	case "verse":
		bad(unread, "layout", "read as auto; a layout is lines, bayt or auto", oneOf("lines", "bayt", "auto"))
		bad(unread, "turnover", "turned over hanging; a turnover is hang or right", oneOf("hang", "right"))
		bad(unread, "align", "centred on its longest line; an alignment is center or start", oneOf("center", "start", "left"))
		for _, key := range []string{"indentStep", "hang", "stanzaSpace"} {
			bad(unread, key, "the usual room is used; "+key+" is "+aLength, isLength)
		}
		bad(unread, "keepStanzas", "ignored; keepStanzas is a number of lines", whole(0, 1e6))
		bad(unread, "lineStart", "ignored; lineStart is a whole number from 1 on", whole(1, 1e9))
		bad(unread, "interval", "the usual interval is used; an interval is a whole number from 1 on", whole(1, 1e6))
	case "paper":
		const kind = "paperAttributeInvalid"
		bad(kind, "type", "ignored", oneOf("uncoated", "bookWove", "coatedMatte", "coatedSilk", "coatedGloss", "bible", "newsprint", "cardStock", "board"))
		bad(kind, "finish", "ignored", oneOf("auto", "uncoated", "matte", "silk", "gloss"))
		bad(kind, "texture", "ignored", oneOf("auto", "smooth", "vellum", "wove", "laid", "linen", "felt"))
		bad(kind, "bulk", "ignored; bulk is a number above 0", above(0, 1e6))
		bad(kind, "grammage", "ignored; grammage is a number above 0", above(0, 1e6))
		bad(kind, "textureStrength", "ignored; textureStrength is a number from 0 to 2", func(v string) bool {
			f, err := strconv.ParseFloat(v, 64)
			return err == nil && f >= 0 && f <= 2
		})
	}
}

// isLength reports a length of an attribute (section 3): a number that is not
// below 0, with a unit or bare.
func isLength(v string) bool {
	v = strings.ToLower(strings.TrimSpace(v))
	for _, u := range [...]string{"rem", "em", "pt", "mm", "cm", "in", "px"} {
		if n, ok := strings.CutSuffix(v, u); ok {
			v = strings.TrimSpace(n)
			break
		}
	}
	f, err := strconv.ParseFloat(v, 64)
	return err == nil && f >= 0 && f < 1e5
}
