// The switcher: a button that names the chapter on screen and lists them all.
import { h, icon, setAttr, setText } from "./dom";
import { attachMenu } from "./menu";
import type { ChapterRow } from "./protocol";
import { count, pageRange, type State } from "./state";

export function chapterSwitcher(state: State, choose: (c: ChapterRow) => void): HTMLButtonElement {
  const title = h("span", { class: "chapter-menu-title" });
  const button = h("button", { class: "chapter-menu", type: "button" }, title, icon("down"));
  attachMenu(button, { label: "Chapters", wide: true, fill: (box, close) => fill(state, choose, box, close) });
  state.listen(({ book }) => {
    const c = state.chapter;
    if (!book || !c) return;
    setText(title, book.chapters.length > 1 ? `${c.chapter}. ${c.title}` : c.title);
    button.title = `${book.book.name}: chapters`;
    setAttr(button, "aria-label", `Chapter ${c.chapter}, ${c.title}: choose a chapter`);
  });
  return button;
}

function fill(state: State, choose: (c: ChapterRow) => void, box: HTMLElement, close: () => void): void {
  const chapters = state.book?.chapters ?? [];
  const rows = chapters.map((c) => {
    const b = h(
      "button",
      { class: "menu-item chapter-choice", type: "button", attr: c.onScreen ? { "aria-current": "true", "data-stop": "" } : {} },
      h("span", { class: "chapter-number" }, String(c.chapter)),
      h("span", { class: "chapter-title" }, h("bdi", {}, c.title)),
      h("span", { class: "chapter-facts" }, h("span", {}, pageRange(c)), h("span", {}, count(c.words, "word"))),
    );
    b.addEventListener("click", () => {
      close();
      choose(c);
    });
    return b;
  });
  if (chapters.length > 30) {
    const field = h("input", { class: "search menu-search", type: "search", placeholder: "Number or title", attr: { "aria-label": "Find a chapter" } });
    const filter = () => {
      const words = fold(field.value).split(/\s+/).filter(Boolean);
      chapters.forEach((c, i) => {
        const text = `${c.chapter} ${fold(c.title)}`;
        rows[i]!.hidden = !words.every((w) => text.split(/[\s.,;:]+/).some((t) => t.startsWith(w)));
      });
    };
    field.addEventListener("input", filter);
    field.addEventListener("keydown", (e) => {
      if (e.key === "Enter" && !e.isComposing) rows.find((r) => !r.hidden)?.click();
    });
    box.append(field);
  }
  box.append(h("div", { class: "menu-scroll" }, ...rows));
}

function fold(s: string): string {
  return s.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
