package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"postext/engine/settings"
)

// SettingsCmd writes the reference of every setting, or the schema of the
// configuration file.
type SettingsCmd struct {
	Format string `help:"markdown: the reference; schema: the JSON Schema of postext-config.json; count: how many there are, are used and only stored, by group and priority." enum:"markdown,schema,count" default:"markdown"`
}

// Run implements the command.
func (c *SettingsCmd) Run(out io.Writer) error {
	data := settings.Document()
	switch c.Format {
	case "schema":
		var b bytes.Buffer
		if err := json.Indent(&b, settings.JSONSchema(), "", "  "); err != nil {
			return err
		}
		b.WriteByte('\n')
		data = b.Bytes()
	case "count":
		data = count()
	}
	_, err := out.Write(data)
	return err
}

// count tells by group of the panel how many settings there are and the engine uses,
// and how many of each priority are only stored; then for what those are stored.
func count() []byte {
	type tally struct {
		all, used int
		stored    [4]int // by priority
	}
	var total tally
	groups := map[string]*tally{}
	why := map[string]int{}
	var reasons []string
	for _, s := range settings.All() {
		id := "" // of the Fonts panel
		if s.Section != nil {
			id = s.Section.GroupID
		}
		g := groups[id]
		if g == nil {
			g = &tally{}
			groups[id] = g
		}
		for _, t := range [...]*tally{g, &total} {
			if t.all++; s.Effect == settings.Implemented {
				t.used++
			} else {
				t.stored[s.Priority]++
			}
		}
		if s.Effect == settings.Stored {
			if why[s.Why]++; why[s.Why] == 1 {
				reasons = append(reasons, s.Why)
			}
		}
	}
	data := fmt.Appendf(nil, "%-24s %8s %5s  stored only: %3s %4s %4s\n", "", "settings", "used", "P1", "P2", "P3")
	row := func(name string, t *tally) {
		data = fmt.Appendf(data, "%-24s %8d %5d %17d %4d %4d\n", name, t.all, t.used, t.stored[1], t.stored[2], t.stored[3])
	}
	for _, g := range settings.Groups() {
		if t := groups[g.ID]; t != nil {
			row(g.Label, t)
		}
	}
	row("Fonts", groups[""])
	row("", &total)
	data = append(data, "\nOnly stored are those\n"...)
	for _, r := range reasons {
		data = fmt.Appendf(data, "%4d %s\n", why[r], r)
	}
	return data
}
