// What a person takes away from a menu: the book, its text, its design, a page.
import { saveFile } from "../download";
import type { App } from "./panel";

type Row = (label: string, run: () => void) => void;

/** Writes a file with sandbox_export; the browser saves it. */
export function exportFile(app: App, args: object, after = ""): void {
  void app.run<{ fileName: string }>("sandbox_export", args).then((a) => a && app.announce(`${a.fileName} is downloaded${after && `; ${after.replace("FILE", a.fileName)}`}`));
}

/** How what was changed in a folder's book goes back into the folder. */
const intoFolder = "postext import FILE FOLDER --into brings your changes into the folder";

/** The files of the open book. */
export function bookDownloads(app: App, act: Row): void {
  act("Download (.postext)", () => exportFile(app, { format: "postext" }, app.state.book?.book.folder && app.state.book.book.edited ? intoFolder : ""));
  act("Download as Markdown", () => exportFile(app, { format: "markdown" }));
  act("Download the design", () => exportFile(app, { format: "config" }));
}

/** The picture of the page in view, wide enough to print as a proof. */
export async function savePicture(app: App): Promise<void> {
  const page = app.page();
  if (!page) {
    app.announce("The pages are still being set.", "problem");
    return;
  }
  const a = await app.run<{ content: { type: string; data?: string; mimeType?: string }[] }>("sandbox_render_page", { chapter: page.chapter, position: page.position, width: 2000 });
  const picture = a?.content.find((c) => c.type === "image");
  if (!picture?.data) return;
  const name = `${(app.state.book?.book.name ?? "book").replace(/[\\/:*?"<>|\s]+/g, "-")}-${page.label ? `page-${page.label}` : `${page.position}`}.png`;
  saveFile(name, picture.mimeType ?? "image/png", Uint8Array.from(atob(picture.data), (c) => c.charCodeAt(0)).buffer);
  app.announce(`${name} is downloaded`);
}
