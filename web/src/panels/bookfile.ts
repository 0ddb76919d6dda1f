// A .postext file chosen by the person: asked which language when it has
// several, and imported as a book of their own.
import { h } from "../dom";
import type { App } from "./panel";

interface Inspected {
  name: string;
  languages: string[];
  locale?: string;
}

/** Lets the person choose a file; "" when they chose none. */
function chooseFile(): Promise<File | undefined> {
  const input = h("input", { type: "file", hidden: true, attr: { accept: ".postext,application/zip" } });
  document.body.append(input);
  return new Promise((resolve) => {
    const end = (file?: File) => {
      input.remove();
      resolve(file);
    };
    input.addEventListener("change", () => end(input.files?.[0]));
    input.addEventListener("cancel", () => end());
    input.click();
  });
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

/** Imports a file the person chooses; tells whether a book was opened. */
export async function importBookFile(app: App, place: HTMLElement, nameOf: (tag: string) => string): Promise<boolean> {
  const chosen = await chooseFile();
  if (!chosen) return false;
  const file = { url: await asDataAddress(chosen) };
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
