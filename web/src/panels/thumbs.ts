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

  /** The address of a figure's picture; undefined when there is none. */
  async address(r: Which, version: string): Promise<string | undefined> {
    const old = this.shown.get(r.id);
    if (old?.key === version) return old.url;
    const answer = await this.port.cmd("picture", { id: r.id });
    const a = JSON.parse(answer.json) as { ok?: boolean; mimeType?: string };
    const bytes = answer.buffers[0];
    if (!bytes || !a.mimeType) return undefined;
    const url = URL.createObjectURL(new Blob([bytes], { type: a.mimeType }));
    if (old) URL.revokeObjectURL(old.url);
    this.shown.set(r.id, { key: version, url });
    return url;
  }

  private async fill(box: HTMLElement, r: Which, version: string): Promise<void> {
    const url = await this.address(r, version);
    if (!url) return;
    const image = new Image();
    image.alt = "";
    image.src = url;
    image.addEventListener("load", () => {
      box.replaceChildren(image);
      if (r.kind === "video") box.append(h("span", { class: "play" }));
    }, { once: true });
  }
}
