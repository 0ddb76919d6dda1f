// The window: activity bar, sidebar, separator, viewport, status line, and how
// they are arranged on a wide screen and on a narrow one.
import { h, icon, iconButton, roving, setAttr, setText, type IconName } from "./dom";
import type { Panel } from "./panels/panel";
import { isDark, recall, remember, setTheme } from "./prefs";
import { count } from "./state";

export interface PanelButton {
  id: string;
  label: string;
  hint: string;
  icon: IconName;
}

export const panelButtons: PanelButton[] = [
  { id: "books", label: "Books", hint: "Your books and the samples", icon: "books" },
  { id: "chapters", label: "Chapters", hint: "The open book and its chapters", icon: "chapters" },
  { id: "text", label: "Text", hint: "The source of the chapter", icon: "text" },
  { id: "resources", label: "Figures", hint: "Pictures, tables and videos of the book", icon: "resources" },
  { id: "fonts", label: "Fonts", hint: "Typefaces of the book and its font files", icon: "fonts" },
  { id: "design", label: "Design", hint: "Page, type and headings", icon: "design" },
  { id: "checks", label: "Checks", hint: "What the checks found in the book", icon: "checks" },
];

const narrow = matchMedia("(max-width: 767px)");

export class Shell {
  readonly element: HTMLElement;
  private bar: HTMLElement;
  private sidebar: HTMLElement;
  private separator: HTMLElement;
  private title = h("h1", { class: "for-readers" }, "Postext Sandbox");
  private buttons = new Map<string, HTMLButtonElement>();
  private refreshBar: () => void;
  /** The way back from a panel that covers the pages; it stands in the theme button's place. */
  private toPages = h(
    "button",
    { class: "activity to-pages", type: "button", hidden: true, title: "Back to the pages of the book", on: { click: () => this.backToPages() } },
    icon("spread"),
    h("span", {}, "Pages"),
  );
  private themeButton: HTMLElement;
  private open = "";
  private width = 42;

  constructor(
    private panels: Map<string, Panel>,
    viewport: HTMLElement,
    status: HTMLElement,
    /** A person opened or closed a panel. */
    private changed: (id: string) => void,
  ) {
    const group = h("div", { class: "activity-panels", attr: { role: "toolbar", "aria-label": "Panels", "aria-orientation": "vertical" } });
    for (const p of panelButtons) {
      const b = h(
        "button",
        { class: "activity", type: "button", title: p.hint, attr: { "aria-pressed": "false", "aria-description": p.hint }, on: { click: () => this.toggle(p.id) } },
        icon(p.icon),
        h("span", {}, p.label),
        h("span", { class: "badge", hidden: true, attr: { "aria-hidden": "true" } }),
      );
      this.buttons.set(p.id, b);
      group.append(b);
    }
    const themeButton = iconButton("moon", "Dark theme", () => setTheme(isDark() ? "light" : "dark"));
    const paintTheme = () => {
      themeButton.replaceChildren(icon(isDark() ? "sun" : "moon"));
      const label = isDark() ? "Light theme" : "Dark theme";
      themeButton.title = label;
      themeButton.setAttribute("aria-label", label);
    };
    document.addEventListener("themechange", paintTheme);
    paintTheme();
    this.themeButton = themeButton;
    const sides = iconButton("sides", "Text on the other side", () => this.setSide(document.documentElement.dataset["side"] === "end" ? "start" : "end"));
    this.bar = h(
      "nav",
      { class: "activity-bar", attr: { "aria-label": "Sandbox" } },
      h("a", { class: "logo", href: "/en/", title: "Postext", attr: { "aria-label": "Postext, home" } }, "P"),
      group,
      h("div", { class: "activity-foot" }, sides, this.toPages, themeButton),
    );
    this.refreshBar = roving(group, { vertical: true });
    // On a phone the bar lies down: its arrows do too.
    group.addEventListener("keydown", (e) => {
      if (!narrow.matches || (e.key !== "ArrowLeft" && e.key !== "ArrowRight")) return;
      e.preventDefault();
      e.target?.dispatchEvent(new KeyboardEvent("keydown", { key: e.key === "ArrowLeft" ? "ArrowUp" : "ArrowDown", bubbles: true }));
    });
    this.sidebar = h("div", { class: "sidebar", id: "sidebar" });
    for (const p of panels.values()) {
      p.element.hidden = true;
      this.sidebar.append(p.element);
    }
    this.separator = h("div", {
      class: "separator",
      tabIndex: 0,
      attr: { role: "separator", "aria-orientation": "vertical", "aria-label": "Width of the panel", "aria-controls": "sidebar", "aria-valuemin": "15", "aria-valuemax": "75" },
    });
    this.listenSeparator();
    this.element = h("div", { class: "shell" }, this.bar, h("main", { class: "work" }, this.title, this.sidebar, this.separator, viewport), status);
    const kept = Number(recall("sidebar-width"));
    this.setWidth(kept >= 5 && kept <= 90 ? kept : 42, false);
    this.setSide(recall("side") === "end" ? "end" : "start");
    this.element.addEventListener("keydown", (e) => {
      if (e.key === "Escape" && narrow.matches && this.open !== "none" && !e.defaultPrevented) {
        this.show("none");
        this.changed("none");
      }
    });
    narrow.addEventListener("change", () => this.cover());
  }

