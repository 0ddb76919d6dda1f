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
	Format string `help:"markdown: the reference; schema: the JSON Schema of postext-config.json; count: how many the engine uses." enum:"markdown,schema,count" default:"markdown"`
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
		data = nil
		for _, g := range settings.Groups() {
			used, all := 0, 0
			for _, s := range settings.All() {
				if s.Section != nil && s.Section.GroupID == g.ID {
					if all++; s.Effect == settings.Implemented {
						used++
					}
				}
			}
			data = fmt.Appendf(data, "%-24s %4d of %4d\n", g.Label, used, all)
		}
	}
	_, err := out.Write(data)
	return err
}
