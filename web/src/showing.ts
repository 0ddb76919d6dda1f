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
    const ratio = window.devicePixelRatio || 1;
    const frame = h("div", { class: "showing-picture" }, picture);
    frame.style.width = `${Math.ceil(p.width / ratio)}px`;
    frame.style.height = `${Math.ceil(p.height / ratio)}px`;
    this.list.append(frame);
    if (p.row === 0) this.place();
    // Laid out at its own size, a whole number, and scaled: browsers cut and snap
    // lengths, a third of 1000 would come out as one pixel less than a thousand.
    const corner = frame.getBoundingClientRect();
    const x = Math.round(corner.x * ratio) / ratio;
    const y = Math.round(corner.y * ratio) / ratio;
    picture.style.width = `${p.width}px`;
    picture.style.height = `${p.height}px`;
    picture.style.transform = `translate(${x - corner.x}px, ${y - corner.y}px) scale(${1 / ratio})`;
    return { selector: `#${picture.id}`, x, y, width: p.width / ratio, height: p.height / ratio };
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

  /** Over the pages, where there is room. */
  private place(): void {
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
    this.box.style.left = `${Math.max(0, innerWidth - this.box.offsetWidth - 24)}px`;
    this.box.style.top = `${Math.max(0, Math.min(56, innerHeight - this.box.offsetHeight - 36))}px`;
  }

  private key(e: KeyboardEvent): void {
    if (e.key !== "Escape" || !this.box || e.isComposing || document.querySelector(".menu")) return;
    e.preventDefault();
    e.stopPropagation();
    this.close();
  }
}
