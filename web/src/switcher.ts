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
  const row = (c: ChapterRow) => {
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
  };
  const list = h("div", { class: "menu-scroll" });
  // Of a book with hundreds of chapters only those near the place in sight are
  // made; more come as the list is moved.
  let shown: ChapterRow[] = [];
  let from = 0;
  let to = 0;
  const more = () => {
    const room = list.clientHeight || 400;
    if (to < shown.length && list.scrollTop + room * 2 > list.scrollHeight) {
      const next = Math.min(shown.length, to + chunk);
      list.append(...shown.slice(to, next).map(row));
      to = next;
    }
    if (from > 0 && list.scrollTop < room) {
      const next = Math.max(0, from - chunk);
      const height = list.scrollHeight;
      list.prepend(...shown.slice(next, from).map(row));
      from = next;
      list.scrollTop += list.scrollHeight - height;
    }
  };
  const show = (of: ChapterRow[]) => {
    shown = of;
    const at = Math.max(0, of.findIndex((c) => c.onScreen));
    from = Math.max(0, at - chunk / 2);
    to = Math.min(of.length, from + chunk);
    list.replaceChildren(...of.slice(from, to).map(row));
    list.scrollTop = 0;
  };
  list.addEventListener("scroll", more, { passive: true });
  list.addEventListener("focusin", more);
  show(chapters);
  if (chapters.length > 30) {
    const field = h("input", { class: "search menu-search", type: "search", placeholder: "Number or title", attr: { "aria-label": "Find a chapter" } });
    const filter = () => {
      const words = fold(field.value).split(/\s+/).filter(Boolean);
      show(
        chapters.filter((c) => {
          const text = `${c.chapter} ${fold(c.title)}`.split(/[\s.,;:]+/);
          return words.every((w) => text.some((t) => t.startsWith(w)));
        }),
      );
    };
    field.addEventListener("input", filter);
    field.addEventListener("keydown", (e) => {
      if (e.key === "Enter" && !e.isComposing) list.querySelector("button")?.click();
    });
    box.append(field);
  }
  box.append(list);
}

/** How many rows are made at a time. */
const chunk = 60;

function fold(s: string): string {
  return s.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
