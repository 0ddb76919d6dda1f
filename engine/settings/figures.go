package settings

// resourceTypeRows are settings.md 25.
var resourceTypeRows = []row{
	{"[]", Items, "", "id", "!the built-in figure, table and video, named in the document's language", "Types", "Kinds of figures and how they are numbered.", 1},
	{"[].id", String, "", "", "", "Id", "Name resources refer to.", 1},
	{"[].name", String, "", "", "!the language", "Name", "Full label, such as Figure.", 1},
	{"[].namePlural", String, "", "", "!the language", "Plural", "Label of several, such as Figures.", 1},
	{"[].shortLabel", String, "", "", "!the language", "Short label", "Label inside text, such as Fig.", 1},
	{"[].captionPrefix", String, "", "", "!the language", "Caption prefix", "What a caption begins with.", 1},
	{"[].numberingTemplate", String, "{h1}.{n}", "", "", "Number", "How the number is made up: {n}, {h1} to {h6}; empty prints none.", 1},
	{"[].resetOn", Enum, "h1", resets, "", "Count anew at", "Headings at which the count starts again.", 1},
	{"[].counterFormat", Format, "decimal", "", "", "Counter format", "Format of the counter.", 1},
}

// placementRows are the placement fields of settings.md 25.
var placementRows = []row{
	{"position", Enum, "auto", "auto|top|bottom|here", "", "Position", "At a free place after the first mention, or in the text.", 1},
	{"span", Enum, "column", "column|page|side", "", "Extent", "Column-wide, page-wide or in the side column.", 1},
	{"width", Number, "", "(0..1)", "", "Width", "Share of its place it takes.", 1},
	{"align", Enum, "left", "left|center|right|start|end", "", "Alignment", "Where it stands when narrower than its place.", 1},
	{"rotate", Enum, "", "ccw|cw", "", "Rotate", "A quarter turn, on a page of its own.", 2},
	{"columns", Integer, "1", "columns: >=1", "", "Columns", "Adjacent columns it takes.", 2},
	{"captionSide", Bool, "false", "", "", "Caption at the side", "Puts the caption in the side column.", 2},
	{"captionMeasure", Enum, "", "body|slot", "", "Caption width", "As wide as the picture, or as its place.", 2},
	{"shrink", Enum, "", "never|page|slot", "layout.floatShrink.mode", "Shrink", "Scales the picture down to its place.", 2},
	{"minScale", Number, "", "(0..1]", "layout.floatShrink.minScale", "Smallest scale", "Smallest scale it may take.", 2},
	{"wrap", Enum, "none", "none|left|right|start|end", "", "Text beside", "Text runs beside it.", 2},
	{"wrapGap", Length, "", ">=0", "layout.wrap.gap", "Wrap gap", "Between it and the text beside.", 2},
	{"citingPage", Bool, "", "", "layout.floatsAtCitingPage", "On the citing page", "May head the page that first mentions it.", 2},
}

// captionRows are settings.md 26.
var captionRows = []row{
	{"fontFamily", Family, "", "", "bodyText.fontFamily", "Typeface", "Face of captions.", 1},
	{"fontSize", Length, "", ">0", "bodyText.fontSize", "Size", "Size of captions.", 1},
	{"color", Color, "", "", "bodyText.color", "Colour", "Ink of captions.", 1},
	{"align", Enum, "left", "left|center|right|justify|start|end", "", "Alignment", "Alignment of captions.", 1},
	{"gap", Length, "0.75em", "", "", "Gap", "Between figure and caption.", 1},
	{"labelBold", Bool, "true", "", "", "Bold label", "Sets the label bold.", 1},
	{"labelItalic", Bool, "false", "", "", "Italic label", "Sets the label in italics.", 1},
	{"labelColor", Color, "", "", ".color", "Label colour", "Ink of the label.", 1},
	{"descriptionItalic", Bool, "false", "", "", "Italic description", "Sets the description in italics.", 1},
	{"position", Enum, "below", "above|below", "", "Position", "Above or below the figure.", 1},
	{"backgroundEnabled", Bool, "false", "", "", "Bar", "A bar behind the caption.", 2},
	{"background", Color, "main", "", "", "Bar colour", "Fill of the bar.", 2},
	{"padding", Length, "0.35em", ">=0", "", "Bar padding", "Room inside the bar.", 2},
	{"labelNumberGap", String, "", "", "!a no-break space; nothing in Japanese", "Before the number", "Between label and number.", 2},
	{"labelSeparator", String, "", "", "!a full stop and a space; an ideographic space in Japanese", "After the number", "Between number and description.", 1},
	{"note.fontSize", Length, "", ">0", "0.85*captionStyle.fontSize", "Source size", "Size of the source line.", 1},
	{"note.color", Color, "", "", "captionStyle.color", "Source colour", "Ink of the source line.", 1},
	{"note.italic", Bool, "false", "", "", "Italic source", "Sets the source line in italics.", 1},
	{"note.gap", Length, "0.35em", "", "", "Source gap", "Above the source line.", 1},
	{"note.align", Enum, "left", "left|center|right|justify|start|end", "", "Source alignment", "Alignment of the source line.", 1},
}