  private setSide(side: "start" | "end"): void {
    document.documentElement.dataset["side"] = side;
    remember("side", side);
  }

  get panel(): string {
    return this.open;
  }

  get isNarrow(): boolean {
    return narrow.matches;
  }

  private toggle(id: string): void {
    this.choose(this.open === id ? "none" : id);
  }

  /** A person opens a panel or goes back to the pages. */
  choose(id: string): void {
    if (id === this.open) return;
    this.show(id);
    this.changed(id);
  }

  /** Opens a panel, or none; says nothing to anybody. */
  show(id: string): void {
    const known = this.panels.has(id) ? id : "none";
    if (known === this.open) return;
    this.panels.get(this.open)?.hidden?.();
    this.open = known;
    for (const [key, p] of this.panels) p.element.hidden = key !== known;
    for (const [key, b] of this.buttons) {
      setAttr(b, "aria-pressed", String(key === known));
      b.toggleAttribute("data-stop", key === known);
    }
    this.refreshBar();
    this.element.classList.toggle("closed", known === "none");
    this.cover();
    this.panels.get(known)?.shown?.();
  }

  private backToPages(): void {
    const left = this.buttons.get(this.open);
    this.choose("none");
    left?.focus(); // the way back is gone with the panel
  }

  /** On a phone a panel covers the preview, which leaves the tab order. */
  private cover(): void {
    const covered = narrow.matches && this.open !== "none";
    this.element.querySelector(".viewport")?.toggleAttribute("inert", covered);
    this.toPages.hidden = !covered;
    this.themeButton.hidden = covered;
  }

  /** Marks a panel's button: something waits there. */
  mark(id: string, on: boolean): void {
    this.buttons.get(id)?.classList.toggle("waiting", on);
  }

  /** Says how many things wait in a panel. */
  badge(id: string, n: number, one: string): void {
    const p = panelButtons.find((p) => p.id === id);
    const b = this.buttons.get(id);
    const badge = b?.querySelector<HTMLElement>(".badge");
    if (!p || !b || !badge) return;
    setText(badge, n > 99 ? "99+" : String(n));
    badge.hidden = n === 0;
    setAttr(b, "aria-description", n === 0 ? p.hint : `${p.hint}: ${count(n, one)}`);
  }

  /** The name of the open book, as the page's heading. */
  setTitle(name: string): void {
    setText(this.title, name);
    document.title = `${name} · Postext`;
  }

  private setWidth(percent: number, keep = true): void {
    const max = Math.min(75, 100 - (264 / Math.max(600, innerWidth)) * 100);
    this.width = Math.max(15, Math.min(max, percent));
    document.documentElement.style.setProperty("--sidebar", `${this.width}vw`);
    this.separator?.setAttribute("aria-valuenow", String(Math.round(this.width)));
    if (keep) remember("sidebar-width", this.width.toFixed(1));
  }

  private listenSeparator(): void {
    const s = this.separator;
    const end = () => document.documentElement.dataset["side"] === "end";
    s.addEventListener("pointerdown", (e) => {
      e.preventDefault();
      s.setPointerCapture(e.pointerId);
      s.focus();
      const bar = this.bar.getBoundingClientRect().width;
      const move = (e: PointerEvent) => this.setWidth((((end() ? innerWidth - e.clientX : e.clientX) - bar) / innerWidth) * 100);
      const up = () => {
        s.removeEventListener("pointermove", move);
        s.removeEventListener("pointerup", up);
        s.removeEventListener("pointercancel", up);
      };
      s.addEventListener("pointermove", move);
      s.addEventListener("pointerup", up);
      s.addEventListener("pointercancel", up);
    });
    s.addEventListener("keydown", (e) => {
      const by = e.shiftKey ? 10 : 2;
      const wider = end() ? "ArrowLeft" : "ArrowRight";
      const narrower = end() ? "ArrowRight" : "ArrowLeft";
      let to: number | undefined;
      if (e.key === wider) to = this.width + by;
      else if (e.key === narrower) to = this.width - by;
      else if (e.key === "Home") to = 0;
      else if (e.key === "End") to = 100;
      if (to === undefined) return;
      e.preventDefault();
      this.setWidth(to);
    });
  }
}
