// The Figures panel: the pictures, tables and videos of the book. A list, and a
// page for each of them. Every change is sandbox_save_resource's, so that a person
// and an agent do the same.
import { h, icon, setText } from "../dom";
import { attachMenu } from "../menu";
import { count } from "../state";
import { base64, chooseFiles, takeFiles } from "./files";
import { frame, type App, type Panel } from "./panel";
import { figurePage } from "./resourcepage";
import { cellsOf, type TableForm } from "./tableeditor";
import { Thumbs } from "./thumbs";

export interface Placed {
  chapter: number;
  line: number;
  page?: string | number;
}

export interface ResourceRow {
  id: string;
  kind: "bitmap" | "svg" | "table" | "video";
  typeId: string;
  number?: string;
  caption: string;
  /** Of a picture in Markdown: its title, printed under it. */
  captionInText?: string;
  altText?: string;
  pixels?: { width: number; height: number };
  size?: { width: number; height: number; unit: string };
  rows?: number;
  columns?: number;
  placedIn: Placed[];
  citedIn?: Placed[];
  problems?: string[];
  /** Another one when its picture may have changed. */
  version: string;
}

export interface Named {
  id: string;
  name: string;
  plural?: string;
}

export interface ResourceList {
  ok: boolean;
  error?: string;
  resources: ResourceRow[];
  types: Named[];
  styles: Named[];
  revision: number;
}

export const pictureTypes = "image/png,image/jpeg,image/webp,image/gif,image/svg+xml,.svg";
const filmTypes = "video/mp4,video/webm,video/ogg,video/quicktime,.mov,.ogv";

/** A picture or film as sandbox_save_resource takes it; undefined for others. */
export async function contentOf(file: File): Promise<object | undefined> {
  const name = file.name.toLowerCase();
  if (file.type === "image/svg+xml" || name.endsWith(".svg")) return { svg: { base64: await base64(file) } };
  if (/^image\/(png|jpeg|webp|gif)$/.test(file.type)) return { image: { base64: await base64(file), name: file.name } };
  const film = /^video\/(mp4|webm|ogg|quicktime)$/.test(file.type) ? file.type : /\.(mov|ogv)$/.test(name) ? "video/quicktime" : "";
  return film ? { video: { url: `data:${film};base64,${await base64(file)}` } } : undefined;
}

/** A file's or caption's name as an id. */
export function slug(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80);
}