// tableRows are settings.md 27.
var tableRows = []row{
	{"bodyFontFamily", Family, "", "", "bodyText.fontFamily", "Body typeface", "Face of body cells.", 1},
	{"bodyFontSize", Length, "", ">0", "bodyText.fontSize", "Body size", "Size of body cells.", 1},
	{"bodyColor", Color, "", "", "bodyText.color", "Body colour", "Ink of body cells.", 1},
	{"headerFontFamily", Family, "", "", "bodyText.fontFamily", "Header typeface", "Face of header cells.", 1},
	{"headerFontSize", Length, "", ">0", "bodyText.fontSize", "Header size", "Size of header cells.", 1},
	{"headerColor", Color, "", "", "bodyText.color", "Header colour", "Ink of header cells.", 1},
	{"headerBold", Bool, "true", "", "", "Bold header", "Sets header cells bold.", 1},
	{"headerItalic", Bool, "false", "", "", "Italic header", "Sets header cells in italics.", 1},
	{"headerLetterSpacing", Length, "0pt", "", "", "Header letter spacing", "Tracking of header cells.", 2},
	{"headerTextTransform", Enum, "none", "none|uppercase", "", "Header capitals", "Sets header cells in capitals.", 2},
	{"headerBackgroundEnabled", Bool, "true", "", "", "Header fill", "Fills header cells.", 1},
	{"headerBackground", Color, "#f0f0f0", "", "", "Header fill colour", "Fill of header cells.", 1},
	{"bodyBackgroundEnabled", Bool, "false", "", "", "Body fill", "Fills body cells.", 1},
	{"bodyBackground", Color, "#ffffff", "", "", "Body fill colour", "Fill of body cells.", 1},
	{"bodyAlternateBackgroundEnabled", Bool, "false", "", "", "Alternate fill", "Fills every second body row.", 1},
	{"bodyAlternateBackground", Color, "#f2f2f2", "", "", "Alternate fill colour", "Fill of every second body row.", 1},
	{"borders", Bool, "true", "", "", "Rules", "Draws rules.", 1},
	{"borderColor", Color, "", "", "bodyText.color", "Rule colour", "Colour of the rules.", 1},
	{"borderWidth", Length, "0.75pt", ">=0", "", "Rule width", "Thickness of the rules.", 1},
	{"cellPadding", Length, "0.375em", ">=0", "", "Cell padding", "Room inside a cell.", 1},
	{"rules", Enum, "grid", "grid|horizontal|outer|none|booktabs", "", "Which rules", "A grid, horizontal, outer, none, or three rules of different weight.", 1},
	{"borderRadius", Length, "0pt", ">=0", "", "Corners", "Radius of the table's corners.", 2},
	{"heavyRuleWidth", Length, "0.08em", ">=0", "", "Heavy rule", "Top and bottom rule of booktabs.", 1},
	{"lightRuleWidth", Length, "0.05em", ">=0", "", "Light rule", "Rule under the head of booktabs.", 1},
	{"spanRuleWidth", Length, "0.03em", ">=0", "", "Spanning rule", "Rule under spanning heads.", 1},
	{"spanRules", Enum, "trimmed", "trimmed|full|none", "", "Spanning rules", "How rules under spanning heads are drawn.", 2},
	{"spanRuleTrim", Length, "0.5em", ">=0", "", "Spanning rule trim", "What is cut at each end.", 2},
	{"groupRules", Bool, "false", "", "", "Group rules", "A rule above group rows.", 2},
	{"continuedFootRule", Enum, "light", "bottom|light|none", "", "Foot of a part", "Rule under a part that goes on.", 2},
	{"overflow", Enum, "split", "split|clip|hide", "", "Too tall", "What happens to a table taller than the page.", 1},
	{"splitInline", Bool, "true", "", "", "Split inline tables", "Tables in the text may be cut too.", 2},
	{"continuedSuffix", String, "", "", "!the language", "Words after a repeated caption", "Such as (cont.).", 2},
	{"continuesMarkerEnabled", Bool, "true", "", "", "Mark of continuation", "A line under a part that goes on.", 2},
	{"continuesMarker", String, "", "", "!the language", "Words of continuation", "The words of that line.", 2},
}

