package engine

import "maps"

// What the probe needs to show the settings of boxes and figures that stand apart
// from the text.
func init() {
	const single = `{"path":"layout.layoutType","value":"single"}`
	const side = `{"path":"layout.layoutType","value":"oneAndHalf"},{"path":"layout.sideColumnRole","value":"floats"}`
	const spans = "the cases tables/span-rules-trimmed, -full and -none show it"
	maps.Copy(probeNeeds, map[string]string{
		"calloutStyles[].columns":                      `[{"path":"calloutStyles[id=note].placement","value":"auto"}]`,
		"calloutStyles[].fixed":                        `[{"path":"calloutStyles[id=note].placement","value":"fixed"}]`,
		"calloutStyles[].wrap":                         `[` + single + `]`,
		"layout.wrap":                                  `[` + single + `,{"path":"calloutStyles[id=note].wrap","value":"left"}]`,
		"resourceTypes[].defaultPlacement.wrap":        `[` + single + `]`,
		"resourceTypes[].defaultPlacement.wrapGap":     `[` + single + `,{"path":"resourceTypes[id=figure].defaultPlacement.wrap","value":"left"}]`,
		"resourceTypes[].defaultPlacement.captionSide": `[` + side + `]`,
		"layout.floatsUnderOpener":                     `[{"path":"headings.levels[level=1].span","value":"page"},{"path":"calloutStyles[id=note].placement","value":"top"}]`,
	})
	unseen["videoStyle"] = "the probe has no video: the cases of the family videos show it"
	probeValues["layout.wrap.minTextWidth"] = `"250pt"`
	unseen["calloutStyles[].sideAtColumnEnd"] = "the case side-column/goes-on-with-its-text shows it"
	for _, p := range []string{"tableStyle.", "tableStyles[]."} {
		unseen[p+"spanRules"], unseen[p+"spanRuleWidth"], unseen[p+"spanRuleTrim"] = spans, spans, spans
		unseen[p+"groupRules"] = "the case tables/group-rules shows it"
	}
	unseen["calloutStyles[].floatBarrier"] = "the case boxes-apart/barrier shows it"
}
