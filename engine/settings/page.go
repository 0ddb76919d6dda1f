package settings

// pageRows are settings.md 5.
var pageRows = []row{
	{"page.sizePreset", Enum, "17x24", "11x17|12x19|17x24|21x28|broadsheet|berliner|tabloid|compact|custom", "", "Page size", "Named trim size: pocket book, novel, essay or handbook, textbook or magazine, newspapers, or custom.", 1},
	{"page.width", Length, "", "cm: >0", "!the size preset", "Page width", "Width of the trimmed page; a width written here wins over the preset.", 1},
	{"page.height", Length, "", "cm: >0", "!the size preset", "Page height", "Height of the trimmed page; a height written here wins over the preset.", 1},
	{"page.margins.top", Length, "2cm", ">=0", "", "Top margin", "From the top edge of the page to the text block.", 1},
	{"page.margins.bottom", Length, "2cm", ">=0", "", "Bottom margin", "From the text block to the bottom edge of the page.", 1},
	{"page.margins.left", Length, "1.5cm", ">=0", "", "Left (inner) margin", "From the left edge to the text block; the inner margin on mirrored pages.", 1},
	{"page.margins.right", Length, "1.5cm", ">=0", "", "Right (outer) margin", "From the text block to the right edge; the outer margin on mirrored pages.", 1},
	{"page.margins.mirror", Bool, "false", "", "", "Mirror margins", "Facing pages: left and right margins change places on even pages.", 1},
	{"page.backgroundColor", Color, "transparent", "", "", "Paper colour", "Colour painted on the whole page under everything else.", 1},
	{"page.dpi", Number, "300", "ppi: >0", "", "Layout resolution", "Pixels in an inch: the size of a px length and of pictures that tell no resolution.", 1},
	{"page.binding", Enum, "auto", "auto|left|right", "!right for vertical and right-to-left books, else left", "Binding edge", "Bound edge of the book; decides which side odd pages are on and where inner and outer lie.", 2},
	{"page.pageNumbering.format", Format, "decimal", "", "", "Page number format", "How page numbers are written: 1, i, I, a, A and others.", 1},
	{"page.pageNumbering.startAt", Integer, "1", "", "", "First page number", "Number of the first page.", 1},
	{"page.baselineGrid.enabled", Bool, "false", "", "", "Show baseline grid", "Draws the baseline grid; the text stands on it either way.", 1},
	{"page.baselineGrid.color", Color, "#cccccc", "", "", "Grid colour", "Colour of the drawn grid lines.", 2},
	{"page.baselineGrid.lineWidth", Length, "0.5pt", ">=0", "", "Grid line width", "Thickness of the drawn grid lines.", 2},
	{"page.cutLines.enabled", Bool, "false", "", "", "Crop marks", "Grows the sheet by the bleed and draws crop marks.", 2},
	{"page.cutLines.bleed", Length, "3mm", ">=0", "", "Bleed", "How far pictures and fills go beyond the trim.", 2},
	{"page.cutLines.markLength", Length, "5mm", ">=0", "", "Mark length", "Length of a crop mark.", 2},
	{"page.cutLines.markOffset", Length, "3mm", ">=0", "", "Mark offset", "From the trim to the start of a mark; never inside the bleed.", 2},
	{"page.cutLines.markWidth", Length, "0.25pt", ">=0", "", "Mark width", "Thickness of a crop mark.", 2},
	{"page.cutLines.color", Color, "#000000", "", "", "Mark colour", "Colour of the marks on screen; a PDF prints them in every ink.", 2},
}

// pageSizes are the presets of settings.md 5.1, in written form.
var pageSizes = map[string][2]string{
	"11x17":      {"11cm", "17cm"},
	"12x19":      {"12cm", "19cm"},
	"17x24":      {"17cm", "24cm"},
	"21x28":      {"21cm", "28cm"},
	"broadsheet": {"375mm", "597mm"},
	"berliner":   {"315mm", "470mm"},
	"tabloid":    {"280mm", "430mm"},
	"compact":    {"297mm", "420mm"},
}

