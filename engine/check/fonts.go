package check

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"postext/engine/font"
	"postext/engine/frame"
	"postext/engine/settings"
)

// The families of the design: whether they are to be had, in the weights and
// slants it asks for (warnings.md 4.1).

// variant is a weight and slant as a payload names it.
type variant struct {
	Weight int    `json:"weight"`
	Style  string `json:"style"`
	Count  int    `json:"count,omitempty"`
}

func styleOf(italic bool) string {
	if italic {
		return "italic"
	}
	return "normal"
}

// short is the variant in a detail: 700 italic, 400 ×2.
func (v variant) short() string {
	s := strconv.Itoa(v.Weight)
	if v.Style == "italic" {
		s += " italic"
	}
	if v.Count > 1 {
		s += " ×" + strconv.Itoa(v.Count)
	}
	return s
}

// fontProblems looks at the families in use. laid are the problems of the last
// layout: a face that could not be had then is told as what its family lacks.
func fontProblems(tree *settings.Tree, env settings.Env, laid []frame.Problem, known func(string) bool) (out []frame.Problem) {
	own := settings.CustomFonts(tree)
	told := map[string]bool{}
	add := func(kind, family, explanation string, fields ...frame.Field) {
		told[font.Fold(family)] = true
		out = append(out, frame.Problem{Kind: kind, Start: -1, Page: -1, Detail: strconv.Quote(family) + explanation,
			Fields: append([]frame.Field{{Key: "family", Value: family}}, fields...)})
	}
	absent := map[string]bool{} // families no face of which could be had
	for _, p := range laid {
		if p.Kind == "fontFallback" {
			absent[font.Fold(fieldOf(&p, "family"))] = true
		}
	}
	for _, u := range settings.FamiliesUsed(tree, env, true) {
		name := font.Fold(u.Family)
		if told[name] {
			continue
		}
		if i := slices.IndexFunc(own, func(f settings.CustomFont) bool { return font.Fold(f.Name) == name }); i >= 0 {
			if lack := lacking(&own[i], u.Faces); len(lack) > 0 {
				add("missingFontVariant", u.Family, bracketed(lack)+" — no file for these", frame.Field{Key: "variants", Value: written(lack)})
			}
			continue
		}
		switch {
		case known != nil && !known(u.Family):
			add("missingFontFamily", u.Family, " — no catalogue family and no uploaded one has this name")
		case absent[name]:
			add("missingFont", u.Family, " — has not loaded; text falls back to another face")
		}
	}
	for i := range own {
		if double := doubles(&own[i]); len(double) > 0 {
			add("duplicateFontVariant", own[i].Name, bracketed(double)+" — only one of the files is used", frame.Field{Key: "variants", Value: written(double)})
		}
	}
	for _, p := range laid {
		if p.Kind == "fontFallback" && !told[font.Fold(fieldOf(&p, "family"))] {
			out = append(out, p)
		}
	}
	return out
}

func fieldOf(p *frame.Problem, key string) string {
	for _, f := range p.Fields {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// lacking are the faces asked for that a family of the book has no file of.
func lacking(f *settings.CustomFont, asked []settings.FaceAsked) (out []variant) {
	for _, a := range asked {
		if !slices.ContainsFunc(f.Variants, func(v settings.FontVariant) bool { return v.Weight == a.Weight && v.Italic == a.Italic }) {
			out = append(out, variant{Weight: a.Weight, Style: styleOf(a.Italic)})
		}
	}
	return out
}

// doubles are the faces a family has several files of.
func doubles(f *settings.CustomFont) (out []variant) {
	for _, v := range f.Variants {
		x := variant{Weight: v.Weight, Style: styleOf(v.Italic)}
		if i := slices.IndexFunc(out, func(y variant) bool { return y.Weight == x.Weight && y.Style == x.Style }); i >= 0 {
			out[i].Count++
			continue
		}
		x.Count = 1
		out = append(out, x)
	}
	return slices.DeleteFunc(out, func(v variant) bool { return v.Count < 2 })
}

func bracketed(list []variant) string {
	var s []string
	for _, v := range list {
		s = append(s, v.short())
	}
	return fmt.Sprintf(" [%s]", strings.Join(s, ", "))
}

// written is the list as the payload holds it.
func written(list []variant) string {
	data, err := json.Marshal(list)
	if err != nil {
		panic(err) // numbers and words always encode
	}
	return string(data)
}
