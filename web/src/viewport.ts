// The viewport: the desk with the pages, and the bar over it.
import { h, iconButton, roving, setAttr, setText } from "./dom";
import { Desk, maxScale, minScale, step, type DeskEvents, type Fit } from "./pages";
import type { ChapterRow, PageRow, View } from "./protocol";
import { keepsStopping } from "./port";
import type { State } from "./state";
import { chapterSwitcher } from "./switcher";

export interface ViewportEvents extends DeskEvents {
  /** A person changed how pages are shown. */
  view(change: Partial<Pick<View, "fit" | "zoom" | "pages" | "scope">>): void;
  /** A person asked for a page by what is printed on it. */
  page(label: string): void;
  /** A person asked for the neighbouring page beyond this chapter. */
  beyond(by: 1 | -1): void;
  chapter(c: ChapterRow): void;
}

export class Viewport {
  readonly element: HTMLElement;
  readonly desk: Desk;
  private pageField: HTMLInputElement;
  private pageTotal = h("span", { class: "page-total" });
  private zoomText = h("output", { class: "zoom", attr: { "aria-label": "Zoom" } });
  private width: HTMLButtonElement;
  private height: HTMLButtonElement;
  private spread: HTMLButtonElement;
  private back: HTMLButtonElement;
  private forth: HTMLButtonElement;
  private message: HTMLElement;
  private messageText: HTMLElement;
  private messageAction: HTMLButtonElement;
  private refresh: () => void;
  /** Something was typed into the page field and not yet sent. */
  private editing = false;
  private view: { fit: Fit; zoom: number; pages: "single" | "spread" } = { fit: "width", zoom: 1, pages: "single" };

  constructor(
    private state: State,
    private events: ViewportEvents,
    restart: () => void,
  ) {
    this.desk = new Desk({
      ...events,
      paint: (p, w, s) => events.paint(p, w, s),
      current: (p) => {
        this.paintPage();
        events.current(p);
      },
      scaled: (s) => setText(this.zoomText, this.desk.list.length > 0 ? `${Math.round(s * 100)} %` : ""),
      point: (p, a, b, how) => events.point(p, a, b, how),
    });
    this.desk.element.addEventListener("zoom", (e) => this.zoomTo((e as CustomEvent<number>).detail));
    this.back = iconButton("previous", "Previous page", () => this.turn(-1));
    this.forth = iconButton("next", "Next page", () => this.turn(1));
    this.pageField = h("input", { class: "page-field", type: "text", attr: { inputmode: "numeric", "aria-label": "Page", autocomplete: "off", size: "4" } });
    this.pageField.addEventListener("focus", () => this.pageField.select());
    this.pageField.addEventListener("input", () => (this.editing = true));
    this.pageField.addEventListener("keydown", (e) => {
      if (e.isComposing) return;
      if (e.key === "Enter") {
        const asked = this.pageField.value.trim();
        this.editing = false;
        if (asked !== "") events.page(asked);
        else this.paintPage();
        this.pageField.select();
      }
      if (e.key === "Escape") {
        e.stopPropagation();
        this.editing = false;
        this.paintPage();
        this.desk.element.focus();
      }
    });
    this.pageField.addEventListener("blur", () => {
      this.editing = false;
      this.paintPage();
    });

    this.width = iconButton("fitWidth", "Fit width", () => this.setFit("width"), { attr: { "aria-pressed": "false" } });
    this.height = iconButton("fitHeight", "Fit height", () => this.setFit("height"), { attr: { "aria-pressed": "false" } });
    this.spread = iconButton("spread", "Facing pages", () => events.view({ pages: this.view.pages === "spread" ? "single" : "spread" }), { attr: { "aria-pressed": "false" } });
    const bar = h(
      "div",
      { class: "toolbar view-bar", attr: { role: "toolbar", "aria-label": "Pages" } },
      h("div", { class: "tool-group" }, this.back, h("span", { class: "page-box" }, this.pageField, this.pageTotal), this.forth),
      h("span", { class: "divider" }),
      h("div", { class: "tool-group" }, iconButton("minus", "Zoom out", () => this.zoomTo(this.desk.shownScale / step)), this.zoomText, iconButton("plus", "Zoom in", () => this.zoomTo(this.desk.shownScale * step))),
      h("span", { class: "divider" }),
      h("div", { class: "tool-group" }, this.width, this.height, this.spread),
    );
    this.refresh = roving(bar);
    this.messageText = h("p", {});
    this.messageAction = h("button", { class: "button", type: "button", on: { click: restart } }, "Start it again");
    this.message = h("div", { class: "desk-message", attr: { role: "status" } }, this.messageText);
    this.element = h(
      "section",
      { class: "viewport", attr: { "aria-label": "Preview" } },
      h("header", { class: "view-head" }, chapterSwitcher(state, events.chapter), bar),
      h("div", { class: "desk-box" }, this.desk.element, this.message),
    );
    state.listen(() => this.draw());
  }

