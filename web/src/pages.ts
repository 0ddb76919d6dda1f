// The desk: the pages of what is being read, one canvas each.
//
// The desk knows the size of every page and lays them out as rows (one page, or
// a spread); only the rows near the visible part exist as elements, so that a
// book of a thousand pages costs no more than one of ten. A canvas keeps its
// picture until the next one is there: nothing flickers while one types. Pages
// are painted by the worker, one at a time, what is visible first.
import { h, setAttr } from "./dom";
import type { PageRow } from "./protocol";

export type Fit = "none" | "width" | "height";

export interface Picture {
  width: number;
  height: number;
  pixels: ArrayBuffer;
}

export interface DeskEvents {
  /** Paints a page `width` device pixels wide; undefined when it cannot. */
  paint(page: PageRow, width: number, signal: AbortSignal): Promise<Picture | undefined>;
  /** Another page is the one being read. */
  current(page: PageRow): void;
  /** The person pointed at a page; fractions of its width and height. */
  point(page: PageRow, from: Point, to: Point, how: { word: boolean; follow: boolean }): void;
  /** Scale or fit changed by the desk. */
  scaled(scale: number): void;
}

export interface Point {
  x: number;
  y: number;
}

interface Row {
  top: number;
  pages: (PageRow | null)[];
}

interface Leaf {
  page: PageRow;
  box: HTMLElement;
  canvas: HTMLCanvasElement;
  caret: HTMLElement;
  /** The parts of the selected passage that stand here. */
  passage: HTMLElement;
  /** What the canvas shows: page key and width. */
  shown: string;
  painting: boolean;
}

export const minScale = 0.25;
export const maxScale = 4;
export const step = 1.25;

/** Pages this far out of sight are painted already. */
const margin = 200;
/** A picture is never wider or higher than this. */
const maxPixels = 4096;
const gap = 28;

export class Desk {
  readonly element: HTMLElement;
  private sheet: HTMLElement;
  private pages: PageRow[] = [];
  private rows: Row[] = [];
  private leaves = new Map<string, Leaf>();
  private fit: Fit = "height";
  private spread = false;
  private zoom = 1;
  private scale = 1;
  private scheduled = false;
  private painting: { leaf: Leaf; abort: AbortController } | undefined;
  private now: PageRow | undefined;
  private passageColor = "";
  private passageAt = new Map<string, { x: number; y: number; width: number; height: number }[]>();
  private caretAt: { key: string; x: number; y: number; height: number; color: string } | undefined;
  private quietUntil = 0;

  constructor(private events: DeskEvents) {
    this.sheet = h("div", { class: "sheet" });
    this.element = h(
      "div",
      { class: "desk", tabIndex: 0, attr: { role: "region", "aria-label": "Pages" } },
      this.sheet,
    );
    this.element.addEventListener("scroll", () => this.schedule(), { passive: true });
    new ResizeObserver(() => this.arrange()).observe(this.element);
    this.element.addEventListener("keydown", (e) => this.key(e));
    this.element.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    this.listen();
  }

  /** Shows these pages; the place being read stays where it is. */
  show(pages: PageRow[]): void {
    this.pages = pages;
    if (this.now) {
      const { chapter, position } = this.now;
      this.now = pages.find((p) => p.chapter === chapter && p.position === position) ?? pages.findLast((p) => p.chapter === chapter) ?? pages[0];
    } else {
      this.now = pages[0];
    }
    this.arrange();
  }

  get current(): PageRow | undefined {
    return this.now;
  }

  get list(): readonly PageRow[] {
    return this.pages;
  }

  layout(fit: Fit, zoom: number, spread: boolean): void {
    if (fit === this.fit && zoom === this.zoom && spread === this.spread) return;
    this.fit = fit;
    this.zoom = zoom;
    this.spread = spread;
    this.arrange();
  }

  get shownScale(): number {
    return this.scale;
  }

  /** Brings a page into sight. `nearest` moves no more than it must. */
  reveal(page: PageRow, nearest = false): void {
    const row = this.rows.find((r) => r.pages.includes(page));
    if (!row) return;
    const height = Math.max(...row.pages.map((p) => (p ? p.height * this.scale : 0)));
    const view = this.element;
    if (nearest && row.top >= view.scrollTop - 1 && row.top + height <= view.scrollTop + view.clientHeight + 1) return;
    this.now = page;
    this.scrollTo(row.top - Math.max(8, (view.clientHeight - height) / 2));
    this.events.current(page);
  }

  private scrollTo(top: number): void {
    this.quietUntil = performance.now() + 250;
    this.element.scrollTop = top;
    this.schedule();
  }

