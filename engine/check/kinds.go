package check

// The kinds of warnings, in one place (warnings.md 4). What finds a kind is told by
// its group below; what its payload holds, by the place that reports it.

// Categories are the groups of warnings, in the order in which to deal with them.
var Categories = [...]string{"fonts", "figures", "markup", "design", "typesetting", "preflight", "system"}

// A Kind of warning.
type Kind struct {
	Name     string
	Category string
	Title    string
	// Switch is the key under debug.warnings that silences the kind; "" for one that
	// is always told.
	Switch string
}

var kinds = []Kind{
	// Fonts: of the configuration and of what the pages were set in.
	{"missingFont", "fonts", "Missing font", "missingFont"},
	{"missingFontFamily", "fonts", "Unknown font family", "missingFont"},
	{"missingFontVariant", "fonts", "Missing font variant", "missingFont"},
	{"duplicateFontVariant", "fonts", "Duplicate font variant", "missingFont"},
	{"fontFallback", "fonts", "Font fallback in the layout", "missingFont"},
	{"fontFamilyStack", "fonts", "Font stack in a font family", ""},
	{"missingGlyph", "fonts", "Characters missing from a font", ""},

	// Figures and tables: of the resources that the text uses.
	{"unknownResourceId", "figures", "Unknown resource", ""},
	{"duplicateResourceId", "figures", "Duplicate resource id", ""},
	{"danglingTypeRef", "figures", "Unknown resource type", ""},
	{"bitmapTooSmall", "figures", "Low-resolution image", ""},
	{"floatShrunk", "figures", "Picture shrunk to fit", ""},
	{"textWrap", "figures", "Picture or box with text around it", ""},
	{"unknownTableStyle", "figures", "Unknown table style", ""},
	{"raggedTableGrid", "figures", "Irregular table grid", ""},
	{"videoWithoutPoster", "figures", "Video without a poster", ""},
	{"videoWithoutUrl", "figures", "Video without an address", ""},
	{"videoUrlInvalid", "figures", "Not a video address", ""},
	{"missingImage", "figures", "Image not available", ""},
	{"pictureSimplified", "figures", "Picture simplified", ""},
	{"svgFontUnavailable", "figures", "Font missing in an SVG", ""},

	// Text and markup: found by the parser, or where the layout looks a name up.
	{"headingHierarchy", "markup", "Heading hierarchy jump", "headingHierarchy"},
	{"consecutiveHeadings", "markup", "Consecutive headings", "consecutiveHeadings"},
	{"listAfterHeading", "markup", "List after heading", "listAfterHeading"},
	{"invalidMath", "markup", "Invalid LaTeX", ""},
	{"unclosedMath", "markup", "Unclosed math delimiter", ""},
	{"invalidFrontmatter", "markup", "Invalid front matter", ""},
	{"chapterFrontmatterIgnored", "markup", "Front matter ignored", ""},
	{"unknownDirective", "markup", "Unknown directive", ""},
	{"unclosedContainer", "markup", "Unclosed container", ""},
	{"unclosedCodeBlock", "markup", "Unclosed code fence", ""},
	{"malformedEmbed", "markup", "Embed set as text", ""},
	{"fullwidthMarkup", "markup", "Full-width markup", ""},
	{"attributeKeyInvalid", "markup", "Attribute key not read", ""},
	{"attributeValueInvalid", "markup", "Attribute value not read", ""},
	{"unknownParagraphStyle", "markup", "Unknown paragraph style", ""},
	{"unknownCalloutType", "markup", "Unknown callout type", ""},
	{"unknownChipStyle", "markup", "Unknown chip style", ""},
	{"unknownHeadingStyle", "markup", "Unknown heading style", ""},
	{"duplicateAnchor", "markup", "Duplicate anchor", ""},
	{"unknownCitationKey", "markup", "Unknown citation key", ""},
	{"citationsUnavailable", "markup", "Citations not available", ""},
	{"referencesUnreadable", "markup", "Unreadable references", ""},
	{"undefinedFootnote", "markup", "Undefined footnote", ""},
	{"unusedFootnote", "markup", "Unused footnote", ""},
	{"indexMarkInvalid", "markup", "Index mark without a term", ""},
	{"indexSeeUnknown", "markup", "Unknown index reference", ""},
	{"indexRangeUnclosed", "markup", "Index range not closed", ""},
	{"numberingInvalidFormat", "markup", "Invalid numbering format", ""},
	{"numberingInvalidStartAt", "markup", "Invalid numbering startAt", ""},
	{"pagebreakInvalidParity", "markup", "Invalid pagebreak parity", ""},
	{"headingBreakInvalidParity", "markup", "Invalid pagebreak parity", ""},
	{"spaceInvalidLines", "markup", "Invalid space size", ""},
	{"paperAttributeInvalid", "markup", "Invalid paper attribute", ""},
	{"columnsFlowUnknown", "markup", "Unknown column flow", ""},
	{"htmlIgnored", "markup", "HTML left out", ""},

	// Design: of the configuration and its slots.
	{"headerFooterUnknownPlaceholder", "design", "Unknown placeholder", ""},
	{"headerFooterMetadataMissing", "design", "Placeholder metadata missing", ""},
	{"designCyclicAnchor", "design", "Cyclic anchor reference", "designIssues"},
	{"designDanglingAnchor", "design", "Dangling anchor reference", "designIssues"},
	{"designTextClipAlwaysTruncates", "design", "Text always truncated", ""},
	{"designTextTruncated", "design", "Design text cut", ""},
	{"headingDesignCut", "design", "Heading design cut off", ""},
	{"headingSpanWithoutBreak", "design", "Heading span without break", "designIssues"},
	{"headingAdvancedWithoutTitleText", "design", "Heading title not referenced", "designIssues"},
	{"sideColumnPercentClamped", "design", "Side column out of range", ""},
	{"columnCountClamped", "design", "Column count out of range", ""},
	{"unknownNumberFormat", "design", "Unknown number format", ""},
	{"unknownNumerals", "design", "Unknown digits", ""},
	{"unknownConfigKey", "design", "Unknown setting", ""},
	{"unknownConfigValue", "design", "Unknown setting value", ""},
	{"partPaletteIgnored", "design", "Palette not read", ""},
	{"lowContrast", "design", "Text too faint for its background", ""},

	// Typesetting: of the pages.
	{"looseLine", "typesetting", "Loose line", "looseLines"},
	{"overfullLine", "typesetting", "Word wider than its line", ""},
	{"calloutOverflow", "typesetting", "Callout overflows its column", ""},
	{"chipOverlap", "typesetting", "Chips touch the next line", ""},
	{"lineNumberOverlap", "typesetting", "Line number over a side box", ""},
	{"dropCap", "typesetting", "Drop cap not set as asked", ""},
	{"codeOverflow", "typesetting", "Code line wider than its box", ""},
	{"columnsTooNarrow", "typesetting", "Columns too narrow", ""},
	{"afterText", "typesetting", "Set after the text", ""},
	{"parityCascade", "typesetting", "Parity cascade", ""},
	{"alphaPdfOverflow", "typesetting", "Alphabetic page labels past Z", ""},
	{"unsupportedHyphenationLocale", "typesetting", "No hyphenation patterns for this language", ""},
	{"hyphenationMissing", "typesetting", "Hyphenation patterns not available", ""},
	{"widow", "typesetting", "Widow", ""},
	{"orphan", "typesetting", "Orphan", ""},
	{"notLaidOut", "typesetting", "Set in a simpler way", ""},
	{"layoutFailed", "typesetting", "Chapter not laid out", ""},

	{"storageUnavailable", "system", "Storage unavailable", ""},
}

var kindByName = func() map[string]*Kind {
	m := make(map[string]*Kind, len(kinds))
	for i := range kinds {
		m[kinds[i].Name] = &kinds[i]
	}
	return m
}()

// KindOf is the kind of a name, nil when there is none.
func KindOf(name string) *Kind { return kindByName[name] }

// Kinds lists the kinds, category by category.
func Kinds() []Kind { return append([]Kind(nil), kinds...) }
