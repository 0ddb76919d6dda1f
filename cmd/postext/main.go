// Command postext is the native program: it serves the Sandbox, runs its tools
// and paints pages without a browser.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

// version is the program's own number.
const version = "0.1.0"

// cli is the command line.
type cli struct {
	Serve    ServeCmd    `cmd:"" help:"Serve the Sandbox in this machine's browser."`
	Render   RenderCmd   `cmd:"" help:"Paint a page of a book as a picture."`
	Call     CallCmd     `cmd:"" help:"Run one tool on a book and print its answer."`
	Tools    ToolsCmd    `cmd:"" help:"List the tools with their schemas."`
	Settings SettingsCmd `cmd:"" help:"Write the reference of every setting, or the schema of the configuration file."`
	Version  VersionCmd  `cmd:"" help:"Print the program's version."`
	New      NewCmd      `cmd:"" help:"Begin a book in a folder of its own."`
	Export   ExportCmd   `cmd:"" help:"Write a book as a .postext, .md, .zip or .json file."`
	Import   ImportCmd   `cmd:"" help:"Make a folder of plain files from a .postext file."`
}

func main() {
	var c cli
	k := kong.Must(&c,
		kong.Name("postext"),
		kong.Description("A typesetter for books whose every page an agent can look at, change and look at again."),
		kong.UsageOnError(),
		kong.Vars{"version": version},
		kong.BindTo(os.Stdout, (*io.Writer)(nil)),
	)
	ctx, err := k.Parse(os.Args[1:])
	k.FatalIfErrorf(err)
	k.FatalIfErrorf(ctx.Run())
}

// VersionCmd prints the version.
type VersionCmd struct{}

// Run implements the command.
func (VersionCmd) Run(out io.Writer) error {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				revision = " (" + s.Value[:12] + ")"
			}
		}
	}
	_, err := fmt.Fprintf(out, "postext %s%s\n", version, revision)
	return err
}
