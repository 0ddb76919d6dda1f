package settings

// htmlRows are settings.md 31.
var htmlRows = []row{
	{"maxCharsPerLine", Number, "70", "characters: >0", "", "Measure on screen", "Letters in a line of a screen column.", 2},
	{"columnGap", Number, "50", "CSS px: >=0", "", "Column gap", "Between columns on screen.", 2},
	{"optimalLineBreaking", Bool, "false", "", "", "Optimal line breaking", "Chooses the breaks of a whole paragraph on screen too.", 2},
	{"overrides", Free, "", "", "", "Screen changes", "Settings that differ on screen only.", 2},
}

// pdfRows are settings.md 32.
var pdfRows = []row{
	{"outlines", Bool, "true", "", "", "Bookmarks", "Bookmarks from headings and parts.", 1},
	{"accessible", Bool, "true", "", "", "Accessible PDF", "Tags, alternative texts and language for reading aloud.", 1},
	{"forceColorSpace", Bool, "false", "", "", "Convert colours", "Converts every colour to one colour space.", 2},
	{"colorSpace", Enum, "cmyk", "rgb|cmyk|grayscale", "", "Colour space", "The space colours are converted to.", 2},
}

// printRows are settings.md 33.
var printRows = []row{
	{"standard", Enum, "none", "none|pdfx1a|pdfx4", "", "Standard", "Print standard of the PDF.", 2},
	{"outputProfile", Enum, "fogra39", "fogra39|fogra51|fogra52|fogra47|fogra29|fogra30|fogra27|fogra28|fogra45|fogra40|gracol2006|swop3|swop5|ifra26|snap2007|custom", "", "Printing condition", "Paper and press the colours are made for.", 2},
	{"customProfile.name", String, "", "", "", "Own profile", "Name of an uploaded ICC profile.", 2},
	{"customProfile.fileId", String, "", "", "", "Own profile file", "Where the profile is kept.", 2},
	{"customProfile.registryName", String, "", "", "", "Registry name", "Name of the condition in the registry.", 2},
	{"customProfile.inkLimit", Number, "", "%: >0", "", "Own profile's ink limit", "Ink limit of that profile.", 2},
	{"renderingIntent", Enum, "relative", "relative|perceptual", "", "Rendering intent", "How colours outside the inks are brought in.", 2},
	{"blackPointCompensation", Bool, "true", "", "", "Black point compensation", "Keeps the depth of shadows.", 2},
	{"convertImages", Bool, "true", "", "", "Convert pictures", "Separates RGB pictures.", 2},
	{"inkLimit", Number, "", "%: 0..400", "!the profile's", "Ink limit", "Most ink allowed in one place.", 2},
	{"black.kOnlyNeutrals", Bool, "true", "", "", "Greys in black", "Greys print in black ink only.", 2},
	{"black.overprint", Bool, "true", "", "", "Overprint black", "Full black prints over other inks.", 2},
	{"black.richBlack", Bool, "true", "", "", "Rich black", "Large black areas print in several inks.", 2},
	{"black.richBlackColor", Free, `{"c":60,"m":40,"y":40,"k":100}`, "", "", "Rich black recipe", "Inks of rich black, in percent.", 2},
	{"black.richBlackMinSize", Length, "6mm", ">=0", "", "Rich black from", "Smaller side an area needs.", 2},
	{"preflight.enabled", Bool, "true", "", "", "Preflight", "Checks the pages before print.", 2},
	{"preflight.minImageResolution", Number, "300", "ppi: >0", "", "Picture resolution", "A warning below this.", 2},
	{"preflight.criticalImageResolution", Number, "150", "ppi: >0", "", "Critical resolution", "A critical finding below this.", 2},
	{"preflight.minRuleWidth", Length, "0.25pt", ">=0", "", "Thinnest rule", "Thinner rules are reported.", 2},
	{"preflight.smallTextSize", Length, "9pt", ">=0", "", "Small text", "Smaller text in several inks is reported.", 2},
	{"preflight.safeZone", Length, "5mm", ">=0", "", "Safe zone", "Text nearer the trim is reported.", 2},
	{"preflight.bleedSnap", Length, "3mm", ">=0", "", "Near the trim", "Items that stop this near without bleeding are reported.", 2},
	{"preflight.checkFonts", Bool, "true", "", "", "Fonts", "Reports fonts missing in placed PDFs.", 2},
}

// folioRows are settings.md 35.
var folioRows = []row{
	{"tilt", Number, "22", "°: 0..70", "", "Tilt", "How far the book leans.", 3},
	{"yaw", Number, "0", "°: -180..180", "", "Turn", "How far the book is turned.", 3},
	{"paper.type", Enum, "uncoated", "uncoated|bookWove|coatedMatte|coatedSilk|coatedGloss|bible|newsprint|cardStock|board", "!newsprint for newspaper trims", "Paper", "Stock of the pages.", 3},
	{"paper.grammage", Number, "", "g/m²: 20..2500", "!the stock", "Grammage", "Weight of the paper.", 3},
	{"paper.bulk", Number, "", "cm³/g: 0.5..3", "!the stock", "Bulk", "Thickness for its weight.", 3},
	{"paper.finish", Enum, "auto", "auto|uncoated|matte|silk|gloss", "!the stock", "Finish", "Gloss of the paper.", 3},
	{"paper.texture", Enum, "auto", "auto|smooth|vellum|wove|laid|linen|felt", "!the stock", "Texture", "Surface of the paper.", 3},
	{"paper.textureStrength", Number, "1", "0..2", "", "Texture strength", "How strongly the surface shows.", 3},
	{"paper.shade", Color, "", "", "!the stock", "Shade", "Colour of the paper.", 3},
	{"paper.showThrough", Bool, "true", "", "", "Show-through", "The back of a page shines through.", 3},
	{"binding.type", Enum, "hardcover", "hardcover|paperback|sewn|layflat|saddleStitch|folded", "!folded for newspaper trims", "Binding", "How the book is bound.", 3},
	{"binding.cover", Enum, "case", "case|pages", "", "Cover", "A case, or the first and last page.", 3},
	{"binding.coverMaterial", Enum, "auto", "auto|cloth|paper|leather", "", "Cover material", "What the case is covered with.", 3},
	{"binding.coverColor", Color, "#2c3e57", "", "", "Cover colour", "Colour of the case.", 3},
	{"binding.spineImage", String, "", "", "", "Spine picture", "Id of a picture on the spine.", 3},
	{"surface.type", Enum, "oak", "oak|walnut|linen|felt|leather|marble|plain|none", "", "Table", "What the book lies on.", 3},
	{"surface.color", Color, "", "", "", "Table colour", "Colour of a plain table.", 3},
	{"lighting.environment", Enum, "studio", "studio|daylight|lamp|overcast|night", "", "Light", "The light around.", 3},
	{"lighting.intensity", Number, "1", "0.25..2", "", "Brightness", "Strength of the light.", 3},
	{"lighting.shadows", Bool, "true", "", "", "Shadows", "Casts shadows.", 3},
}
