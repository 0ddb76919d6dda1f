// Command gen writes the listing of the sandbox tools that the page embeds. It
// is run by go generate in the folder above.
package main

import (
	"fmt"
	"os"

	"postext/bridge/schema"
	"postext/sandbox"
)

func main() {
	if err := schema.Generate(sandbox.Tools(sandbox.New(sandbox.Options{})), "../wasm/page/sandbox_tools.json"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
