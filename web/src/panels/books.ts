// The Books panel: own books and sample books.
import { h, icon, iconButton, setText } from "../dom";
import { attachMenu } from "../menu";
import { openBookFile, openFolder } from "./bookfile";
import { Covers } from "./covers";
import { designs, designFor, type Design } from "./designs";
import { bookDownloads, exportFile } from "./downloads";
import { base64 } from "./files";
import { count } from "../state";
import { frame, type App, type Panel } from "./panel";

interface Row {
  id: string;
  name: string;
  description?: string;
  author?: string;
  language?: string;
  languages?: string[];
  edited?: boolean;
  editedIn?: string[];
  hidden?: boolean;
  open?: boolean;
  openIn?: string;
  private?: boolean;
  folder?: boolean;
  unavailable?: boolean;
  license?: string;
  credits?: string;
  chapters?: number;
  words?: number;
  pages?: number;
  updatedAt?: string;
  deletedAt?: string;
  why?: string;
  cover?: boolean;
}

interface List {
  samples: Row[];
  projects: Row[];
  deleted?: Row[];
  problem?: string;
}

type Kind = "project" | "sample";

/** A language's tag as a row shows it: the code, or the script of Chinese. */
function tagOf(language: string): string {
  if (/^zh-hant/i.test(language)) return "繁";
  if (/^zh-hans/i.test(language)) return "简";
  return language.split("-")[0]!.toUpperCase();
}

function nameOf(language: string): string {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(language) ?? language;
  } catch {
    return language;
  }
}

