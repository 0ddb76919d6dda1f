// The part of a picture that is never cropped away, drawn on the picture itself
// (sandbox.md 6.6): drag to draw it, inside it to move it, at a corner to change its
// size; the arrow keys move it, with Shift they change its size. Two small pictures show
// the tallest and the flattest crop that keep it in sight.
import { h } from "../dom";

/** A part of a picture, in fractions of its width and height. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The smallest part, and what an arrow key moves. */
const least = 0.02;
const step = 0.01;
/** The pause after the last key before the area is kept, in ms. */
const rest = 500;

const corners = ["nw", "ne", "sw", "se"] as const;
type Corner = (typeof corners)[number];

const within = (v: number, low: number, high: number) => Math.min(high, Math.max(low, v));
const exact = (v: number) => Math.round(v * 1000) / 1000;

function between(a: { x: number; y: number }, b: { x: number; y: number }): Area {
  return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}

export class SafeArea {
  private frame = h(
    "div",
    { class: "safe-frame", tabIndex: 0, attr: { role: "group", "aria-label": "Safe area: the arrow keys move it, with Shift they change its size" } },
    ...corners.map((c) => h("span", { class: `safe-corner ${c}`, attr: { "data-corner": c } })),
  );
  private image = h("img", { attr: { alt: "", draggable: "false" } });
  private stage = h("div", { class: "safe-stage" }, this.image, this.frame);
  private crops = [h("div", { class: "safe-crop" }), h("div", { class: "safe-crop" })] as const;
  private captions = h("div", { class: "safe-crops" }, h("figure", {}, this.crops[0], h("figcaption", {}, "Tallest crop")), h("figure", {}, this.crops[1], h("figcaption", {}, "Flattest crop")));
  readonly element = h("div", { class: "safe-area" }, this.stage, this.captions);
  private area: Area | undefined;
  /** What was kept last, to tell whether there is anything to keep. */
  private kept = "";
  private later = 0;

  /** commit keeps an area that was drawn. */
  constructor(private commit: (area: Area) => void) {
    this.stage.addEventListener("pointerdown", (e) => this.drag(e));
    this.frame.addEventListener("keydown", (e) => this.key(e));
    this.image.addEventListener("load", () => this.draw());
  }

  /** Shows a picture, by its address, with its area. */
  show(address: string | undefined, area: Area | undefined): void {
    this.element.hidden = !address;
    if (address && this.image.getAttribute("src") !== address) this.image.src = address;
    if (this.later) return; // the person is at it
    this.area = area && { ...area };
    this.kept = JSON.stringify(this.area);
    this.draw();
  }

  private draw(): void {
    const a = this.area;
    this.frame.classList.toggle("none", a === undefined);
    const shown = a ?? { x: 0, y: 0, width: 1, height: 1 };
    const s = this.frame.style;
    s.left = `${shown.x * 100}%`;
    s.top = `${shown.y * 100}%`;
    s.width = `${shown.width * 100}%`;
    s.height = `${shown.height * 100}%`;
    this.captions.hidden = a === undefined || this.image.naturalWidth === 0;
    if (this.captions.hidden) return;
    this.crop(this.crops[0], { x: shown.x, y: 0, width: shown.width, height: 1 });
    this.crop(this.crops[1], { x: 0, y: shown.y, width: 1, height: shown.height });
  }

  /** Draws a part of the picture into a box, as large as the box may be. */
  private crop(box: HTMLElement, part: Area): void {
    const room = { width: 150, height: 110 };
    const scale = Math.min(room.width / (part.width * this.image.naturalWidth), room.height / (part.height * this.image.naturalHeight));
    const width = this.image.naturalWidth * scale;
    const height = this.image.naturalHeight * scale;
    const picture = (box.firstElementChild as HTMLImageElement | null) ?? box.appendChild(h("img", { attr: { alt: "" } }));
    if (picture.src !== this.image.src) picture.src = this.image.src;
    Object.assign(box.style, { width: `${part.width * width}px`, height: `${part.height * height}px` });
    Object.assign(picture.style, { width: `${width}px`, height: `${height}px`, left: `${-part.x * width}px`, top: `${-part.y * height}px` });
  }

  /** Where a pointer is, in fractions of the picture. */
  private at(e: PointerEvent): { x: number; y: number } {
    const r = this.image.getBoundingClientRect();
    return { x: within((e.clientX - r.left) / r.width, 0, 1), y: within((e.clientY - r.top) / r.height, 0, 1) };
  }

  private drag(e: PointerEvent): void {
    if (e.button !== 0) return;
    e.preventDefault();
    const from = this.at(e);
    const was = this.area;
    const corner = (e.target as HTMLElement).dataset["corner"] as Corner | undefined;
    const moves = was !== undefined && corner === undefined && (e.target as HTMLElement).closest(".safe-frame") !== null;
    // The corner opposite the one that is pulled stands still; a new area begins where
    // the pointer went down.
    const fixed = was && corner ? { x: corner.includes("w") ? was.x + was.width : was.x, y: corner.includes("n") ? was.y + was.height : was.y } : from;
    this.stage.setPointerCapture(e.pointerId);
    const move = (now: PointerEvent) => {
      const to = this.at(now);
      this.area = moves
        ? { ...was, x: within(was.x + to.x - from.x, 0, 1 - was.width), y: within(was.y + to.y - from.y, 0, 1 - was.height) }
        : between(fixed, to);
      this.draw();
    };
    const end = (now: PointerEvent) => {
      this.stage.removeEventListener("pointermove", move);
      this.stage.removeEventListener("pointerup", end);
      this.stage.removeEventListener("pointercancel", end);
      // A press without a drag draws nothing.
      if (now.type === "pointercancel" || !this.area || this.area.width < least || this.area.height < least) this.area = was;
      this.draw();
      this.keep();
      this.frame.focus({ preventScroll: true });
    };
    this.stage.addEventListener("pointermove", move);
    this.stage.addEventListener("pointerup", end);
    this.stage.addEventListener("pointercancel", end);
  }

  private key(e: KeyboardEvent): void {
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[e.key];
    if (!by || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    const a = this.area ?? { x: 0, y: 0, width: 1, height: 1 };
    const [dx, dy] = by as [number, number];
    this.area = e.shiftKey
      ? { ...a, width: within(a.width + dx, least, 1 - a.x), height: within(a.height + dy, least, 1 - a.y) }
      : { ...a, x: within(a.x + dx, 0, 1 - a.width), y: within(a.y + dy, 0, 1 - a.height) };
    this.draw();
    clearTimeout(this.later);
    this.later = window.setTimeout(() => {
      this.later = 0;
      this.keep();
    }, rest);
  }

  private keep(): void {
    const a = this.area;
    if (!a) return;
    const x = exact(a.x);
    const y = exact(a.y);
    this.area = { x, y, width: Math.min(exact(a.width), exact(1 - x)), height: Math.min(exact(a.height), exact(1 - y)) };
    const now = JSON.stringify(this.area);
    if (now === this.kept) return;
    this.kept = now;
    this.commit(this.area);
  }
}
