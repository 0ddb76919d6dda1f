// Files chosen by the person that become a book of their own: a .postext file (asked
// which language when it has several), Markdown files, or a folder of them with its
// pictures, fonts and design (bundle.md, A folder as a book).
import { h } from "../dom";
import { base64, chooseFiles } from "./files";
import type { App } from "./panel";

interface Inspected {
  name: string;
  languages: string[];
  locale?: string;
}

function asDataAddress(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("the file cannot be read"));
    reader.readAsDataURL(file);
  });
}

/** Asks which language to import, the file's own first; undefined for none. */
function askLanguage(place: HTMLElement, a: Inspected, nameOf: (tag: string) => string): Promise<string | undefined> {
  const tags = [...a.languages].sort((x, y) => Number(y === a.locale) - Number(x === a.locale));
  return new Promise((resolve) => {
    const end = (tag?: string) => {
      box.remove();
      resolve(tag);
    };
    const buttons = tags.map((tag, i) => h("button", { class: i ? "quiet" : "button", type: "button", on: { click: () => end(tag) } }, nameOf(tag)));
    const title = `Which language of “${a.name}” do you want to open?`;
    const box = h(
      "div",
      { class: "banner", attr: { role: "alertdialog", "aria-label": title }, on: { keydown: (e) => (e as KeyboardEvent).key === "Escape" && end() } },
      h("p", {}, title),
      h("div", { class: "banner-acts" }, ...buttons, h("button", { class: "quiet", type: "button", on: { click: () => end() } }, "Cancel")),
    );
    place.prepend(box);
    buttons[0]?.focus();
  });
}

/** What of a folder may belong to a book. */
const useful = /\.(md|markdown|json|png|jpe?g|webp|gif|svg|ttf|otf|woff2|bib|csl|mp4|webm|ogv|mov)$/i;
const isText = /\.(md|markdown)$/i;
const most = 100 * 1024 * 1024;

/** Makes a book of files, by their paths in it; tells whether it was opened. */
async function openFiles(app: App, name: string, files: { path: string; file: File }[]): Promise<boolean> {
  const used = files.filter((f) => useful.test(f.path) && !/(^|\/)\./.test(f.path));
  if (!used.some((f) => isText.test(f.path))) {
    app.announce(`There is no Markdown in ${name}: a chapter is a file that ends in .md.`, "problem");
    return false;
  }
  if (used.reduce((sum, f) => sum + f.file.size, 0) > most) {
    app.announce(`${name} has more than 100 MB: leave out what the book does not need, or open it with postext serve.`, "problem");
    return false;
  }
  app.announce(`Opening ${name}…`);
  const list = await Promise.all(used.map(async (f) => ({ path: f.path, data: await base64(f.file) })));
  const a = JSON.parse((await app.port.cmd("files", { name, files: list })).json) as { ok: boolean; error?: string; name?: string };
  app.announce(a.ok ? `${a.name ?? name} is open` : (a.error ?? "The files could not be opened"), a.ok ? "note" : "problem");
  return a.ok;
}

/** Opens a folder the person chooses as a book. */
export async function openFolder(app: App): Promise<boolean> {
  const files = await chooseFiles("", true, true);
  const first = files[0];
  if (!first) return false;
  const name = first.webkitRelativePath.split("/")[0] ?? "";
  return openFiles(app, name || "Folder", files.map((file) => ({ path: file.webkitRelativePath.split("/").slice(1).join("/"), file })));
}

/** Opens what the person chooses, a .postext file or Markdown files; tells whether a
 *  book was opened. */
export async function openBookFile(app: App, place: HTMLElement, nameOf: (tag: string) => string): Promise<boolean> {
  const chosen = await chooseFiles(".postext,application/zip,.md,.markdown,text/markdown", true);
  const first = chosen[0];
  if (!first) return false;
  if (chosen.some((file) => isText.test(file.name))) return openFiles(app, first.name.replace(isText, ""), chosen.map((file) => ({ path: file.name, file })));
  const file = { url: await asDataAddress(first) };
  const held = await app.run<Inspected>("sandbox_import_book", { file, inspect: true });
  if (!held) return false;
  let language: string | undefined;
  if (held.languages.length > 1) {
    language = await askLanguage(place, held, nameOf);
    if (!language) return false;
  }
  const a = await app.run("sandbox_import_book", { file, wait: false, ...(language ? { language } : {}) });
  if (!a) return false;
  app.announce(`${held.name} is open`);
  return true;
}
