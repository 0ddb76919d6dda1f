// The Chapters panel: the open book and its chapters.
import { h, icon, iconButton, roving, setText } from "../dom";
import { attachMenu } from "../menu";
import type { ChapterRow } from "../protocol";
import { count, pageRange } from "../state";
import { frame, type App, type Panel } from "./panel";

export function chaptersPanel(app: App): Panel {
  const add = h("button", { class: "quiet", type: "button", on: { click: () => void app.run("sandbox_manage_chapters", { action: "add" }) } }, icon("plus"), "Add chapter");
  const f = frame("Chapters", add);
  const name = h("p", { class: "book-name" });
  const kind = h("p", { class: "book-kind" });
  const list = h("ol", { class: "chapters", attr: { "aria-label": "Chapters of the book" } });
  f.body.append(h("div", { class: "book-card" }, name, kind), list);
  const refresh = roving(list, { vertical: true, selector: ".chapter-open" });
  /** What each row shows; a row is made anew only when that changed. */
  let drawn: string[] = [];
  let visible = false;

  const draw = () => {
    const book = app.state.book;
    if (!book || !visible || list.querySelector("input")) return;
    const all = book.chapters.length;
    const next = book.chapters.map((c) => JSON.stringify([c, all]));
    const focused = [...list.children].findIndex((c) => c.contains(document.activeElement));
    book.chapters.forEach((c, i) => {
      if (next[i] === drawn[i]) return;
      const old = list.children[i];
      if (old) old.replaceWith(row(c, all));
      else list.append(row(c, all));
    });
    while (list.children.length > all) list.lastElementChild?.remove();
    drawn = next;
    refresh();
    if (focused >= 0 && !list.contains(document.activeElement)) list.children[focused]?.querySelector<HTMLElement>(".chapter-open")?.focus();
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
    const rename = () => {
      const field = h("input", { class: "chapter-rename", type: "text", value: c.title, attr: { "aria-label": "Title of the chapter" } });
      let done = false;
      const end = (commit: boolean) => {
        if (done) return;
        done = true;
        const to = field.value.trim();
        field.replaceWith(open);
        if (commit && to !== "" && to !== c.title) void app.run("sandbox_manage_chapters", { action: "rename", chapter: c.id, title: to });
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
      open.replaceWith(field);
      field.focus();
      field.select();
    };
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
      },
    });
    const item = h("li", { class: c.onScreen ? "chapter active" : "chapter" }, open, more);
    return item;
  };

  app.state.listen(({ book }) => {
    if (!book) return;
    setText(name, book.book.name);
    setText(kind, [book.book.kind === "project" ? "Your book" : "Sample book", book.book.edited ? "edited" : "", book.pages ? count(book.pages, "page") : ""].filter(Boolean).join(" · "));
    draw();
  });
  return {
    id: "chapters",
    element: f.element,
    shown() {
      visible = true;
      draw();
      list.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
    },
    hidden() {
      visible = false;
    },
  };
}