  /** The neighbouring row's first page, or undefined at the end. */
  neighbour(by: 1 | -1): PageRow | undefined {
    const at = this.rows.findIndex((r) => this.now && r.pages.includes(this.now));
    return this.rows[at + by]?.pages.find((p) => p !== null) ?? undefined;
  }

  /** Draws the caret at fractions of a page, or nowhere. */
  caret(at: { page: PageRow; x: number; y: number; height: number; color: string } | undefined, follow: boolean): void {
    this.caretAt = at && { key: keyOf(at.page), x: at.x, y: at.y, height: at.height, color: at.color };
    for (const l of this.leaves.values()) this.placeCaret(l);
    if (!at || !follow) return;
    const row = this.rows.find((r) => r.pages.includes(at.page));
    if (!row) return;
    // Kept in sight with a little room, moving no more than needed.
    const y = row.top + at.y * at.page.height * this.scale;
    const size = at.height * at.page.height * this.scale;
    const view = this.element;
    const room = Math.min(64, view.clientHeight / 6);
    if (y - room < view.scrollTop) this.scrollTo(this.pageOr(row, y - room * 2));
    else if (y + size + room > view.scrollTop + view.clientHeight) this.scrollTo(this.pageOr(row, y + size + room * 2 - view.clientHeight));
    if (this.now !== at.page) {
      this.now = at.page;
      this.events.current(at.page);
    }
  }

  /** The top of a row where the row fits the window whole, else the place asked for. */
  private pageOr(row: Row, top: number): number {
    const height = Math.max(...row.pages.map((p) => (p ? p.height * this.scale : 0)));
    return height <= this.element.clientHeight ? row.top - (this.element.clientHeight - height) / 2 : top;
  }

  /** Shows the passage selected in the text, by its lines on the pages. */
  passage(chapter: string, parts: { position: number; x: number; y: number; width: number; height: number }[], color: string): void {
    this.passageColor = color;
    this.passageAt = new Map();
    for (const p of parts) {
      const key = `${chapter}/${p.position}`;
      this.passageAt.set(key, [...(this.passageAt.get(key) ?? []), p]);
    }
    for (const l of this.leaves.values()) this.placePassage(l);
  }

  private placePassage(l: Leaf): void {
    const parts = this.passageAt.get(`${l.page.chapter}/${l.page.position}`) ?? [];
    if (parts.length === 0 && l.passage.childElementCount === 0) return;
    l.passage.replaceChildren(
      ...parts.map((p) => {
        const e = h("div", { class: "page-passage" });
        e.style.left = `${p.x * 100}%`;
        e.style.top = `${p.y * 100}%`;
        e.style.width = `${p.width * 100}%`;
        e.style.height = `${p.height * 100}%`;
        e.style.background = this.passageColor;
        return e;
      }),
    );
  }

  private placeCaret(l: Leaf): void {
    const c = this.caretAt;
    const here = c !== undefined && c.key === keyOf(l.page);
    l.caret.hidden = !here;
    if (!here) return;
    l.caret.style.left = `${c.x * 100}%`;
    l.caret.style.top = `${c.y * 100}%`;
    l.caret.style.height = `${c.height * 100}%`;
    l.caret.style.background = c.color;
  }

  /** Paints everything anew, as after a change of theme or device. */
  repaint(): void {
    for (const l of this.leaves.values()) l.shown = "";
    this.schedule();
  }

  // Rows and scale.

  private arrange(): void {
    const view = this.element;
    const width = view.clientWidth;
    const height = view.clientHeight;
    if (width === 0 || height === 0) return;
    const anchor = this.anchor();
    const pad = width < 500 ? 10 : 32;
    const columns = this.spread ? 2 : 1;
    let w = 1;
    let tall = 1;
    for (const p of this.pages) {
      w = Math.max(w, p.width);
      tall = Math.max(tall, p.height);
    }
    let scale = this.zoom;
    if (this.fit === "width") scale = (width - 2 * pad) / (w * columns);
    else if (this.fit === "height") scale = Math.min((height - 2 * Math.min(pad, 24)) / tall, (width - 2 * pad) / (w * columns));
    if (this.fit !== "none") scale = Math.max(0.05, Math.min(maxScale, scale));
    this.scale = scale;
    this.rows = [];
    let top = Math.min(pad, 24);
    let row: (PageRow | null)[] = [];
    const flush = () => {
      if (row.length === 0) return;
      this.rows.push({ top, pages: row });
      top += Math.max(...row.map((p) => (p ? p.height * scale : 0))) + gap;
      row = [];
    };
    for (const p of this.pages) {
      if (!this.spread) {
        row = [p];
        flush();
      } else if (p.side === "verso") {
        flush();
        row = [p];
      } else {
        if (row.length === 0) row = [null];
        row.push(p);
        flush();
      }
    }
    if (row.length === 1) row.push(null);
    flush();
    this.sheet.style.height = `${Math.max(0, top - gap + Math.min(pad, 24))}px`;
    const across = (view.scrollLeft + width / 2) / Math.max(1, this.sheet.offsetWidth);
    const wide = Math.max(width, Math.ceil(w * columns * scale + 2 * pad));
    this.sheet.style.width = `${wide}px`;
    if (wide > width) view.scrollLeft = across * wide - width / 2;
    if (anchor) {
      const r = this.rows.find((r) => r.pages.includes(anchor.page));
      if (r) {
        const place = r.top + anchor.fraction * anchor.page.height * scale - anchor.offset;
        if (Math.abs(view.scrollTop - place) > 1) this.scrollTo(place);
      }
    }
    this.events.scaled(scale);
    this.update();
  }

