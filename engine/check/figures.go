package check

import (
	"strings"

	"postext/book"
	"postext/engine/frame"
	"postext/engine/layout"
	"postext/engine/settings"
)

// What is wrong with resources whether or not the text uses them, and with the
// pictures that the configuration draws (warnings.md 4.2).

// resourceProblems looks at the resources of a book. used has "dangling:…" for those
// whose type a chapter has told already.
func resourceProblems(b *book.Book, d *settings.Design, used uses) (out []frame.Problem) {
	byID, told := map[string]*book.Resource{}, map[string]bool{}
	for _, r := range b.Resources {
		if r.Kind == "font" || r.Kind == "bibliography" || told[r.ID] {
			continue
		}
		told[r.ID] = true
		byID[r.ID] = r
		if byID[r.Name] == nil {
			byID[r.Name] = r // pictures are called by their file as well
		}
		if r.TypeID != "" && d.Figures.Type(r.TypeID) == nil && !used["dangling:"+r.ID] {
			out = append(out, frame.Problem{Kind: "danglingTypeRef", Start: -1, Page: -1, Resource: r.ID,
				Detail: "#" + r.ID + " → " + r.TypeID + " — a default type is used",
				Fields: []frame.Field{{Key: "resourceId", Value: r.ID}, {Key: "typeId", Value: r.TypeID}}})
		}
	}
	clear(told)
	for _, s := range slotsOf(d) {
		for i := range s.Elements {
			e := &s.Elements[i]
			id := strings.TrimSpace(e.ResourceID)
			if e.Kind != "image" || id == "" || told[id] || len(layout.Placeholders(id)) > 0 {
				continue
			}
			why := "no resource has this id"
			if r := byID[id]; r != nil {
				if data, err := r.Bytes(); err == nil && len(data) > 0 || r.Kind == "table" {
					continue
				}
				why = "its file cannot be had"
			}
			told[id] = true
			out = append(out, frame.Problem{Kind: "missingImage", Start: -1, Page: -1, Resource: id, Path: s.path() + ".elements[id=" + e.ID + "].resourceId",
				Detail: s.where + " · #" + id + " — " + why + "; nothing is drawn",
				Fields: []frame.Field{{Key: "resourceId", Value: id}}})
		}
	}
	return out
}
