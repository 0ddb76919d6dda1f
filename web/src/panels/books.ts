// The Books panel: own books and sample books.
import { h } from "../dom";
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
  open?: boolean;
  chapters?: number;
  words?: number;
}

export function booksPanel(app: App): Panel {
  const f = frame("Books");
  const list = h("div", { class: "books" });
  f.body.append(list);
  let visible = false;
  let seen = "";

  const load = async (force = false) => {
    const book = app.state.book;
    const key = book ? `${book.book.kind}/${book.book.id}/${book.book.edited}/${book.book.name}` : "";
    if (!visible || !book || (!force && seen === key)) return;
    seen = key;
    const a = await app.run<{ samples: Row[]; projects: Row[] }>("sandbox_list_books", {});
    if (!a) return;
    for (const r of a.samples ?? []) r.open ??= book.book.kind === "sample" && r.id === book.book.id;
    list.replaceChildren(...section("My books", "project", a.projects ?? []), ...section("Sample books", "sample", a.samples ?? []));
  };

  const section = (title: string, kind: "project" | "sample", rows: Row[]): Node[] => {
    if (rows.length === 0) return [];
    return [
      h("h3", { class: "books-title" }, title),
      h("ul", { class: "book-list" }, ...rows.map((r) => h("li", { class: r.open ? "book active" : "book" }, open(r, kind)))),
    ];
  };

  const open = (r: Row, kind: string) =>
    h(
      "button",
      {
        class: "book-open",
        type: "button",
        attr: r.open ? { "aria-current": "true" } : {},
        on: {
          click: () => {
            if (r.open) {
              app.openPanel("chapters");
              return;
            }
            void app.run("sandbox_open_book", { kind, id: r.id }).then((a) => {
              if (!a) return;
              app.announce(`${r.name} is open`);
              app.openPanel("chapters");
            });
          },
        },
      },
      h("span", { class: "spine", attr: { "aria-hidden": "true" } }),
      h("span", { class: "book-text" },
        h("span", { class: "book-title" }, h("bdi", {}, r.name), r.edited || (r.open && app.state.book?.book.edited) ? h("span", { class: "tag" }, "Edited") : null),
        h("span", { class: "book-facts" }, [r.author, r.description, r.chapters ? count(r.chapters, "chapter") : "", r.words ? count(r.words, "word") : "", (r.languages ?? (r.language ? [r.language] : [])).map((l) => l.toUpperCase()).join(" ")].filter(Boolean).join(" · ")),
      ),
    );

  app.state.listen(() => void load());
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
