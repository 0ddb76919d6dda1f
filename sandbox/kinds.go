package sandbox

import "strings"

// categories are the kinds of warnings by category (warnings.md 4), those of
// category "markup" left out: it is where everything the parser finds belongs.
var categories = []struct{ category, kinds string }{
	{"fonts", "missingFont missingFontFamily missingFontVariant duplicateFontVariant fontFallback fontFamilyStack missingGlyph variableFontDefaultInstance cffEmbeddedWhole"},
	{"figures", "unknownResourceId duplicateResourceId danglingTypeRef bitmapTooSmall floatShrunk textWrap unknownTableStyle raggedTableGrid videoWithoutPoster videoWithoutUrl videoUrlInvalid missingImage pictureSimplified svgFontUnavailable svgFontsTooLarge comicUnknownArt comicPanelLetterbox comicAnchorOutsideSafeArea"},
	{"design", "headerFooterUnknownPlaceholder headerFooterMetadataMissing designCyclicAnchor designDanglingAnchor designTextClipAlwaysTruncates designTextTruncated headingDesignCut headingSpanWithoutBreak headingAdvancedWithoutTitleText sideColumnPercentClamped columnCountClamped cjkGridClamped unknownNumberFormat unknownNumerals lineNumbersUnsupported wrapUnsupported unknownConfigKey unknownConfigValue lowContrast"},
	{"typesetting", "looseLine cjkLooseLine unbreakableWordOverflow joiningScriptLetterSpacing cjkMarksExceedLeading rubyExceedsLeading kuntenExceedsLeading arabicMarksExceedLeading layoutFailed calloutOverflow chipOverlap lineNumberOverlap dropCap codeOverflow columnsTooNarrow afterText unplaced parityCascade alphaPdfOverflow unsupportedHyphenationLocale comicBalloonOverflow widow orphan"},
	{"system", "storageUnavailable"},
}

// category is the group of the Checks panel a kind of warning belongs to.
func category(kind string) string {
	for _, c := range categories {
		for k := range strings.FieldsSeq(c.kinds) {
			if k == kind {
				return c.category
			}
		}
	}
	return "markup"
}
