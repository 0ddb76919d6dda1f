package cite

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Read reads references in a format: bibtex (or biblatex), csl-json (json) or
// csl-yaml (yaml); with "" the source's first sign tells. Works that could be
// read come with the error of those that could not.
func Read(src, format string) ([]Work, error) {
	if len(src) > maxSource {
		return nil, fmt.Errorf("the references have %d MB; at most %d MB are read", len(src)>>20, maxSource>>20)
	}
	trimmed := strings.TrimSpace(src)
	switch f := strings.ToLower(format); f {
	case "bibtex", "biblatex", "bib":
		return ReadBibTeX(src)
	case "csl-json", "csljson", "json":
		return readJSON(trimmed)
	case "csl-yaml", "yaml", "yml":
		return readYAML(src)
	case "":
		switch {
		case trimmed == "":
			return nil, nil
		case trimmed[0] == '[' || trimmed[0] == '{':
			return readJSON(trimmed)
		case strings.HasPrefix(trimmed, "@") || strings.Contains(trimmed, "\n@"):
			return ReadBibTeX(src)
		}
		return readYAML(src)
	default:
		return nil, fmt.Errorf("the format %q is not known; bibtex, csl-json and csl-yaml are", format)
	}
}

func readJSON(src string) ([]Work, error) {
	var v any
	d := json.NewDecoder(strings.NewReader(src))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("no readable JSON: %w", err)
	}
	return FromCSL(v)
}

func readYAML(src string) ([]Work, error) {
	var v any
	if err := yaml.Unmarshal([]byte(src), &v); err != nil {
		return nil, fmt.Errorf("no readable YAML: %w", err)
	}
	return FromCSL(v)
}

// FromCSL takes works from decoded CSL data: a list of entries, or a map with
// such a list under "references" or "items".
func FromCSL(v any) ([]Work, error) {
	if m, ok := v.(map[string]any); ok {
		switch {
		case m["references"] != nil:
			v = m["references"]
		case m["items"] != nil:
			v = m["items"]
		default:
			v = []any{m}
		}
	}
	list, ok := v.([]any)
	if !ok {
		return nil, errors.New("the references are no list of entries")
	}
	var out []Work
	var bad error
	for i, e := range list {
		m, ok := e.(map[string]any)
		if !ok || len(out) >= maxWorks {
			if bad == nil {
				bad = fmt.Errorf("reference %d is no entry with fields", i+1)
			}
			continue
		}
		w := cslWork(m)
		if w.ID == "" {
			if bad == nil {
				bad = fmt.Errorf("reference %d has no id", i+1)
			}
			continue
		}
		out = append(out, w)
	}
	return out, bad
}

// scalar is a field as text.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return cutAt(strings.Join(strings.Fields(v), " "), maxField)
	case json.Number:
		return v.String()
	case int:
		return strconv.Itoa(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e15 {
			return strconv.FormatInt(int64(v), 10)
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

func cslWork(m map[string]any) Work {
	w := Work{ID: scalar(m["id"]), Type: scalar(m["type"])}
	if w.ID == "" {
		w.ID = scalar(m["citation-key"])
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		v := m[k]
		if w.ID == "" || len(k) > 40 {
			continue
		}
		switch name := strings.ToLower(strings.ReplaceAll(k, "_", "-")); {
		case k == "id" || k == "type" || k == "citation-key":
		case nameVariables[name]:
			w.putNames(name, cslNames(v))
		case dateVariables[name]:
			w.putDate(name, cslDate(v))
		case upper[name] != "":
			w.put(upper[name], scalar(v))
		default:
			w.put(name, scalar(v))
		}
	}
	if w.Text["publisher-place"] == "" {
		w.put("publisher-place", w.Text["event-place"])
	}
	w.put("page", pageRange(w.Text["page"]))
	w.put("DOI", doiOf(w.Text["DOI"]))
	if w.Type == "" {
		w.Type = "document"
	}
	return w
}

// upper are the variables whose names are written large.
var upper = map[string]string{"doi": "DOI", "url": "URL", "isbn": "ISBN", "issn": "ISSN", "pmid": "PMID", "pmcid": "PMCID",
	"shorttitle": "title-short", "journalabbreviation": "container-title-short"}

func cslNames(v any) (out []Name) {
	list, ok := v.([]any)
	if !ok {
		if v == nil {
			return nil
		}
		list = []any{v}
	}
	for _, e := range list {
		if len(out) >= 2000 {
			break
		}
		m, ok := e.(map[string]any)
		if !ok {
			if s := scalar(e); s != "" {
				out = append(out, namesOf(s)...)
			}
			continue
		}
		n := Name{Family: scalar(m["family"]), Given: scalar(m["given"]), Suffix: scalar(m["suffix"]), Literal: scalar(m["literal"]),
			Particle: scalar(m["non-dropping-particle"]), Dropping: scalar(m["dropping-particle"])}
		if n != (Name{}) {
			out = append(out, n)
		}
	}
	return out
}

func cslDate(v any) Date {
	switch v := v.(type) {
	case map[string]any:
		var d Date
		if parts, ok := v["date-parts"].([]any); ok && len(parts) > 0 {
			take := func(from any, into [3]*int) {
				one, _ := from.([]any)
				for i := range min(len(one), 3) {
					n, err := strconv.Atoi(strings.TrimSpace(scalar(one[i])))
					if err == nil && n > -100_000 && n < 100_000 {
						*into[i] = n
					}
				}
			}
			take(parts[0], [3]*int{&d.Year, &d.Month, &d.Day})
			if len(parts) > 1 {
				take(parts[1], [3]*int{&d.EndYear, &d.EndMonth, &d.EndDay})
			}
			d = d.sound()
			if n, err := strconv.Atoi(scalar(v["season"])); err == nil && n >= 1 && n <= 4 {
				d.Season = n
			}
			if c := scalar(v["circa"]); c != "" && c != "false" && c != "0" {
				d.Circa = true
			}
			if d.Year != 0 {
				return d
			}
		}
		if y := scalar(v["year"]); y != "" {
			d := dateOf(y)
			d.Month = monthOf(scalar(v["month"]))
			return d
		}
		for _, k := range []string{"raw", "literal"} {
			if s := scalar(v[k]); s != "" {
				return dateOf(s)
			}
		}
	case []any:
		if len(v) > 0 {
			return cslDate(v[0])
		}
	default:
		if s := scalar(v); s != "" {
			return dateOf(s)
		}
		if t, ok := v.(interface{ Format(string) string }); ok { // a YAML date
			return dateOf(t.Format("2006-01-02"))
		}
	}
	return Date{}
}
