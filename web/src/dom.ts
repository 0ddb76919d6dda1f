// Building elements. Nothing here sets a style attribute or an inline handler:
// the site's Content-Security-Policy allows neither.

type Child = Node | string | null | undefined | false;

interface Props {
  class?: string;
  id?: string;
  title?: string;
  type?: string;
  value?: string;
  href?: string;
  placeholder?: string;
  disabled?: boolean;
  hidden?: boolean;
  tabIndex?: number;
  /** Attributes by name; aria-…, role, data-… */
  attr?: Record<string, string>;
  on?: { [K in keyof HTMLElementEventMap]?: (e: HTMLElementEventMap[K]) => void };
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  const { class: name, attr, on, ...rest } = props;
  if (name) e.className = name;
  for (const [k, v] of Object.entries(rest)) if (v !== undefined) (e as unknown as Record<string, unknown>)[k] = v;
  for (const [k, v] of Object.entries(attr ?? {})) e.setAttribute(k, v);
  for (const [k, f] of Object.entries(on ?? {})) e.addEventListener(k, f as EventListener);
  for (const c of children) if (c) e.append(c);
  return e;
}

/** Sets the text only where it differs, so that live regions stay quiet. */
export function setText(e: Element, text: string): void {
  if (e.textContent !== text) e.textContent = text;
}

export function setAttr(e: Element, name: string, value: string | null): void {
  if (value === null) e.removeAttribute(name);
  else if (e.getAttribute(name) !== value) e.setAttribute(name, value);
}

// Icons: strokes on a 20 by 20 field, drawn for this page.
const paths = {
  books: "M4 3.5h3v13H4zM8.5 3.5h3v13h-3zM13 4.4l2.8-.7 2.9 12.4-2.8.7z",
  chapters: "M7.5 5h9M7.5 10h9M7.5 15h6M3.5 5h.8M3.5 10h.8M3.5 15h.8",
  text: "M4 5.8V4h12v1.8M10 4v12M7.6 16h4.8",
  resources: "M3 4.5h14v11H3zM3 13.2l4.2-4 3.3 3.1 2.6-2.3 3.9 3.4M13.2 7.2h.1",
  fonts: "M3.5 15.5L8 4.5l4.5 11M5.2 11.5h5.6M17 15.5v-5.2M17 12.9a2.3 2.6 0 1 1-4.4 0 2.3 2.6 0 1 1 4.4 0",
  picture: "M3 4.5h14v11H3zM3 13.2l4.2-4 3.3 3.1 2.6-2.3 3.9 3.4",
  table: "M3 4.5h14v11H3zM3 8.2h14M3 11.9h14M7.7 8.2v7.3M12.3 8.2v7.3",
  film: "M3 4.5h14v11H3zM8.2 7.4v5.2l4.4-2.6z",
  checks: "M10 2.8a7.2 7.2 0 1 1 0 14.4a7.2 7.2 0 0 1 0-14.4M6.8 10.2l2.3 2.3 4.2-4.6",
  lines: "M3.5 5.5h13M3.5 10h5M11.5 10h5M3.5 14.5h8",
  design: "M3.5 6h7M14.5 6h2M12.5 4v4M3.5 14h2M9.5 14h7M7.5 12v4",
  undo: "M7.3 4.5L3.8 8l3.5 3.5M4 8h7.4a4.3 4.3 0 0 1 0 8.5H8",
  redo: "M12.7 4.5L16.2 8l-3.5 3.5M16 8H8.6a4.3 4.3 0 0 0 0 8.5H12",
  previous: "M12 4.5L6.5 10l5.5 5.5",
  next: "M8 4.5l5.5 5.5L8 15.5",
  down: "M4.5 7.5L10 13l5.5-5.5",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  close: "M5 5l10 10M15 5L5 15",
  fitWidth: "M3 3.5v13M17 3.5v13M5.5 10h9M7.6 7.8L5.4 10l2.2 2.2M12.4 7.8l2.2 2.2-2.2 2.2",
  fitHeight: "M3.5 3h13M3.5 17h13M10 5.5v9M7.8 7.6L10 5.4l2.2 2.2M7.8 12.4l2.2 2.2 2.2-2.2",
  spread: "M2.5 4h7.5v12H2.5zM10 4h7.5v12H10z",
  sides: "M3 4h14v12H3zM8.5 4v12M5 7h1.5M5 10h1.5",
  sun: "M10 6.8a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4M10 2.5v1.6M10 15.9v1.6M2.5 10h1.6M15.9 10h1.6M4.7 4.7l1.1 1.1M14.2 14.2l1.1 1.1M15.3 4.7l-1.1 1.1M5.8 14.2l-1.1 1.1",
  moon: "M15.8 12.3A6.6 6.6 0 0 1 7.7 4.2a6.6 6.6 0 1 0 8.1 8.1z",
  more: "M4.5 10h.1M10 10h.1M15.5 10h.1",
  search: "M8.8 3.8a5 5 0 1 1 0 10 5 5 0 0 1 0-10M12.6 12.6l4 4",
  agent: "M10 3l1.6 5.4L17 10l-5.4 1.6L10 17l-1.6-5.4L3 10l5.4-1.6z",
  bold: "M6 4h4.4a2.9 2.9 0 0 1 0 5.8H6zM6 9.8h5.2a3.1 3.1 0 0 1 0 6.2H6z",
  italic: "M8.5 4h5M6.5 16h5M11.6 4L8.4 16",
  heading: "M5 4v12M15 4v12M5 10h10",
  list: "M7.5 5.5h9M7.5 10h9M7.5 14.5h9M3.6 5.5h.1M3.6 10h.1M3.6 14.5h.1",
  quote: "M4 14.5V5.5M7.5 6.5h9M7.5 10h9M7.5 13.5h6",
  rule: "M3 10h14M6 5.5h8M6 14.5h8",
} as const;