var tableStyleRows = []row{
	{"[]", Items, "[]", "id", "", "Table styles", "Named styles of tables.", 2},
	{"[].id", String, "", "", "", "Id", "Name tables refer to.", 2},
	{"[].name", String, "", "", ".id", "Name", "Name shown to the author.", 2},
}

// diagramRows are settings.md 28.
var diagramRows = []row{
	{"singleInk", Bool, "false", "", "", "Single ink", "Draws SVG pictures in tints of one ink.", 2},
	{"inkColor", Color, "main", "", "", "Ink", "The ink.", 2},
	{"inlineFonts", Bool, "true", "", "", "Carry fonts", "Puts the faces an SVG names into it.", 2},
}

const ninePlaces = "top-left|top|top-right|left|center|right|bottom-left|bottom|bottom-right"

// videoRows are settings.md 29.
var videoRows = []row{
	{"playMark.enabled", Bool, "true", "", "", "Play mark", "A play sign on the poster.", 3},
	{"playMark.shape", Enum, "circle", "circle|rounded|triangle", "", "Play mark shape", "Shape of the sign.", 3},
	{"playMark.position", Enum, "center", ninePlaces, "", "Play mark position", "Place on the poster.", 3},
	{"playMark.size", Length, "12mm", ">0", "", "Play mark size", "Size of the sign.", 3},
	{"playMark.inset", Length, "4mm", ">=0", "", "Play mark inset", "Distance from the edge.", 3},
	{"playMark.color", Color, "#ffffff", "", "", "Play mark colour", "Colour of the triangle.", 3},
	{"playMark.background", Color, "main", "", "", "Play mark ground", "Colour behind it.", 3},
	{"playMark.backgroundOpacity", Number, "0.9", "0..1", "", "Play mark opacity", "Opacity of that ground.", 3},
	{"qr.enabled", Bool, "true", "", "", "QR code", "A QR code with the video's address.", 3},
	{"qr.position", Enum, "bottom-right", ninePlaces, "", "QR position", "Place on the poster.", 3},
	{"qr.size", Length, "18mm", ">0", "", "QR size", "Size of the code.", 3},
	{"qr.inset", Length, "3mm", ">=0", "", "QR inset", "Distance from the edge.", 3},
	{"qr.errorCorrection", Enum, "M", "L|M|Q|H", "", "QR correction", "How much damage the code bears.", 3},
	{"qr.quietZone", Integer, "2", "modules: 0..8", "", "QR quiet zone", "Empty modules around.", 3},
	{"qr.color", Color, "#000000", "", "", "QR colour", "Ink of the code.", 3},
	{"qr.background", Color, "#ffffff", "", "", "QR ground", "Colour behind the code.", 3},
	{"qr.radius", Length, "1mm", ">=0", "", "QR corners", "Radius of the ground.", 3},
	{"linkPoster", Bool, "true", "", "", "Link the poster", "The poster links to the video.", 3},
	{"html", Enum, "player", "player|poster", "", "On screen", "A player, or the poster only.", 3},
	{"player.controls", Bool, "true", "", "", "Controls", "Shows the player's controls.", 3},
	{"player.download", Bool, "true", "", "", "Download", "Offers the download.", 3},
	{"player.fullscreen", Bool, "true", "", "", "Full screen", "Offers full screen.", 3},
	{"player.playbackRate", Bool, "true", "", "", "Speed", "Offers other speeds.", 3},
	{"player.pictureInPicture", Bool, "true", "", "", "Picture in picture", "Offers a floating window.", 3},
	{"player.remotePlayback", Bool, "true", "", "", "Remote playback", "Offers other screens.", 3},
	{"player.exclusive", Bool, "true", "", "", "One at a time", "Starting one video stops the others.", 3},
	{"player.privacy", Bool, "true", "", "", "Privacy", "Loads nothing before it is started.", 3},
	{"player.autoplay", Bool, "false", "", "", "Autoplay", "Starts by itself.", 3},
	{"player.muted", Bool, "false", "", "", "Muted", "Starts without sound.", 3},
	{"player.loop", Bool, "false", "", "", "Loop", "Starts again at the end.", 3},
	{"player.preload", Enum, "metadata", "none|metadata|auto", "", "Preload", "What is loaded beforehand.", 3},
}
