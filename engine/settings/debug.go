package settings

import "strings"

// debugRows are settings.md 36: aids on screen, never in an output.
var debugRows = []row{
	{"cursorSync.enabled", Bool, "true", "", "", "Show the caret", "Mirrors the editor's caret on the page.", 1},
	{"cursorSync.color", Color, "#2563eb", "", "", "Caret colour", "Colour of the mirrored caret.", 1},
	{"selectionSync.enabled", Bool, "true", "", "", "Show the selection", "Mirrors the editor's selection on the page.", 1},
	{"selectionSync.color", Color, "#fde04780", "", "", "Selection colour", "Colour of the mirrored selection.", 1},
	{"looseLineHighlight.enabled", Bool, "false", "", "", "Tint loose lines", "Tints justified lines with wide word spaces.", 1},
	{"looseLineHighlight.color", Color, "#ff000040", "", "", "Loose line colour", "Colour of that tint.", 1},
	{"looseLineHighlight.threshold", Number, "3", "× space: >0", "", "Loose line threshold", "Word space from which a line counts as loose, for the tint and the check.", 1},
	{"pageNegative.enabled", Bool, "false", "", "", "Negative", "Shows the page light on dark.", 2},
	{"warnings.missingFont", Bool, "true", "", "", "Missing fonts", "Checks fonts not loaded, unknown families and missing variants.", 1},
	{"warnings.looseLines", Bool, "true", "", "", "Loose lines", "Checks lines past the threshold.", 1},
	{"warnings.headingHierarchy", Bool, "true", "", "", "Heading ranks", "Checks skipped heading ranks.", 1},
	{"warnings.consecutiveHeadings", Bool, "false", "", "", "Heading after heading", "Checks a heading right after another.", 1},
	{"warnings.listAfterHeading", Bool, "false", "", "", "List after heading", "Checks a list right after a heading.", 1},
	{"warnings.designIssues", Bool, "true", "", "", "Design issues", "Checks anchors, placeholders and openers of designs.", 1},
}

// SilentChecks are the keys of debug.warnings that are off.
func SilentChecks(t *Tree) (out []string) {
	v := newView(t.node(), Env{})
	for i := range debugRows {
		key, ok := strings.CutPrefix(debugRows[i].path, "warnings.")
		if n := v.at("debug." + debugRows[i].path); ok && (n == nil || n.kind == boolean && !n.on) {
			out = append(out, key)
		}
	}
	return out
}
