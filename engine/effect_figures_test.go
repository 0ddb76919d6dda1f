package engine

import (
	"maps"

	"postext/book"
)

func init() { maps.Copy(probeNeeds, figureNeeds) }

// figureNeeds are the needs of the settings of figures and tables.
var figureNeeds = map[string]string{
	"layout.floatShrink.minScale":               `[{"path":"layout.floatShrink.mode","value":"slot"}]`,
	"layout.maxTopFraction":                     `[{"path":"layout.floatsAtCitingPage","value":true}]`,
	"resourceTypes[].defaultPlacement.minScale": `[{"path":"layout.floatShrink.mode","value":"slot"}]`,
	"resourceTypes[].captionStyle.background":   `[{"path":"captionStyle.backgroundEnabled","value":true}]`,
	"resourceTypes[].captionStyle.padding":      `[{"path":"captionStyle.backgroundEnabled","value":true}]`,
	"captionStyle.background":                   `[{"path":"captionStyle.backgroundEnabled","value":true}]`,
	"captionStyle.padding":                      `[{"path":"captionStyle.backgroundEnabled","value":true}]`,
	"tableStyle.bodyBackground":                 `[{"path":"tableStyle.bodyBackgroundEnabled","value":true}]`,
	"tableStyle.bodyAlternateBackground":        `[{"path":"tableStyle.bodyAlternateBackgroundEnabled","value":true}]`,
	"tableStyle.heavyRuleWidth":                 `[{"path":"tableStyle.rules","value":"booktabs"}]`,
	"tableStyle.lightRuleWidth":                 `[{"path":"tableStyle.rules","value":"booktabs"}]`,
	"tableStyle.continuedFootRule":              `[{"path":"tableStyle.rules","value":"booktabs"}]`,
	"tableStyles[].bodyBackground":              `[{"path":"tableStyle.bodyBackgroundEnabled","value":true}]`,
	"tableStyles[].bodyAlternateBackground":     `[{"path":"tableStyle.bodyAlternateBackgroundEnabled","value":true}]`,
	"tableStyles[].heavyRuleWidth":              `[{"path":"tableStyle.rules","value":"booktabs"}]`,
	"tableStyles[].lightRuleWidth":              `[{"path":"tableStyle.rules","value":"booktabs"}]`,
	"tableStyles[].continuedFootRule":           `[{"path":"tableStyle.rules","value":"booktabs"}]`,
}

// probeResources are the pictures and tables of the probe's chapters figures and visits.
func probeResources() []*book.Resource {
	at := func(position string) *book.Placement { return &book.Placement{Position: position} }
	yard := drawing("yard", 300, 110, nil)
	yard.Caption, yard.Note = "The yard *before* the storm, from the gate, with the press and all nine hives.", "Drawn from memory."
	tall, inline, boxed, wide := drawing("tall", 120, 380, nil), drawing("inline", 70, 30, at("here")), drawing("boxed", 50, 20, at("here")), drawing("wide", 300, 60, nil)
	wide.Placement = &book.Placement{Span: "page"}
	mark := drawing("mark.svg", 8, 8, nil)
	mark.Name = "mark.svg"
	// A bitmap of 40 × 20 pixels, black.
	press := &book.Resource{ID: "press", Kind: "bitmap", Name: "press.png", TypeID: "figure", Data: []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x28\x00\x00\x00\x14\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\tpHYs\x00\x00\x0b\x13\x00\x00\x0b\x13\x01\x00\x00\x00\x00\x00\x00\x00\x00IDAT\x00\x00\x00\x00"),
		Caption: "The press.", Placement: at("here")}
	yield, ledger := table(3, nil), table(40, nil)
	yield.ID, ledger.ID = "yield", "ledger"
	visits := table(16, at("here"))
	visits.ID = "visits"
	for _, t := range []*book.Resource{yield, ledger, visits} {
		t.Table.StyleID = "probe"
	}
	return []*book.Resource{visits, drawing("second", 60, 40, nil), drawing("third", 60, 40, nil), yard, tall, inline, boxed, wide, mark, press, yield, ledger}
}