  /** The point of the current page that must not move when pages change size. */
  private anchor(): { page: PageRow; fraction: number; offset: number } | undefined {
    const page = this.now;
    if (!page) return undefined;
    const old = this.leaves.get(keyOf(page));
    if (!old || old.box.offsetHeight === 0) {
      return { page, fraction: 0, offset: 8 };
    }
    const offset = this.element.clientHeight / 2;
    return { page, fraction: (this.element.scrollTop + offset - old.box.offsetTop) / old.box.offsetHeight, offset };
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.update();
    });
  }

  /** Makes the elements of the rows in sight, takes the others away, paints. */
  private update(): void {
    const view = this.element;
    const from = view.scrollTop - margin;
    const to = view.scrollTop + view.clientHeight + margin;
    const wanted = new Set<string>();
    const middle = view.scrollTop + view.clientHeight / 2;
    let nearest: { page: PageRow; distance: number } | undefined;
    const total = Math.max(view.clientWidth, this.sheet.offsetWidth);
    let at = this.firstRow(from);
    for (let row = this.rows[at]; row && row.top < to; row = this.rows[++at]) {
      const width = row.pages.reduce((sum, p) => sum + (p ?? row.pages.find((q) => q))!.width * this.scale, 0);
      let left = Math.max(0, (total - width) / 2);
      for (const p of row.pages) {
        const size = (p ?? row.pages.find((q) => q))!;
        if (p) {
          wanted.add(keyOf(p));
          this.place(p, left, row);
          const bottom = row.top + p.height * this.scale;
          const distance = middle < row.top ? row.top - middle : middle > bottom ? middle - bottom : 0;
          if (!nearest || distance < nearest.distance) nearest = { page: p, distance };
        }
        left += size.width * this.scale;
      }
    }
    for (const [key, l] of this.leaves) {
      if (wanted.has(key)) continue;
      if (this.painting?.leaf === l) this.painting.abort.abort();
      l.box.remove();
      this.leaves.delete(key);
    }
    if (nearest && performance.now() > this.quietUntil) {
      const row = this.rows.find((r) => r.pages.includes(nearest.page));
      if (!this.now || !row?.pages.includes(this.now)) {
        this.now = nearest.page;
        this.events.current(nearest.page);
      }
    }
    this.paintNext();
  }

  private firstRow(y: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      const next = this.rows[mid + 1];
      if (next && next.top < y) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  private place(p: PageRow, left: number, row: Row): void {
    const key = keyOf(p);
    let l = this.leaves.get(key);
    if (!l) {
      const canvas = h("canvas", { attr: { "aria-hidden": "true" } });
      canvas.width = canvas.height = 1;
      const caret = h("div", { class: "page-caret", hidden: true });
      const passage = h("div", { class: "page-passages" });
      const box = h("div", { class: "leaf", attr: { role: "img" } }, canvas, passage, caret);
      l = { page: p, box, canvas, caret, passage, shown: "", painting: false };
      this.leaves.set(key, l);
      this.sheet.append(box);
    }
    l.page = p;
    const s = l.box.style;
    const width = p.width * this.scale;
    s.left = `${Math.round(left)}px`;
    s.top = `${Math.round(row.top)}px`;
    s.width = `${Math.round(left + width) - Math.round(left)}px`;
    s.height = `${Math.round(p.height * this.scale)}px`;
    setAttr(l.box, "aria-label", p.label ? `Page ${p.label}` : `Unnumbered page ${p.position}`);
    l.box.dataset["side"] = row.pages.length === 2 ? p.side : "alone";
    l.box.dataset["chapter"] = p.chapter;
    l.box.dataset["position"] = String(p.position);
    this.placePassage(l);
    this.placeCaret(l);
  }

  // Painting.

  private widthOf(l: Leaf): number {
    const ratio = window.devicePixelRatio || 1;
    const shape = l.page.height / l.page.width;
    const width = Math.round(l.box.offsetWidth * ratio);
    return Math.max(1, Math.floor(Math.min(width, maxPixels, maxPixels / shape)));
  }

  private stateOf(l: Leaf): string {
    return `${l.page.key ?? ""}/${this.widthOf(l)}`;
  }

  private paintNext(): void {
    if (this.painting) return;
    const view = this.element;
    const top = view.scrollTop;
    const bottom = top + view.clientHeight;
    let best: { leaf: Leaf; distance: number } | undefined;
    for (const l of this.leaves.values()) {
      if (l.shown === this.stateOf(l)) continue;
      const a = l.box.offsetTop;
      const b = a + l.box.offsetHeight;
      const hidden = b < top ? top - b : a > bottom ? a - bottom : 0;
      const distance = hidden * 1000 + Math.abs((a + b) / 2 - (top + bottom) / 2);
      if (!best || distance < best.distance) best = { leaf: l, distance };
    }
    if (best) void this.paint(best.leaf);
  }

  private async paint(l: Leaf): Promise<void> {
    const abort = new AbortController();
    this.painting = { leaf: l, abort };
    const state = this.stateOf(l);
    const width = this.widthOf(l);
    try {
      const picture = await this.events.paint(l.page, width, abort.signal);
      // A page that cannot be painted now is asked for again when its key or
      // size changes, not in a loop.
      l.shown = state;
      if (picture && picture.width > 0 && this.leaves.get(keyOf(l.page)) === l) await put(l.canvas, picture);
      l.box.classList.add("painted");
    } finally {
      this.painting = undefined;
      this.schedule();
    }
  }

  // Pointing, keys.

  private listen(): void {
    let down: { page: PageRow; at: Point; x: number; y: number } | undefined;
    const where = (e: MouseEvent): { page: PageRow; at: Point } | undefined => {
      const box = (e.target as Element).closest<HTMLElement>(".leaf");
      if (!box) return undefined;
      const l = [...this.leaves.values()].find((l) => l.box === box);
      if (!l) return undefined;
      const r = box.getBoundingClientRect();
      return { page: l.page, at: { x: clamp01((e.clientX - r.left) / r.width), y: clamp01((e.clientY - r.top) / r.height) } };
    };
    this.sheet.addEventListener("pointerdown", (e) => {
      const w = e.button === 0 ? where(e) : undefined;
      down = w && { ...w, x: e.clientX, y: e.clientY };
    });
    this.sheet.addEventListener("click", (e) => {
      const w = where(e);
      if (!w || !down) return;
      const dragged = Math.hypot(e.clientX - down.x, e.clientY - down.y) > 5 && down.page === w.page;
      this.events.point(w.page, dragged ? down.at : w.at, w.at, { word: e.detail === 2, follow: e.ctrlKey || e.metaKey });
      down = undefined;
    });
  }

  private key(e: KeyboardEvent): void {
    if (e.target !== this.element || e.ctrlKey || e.metaKey || e.altKey) return;
    const by = e.key === "PageDown" || e.key === "ArrowRight" ? 1 : e.key === "PageUp" || e.key === "ArrowLeft" ? -1 : 0;
    let page = by === 0 ? undefined : this.neighbour(by as 1 | -1);
    if (e.key === "Home") page = this.pages[0];
    if (e.key === "End") page = this.pages.at(-1);
    if (!page) return;
    e.preventDefault();
    this.reveal(page);
  }

  private wheel(e: WheelEvent): void {
    if (!e.ctrlKey) return;
    e.preventDefault();
    const scale = Math.max(minScale, Math.min(maxScale, this.scale * Math.exp(-e.deltaY / 300)));
    this.element.dispatchEvent(new CustomEvent("zoom", { detail: scale }));
  }
}

function clamp01(x: number): number {
  return Math.max(0, Math.min(1, x));
}

function keyOf(p: PageRow): string {
  return `${p.chapter}/${p.position}`;
}

/** Puts a picture on a canvas without copying it on this thread more than once. */
async function put(canvas: HTMLCanvasElement, p: Picture): Promise<void> {
  const data = new ImageData(new Uint8ClampedArray(p.pixels), p.width, p.height);
  const bitmap = await createImageBitmap(data);
  const context = canvas.getContext("bitmaprenderer");
  canvas.width = p.width;
  canvas.height = p.height;
  context?.transferFromImageBitmap(bitmap);
}
