// The Chapters panel: the open book and its chapters.
import { h, icon, iconButton, roving, setText } from "../dom";
import { attachMenu } from "../menu";
import type { ChapterRow } from "../protocol";
import { count, pageRange } from "../state";
import { bookDownloads, exportFile, savePicture } from "./downloads";
import { frame, type App, type Panel } from "./panel";

/** How many rows are made in one turn. */
const atOnce = 40;

export function chaptersPanel(app: App): Panel {
  const add = h("button", { class: "quiet", type: "button", on: { click: () => void app.run("sandbox_manage_chapters", { action: "add" }) } }, icon("plus"), "Add chapter");
  const f = frame("Chapters", add);
  const name = h("p", { class: "book-name" });
  const kind = h("p", { class: "book-kind" });
  const list = h("ol", { class: "chapters", attr: { "aria-label": "Chapters of the book" } });
  const more = iconButton("more", "Actions for the book", () => {});
  f.body.append(h("div", { class: "book-card" }, h("div", {}, name, kind), more), list);
  attachMenu(more, {
    label: "Actions for the book",
    fill(box, close) {
      const book = app.state.book?.book;
      const act = (label: string, run: () => void) => box.append(h("button", { class: "menu-item", type: "button", on: { click: () => { close(); run(); } } }, label));
      const copy = () =>
        void app.run<{ book: { name: string } }>("sandbox_save_book", { action: "copy_current" }).then((a) => {
          if (a) app.announce(`${a.book.name} is open`);
        });
      if (book?.kind === "project") act("Rename…", renameBook);
      act(book?.kind === "project" ? "Duplicate" : "Make my own copy", copy);
      bookDownloads(app, act);
      act("Picture of this page", () => void savePicture(app));
      if (book?.kind === "sample" && book.edited) {
        const ask = h("button", { class: "menu-item", type: "button" }, book.folder ? "Back to the folder as it is…" : "Restore the original…");
        ask.addEventListener("click", () => {
          const question = `Take every change of “${book.name}” back? Your version can be put back for thirty days.`;
          const restore = () => void app.run("sandbox_reset_to_original", { part: "all", sample: { id: book.id }, wait: false }).then((a) => a && app.announce(`${book.name} is as ${book.folder ? "its folder is" : "published"}`));
          const yes = h("button", { class: "button danger", type: "button", on: { click: () => { close(); restore(); } } }, "Restore");
          box.replaceChildren(h("div", { class: "menu-sure", attr: { role: "alertdialog", "aria-label": question } }, h("p", {}, question), h("div", {}, yes, h("button", { class: "quiet", type: "button", on: { click: close } }, "Cancel"))));
          yes.focus();
        });
        box.append(ask);
      }
      act("All books", () => app.openPanel("books"));
    },
  });
  const renameBook = () => {
    const book = app.state.book?.book;
    if (book?.kind !== "project" || app.state.book?.readOnly) return;
    renamed(name, "Name of the book", book.name, 200, (to) => void app.run("sandbox_save_book", { action: "rename", id: book.id, name: to }));
  };
  name.addEventListener("dblclick", renameBook);
  const refresh = roving(list, { vertical: true, selector: ".chapter-open" });
  /** What each row shows; a row is made anew only when that changed. */
  const drawn: string[] = [];
  /** The turn that draws further rows; whether the chapter on screen is to be shown. */
  let drawing = 0;
  let scroll = false;
  let visible = false;
  let opening: number | undefined;

  const draw = () => {
    const book = app.state.book;
    if (!book || !visible || list.querySelector("input")) return;
    const all = book.chapters.length;
    const focused = [...list.children].findIndex((c) => c.contains(document.activeElement));
    // A book with hundreds of chapters is drawn in several turns, so that the window
    // is never held.
    cancelAnimationFrame(drawing);
    drawing = 0;
    let made = 0;
    let i = 0;
    for (; i < all && made < atOnce; i++) {
      const now = JSON.stringify([book.chapters[i], all]);
      if (now === drawn[i]) continue;
      const old = list.children[i];
      if (old) old.replaceWith(row(book.chapters[i]!, all));
      else list.append(row(book.chapters[i]!, all));
      drawn[i] = now;
      made++;
    }
    if (i < all) drawing = requestAnimationFrame(draw);
    while (list.children.length > all) list.lastElementChild?.remove();
    drawn.length = Math.min(drawn.length, all);
    refresh();
    if (i === all && scroll) {
      scroll = false;
      list.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
    }
    if (focused >= 0 && !list.contains(document.activeElement)) list.children[focused]?.querySelector<HTMLElement>(".chapter-open")?.focus();
  };

  // A chapter is taken out at once and can be put back as quickly.
  const back = h("p", { class: "note removed", hidden: true, attr: { role: "status" } });
  list.after(back);
  const remove = async (c: ChapterRow) => {
    if (!(await app.run("sandbox_remove_chapter", { chapter: c.id, wait: false }))) return;
    back.replaceChildren(`“${c.title}” is taken out of the book. `, h("button", {
      class: "quiet",
      type: "button",
      on: {
        click: () =>
          void app.run("sandbox_manage_chapters", { action: "add", chapter: c.id, wait: false }).then((a) => {
            if (a) back.hidden = true;
          }),
      },
    }, icon("undo"), "Put it back"));
    back.hidden = false;
  };

  const row = (c: ChapterRow, all: number): HTMLElement => {
    const title = h("span", { class: "chapter-title" }, h("bdi", {}, c.title));
    const open = h(
      "button",
      { class: "chapter-open", type: "button", attr: { ...(c.onScreen ? { "aria-current": "true", "data-stop": "" } : {}) } },
      h("span", { class: "chapter-number" }, String(c.chapter)),
      title,
      h("span", { class: "chapter-facts" }, h("span", {}, pageRange(c)), h("span", {}, count(c.words, "word"))),
    );
    const show = () => void app.run("sandbox_manage_chapters", { action: "show", chapter: c.id });
    open.addEventListener("click", show);
    const rename = () =>
      renamed(open, "Title of the chapter", c.title, 300, (to) => void app.run("sandbox_manage_chapters", { action: "rename", chapter: c.id, title: to }));
    open.addEventListener("dblclick", rename);
    open.addEventListener("keydown", (e) => {
      if (e.key === "F2") rename();
    });
    const more = iconButton("more", `Actions for ${c.title}`, () => {});
    attachMenu(more, {
      label: `Actions for ${c.title}`,
      fill(box, close) {
        const act = (label: string, run: () => void, enabled = true) =>
          box.append(h("button", { class: "menu-item", type: "button", disabled: !enabled, on: { click: () => { close(); run(); } } }, label));
        const manage = (args: object) => void app.run("sandbox_manage_chapters", { chapter: c.id, ...args });
        act("Rename", rename);
        act("Move up", () => manage({ action: "move", position: c.chapter - 1 }), c.chapter > 1);
        act("Move down", () => manage({ action: "move", position: c.chapter + 1 }), c.chapter < all);
        act("Split at level-1 headings", () => manage({ action: "split_at_headings" }));
        act("Merge into the chapter before", () => manage({ action: "merge" }), c.chapter > 1);
        act("Download as Markdown", () => exportFile(app, { format: "markdown", scope: "chapter", chapter: c.id }));
        act("Delete", () => void remove(c), all > 1);
      },
    });
    const item = h("li", { class: c.onScreen ? "chapter active" : "chapter" }, open, more);
    return item;
  };

  app.state.listen(({ book }, before) => {
    if (!book || book === before.book) return;
    if (book.opening !== opening) back.hidden = true;
    opening = book.opening;
    setText(name, book.book.kind === "sample" ? (book.book.title ?? book.book.name) : book.book.name);
    setText(kind, [book.book.kind === "project" ? "Your book" : book.book.folder ? "Folder" : "Sample book", book.book.kind === "sample" && book.book.language ? book.book.language.toUpperCase() : "", book.book.edited ? "edited" : "", book.readOnly ? "open in another window" : "", book.pages ? count(book.pages, "page") : ""].filter(Boolean).join(" · "));
    draw();
  });
  return {
    id: "chapters",
    element: f.element,
    shown() {
      visible = true;
      scroll = true;
      draw();
    },
    hidden() {
      visible = false;
    },
  };
}

/** Puts a field for another name in an element's place until it is entered or left. */
function renamed(shown: HTMLElement, label: string, name: string, longest: number, rename: (to: string) => void): void {
  const field = h("input", { class: "chapter-rename", type: "text", value: name, attr: { "aria-label": label, maxlength: String(longest) } });
  let done = false;
  const end = (commit: boolean) => {
    if (done) return;
    done = true;
    const to = field.value.trim();
    field.replaceWith(shown);
    if (commit && to !== "" && to !== name) rename(to);
  };
  field.addEventListener("keydown", (e) => {
    if (e.isComposing) return;
    if (e.key === "Enter") end(true);
    if (e.key === "Escape") {
      e.stopPropagation();
      end(false);
    }
  });
  field.addEventListener("blur", () => end(true));
  shown.replaceWith(field);
  field.focus();
  field.select();
}
