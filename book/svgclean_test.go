package book

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// A drawing that does nothing keeps its bytes.
func TestHarmlessDrawingsKeepTheirBytes(t *testing.T) {
	for _, s := range []string{
		`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"><defs><linearGradient id="g"/></defs><rect fill="url(#g)" width="9" height='9'/><use xlink:href="#g"/></svg>`,
		`<?xml version="1.0"?><!-- made by hand --><svg><style>.a{fill:url(#g);font-family:"Open Sans"}</style><text class="a" font-family='a\62'>online, onset, script(1)</text></svg>`,
		`<svg><image href="data:image/png;base64,AAAA"/><style><![CDATA[ @font-face{src:url(data:font/woff2;base64,AA)} ]]></style></svg>`,
		"<svg>\n<a href=\"#part\"><path d=\"M0 0\"/></a></svg>\n",
	} {
		if clean, took, err := CleanSVG([]byte(s)); err != nil || took != nil || string(clean) != s {
			t.Errorf("%s\n%s %v %v", s, clean, took, err)
		}
	}
}

// What acts or points outside is taken out, however it is written.
func TestDrawingsAreMadeHarmless(t *testing.T) {
	for _, c := range []struct{ in, want, took string }{
		{`<svg><script>alert(1)</script><rect/></svg>`, `<svg><rect/></svg>`, "scripts"},
		{`<svg><script/><rect/></svg>`, `<svg><rect/></svg>`, "scripts"},
		{`<svg xmlns:s="http://www.w3.org/2000/svg"><s:script><g><script/></g></s:script></svg>`, `<svg xmlns:s="http://www.w3.org/2000/svg"></svg>`, "scripts"},
		{`<svg onload="alert(1)"><rect a="1"onclick='x()' width="2"/></svg>`, `<svg><rect a="1" width="2"/></svg>`, "event handlers"},
		{`<svg><foreignObject><p onclick="x()">x</p></foreignObject></svg>`, `<svg></svg>`, "foreign content"},
		{`<svg><image href="https://example.org/a.png" width="3"/></svg>`, `<svg><image width="3"/></svg>`, "references to other files"},
		{`<svg><use xlink:href="&#47;&#x2f;example.org/a.svg#b"/></svg>`, `<svg><use/></svg>`, "references to other files"},
		{`<svg><a href="java&#x73;cript:alert(1)"><rect/></a></svg>`, `<svg><a><rect/></a></svg>`, "references to other files"},
		{`<svg><image href="data:image/svg+xml,&lt;svg/>"/></svg>`, `<svg><image/></svg>`, "references to other files"},
		{`<svg><rect fill="url(https://example.org/a#b) red"/></svg>`, `<svg><rect fill="none red"/></svg>`, "references to other files"},
		{`<svg><rect style="fill:url('//example.org/a#b');stroke:red"/></svg>`, `<svg><rect style="fill:none;stroke:red"/></svg>`, "references to other files"},
		{`<svg><rect style="fill:\75rl(http://example.org"/></svg>`, `<svg><rect style="fill:none"/></svg>`, "references to other files"},
		{`<svg><style>@import "https://example.org/a.css"; .a{fill:red}</style></svg>`, `<svg><style> .a{fill:red}</style></svg>`, "references to other files"},
		{`<svg><style><![CDATA[.a{src:URL( "https://example.org/f.woff" )}]]></style></svg>`, `<svg><style>.a{src:none}</style></svg>`, "references to other files"},
		{`<svg><a><set attributeName="xlink:href" to="javascript:x()"/></a></svg>`, `<svg><a></a></svg>`, "references to other files"},
		{`<?xml-stylesheet href="https://example.org/a.css"?><svg/>`, `<svg/>`, "references to other files"},
		{`<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><svg/>`, `<svg/>`, "a document type"},
		{`<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"/>`, `<svg xmlns="http://www.w3.org/2000/svg"/>`, "a document type, entities"},
		{`<svg xml:base="https://example.org/"><use href="#a"/></svg>`, `<svg><use href="#a"/></svg>`, "references to other files"},
	} {
		clean, took, err := CleanSVG([]byte(c.in))
		if err != nil || string(clean) != c.want || strings.Join(took, ", ") != c.took {
			t.Errorf("%s\n gives %s\n  want %s\n %v %v", c.in, clean, c.want, took, err)
			continue
		}
		if again, took, err := CleanSVG(clean); err != nil || took != nil || string(again) != string(clean) {
			t.Errorf("%s is cleaned once more: %s %v %v", clean, again, took, err)
		}
	}
}

