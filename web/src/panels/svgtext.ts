// The texts of an SVG drawing, found in its source so that they can be written
// anew without touching anything else of the file.

export interface SvgText {
  from: number;
  to: number;
  text: string;
}

/** The stretches of text inside <text> elements; nothing in a source with CDATA. */
export function svgTexts(source: string): SvgText[] {
  const found: SvgText[] = [];
  let inside = 0;
  for (const m of source.matchAll(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<!(?:[^<>"']|"[^"]*"|'[^']*')*>|<(\/?)([\w.:-]+)((?:[^<>"']|"[^"]*"|'[^']*')*?)(\/?)>|([^<]+)/g)) {
    const [whole, end, name, , closed, text] = m;
    if (name !== undefined) {
      if (/^(?:[\w-]+:)?text$/.test(name) && !closed) inside += end ? -1 : 1;
    } else if (text !== undefined && inside > 0 && text.trim() !== "") {
      const lead = text.length - text.trimStart().length;
      const body = text.trim();
      found.push({ from: m.index + lead, to: m.index + lead + body.length, text: unescape(body) });
    } else if (whole.startsWith("<![CDATA[") && inside > 0) return [];
  }
  return found;
}

/** The source with another text in one place; `<`, `>` and `&` are escaped. */
export function withSvgText(source: string, at: SvgText, text: string): string {
  return source.slice(0, at.from) + text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") + source.slice(at.to);
}

function unescape(s: string): string {
  return s.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/gi, (whole, hex: string, dec: string, name: string) => {
    const point = hex ? parseInt(hex, 16) : dec ? Number(dec) : undefined;
    if (point !== undefined) return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    return { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }[name.toLowerCase()] ?? whole;
  });
}

/** Whether a source is whole: a browser's parser takes it. */
export function isWholeSvg(source: string): boolean {
  const doc = new DOMParser().parseFromString(source, "image/svg+xml");
  return doc.querySelector("parsererror") === null && doc.documentElement.localName === "svg";
}
