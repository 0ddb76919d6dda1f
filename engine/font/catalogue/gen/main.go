// Gen reduces the data of the npm package google-font-metadata (MIT) to the list
// of package catalogue: go run ./engine/font/catalogue/gen DATA-FOLDER >
// engine/font/catalogue/families/catalogue.txt
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("give the folder data of google-font-metadata")
	}
	var families []struct {
		Family, Category  string
		Variants, Subsets []string
	}
	licences := map[string]struct{ License struct{ Type string } }{}
	for name, into := range map[string]any{"api-response.json": &families, "licenses.json": &licences} {
		data, err := os.ReadFile(filepath.Join(os.Args[1], name))
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, into); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	short := map[string]string{"SIL Open Font License, 1.1": "OFL-1.1", "Apache License, Version 2.0": "Apache-2.0", "Ubuntu Font License, 1.0": "UFL-1.0"}
	for _, f := range families {
		licence := short[licences[strings.ToLower(strings.ReplaceAll(f.Family, " ", "-"))].License.Type]
		if licence == "" {
			licence = "unknown"
		}
		var up, it string
		for _, v := range f.Variants {
			w, italic := strings.CutSuffix(v, "italic")
			switch w {
			case "", "regular":
				w = "400"
			}
			if italic {
				it += w[:1]
			} else {
				up += w[:1]
			}
		}
		category := f.Category
		if category == "sans-serif" {
			category = "sans"
		}
		fmt.Printf("%s\t%s\t%s\t%s\t%s\t%s\n", f.Family, category, up, it, strings.Join(f.Subsets, " "), licence)
	}
	return nil
}