func TestDrawingsThatAreNoneAreRefusedAtOnce(t *testing.T) {
	bomb := `<!DOCTYPE svg [<!ENTITY a0 "ha">`
	for i := range 30 {
		n := string(rune('a' + i%26))
		bomb += `<!ENTITY ` + n + ` "&a0;&a0;&a0;">`
	}
	bomb += `]><svg><text>&z;</text></svg>`
	for name, s := range map[string]string{
		"cut short": `<svg`, "open": `<svg><g>`, "crossed": `<svg><g></svg></g>`, "two roots": `<svg/><svg/>`, "another root": `<html><svg/></html>`, "empty": ``,
		"bomb": bomb, "external entity": `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>`,
		"parameter entity": `<!DOCTYPE svg [<!ENTITY % x SYSTEM "http://example.org/x.dtd"> %x;]><svg/>`,
		"unknown entity":   `<svg>&nbsp;</svg>`, "no utf-8": "<svg>\xff</svg>", "utf-16": "\xff\xfe<\x00s\x00v\x00g\x00/\x00>\x00",
		"quadratic": `<!DOCTYPE svg [<!ENTITY a "` + strings.Repeat("x", 500) + `">]><svg>` + strings.Repeat("&a;", 100_000) + `</svg>`,
		"deep":      strings.Repeat("<svg>", 500_000),
	} {
		begun := time.Now()
		if clean, _, err := CleanSVG([]byte(s)); err == nil {
			t.Errorf("%s is taken: %.100s", name, clean)
		}
		if d := time.Since(begun); d > 5*time.Second {
			t.Errorf("%s took %v", name, d)
		}
	}
}

// bundle.md: pictures of a file are made harmless as it is read, or left out with
// a warning.
func TestDrawingsOfABundleAreMadeHarmless(t *testing.T) {
	manifest, err := json.Marshal(map[string]any{"type": "postext-preset", "version": 2, "id": "x", "name": "X", "thumbnail": "t.svg",
		"chapters": []any{map[string]any{"title": "One", "file": "1.md"}},
		"resources": []any{map[string]any{"id": "bad", "typeId": "figure", "kind": "svg", "file": "bad.svg"},
			map[string]any{"id": "broken", "typeId": "figure", "kind": "svg", "file": "broken.svg"},
			map[string]any{"id": "bomb", "typeId": "figure", "kind": "svg", "file": "bomb.svg"},
			map[string]any{"id": "fine", "typeId": "figure", "kind": "svg", "file": "fine.svg"}}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := readBytes(zipped(t, "preset.json", string(manifest), "1.md", "# One\n", "t.svg", `<svg onload="x()"/>`,
		"bad.svg", `<svg onload="x()"><script>x()</script></svg>`, "broken.svg", `<svg`, "fine.svg", `<svg/>`,
		"bomb.svg", `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><svg><text>&b;</text></svg>`), "")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, r := range b.Resources {
		if r.Kind == KindSVG {
			got += r.ID + " " + string(r.Data) + "\n"
		}
	}
	if got != "bad <svg></svg>\nfine <svg/>\n" {
		t.Error(got)
	}
	if cover, err := b.Cover.Bytes(); err != nil || string(cover) != "<svg/>" {
		t.Errorf("%s %v", cover, err)
	}
	if w := strings.Join(b.Warnings, "\n"); !strings.Contains(w, "event handlers, scripts left out of the drawing \"bad\"") || !strings.Contains(w, `"broken" is left out`) || !strings.Contains(w, `"bomb" is left out`) {
		t.Error(w)
	}
}

func FuzzCleanSVG(f *testing.F) {
	f.Add([]byte(`<svg onload="x"><style>@import "a";</style><rect style="fill:\75rl(x)"/></svg>`))
	f.Add([]byte(`<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		clean, _, err := CleanSVG(data)
		if err != nil {
			return
		}
		again, took, err := CleanSVG(clean)
		if err != nil {
			t.Fatalf("%q gives %q, which is none: %v", data, clean, err)
		}
		if took != nil {
			t.Fatalf("%q gives %q, of which %v is taken once more: %q", data, clean, took, again)
		}
	})
}