export function booksPanel(app: App): Panel {
  const make = h("button", { class: "quiet", type: "button" }, icon("plus"), "New");
  const f = frame("Books", make);
  const banners = h("div", { class: "banners" });
  const own = h("ul", { class: "book-list" });
  const ownTitle = h("h3", { class: "books-title" }, "My books");
  const folders = h("ul", { class: "book-list" });
  const foldersTitle = h("h3", { class: "books-title" }, "Folders");
  const samples = h("ul", { class: "book-list" });
  const samplesTitle = h("h3", { class: "books-title" }, "Sample books");
  const rest = h("div", { class: "books-rest" });
  const problem = h("p", { class: "note", hidden: true });
  const asking = h("div", { class: "banners" });
  f.body.append(asking, banners, ownTitle, own, foldersTitle, folders, samplesTitle, samples, problem, rest);
  const covers = new Covers(app.port);
  let visible = false;
  let seen = "";
  let loading = false;
  let again = false;
  /** The list as it was drawn: the same one is not drawn again. */
  let drawn = "";

  attachMenu(make, {
    label: "New book",
    fill(box, close) {
      const act = (label: string, about: string, run: () => void, stays = false) =>
        box.append(h("button", { class: "menu-item menu-two", type: "button", on: { click: () => { if (!stays) close(); run(); } } }, h("span", {}, label), h("span", { class: "menu-about" }, about)));
      const opened = (done: Promise<boolean>) => void done.then((is) => is && app.openPanel("chapters"));
      act("Copy of the open book", "with everything in it", () => void begin({ action: "copy_current" }));
      act("Blank book…", "one empty chapter, in a design you choose", () => {
        box.replaceChildren(h("p", { class: "menu-title" }, "A blank book in the design of a"));
        for (const d of designs) act(d.name, d.about, () => void begin({ action: "new_blank" }, d));
        act("No design yet", "the plainest of pages, in two narrow columns", () => void begin({ action: "new_blank" }));
        box.querySelector("button")?.focus();
      }, true);
      act("Open a file…", "a .postext file, or Markdown: a chapter a file", () => opened(openBookFile(app, asking, nameOf)));
      act("Open a folder…", "of Markdown, with its pictures and design", () => opened(openFolder(app)));
    },
  });

  const begin = async (args: object, design?: Design) => {
    const a = await app.run<{ book: Row }>("sandbox_save_book", args);
    if (!a) return;
    const replace = design && (await designFor(app, design, {}, a.book.language ?? "en"));
    if (replace && !(await app.run("sandbox_set_config", { replace, wait: false }))) return;
    app.announce(`${a.book.name} is open`);
    app.openPanel("chapters");
  };

  /** Runs a tool and draws the list anew. */
  const change = async <T>(name: string, args: object, said?: (a: T) => string): Promise<T | undefined> => {
    const a = await app.run<T>(name, args);
    if (a && said) app.announce(said(a));
    await load(true);
    return a;
  };

  const load = async (force = false) => {
    const book = app.state.book;
    const key = book ? `${book.book.kind}/${book.book.id}/${book.book.language}/${book.book.edited}/${book.book.name}` : "";
    if (!visible || !book || (!force && seen === key)) return;
    if (loading) {
      again = true;
      return;
    }
    loading = true;
    seen = key;
    const a = await app.run<List>("sandbox_list_books", {});
    loading = false;
    if (a) draw(a);
    if (again) {
      again = false;
      void load(true);
    }
  };

  const draw = (a: List) => {
    if (f.body.querySelector("form")) return; // a name is being typed
    const key = JSON.stringify(a);
    if (key === drawn) return;
    drawn = key;
    const kept = focusedRow();
    own.replaceChildren(...a.projects.map((r) => row(r, "project")));
    ownTitle.hidden = own.hidden = a.projects.length === 0;
    const shown = a.samples.filter((r) => !r.hidden);
    folders.replaceChildren(...shown.filter((r) => r.folder).map((r) => row(r, "sample")));
    foldersTitle.hidden = folders.hidden = folders.childElementCount === 0;
    samples.replaceChildren(...shown.filter((r) => !r.folder).map((r) => row(r, "sample")));
    problem.hidden = !a.problem;
    setText(problem, a.problem ? `Not everything could be listed: ${a.problem}.` : "");
    rest.replaceChildren(
      disclosure("Hidden sample books", a.samples.filter((r) => r.hidden), (r) => ["Show in the list", () => void change("sandbox_save_book", { action: "show_sample", id: r.id })]),
      disclosure("Deleted lately", a.deleted ?? [], (r) => [
        "Put back",
        () => void change<{ book: Row }>("sandbox_save_book", { action: "restore", id: r.id }, (x) => `${x.book.name} is among your books again`),
      ]),
    );
    f.body.querySelector<HTMLElement>(`[data-book="${CSS.escape(kept)}"] .book-open`)?.focus();
  };

  /** The row the focus is in, so that drawing anew does not lose it. */
  const focusedRow = () => (document.activeElement?.closest("[data-book]") as HTMLElement | null)?.dataset["book"] ?? "";

  const disclosure = (title: string, rows: Row[], act: (r: Row) => [string, () => void]): HTMLElement | string => {
    if (rows.length === 0) return "";
    const was = rest.querySelector<HTMLDetailsElement>(`details[data-title="${title}"]`)?.open ?? false;
    const box = h(
      "details",
      { class: "books-more", attr: { "data-title": title } },
      h("summary", {}, title, h("span", { class: "books-count" }, String(rows.length))),
      h(
        "ul",
        {},
        ...rows.map((r) => {
          const [label, run] = act(r);
          const facts = [r.why, r.deletedAt ? since(r.deletedAt) : "", r.words ? count(r.words, "word") : ""].filter(Boolean).join(" · ");
          return h("li", {}, h("span", { class: "book-text" }, h("bdi", { class: "book-title" }, r.name), h("span", { class: "book-facts" }, facts)),
            h("button", { class: "quiet", type: "button", attr: { "aria-label": `${label}: ${r.name}` }, on: { click: run } }, label));
        }),
      ),
    );
    box.open = was;
    return box;
  };

  const row = (r: Row, kind: Kind): HTMLElement => {
    const languages = r.languages ?? (r.language ? [r.language] : []);
    const edited = kind === "sample" && (r.edited || (r.open && app.state.book?.book.edited));
    const facts = [r.author, r.chapters ? count(r.chapters, "chapter") : "", r.pages ? count(r.pages, "page") : r.words ? count(r.words, "word") : "", kind === "project" && r.updatedAt ? since(r.updatedAt) : "", r.license].filter(Boolean).join(" · ");
    const open = h(
      "button",
      { class: "book-open", type: "button", disabled: r.unavailable === true && !r.edited, attr: r.open ? { "aria-current": "true" } : {}, on: { click: () => void openBook(r, kind) } },
      covers.of({ kind, id: r.id, language: r.openIn ?? "" }, r.name, r.cover === true || r.open === true, `${r.updatedAt ?? ""}${r.cover ?? ""}${r.open ?? ""}`),
      h(
        "span",
        { class: "book-text" },
        h("span", { class: "book-title" }, h("bdi", {}, kind === "sample" && r.open ? (app.state.book?.book.title ?? r.name) : r.name), edited ? h("span", { class: "tag" }, "Edited") : null, r.private ? h("span", { class: "tag" }, "Private") : null),
        r.description ? h("span", { class: "book-about" }, r.description) : null,
        h("span", { class: "book-facts" }, r.unavailable ? "Not available here any more; your changes are kept" : facts),
        r.credits ? h("span", { class: "book-facts" }, r.credits) : null,
      ),
    );
    const more = iconButton("more", `Actions for ${r.name}`, () => {});
    const item = h("li", { class: r.open ? "book active" : "book", attr: { "data-book": `${kind}/${r.id}` } }, open);
    if (languages.length > 1) item.append(tags(r, languages));
    item.append(more);
    attachMenu(more, { label: `Actions for ${r.name}`, fill: (box, close) => actions(r, kind, box, close) });
    return item;
  };

  /** A language tag opens exactly that language. */
  const tags = (r: Row, languages: string[]) =>
    h(
      "span",
      { class: "languages" },
      ...languages.map((l) =>
        h(
          "button",
          {
            class: "language",
            type: "button",
            title: nameOf(l) + (r.editedIn?.includes(l) ? ", edited" : ""),
            attr: { "aria-label": `${tagOf(l)}: ${r.name} in ${nameOf(l)}`, ...(r.openIn === l ? { "aria-current": "true" } : {}) },
            on: { click: () => void openBook(r, "sample", l) },
          },
          tagOf(l),
        ),
      ),
    );

  const openBook = async (r: Row, kind: Kind, language?: string) => {
    if (r.open && (!language || language === r.openIn)) {
      app.openBook();
      return;
    }
    const a = await app.run("sandbox_open_book", { kind, id: r.id, wait: false, ...(language ? { language } : {}) });
    if (!a) return;
    app.announce(`${r.name} is open`);
    app.openBook();
  };

  const actions = (r: Row, kind: Kind, box: HTMLElement, close: () => void) => {
    const act = (label: string, run: () => void) => box.append(h("button", { class: "menu-item", type: "button", on: { click: () => { close(); run(); } } }, label));
    /** A question beside the button that asked for it. */
    const sure = (label: string, question: string, answer: string, run: () => void) => {
      const ask = h("button", { class: "menu-item", type: "button" }, label);
      ask.addEventListener("click", () => {
        const yes = h("button", { class: "button danger", type: "button", on: { click: () => { close(); run(); } } }, answer);
        box.replaceChildren(h("div", { class: "menu-sure", attr: { role: "alertdialog", "aria-label": question } }, h("p", {}, question), h("div", {}, yes, h("button", { class: "quiet", type: "button", on: { click: close } }, "Cancel"))));
        yes.focus();
      });
      box.append(ask);
    };
    const download = () => (r.open ? bookDownloads(app, act) : act("Download (.postext)", () => exportFile(app, { format: "postext", book: { kind, id: r.id } })));
    if (kind === "project") {
      act("Rename…", () => {
        const now = f.body.querySelector<HTMLElement>(`[data-book="${CSS.escape(`project/${r.id}`)}"]`);
        if (now) rename(r, now);
      });
      download();
      act("Duplicate", () => void change<{ book: Row }>("sandbox_save_book", { action: "duplicate", id: r.id }, (a) => `${a.book.name} is made`));
      sure("Delete…", `Delete “${r.name}”? It can be put back for thirty days.`, "Delete", () => void change("sandbox_delete_book", { id: r.id }, () => `${r.name} is deleted`));
      return;
    }
    act("Make my own copy", () => void (r.open ? begin({ action: "copy_current" }) : change<{ book: Row }>("sandbox_save_book", { action: "duplicate", id: r.id }, (a) => `${a.book.name} is among your books`)));
    if (!r.unavailable) download();
    if (r.edited || (r.open && app.state.book?.book.edited))
      sure(r.folder ? "Back to the folder as it is…" : "Restore the original…", `Take every change of “${r.name}” back${(r.editedIn?.length ?? 0) > 1 ? ", in every language" : ""}? Your version can be put back for thirty days.`, "Restore", () =>
        void change("sandbox_reset_to_original", { part: "all", sample: { id: r.id }, wait: false }, () => `${r.name} is as ${r.folder ? "its folder is" : "published"}`));
    if (r.id !== "postext-guide" && !r.unavailable) act("Hide from the list", () => void change("sandbox_save_book", { action: "hide_sample", id: r.id }, () => `${r.name} is hidden`));
  };

  /** Name, description and cover of a row, to be written over. */
  const rename = (r: Row, item: HTMLElement) => {
    const name = h("input", { class: "field", type: "text", value: r.name, attr: { "aria-label": "Name of the book", maxlength: "200" } });
    const about = h("input", { class: "field", type: "text", value: r.description ?? "", placeholder: "Description", attr: { "aria-label": "Description", maxlength: "2000" } });
    const file = h("input", { class: "for-readers", type: "file", tabIndex: -1, attr: { accept: "image/png,image/jpeg,image/webp,image/gif,image/svg+xml", "aria-hidden": "true" } });
    const picture = covers.of({ kind: "project", id: r.id, language: "" }, r.name, r.cover === true, r.updatedAt ?? "");
    const choose = h("button", { class: "cover-choose", type: "button", title: "Choose a cover", attr: { "aria-label": "Choose a cover" }, on: { click: () => file.click() } }, picture);
    const drop = iconButton("close", "Remove the cover", () => void cover({ action: "remove_cover" }), { class: "cover-drop", hidden: !r.cover });
    let done = false;
    const end = async (commit: boolean) => {
      if (done) return;
      done = true;
      form.remove();
      drawn = "";
      const to = name.value.trim();
      if (commit && (to !== r.name || about.value.trim() !== (r.description ?? ""))) await change("sandbox_save_book", { action: "rename", id: r.id, ...(to ? { name: to } : {}), description: about.value });
      else await load(true);
      f.body.querySelector<HTMLElement>(`[data-book="${CSS.escape(`project/${r.id}`)}"] .book-open`)?.focus();
    };
    const cover = async (args: object) => {
      const a = await app.run<{ changed: boolean }>("sandbox_save_book", { id: r.id, ...args });
      if (!a) return;
      r.cover = "cover" in args;
      drop.hidden = !r.cover;
      choose.replaceChildren(covers.of({ kind: "project", id: r.id, language: "" }, r.name, r.cover, String(Date.now())));
      app.announce(r.cover ? "The cover is set" : "The cover is removed");
    };
    file.addEventListener("change", () => {
      const chosen = file.files?.[0];
      if (chosen) void base64(chosen).then((data) => cover({ action: "set_cover", cover: { base64: data, name: chosen.name } }));
    });
    const form = h(
      "form",
      { class: "book-form", on: { submit: (e) => { e.preventDefault(); void end(true); } } },
      h("span", { class: "cover-edit" }, choose, drop, file),
      h("span", { class: "book-fields" }, name, about, h("span", { class: "book-buttons" }, h("button", { class: "button", type: "submit" }, "Rename"), h("button", { class: "quiet", type: "button", on: { click: () => void end(false) } }, "Cancel"))),
    );
    form.addEventListener("keydown", (e) => {
      if (e.key !== "Escape" || e.isComposing) return;
      e.preventDefault();
      e.stopPropagation();
      void end(false);
    });
    item.replaceChildren(form);
    name.focus();
    name.select();
  };

  // What waits for the reader: a question, a newer version, a notice.
  let told = "";
  app.state.listen(({ book }) => {
    void load();
    if (!book) return;
    const key = JSON.stringify([book.question, book.notice, book.readOnly, book.book.newer]);
    if (key === told) return;
    told = key;
    const list: HTMLElement[] = [];
    const banner = (text: string, ...buttons: HTMLElement[]) => list.push(h("div", { class: "banner", attr: { role: "group", "aria-label": text } }, h("p", {}, text), ...(buttons.length ? [h("div", { class: "banner-acts" }, ...buttons)] : [])));
    const button = (label: string, run: () => void, strong = false) => h("button", { class: strong ? "button" : "quiet", type: "button", on: { click: run } }, label);
    if (book.question) {
      const answer = (replaceCopy: boolean) => void app.run("sandbox_answer", { replaceCopy });
      const keep = button("Open my copy", () => answer(false), true);
      keep.addEventListener("keydown", (e) => {
        if (e.key === "Escape") answer(false);
      });
      banner(book.question.text, keep, button("Replace it", () => answer(true)));
      app.openPanel("books");
    }
    if (book.readOnly) banner("This book is open in another window, which keeps it. Here you can read it; close it there to change it here.", button("Make my own copy", () => void begin({ action: "copy_current" }), true));
    if (book.book.newer) {
      const { id, language, folder } = book.book;
      const load = () => void change("sandbox_reset_to_original", { part: "all", sample: { id, ...(language ? { language } : {}) }, wait: false }, () => `${folder ? "The folder as it is now" : "The new version"} is open; yours is among the deleted books`);
      const label = folder ? "Load the folder as it is now" : "Load the new version";
      const ask = button(label, () => {
        const yes = h("button", { class: "button danger", type: "button", on: { click: load } }, "Load it");
        const no = button("Keep mine", () => {
          acts.replaceChildren(ask);
          ask.focus();
        });
        acts.replaceChildren(h("p", { attr: { role: "alert" } }, "Your changes are discarded then; they can be put back for thirty days."), yes, no);
        yes.focus();
      }, true);
      banner(folder ? "The folder of this book has changed. Your changes here stay until you load it." : "A newer version of this sample has been published. Your changes stay until you load it.", ask);
      const acts = ask.parentElement!;
    }     else if (book.notice && !book.readOnly) banner(book.notice, button("Dismiss", () => void app.run("sandbox_answer", { dismissNotice: true })));
    banners.replaceChildren(...list);
  });

  return {
    id: "books",
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

/** How long ago, in words. */
function since(date: string): string {
  const days = Math.floor((Date.now() - Date.parse(date)) / 86_400_000);
  if (!(days >= 0)) return "";
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  return days < 60 ? words.format(-days, "day") : words.format(-Math.floor(days / 30), "month");
}