// marginRows are the fields of margins that parts and heading styles may set.
var marginRows = []row{
	{"top", Length, "", ">=0", "", "Top margin", "Top margin of these pages.", 2},
	{"bottom", Length, "", ">=0", "", "Bottom margin", "Bottom margin of these pages.", 2},
	{"left", Length, "", ">=0", "", "Left (inner) margin", "Left or inner margin of these pages.", 2},
	{"right", Length, "", ">=0", "", "Right (outer) margin", "Right or outer margin of these pages.", 2},
	{"mirror", Bool, "", "", "", "Mirror margins", "Whether left and right change places on even pages.", 2},
}

// layoutRows are settings.md 6; heading styles take them too.
var layoutRows = []row{
	{"layoutType", Enum, "double", "single|double|oneAndHalf|multiple", "", "Layout", "Arrangement of columns: one, two, a text column with a side column, or several.", 1},
	{"columnCount", Integer, "3", "columns: ~3..8", "", "Number of columns", "Equal columns of the layout with several columns.", 2},
	{"gutterWidth", Length, "0.75cm", ">=0", "", "Gutter", "White space between two columns.", 1},
	{"sideColumnPercent", Number, "33", "%: ~1..99", "", "Side column width", "Share of the text block's width the side column takes.", 2},
	{"sideColumnRole", Enum, "text", "text|floats", "", "Side column content", "Whether the side column carries running text or only figures and boxes made for it.", 2},
	{"sideColumnSide", Enum, "right", "right|left|outer|inner", "", "Side column side", "Which side of the text block the side column stands on.", 2},
	{"columnRule.enabled", Bool, "false", "", "", "Column rule", "A vertical line in each gutter.", 1},
	{"columnRule.color", Color, "#cccccc", "", "", "Column rule colour", "Colour of the line between columns.", 1},
	{"columnRule.lineWidth", Length, "0.5pt", ">=0", "", "Column rule width", "Thickness of the line between columns.", 1},
	{"fitFiguresToPage", Bool, "false", "", "", "Fit figures to the page", "Shrinks a figure taller than the page, and lets one in the text shrink to stay with it.", 2},
	{"bitmapResolution", Mixed, "document", "ppi: document|file; >0", "", "Picture resolution", "Natural print size of pictures without a resolution of their own.", 2},
	{"floatShrink.mode", Enum, "never", "never|page|slot", "", "Shrink floated pictures", "Scales a floated picture down to its place instead of moving it on.", 2},
	{"floatShrink.minScale", Number, "0.7", "(0..1]", "", "Smallest scale", "Smallest scale a floated picture may take.", 2},
	{"wrap.gap", Length, "", ">=0", "!one line of body text", "Wrap gap", "Space between a picture and the text running beside it.", 2},
	{"wrap.minTextWidth", Mixed, "12em", "em: >0", "", "Narrowest text beside", "Narrowest text allowed beside a picture: a length, or a share of the column up to 1.", 2},
	{"wrap.minLinesBeside", Integer, "2", "lines: >=1", "", "Fewest lines beside", "Fewest lines of text allowed beside a picture.", 2},
	{"wrap.defaultWidth", Number, "0.45", "(0..1)", "", "Wrapped width", "Share of the column a wrapped picture takes when it says no width.", 2},
	{"floatsAtCitingPage", Bool, "false", "", "", "Figures on the citing page", "Lets figures stand at the head of the page that first mentions them.", 2},
	{"maxTopFraction", Number, "0.7", "0..1", "", "Largest top figure", "Largest share of a column such a figure may take.", 2},
	{"hugClosingFloats", Bool, "true", "", "", "Close up last figures", "On a closing page, page-wide figures move up to the end of the text.", 2},
	{"inlineResourceGap", Enum, "around", "around|above", "", "Space around inline figures", "A line of space above and below a figure in the text, or above only.", 2},
	{"inlineResourceGapInBoxes", Bool, "true", "", "", "The same in boxes", "Gives figures inside boxes the same space.", 2},
	{"boxChildSplitMinLines", Integer, "2", "lines: >=1", "", "Lines kept at a box cut", "Lines of a paragraph or item that a cut box leaves on each side.", 2},
	{"flowColumns", Bool, "true", "", "", "Column groups in the text", "Column groups work outside boxes too and may be cut at a page end.", 2},
	{"floatsUnderOpener", Bool, "true", "", "", "Figures under openers", "The head of a chapter opener's own column may take a figure.", 2},
	{"writingMode", Enum, "horizontal-tb", "horizontal-tb|vertical-rl", "", "Writing mode", "Horizontal lines, or vertical Chinese and Japanese.", 3},
}
