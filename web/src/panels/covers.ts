// Covers in the Books panel. A picture comes from the worker once; until it is
// there, and for a book without one, a plain binding stands in its place.
import { h } from "../dom";
import type { Port } from "../port";

interface Which {
  kind: string;
  id: string;
  language: string;
}

export class Covers {
  private shown = new Map<string, { key: string; url: string }>();
  /** The files of the samples' covers, by id. */
  private site: Promise<Map<string, string>> | undefined;

  constructor(private port: Port) {}

  /** The cover of a book; `version` is another one when it may have changed. */
  of(which: Which, name: string, has: boolean, version: string): HTMLElement {
    const box = h("span", { class: "cover", attr: { "aria-hidden": "true" } }, h("span", { class: "cover-letter" }, [...name.trim()][0] ?? ""));
    if (has) void this.fill(box, which, version);
    else if (which.kind === "sample") void this.published(box, which.id);
    return box;
  }

  /** The cover a sample comes with, until the browser keeps one of it. */
  private async published(box: HTMLElement, id: string): Promise<void> {
    this.site ??= fetch("/books/index.json").then(async (r) => new Map(((await r.json()) as { id: string; cover?: string }[]).map((b) => [b.id, b.cover ?? ""])));
    const file = (await this.site.catch(() => undefined))?.get(id);
    if (file) this.put(box, `/books/${encodeURIComponent(id)}/${file.split("/").map(encodeURIComponent).join("/")}`);
  }

  private put(box: HTMLElement, url: string): void {
    const image = new Image();
    image.alt = "";
    image.src = url;
    image.addEventListener("load", () => box.replaceChildren(image), { once: true });
  }

  private async fill(box: HTMLElement, which: Which, version: string): Promise<void> {
    const id = `${which.kind}/${which.id}/${which.language}`;
    const old = this.shown.get(id);
    let url = old?.key === version ? old.url : "";
    if (url === "") {
      const r = await this.port.cmd("cover", { kind: which.kind, id: which.id, ...(which.language ? { language: which.language } : {}) });
      const a = JSON.parse(r.json) as { ok?: boolean; mimeType?: string };
      const bytes = r.buffers[0];
      if (!bytes || !a.mimeType) return;
      url = URL.createObjectURL(new Blob([bytes], { type: a.mimeType }));
      if (old) URL.revokeObjectURL(old.url);
      this.shown.set(id, { key: version, url });
    }
    this.put(box, url);
  }
}