  private draw(): void {
    const { book, died, stopped } = this.state.now;
    if (book) {
      const v = book.view;
      this.view = { fit: v.fit, zoom: v.zoom, pages: v.pages };
      setAttr(this.width, "aria-pressed", String(v.fit === "width"));
      setAttr(this.height, "aria-pressed", String(v.fit === "height"));
      setAttr(this.spread, "aria-pressed", String(v.pages === "spread"));
      this.desk.layout(v.fit, v.zoom, v.pages === "spread");
    }
    const waiting = died && stopped ? `${sentence(keepsStopping, ", or start it again here")} (${died})` : died ? "The typesetter stopped and is starting again from what is saved…" : !book ? "The typesetter is loading…" : book.ready ? "" : sentence(book.waitingFor ?? "the book is loading");
    this.message.hidden = waiting === "" && this.desk.list.length > 0;
    this.message.classList.toggle("over", this.desk.list.length > 0);
    setText(this.messageText, waiting || "Setting the pages…");
    // Not hidden but absent: whoever reads the page finds it when there is a worker to
    // start, and never while pages are merely being set.
    if (!stopped) this.messageAction.remove();
    else if (!this.messageAction.isConnected) this.message.append(this.messageAction);
    this.paintPage();
    this.refresh();
  }

  /** New pages are there. */
  pagesChanged(): void {
    this.draw();
  }

  private paintPage(): void {
    const p = this.desk.current;
    const label = p?.label ?? "";
    if (!this.editing && this.pageField.value !== label) this.pageField.value = label;
    const last = this.desk.list.findLast((q) => q.label !== "");
    setText(this.pageTotal, last ? `of ${last.label}` : "");
    const about = last ? `The chapter’s last page is ${last.label}` : "";
    if (this.pageTotal.title !== about) {
      this.pageTotal.title = about;
      this.pageField.setAttribute("aria-label", last ? `Page, of ${last.label} at the end of this chapter` : "Page");
    }
    const c = this.state.chapter;
    const chapters = this.state.book?.chapters.length ?? 1;
    this.back.disabled = !this.desk.neighbour(-1) && (c?.chapter ?? 1) <= 1;
    this.forth.disabled = !this.desk.neighbour(1) && (c?.chapter ?? 1) >= chapters;
  }

  turn(by: 1 | -1): void {
    const p = this.desk.neighbour(by);
    if (p) this.desk.reveal(p);
    else this.events.beyond(by);
  }

  private zoomTo(zoom: number): void {
    this.events.view({ fit: "none", zoom: Math.max(minScale, Math.min(maxScale, Math.round(zoom * 1000) / 1000)) });
  }

  private setFit(fit: Fit): void {
    if (this.view.fit === fit) this.events.view({ fit: "none", zoom: Math.max(minScale, Math.min(maxScale, this.desk.shownScale)) });
    else this.events.view({ fit });
  }
}

export function sentence(s: string, end = "…"): string {
  return s.charAt(0).toUpperCase() + s.slice(1) + (/[.…?!]$/.test(s) ? "" : end);
}

export function pageByLabel(pages: readonly PageRow[], label: string): PageRow | undefined {
  const exact = pages.find((p) => p.label === label) ?? pages.find((p) => p.label.toLowerCase() === label.toLowerCase());
  if (exact || !/^\d+$/.test(label)) return exact;
  // A number outside the range: the nearest end.
  const numbered = pages.filter((p) => /^\d+$/.test(p.label));
  const first = numbered[0];
  const last = numbered.at(-1);
  if (!first || !last) return undefined;
  return Number(label) < Number(first.label) ? first : Number(label) > Number(last.label) ? last : undefined;
}
