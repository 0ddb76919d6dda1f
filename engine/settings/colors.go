package settings

// paletteRows and fontRows are settings.md 30.
var paletteRows = []row{
	{"[]", Items, `[{"id":"main-color","name":"Main Color","value":{"hex":"#295AA3","model":"hex"}}]`, "id", "", "Palette", "Named colours other settings link to.", 1},
	{"[].id", String, "", "", "", "Id", "What links name.", 1},
	{"[].name", String, "", "", "", "Name", "Name shown to the author.", 1},
	{"[].value", Color, "", "", "", "Colour", "Value of this colour wherever it is linked.", 1},
}

var fontRows = []row{
	{"[]", Items, "[]", "name", "", "Own fonts", "Families whose files the book carries; they win over the catalogue.", 1},
	{"[].name", String, "", "", "", "Family", "Name of the family.", 1},
	{"[].variants[]", Items, "", "", "", "Variants", "Files of the family, one for each weight and slant.", 1},
	{"[].variants[].weight", Weight, "", "", "", "Weight", "Weight of this file.", 1},
	{"[].variants[].style", Enum, "", "normal|italic", "", "Slant", "Upright or italic.", 1},
	{"[].variants[].fileId", String, "", "", "", "File", "Where the bytes are kept.", 1},
	{"[].variants[].format", Enum, "", "woff2|woff|ttf|otf", "", "Format", "Format of the file.", 1},
	{"[].variants[].fileName", String, "", "", "", "File name", "Name of the file as it came.", 1},
	{"[].redistributable", Bool, "true", "", "", "May be passed on", "Off: the font is never written into exported files.", 2},
}
