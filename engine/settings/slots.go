package settings

// builtInHeader and builtInFooter print when header or footer are absent
// (settings.md 7).
const (
	slotText = `"fontFamily":"Open Sans","fontWeight":600,"color":{"hex":"#295AA3","model":"hex","paletteId":"main-color"}`

	builtInHeader = `[
{"id":"titleOdd","kind":"text","parity":"odd","content":"{title}","align":"right",` + slotText + `,"placement":{"anchor":{"to":"container","edge":"bottom-right"},"offset":{"y":{"value":-16,"unit":"pt"}}}},
{"id":"chapterEven","kind":"text","parity":"even","content":"{chapterTitle}","align":"left",` + slotText + `,"placement":{"anchor":{"to":"container","edge":"bottom-left"},"offset":{"y":{"value":-16,"unit":"pt"}}}},
{"id":"rule","kind":"rule","thickness":{"value":1,"unit":"pt"},"color":{"hex":"#295AA3","model":"hex","paletteId":"main-color"},"placement":{"anchor":{"to":"container","edge":"bottom"},"offset":{"y":{"value":-13,"unit":"pt"}}}}]`

	builtInFooter = `[
{"id":"pageNumber","kind":"text","content":"{pageNumber}",` + slotText + `,"placement":{"anchor":{"to":"container","edge":"top"},"offset":{"y":{"value":16,"unit":"pt"}}}}]`
)

var headerRows = []row{{"header.elements[]", Items, builtInHeader, "id", "", "Header elements", "What is printed above the text; an empty list prints nothing.", 1}}

var footerRows = []row{{"footer.elements[]", Items, builtInFooter, "id", "", "Footer elements", "What is printed below the text; an empty list prints nothing.", 1}}

// designRows is the empty list of a design slot.
var designRows = []row{{"elements[]", Items, "[]", "id", "", "Design elements", "Texts, rules, boxes and pictures of this design, painted in order.", 2}}

// sectionSlotRows is the slot of a heading style: absent, the document's; an
// empty list prints nothing.
var sectionSlotRows = []row{{"elements[]", Items, "", "id", "!the document's", "Elements", "What is printed on the pages of the section; an empty list prints nothing.", 2}}

const edges = "top|top-left|top-right|bottom|bottom-left|bottom-right|left|right|center|right-of|left-of|below|above|align-top|align-bottom|align-left|align-right"