export type IconName = keyof typeof paths;

const svgNS = "http://www.w3.org/2000/svg";

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(svgNS, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svgNS, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

/** A button that shows an icon only; the label is its name and its tooltip. */
export function iconButton(name: IconName, label: string, press: () => void, extra: Props = {}): HTMLButtonElement {
  return h(
    "button",
    {
      ...extra,
      class: "tool " + (extra.class ?? ""),
      type: "button",
      title: label,
      attr: { "aria-label": label, ...extra.attr },
      on: { click: press, ...extra.on },
    },
    icon(name),
  );
}

/**
 * Makes the buttons of a toolbar or list one tab stop: arrows move among them,
 * Home and End go to the ends. Fields inside keep their own arrows.
 */
export function roving(box: HTMLElement, options: { vertical?: boolean; selector?: string } = {}): () => void {
  const selector = options.selector ?? "button";
  const [back, forth] = options.vertical ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
  const items = () => [...box.querySelectorAll<HTMLElement>(selector)].filter((e) => !e.hidden && !(e as HTMLButtonElement).disabled);
  const refresh = () => {
    const all = items();
    const stop = all.find((e) => e.tabIndex === 0 && e === document.activeElement) ?? all.find((e) => e.dataset["stop"] !== undefined) ?? all[0];
    for (const e of box.querySelectorAll<HTMLElement>(selector)) e.tabIndex = e === stop ? 0 : -1;
  };
  box.addEventListener("keydown", (e) => {
    const all = items();
    const at = all.indexOf(e.target as HTMLElement);
    if (at < 0 || e.isComposing || e.altKey || e.ctrlKey || e.metaKey) return;
    let to = -1;
    if (e.key === back) to = (at + all.length - 1) % all.length;
    else if (e.key === forth) to = (at + 1) % all.length;
    else if (e.key === "Home") to = 0;
    else if (e.key === "End") to = all.length - 1;
    const next = all[to];
    if (!next) return;
    e.preventDefault();
    for (const b of all) b.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  box.addEventListener("focusin", (e) => {
    const all = items();
    if (!all.includes(e.target as HTMLElement)) return;
    for (const b of all) b.tabIndex = b === e.target ? 0 : -1;
  });
  refresh();
  return refresh;
}