/** A caption without its marks. */
export function plain(caption: string): string {
  return caption
    .replace(/\\\\|\\\n/g, " ")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`]/g, "");
}

function fold(s: string): string {
  return s.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

export function resourcesPanel(app: App): Panel {
  const make = h("button", { class: "quiet", type: "button" }, icon("plus"), "New");
  const f = frame("Figures", make);
  const search = h("input", { class: "search", type: "search", placeholder: "Caption or id", attr: { "aria-label": "Find a figure", autocomplete: "off", spellcheck: "false" } });
  const searchBox = h("div", { class: "search-box", hidden: true }, icon("search"), search);
  const said = h("p", { class: "note", hidden: true, attr: { role: "status" } });
  const groups = h("div", {});
  const list = h("div", {}, searchBox, said, groups);
  const page = figurePage(app, {
    back: () => show(undefined),
    renaming: (id) => {
      coming = id;
    },
    renamed: (id) => {
      chosen = id;
      coming = undefined;
    },
    list: () => last,
  });
  f.body.append(list, page.element);
  const thumbs = new Thumbs(app.port);
  let visible = false;
  let chosen: string | undefined;
  /** The id that the chosen figure is about to have. */
  let coming: string | undefined;
  let last: ResourceList | undefined;
  let seen = "";
  let loading = false;
  let again = false;

  attachMenu(make, {
    label: "New figure",
    fill(box, close) {
      const act = (label: string, about: string, run: () => void) =>
        box.append(h("button", { class: "menu-item menu-two", type: "button", on: { click: () => { close(); run(); } } }, h("span", {}, label), h("span", { class: "menu-about" }, about)));
      act("Pictures or films…", "PNG, JPEG, WebP, GIF, SVG, MP4, WebM", () => void chooseFiles(`${pictureTypes},${filmTypes}`, true).then(add));
      act("Table", "two by two, to be filled", () => void addTable([["", ""], ["", ""]]));
      act("Video by its address…", "YouTube, Vimeo, or a film on the web", askVideo);
    },
  });
  takeFiles(f.element, (files) => void add(files), (text) => {
    const cells = cellsOf(text);
    if (!cells || chosen) return false;
    void addTable(cells);
    return true;
  });

  /** An id that nothing has yet. */
  const freeID = (wanted: string): string => {
    const taken = new Set(last?.resources.map((r) => r.id));
    const stem = wanted || "figure";
    let id = stem;
    for (let n = 2; taken.has(id); n++) id = `${stem}-${n}`;
    return id;
  };

  const add = async (files: File[]) => {
    let skipped = 0;
    const added: string[] = [];
    for (const file of files) {
      const content = await contentOf(file);
      if (!content) {
        skipped++;
        continue;
      }
      const id = freeID(slug(file.name.replace(/\.[^.]+$/, "")));
      if (await app.change("sandbox_save_resource", { id, ...content, wait: false })) added.push(id);
      await load(true);
    }
    const parts = [added.length ? (added.length === 1 ? `${added[0]!} is added. Place it from its page.` : `${count(added.length, "figure")} are added.`) : "", skipped ? `${count(skipped, "file")} left out: only pictures and films can be figures.` : ""].filter(Boolean);
    tell(parts.join(" "));
    if (added.length === 1 && skipped === 0) show(added[0]);
  };

  const addTable = async (rows: string[][]) => {
    const id = freeID("table");
    const table: TableForm = { rows, headerRows: 1 };
    if (!(await app.change("sandbox_save_resource", { id, table, wait: false }))) return;
    await load(true);
    show(id);
  };

  const askVideo = () => {
    show(undefined);
    const address = h("input", { class: "field", type: "url", placeholder: "https://", attr: { "aria-label": "Address of the video", autocomplete: "off" } });
    const form = h(
      "form",
      { class: "banner", attr: { "aria-label": "Video by its address" } },
      h("label", {}, "Address of the video ", address),
      h("div", { class: "banner-acts" }, h("button", { class: "button", type: "submit" }, "Add"), h("button", { class: "quiet", type: "button", on: { click: () => form.remove() } }, "Cancel")),
    );
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      const url = address.value.trim();
      void (async () => {
        const id = freeID("video");
        if (!(await app.change("sandbox_save_resource", { id, video: { url }, wait: false }))) return;
        form.remove();
        await load(true);
        show(id);
      })();
    });
    form.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      e.stopPropagation();
      form.remove();
      make.focus();
    });
    list.prepend(form);
    address.focus();
  };

  const tell = (text: string) => {
    setText(said, text);
    said.hidden = text === "";
  };

  const load = async (force = false): Promise<void> => {
    const book = app.state.book;
    const key = book ? `${book.opening}/${book.revision}/${book.pages ?? ""}` : "";
    if (!visible || !book?.ready || (!force && key === seen)) return;
    if (loading) {
      again = true;
      return;
    }
    loading = true;
    seen = key;
    const a = JSON.parse((await app.port.cmd("resources", {})).json) as ResourceList;
    loading = false;
    if (a.ok) {
      last = a;
      draw();
    } else app.announce(a.error ?? "The figures could not be listed.", "problem");
    if (again) {
      again = false;
      await load(true);
    }
  };

  const show = (id: string | undefined) => {
    const from = chosen;
    chosen = id;
    list.hidden = id !== undefined;
    if (id === undefined) {
      page.hide();
      draw();
      if (from) groups.querySelector<HTMLElement>(`[data-figure="${CSS.escape(from)}"]`)?.focus();
      return;
    }
    tell("");
    void page.show(id, true);
    f.body.scrollTop = 0;
  };

  let drawn = "";
  const draw = () => {
    if (!last) return;
    if (chosen !== undefined) {
      const has = (id: string | undefined) => last?.resources.some((r) => r.id === id) === true;
      if (has(chosen)) void page.show(chosen, false);
      else if (!has(coming)) show(undefined); // it was deleted
      return;
    }
    searchBox.hidden = last.resources.length <= 6;
    const words = fold(searchBox.hidden ? "" : search.value).split(/\s+/).filter(Boolean);
    const rows = last.resources.filter((r) => words.every((w) => fold(`${r.id} ${plain(r.caption)} ${r.captionInText ?? ""}`).includes(w)));
    const key = JSON.stringify([rows, last.types, words]);
    if (key === drawn) return;
    drawn = key;
    const focused = (document.activeElement as HTMLElement | null)?.dataset["figure"];
    const known = new Set(last.types.map((t) => t.id));
    const sections: [string, ResourceRow[]][] = last.types.map((t) => [t.plural || t.name, rows.filter((r) => r.typeId === t.id)]);
    sections.push(["Untyped", rows.filter((r) => !known.has(r.typeId))]);
    groups.replaceChildren(
      ...sections
        .filter(([, of]) => of.length > 0)
        .map(([name, of]) => h("section", { class: "figure-group" }, h("h3", { class: "books-title" }, name, h("span", { class: "books-count" }, String(of.length))), h("ul", { class: "book-list" }, ...of.map(row)))),
    );
    if (last.resources.length === 0)
      groups.replaceChildren(h("div", { class: "empty" }, h("p", {}, "This book has no pictures, tables or videos yet."), h("p", { class: "note" }, "Drop files here, paste a picture or the cells of a spreadsheet, or press New. A figure goes into the pages where the text says ", h("code", {}, '::resource{id="…"}'), ", or near the first line that cites it with ", h("code", {}, ':ref{id="…"}'), ".")));
    else if (rows.length === 0) groups.replaceChildren(h("p", { class: "note" }, "No figure answers to these words."));
    if (focused) groups.querySelector<HTMLElement>(`[data-figure="${CSS.escape(focused)}"]`)?.focus();
  };
  search.addEventListener("input", draw);
  search.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || search.value === "") return;
    e.stopPropagation();
    search.value = "";
    draw();
  });

  const row = (r: ResourceRow): HTMLElement => {
    const caption = plain(r.caption) || r.captionInText || "";
    return h(
      "li",
      { class: "figure" },
      h(
        "button",
        { class: "figure-open", type: "button", attr: { "data-figure": r.id }, on: { click: () => show(r.id) } },
        thumbs.of(r, r.version),
        h("span", { class: "figure-text" }, h("span", { class: "figure-caption" }, h("bdi", {}, caption || "No caption")), h("span", { class: "book-facts" }, h("code", {}, r.id), r.number ? ` · ${r.number}` : "")),
        h("span", { class: r.problems?.length ? "figure-place problem" : "figure-place" }, r.problems?.length ? "problem" : where(r)),
      ),
    );
  };

  app.state.listen(() => void load());
  return {
    id: "resources",
    element: f.element,
    shown() {
      visible = true;
      void load(true);
    },
    hidden() {
      visible = false;
    },
  };
}

/** Where a figure stands, in a few words. */
export function where(r: ResourceRow): string {
  const pages = [...new Set(r.placedIn.map((p) => p.page).filter((p) => p !== undefined && p !== null))];
  if (pages.length > 0) return `p. ${pages.slice(0, 3).join(", ")}${pages.length > 3 ? "…" : ""}`;
  return r.placedIn.length > 0 ? "placed" : r.citedIn?.length ? "cited" : "not placed";
}