// elementRows are the fields of one element (settings.md 7.1 to 7.3).
var elementRows = []row{
	{"id", String, "", "", "", "Id", "Name of the element, unique in its slot.", 1},
	{"kind", Enum, "", "text|rule|box|image", "", "Kind", "What the element is: text, rule, box or picture.", 1},
	{"parity", Enum, "all", "all|odd|even", "", "Odd or even pages", "Pages it is printed on, by parity.", 1},
	{"pages", Enum, "all", "all|body|opener|part|blank", "", "Kinds of pages", "Pages it is printed on, by what they hold.", 1},
	{"reserve", Bool, "true", "", "", "Counts for the height", "In heading designs: whether the element counts toward the height kept free.", 2},
	{"placement.anchor.to", String, "container", "", "", "Anchor", "Frame or neighbour it hangs on: container, page, bleed, outer or #id.", 1},
	{"placement.anchor.edge", Enum, "", edges, "", "Anchor point", "Corner, edge or side of the anchor it hangs on.", 1},
	{"placement.offset.x", Length, "0pt", "", "", "Offset to the right", "Distance to the right of the anchor point.", 1},
	{"placement.offset.y", Length, "0pt", "", "", "Offset down", "Distance below the anchor point; negative goes up.", 1},
	{"placement.size.width", Length, "", "auto|fill; >=0", "!auto; fill for rules", "Width", "A length, auto (as wide as the content) or fill.", 1},
	{"placement.size.height", Length, "auto", "auto|fill; >=0", "", "Height", "A length, auto (as high as the content) or fill.", 1},
	{"placement.size.maxWidth", Length, "", ">=0", "", "Greatest width", "Cap of a text as wide as its content.", 2},
	{"content", String, `""`, "", "", "Text", "Printed text with {placeholders} such as {title}, {chapterTitle}, {pageNumber}.", 1},
	{"fontFamily", Family, "EB Garamond", "", "", "Typeface", "Face of the text; never taken from the body.", 1},
	{"fontSize", Length, "8pt", ">0", "", "Size", "Size of the text.", 1},
	{"fontWeight", Weight, "400", "", "", "Weight", "Weight of the text.", 1},
	{"italic", Bool, "false", "", "", "Italic", "Sets the text in italics.", 1},
	{"color", Color, "#000000", "", "", "Colour", "Ink of the text or rule.", 1},
	{"align", Enum, "center", "left|center|right|justify|start|end", "", "Alignment", "Where the lines stand within the width.", 1},
	{"verticalAlign", Enum, "middle", "top|middle|bottom", "", "Vertical alignment", "Where the lines stand within the height.", 1},
	{"lineHeight", Mixed, "1.2", "× size: >0", "", "Leading", "Multiple of the size, or a length as distance of baselines.", 1},
	{"overflow", Enum, "ellipsis-end", "wrap|ellipsis-start|ellipsis-middle|ellipsis-end|clip", "", "Too wide", "What happens to a text wider than its room.", 1},
	{"letterSpacing", Length, "0pt", "", "", "Letter spacing", "Tracking of the text; may be negative.", 1},
	{"textTransform", Enum, "none", "none|uppercase", "", "Capitals", "Sets the text in capitals.", 1},
	{"hyphenate", Bool, "false", "", "", "Hyphenate", "Divides long words of a wrapping text.", 2},
	{"inlineMarks", Bool, "false", "", "", "Inline marks", "Reads bold, italic and scripts in the resolved text.", 2},
	{"paragraphIndent", Length, "0pt", "", "", "Paragraph indent", "First-line indent of the paragraphs after the first.", 2},
	{"box.backgroundColor", Color, "", "", "", "Plate colour", "Fill of the plate behind the text.", 2},
	{"box.borderColor", Color, "", "", "", "Plate border colour", "Outline of the plate behind the text.", 2},
	{"box.borderWidth", Length, "0pt", ">=0", "", "Plate border width", "Thickness of the plate's outline.", 2},
	{"box.borderRadius", Length, "0pt", ">=0", "", "Plate corners", "Radius of the plate's corners.", 2},
	{"box.padding.top", Length, "0pt", "", "", "Plate padding, top", "Room between text and plate edge above.", 2},
	{"box.padding.right", Length, "0pt", "", "", "Plate padding, right", "Room between text and plate edge on the right.", 2},
	{"box.padding.bottom", Length, "0pt", "", "", "Plate padding, bottom", "Room between text and plate edge below.", 2},
	{"box.padding.left", Length, "0pt", "", "", "Plate padding, left", "Room between text and plate edge on the left.", 2},
	{"stroke.width", Length, "", ">=0", "", "Outline width", "Thickness of the letters' outline.", 2},
	{"stroke.color", Color, "", "", "!the text's colour", "Outline colour", "Colour of the letters' outline.", 2},
	{"stroke.hollow", Bool, "false", "", "", "Hollow letters", "Draws the outline only.", 2},
	{"dropCap.lines", Integer, "2", "lines: >=1", "", "Initial: lines", "Lines the enlarged first letter spans.", 2},
	{"dropCap.fontFamily", Family, "", "", "!the text's face", "Initial: typeface", "Face of the enlarged letter.", 2},
	{"dropCap.fontWeight", Weight, "", "", "!the text's weight", "Initial: weight", "Weight of the enlarged letter.", 2},
	{"dropCap.fontSize", Length, "", ">0", "!computed from its lines", "Initial: size", "Size of the enlarged letter.", 2},
	{"dropCap.color", Color, "", "", "!the text's colour", "Initial: colour", "Colour of the enlarged letter.", 2},
	{"dropCap.gap", Length, "", "", "!the text's", "Initial: gap", "Room between the enlarged letter and the text.", 2},
	{"direction", Enum, "", "horizontal|vertical|ltr|rtl|auto", "!horizontal for rules, the document's for text", "Direction", "Of a rule: along the width or down the height. Of a text: its base direction.", 1},
	{"writingMode", Enum, "horizontal-tb", "horizontal-tb|vertical-rl", "", "Writing mode", "Vertical text in a horizontal slot.", 3},
	{"thickness", Length, "0.5pt", ">=0", "", "Rule thickness", "Thickness of a rule.", 1},
	{"style.backgroundColor", Color, "transparent", "", "", "Box fill", "Fill of a box.", 1},
	{"style.borderColor", Color, "transparent", "", "", "Box outline", "Stroke of a box.", 2},
	{"style.borderWidth", Length, "0pt", ">=0", "", "Box outline width", "Thickness of a box's stroke, inside its edge.", 2},
	{"style.borderRadius", Length, "0pt", ">=0", "", "Box corners", "Radius of a box's corners.", 2},
	{"resourceId", String, "", "", "", "Picture", "Id of the picture shown; may hold placeholders.", 2},
	{"decorative", Bool, "false", "", "", "Decorative", "The picture needs no alternative text.", 2},
}
