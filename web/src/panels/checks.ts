// The Checks panel: what the checks found in the book, group by group in the order
// in which to deal with it. A press leads to the place.
import { h, icon, setText, type IconName } from "../dom";
import { count } from "../state";
import { frame, type App, type Panel } from "./panel";

interface Warning {
  kind: string;
  category: string;
  title: string;
  detail: string;
  chapter?: number;
  line?: number;
  offset?: number;
  toOffset?: number;
  page?: number | string;
  position?: number;
}

interface WarningList {
  ok: boolean;
  error?: string;
  total: number;
  warnings: Warning[];
}

const groups: { category: string; label: string; icon: IconName }[] = [
  { category: "fonts", label: "Fonts", icon: "fonts" },
  { category: "figures", label: "Figures & tables", icon: "resources" },
  { category: "markup", label: "Text & markup", icon: "text" },
  { category: "design", label: "Design", icon: "design" },
  { category: "typesetting", label: "Typesetting", icon: "lines" },
  { category: "preflight", label: "Preflight", icon: "checks" },
  { category: "system", label: "Browser", icon: "agent" },
];

/** After a change the pages follow in a moment: the list waits for them. */
const pause = 150;

export function checksPanel(app: App): Panel {
  const f = frame("Checks");
  const said = h("p", { class: "note", attr: { role: "status" } });
  const list = h("div", {});
  const looked = h("p", { class: "note", hidden: true }, "Looked at: fonts, figures and tables, references and markup, the design’s placeholders, and how lines and pages are set.");
  f.body.append(said, looked, list);
  const closed = new Set<string>();
  let visible = false;
  let seen = "";
  let timer = 0;
  let loading = false;
  let drawn = "";

  const load = async (): Promise<void> => {
    timer = 0;
    const book = app.state.book;
    if (!visible || !book?.ready) return;
    if (loading) {
      later();
      return;
    }
    loading = true;
    seen = keyOf();
    const a = JSON.parse((await app.port.cmd("checks", {})).json) as WarningList;
    loading = false;
    if (a.ok) draw(a);
    else app.announce(a.error ?? "The checks could not be listed.", "problem");
  };

  const later = () => {
    if (!timer) timer = window.setTimeout(() => void load(), pause);
  };

  /** Another one when the checks may have found something else. */
  const keyOf = (): string => {
    const b = app.state.book;
    return b ? `${b.opening}/${b.revision}/${b.pages ?? b.pagesKnown ?? ""}/${b.warnings ?? ""}` : "";
  };

  const draw = (a: WarningList) => {
    const chapters = app.state.book?.chapters.length ?? 1;
    const key = JSON.stringify([a, chapters]);
    if (key === drawn) return;
    drawn = key;
    const focused = (document.activeElement as HTMLElement | null)?.dataset["check"];
    const shown = a.warnings.length < a.total ? `The first ${a.warnings.length} of ${count(a.total, "warning")}` : count(a.total, "warning");
    setText(said, a.total === 0 ? "All clear" : shown);
    looked.hidden = a.total > 0;
    said.className = a.total === 0 ? "checks-clear" : "note for-readers";
    if (a.warnings.length < a.total) said.className = "note";
    list.replaceChildren(
      ...groups.flatMap((g) => {
        const of = a.warnings.filter((w) => w.category === g.category);
        if (of.length === 0) return [];
        const group = h(
          "details",
          { class: "check-group" },
          h("summary", {}, icon("down"), h("span", { class: "books-title" }, g.label), h("span", { class: "books-count" }, String(of.length))),
          h("ul", { class: "book-list" }, ...of.map((w) => row(w, g.icon, chapters > 1))),
        );
        group.open = !closed.has(g.category);
        group.addEventListener("toggle", () => (group.open ? closed.delete(g.category) : closed.add(g.category)));
        return [group];
      }),
    );
    if (focused) list.querySelector<HTMLElement>(`[data-check="${CSS.escape(focused)}"]`)?.focus();
  };

  const row = (w: Warning, image: IconName, several: boolean): HTMLElement => {
    const place = [several && w.chapter !== undefined ? `Ch. ${w.chapter}` : "", w.line !== undefined ? `Line ${w.line}` : w.page !== undefined && w.page !== null ? `p. ${w.page}` : ""].filter(Boolean).join(" · ");
    const inside = [
      icon(image),
      h("span", { class: "check-text" }, h("span", { class: "check-title" }, w.title), h("span", { class: "check-detail" }, h("bdi", {}, w.detail))),
      h("span", { class: "figure-place" }, place),
    ];
    const go = destination(w);
    if (!go) return h("li", { class: "check" }, h("div", { class: "check-open" }, ...inside));
    return h("li", { class: "check" }, h("button", { class: "check-open", type: "button", attr: { "data-check": `${w.kind}/${w.chapter ?? ""}/${w.offset ?? ""}/${w.detail}` }, on: { click: go } }, ...inside));
  };

  /** What a press does; nothing where there is no place to go. */
  const destination = (w: Warning): (() => void) | undefined => {
    if (w.chapter !== undefined && w.offset !== undefined) return () => void app.run("sandbox_select_text", { chapter: w.chapter, offset: w.offset, toOffset: w.toOffset ?? w.offset });
    if (w.category === "fonts") return () => app.openPanel("fonts");
    if (w.chapter !== undefined && w.position) return () => void app.run("sandbox_go_to_page", { chapter: w.chapter, position: w.position });
    return undefined;
  };

  app.state.listen(({ book }, before) => {
    if (book && book.opening !== before.book?.opening) {
      drawn = "";
      closed.clear();
    }
    if (visible && keyOf() !== seen) later();
  });
  return {
    id: "checks",
    element: f.element,
    shown() {
      visible = true;
      void load();
    },
    hidden() {
      visible = false;
    },
  };
}
