// A drawing of the page in its true proportions, with its margins and columns,
// and its measures in words: what the settings below it come to.
import { h, setText } from "../dom";
import { inPoints, lengthOf, type Setting } from "./controls";

const svgNS = "http://www.w3.org/2000/svg";

const side = (name: string) => `page.margins.${name}`;

const paths = ["page.width", "page.height", side("top"), side("bottom"), side("left"), side("right"), side("mirror"), "layout.layoutType", "layout.gutterWidth", "bodyText.fontFamily", "bodyText.fontSize", "bodyText.lineHeight"];

export function pageCard(): { element: HTMLElement; paths: string[]; draw(known: Map<string, Setting>): void } {
  const svg = document.createElementNS(svgNS, "svg");
  svg.setAttribute("class", "page-drawing");
  svg.setAttribute("aria-hidden", "true");
  const size = h("p", { class: "card-size" });
  const face = h("p", { class: "card-facts" });
  const lines = h("p", { class: "card-facts" });
  const element = h("div", { class: "design-card", hidden: true }, svg, h("div", {}, size, face, lines));
  let drawn = "";

  const draw = (known: Map<string, Setting>) => {
    const get = (path: string): unknown => known.get(path)?.effective;
    const pt = (path: string) => inPoints(lengthOf(get(path)));
    const w = pt("page.width");
    const hgt = pt("page.height");
    const [top, bottom, left, right] = ["top", "bottom", "left", "right"].map((s) => pt(side(s)));
    if (!w || !hgt || w > 1e5 || hgt > 1e5 || top === undefined || bottom === undefined || left === undefined || right === undefined) {
      element.hidden = true;
      return;
    }
    const mirror = get(side("mirror")) === true;
    const single = get("layout.layoutType") === "single";
    const key = JSON.stringify(paths.map(get));
    element.hidden = false;
    if (key === drawn) return;
    drawn = key;

    const measure = w - left - right;
    const leading = pt("bodyText.lineHeight") ?? 14;
    const gutter = single ? 0 : (pt("layout.gutterWidth") ?? 14);
    const widths = single ? [measure] : get("layout.layoutType") === "oneAndHalf" ? [(measure - gutter) * 0.66, (measure - gutter) * 0.34] : [(measure - gutter) / 2, (measure - gutter) / 2];
    const sheets = mirror ? [{ x: 0, inner: right }, { x: w, inner: left }] : [{ x: 0, inner: left }];
    svg.setAttribute("viewBox", `-1 -1 ${w * sheets.length + 2} ${hgt + 2}`);
    const parts: SVGElement[] = [];
    const part = (name: string, cls: string, attr: Record<string, number>) => {
      const e = document.createElementNS(svgNS, name);
      e.setAttribute("class", cls);
      for (const [k, v] of Object.entries(attr)) e.setAttribute(k, v.toFixed(2));
      parts.push(e);
    };
    for (const s of sheets) {
      part("rect", "paper", { x: s.x, y: 0, width: w, height: hgt });
      let x = s.x + s.inner;
      for (const width of widths) {
        if (width <= 0) continue;
        // Fewer lines than the page holds: so fine, they would only be grey.
        for (let y = top + leading * 0.7, i = 0; y <= hgt - bottom && i < 60; y += Math.max(leading, (hgt - top - bottom) / 60) * 1.6, i++) part("line", "ink", { x1: x, x2: x + width, y1: y, y2: y });
        x += width + gutter;
      }
    }
    svg.replaceChildren(...parts);

    const cm = (l: number) => String(Math.round((l / 72) * 2.54 * 10) / 10);
    setText(size, `${cm(w)} × ${cm(hgt)} cm`);
    const font = lengthOf(get("bodyText.fontSize"));
    const lead = lengthOf(get("bodyText.lineHeight"));
    const sizes = font ? `${short(font.value)}${lead && lead.unit === font.unit ? `/${short(lead.value)}` : ""} ${font.unit}` : "";
    setText(face, [String(get("bodyText.fontFamily") ?? ""), sizes].filter(Boolean).join(", "));
    setText(lines, `Lines of ${cm(Math.max(0, widths[0]!))} cm`);
  };
  return { element, paths, draw };
}

function short(n: number): string {
  return String(Math.round(n * 100) / 100);
}
