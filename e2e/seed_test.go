package e2e

// seedCalls are the calls that the public document prints for the tools of this
// page, in an order in which each finds what it needs. between undoes the first
// of two runs where a call can be made only once.
var seedCalls = []struct{ tool, args, between string }{
	{"sandbox_get_state", `{}`, "await 0;"},
	{"sandbox_inspect_pages", `{ "chapter": 1 }`, ""},
	{"sandbox_find_setting", `{ "query": "orphans" }`, ""},
	{"sandbox_get_config", `{ "path": "headings.levels[level=2]" }`, ""},
	{"sandbox_set_config", `{
  "changes": [
    { "path": "bodyText.fontSize", "value": "10.5pt" },
    { "path": "page.margins.top", "value": { "value": 2.5, "unit": "cm" } },
    { "path": "headings.levels[level=2].color", "value": "#1f3a5f" },
    { "path": "bodyText.avoidOrphans", "value": true }
  ]
}`, "await 0;"},
	{"sandbox_read_text", `{ "chapter": 2, "fromLine": 40, "toLine": 80 }`, ""},
	{"sandbox_search_text", `{ "query": "baseline grid", "pages": true }`, ""},
	{"sandbox_edit_text", `{
  "chapter": 2,
  "edits": [
    { "find": "The last words of the opening.", "replace": "The closing words of the opening." },
    { "find": "colour", "replace": "color", "all": true }
  ]
}`, "await handle('sandbox_undo_text', {});"},
	{"sandbox_manage_chapters", `{ "action": "add", "title": "Epilogue", "markdown": "# Epilogue\n\nThe end.\n", "position": 3 }`, "await 0;"},
	// The document's page 24 of chapter 3: enough text is put there first.
	{"sandbox_write_text", `{ chapter: 3, markdown: ':::numbering{startAt=24}\n\n# Third\n\n' + 'A long passage of quiet words fills the pages of this chapter until there are enough. '.repeat(40).concat('\n\n').repeat(6) }`, "await 0;"},
	{"sandbox_render_page", `{ "chapter": 3, "page": 24, "count": 2, "width": 1200 }`, ""},
	{"sandbox_render_page", `{ "chapter": 3, "page": 24, "crop": { "x": 0.5, "y": 0.5, "width": 0.5, "height": 0.5 }, "width": 1600 }`, ""},
	{"sandbox_inspect_point", `{ "chapter": 3, "page": 24, "x": 0.71, "y": 0.42 }`, ""},
}
