// Pictures an agent puts on the screen (sandbox_render_page with show), for
// clients that see the screen but cannot read a picture in an answer.
//
// A picture stands pixel for pixel: one of its pixels is one of the screen's.
// The pictures of one call stand under each other at the head of the document,
// not inside a scrolling box, so that a screenshot of the whole document holds
// what the window is too small for. The page beneath goes on working: nothing
// takes the focus, the button and Escape put the pictures away.
import { h, iconButton } from "./dom";

export interface Picture {
  mimeType: string;
  /** Pixels. */
  width: number;
  height: number;
  /** Its place among the pictures of one call, from 0; the first clears the screen. */
  row: number;
  /** What it shows, in words. */
  title: string;
}

/** Where a picture stands, in CSS pixels of the window. */
export interface Place {
  selector: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export class Showing {
  private box: HTMLElement | undefined;
  private list = h("div", { class: "showing-list" });
  private urls: string[] = [];
  private next = 1;

  /** `closed` hears that the pictures are put away. */
  constructor(private closed: () => void) {
    // Before anything else hears it: what lies on top goes first.
    addEventListener("keydown", (e) => this.key(e), true);
  }

  get open(): boolean {
    return this.box !== undefined;
  }

  /** Puts a picture on the screen. */
  async show(p: Picture, bytes: ArrayBuffer): Promise<Place> {
    const url = URL.createObjectURL(new Blob([bytes], { type: p.mimeType }));
    const picture = h("img", { id: `postext-shown-${this.next++}`, attr: { alt: p.title } });
    picture.src = url;
    try {
      await picture.decode();
    } catch (e) {
      URL.revokeObjectURL(url);
      throw e;
    }
    if (p.row === 0) this.clear();
    this.urls.push(url);
    this.list.append(picture);
    const ratio = window.devicePixelRatio || 1;
    picture.style.width = `${css(p.width, ratio)}px`;
    picture.style.height = `${css(p.height, ratio)}px`;
    if (p.row === 0) this.place(ratio);
    const r = picture.getBoundingClientRect();
    const exact = (at: number) => Math.round(at * ratio) / ratio;
    return { selector: `#${picture.id}`, x: exact(r.x), y: exact(r.y), width: p.width / ratio, height: p.height / ratio };
  }

  close(): void {
    if (!this.box) return;
    const inside = this.box.contains(document.activeElement);
    this.clear();
    this.box.remove();
    this.box = undefined;
    document.documentElement.classList.remove("showing");
    if (inside) this.closed();
  }

  private clear(): void {
    this.list.replaceChildren();
    for (const u of this.urls.splice(0)) URL.revokeObjectURL(u);
  }

  /** Over the pages where there is room, on whole pixels of the screen. */
  private place(ratio: number): void {
    if (!this.box) {
      this.box = h(
        "aside",
        { class: "showing", attr: { "aria-label": "Shown for an agent" } },
        h("header", { class: "showing-head" }, h("span", {}, "Shown for an agent"), iconButton("close", "Put the picture away", () => this.close())),
        this.list,
      );
      document.body.append(this.box);
      document.documentElement.classList.add("showing");
    }
    document.documentElement.scrollTo(0, 0);
    const box = this.box;
    box.style.left = box.style.top = "0px";
    const head = this.list.getBoundingClientRect();
    const left = Math.max(0, innerWidth - box.offsetWidth - 24);
    const top = Math.max(0, Math.min(56, innerHeight - box.offsetHeight - 36));
    // The list's own corner, not the box's, has to fall on a pixel.
    const snap = (at: number, inner: number) => css(Math.round((at + inner) * ratio), ratio) - inner;
    box.style.left = `${snap(left, head.left)}px`;
    box.style.top = `${snap(top, head.top)}px`;
  }

  private key(e: KeyboardEvent): void {
    if (e.key !== "Escape" || !this.box || e.isComposing || document.querySelector(".menu")) return;
    e.preventDefault();
    e.stopPropagation();
    this.close();
  }
}

/** A length of the screen's pixels in CSS pixels. Browsers cut lengths to a 64th
 *  of a pixel: a third of 1000 would become one pixel less than a thousand. */
function css(pixels: number, ratio: number): number {
  return (pixels + 0.008) / ratio;
}
