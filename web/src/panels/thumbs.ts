// Small pictures of the figures in a list, and the large one on a figure's page.
// A picture comes from the worker once for each state of the figure.
import { h, icon } from "../dom";
import type { Port } from "../port";

interface Which {
  id: string;
  kind: string;
  pixels?: { width: number; height: number };
}

export class Thumbs {
  private shown = new Map<string, { key: string; url: string }>();

  constructor(private port: Port) {}

  /** A picture's box; `version` is another one when the picture may have changed. */
  of(r: Which, version: string, large = false): HTMLElement {
    const glyph = r.kind === "table" ? "table" : r.kind === "video" ? "film" : "picture";
    const box = h("span", { class: large ? "figure-preview" : "thumb", attr: { "aria-hidden": "true" } }, icon(glyph));
    if (r.kind !== "table") void this.fill(box, r, version);
    return box;
  }

  private async fill(box: HTMLElement, r: Which, version: string): Promise<void> {
    const old = this.shown.get(r.id);
    if (old?.key !== version) {
      const answer = await this.port.cmd("picture", { id: r.id });
      const a = JSON.parse(answer.json) as { ok?: boolean; mimeType?: string };
      const bytes = answer.buffers[0];
      if (!bytes || !a.mimeType) return;
      const url = URL.createObjectURL(new Blob([bytes], { type: a.mimeType }));
      if (old) URL.revokeObjectURL(old.url);
      this.shown.set(r.id, { key: version, url });
    }
    const image = new Image();
    image.alt = "";
    image.src = this.shown.get(r.id)!.url;
    image.addEventListener("load", () => {
      box.replaceChildren(image);
      if (r.kind === "video") box.append(h("span", { class: "play" }));
    }, { once: true });
  }
}
