// The page of one figure: its picture, its words, where it goes, and its table.
import { count } from "../state";
import { h, icon, iconButton, setText } from "../dom";
import { attachMenu } from "../menu";
import { chooseFiles } from "./files";
import type { App } from "./panel";
import { contentOf, pictureTypes, plain, slug, type Placed, type ResourceList, type ResourceRow } from "./resources";
import { isWholeSvg, svgTexts, withSvgText } from "./svgtext";
import { SafeArea, type Area } from "./safearea";
import { options, TableEditor, type TableForm } from "./tableeditor";
import { Thumbs } from "./thumbs";

interface Whole extends ResourceRow {
  ok: boolean;
  error?: string;
  resource: {
    note?: string;
    resolution?: number;
    fileResolution?: number;
    placement?: Record<string, unknown>;
    safeArea?: Area;
    video?: { url?: string; source?: string; start?: number; end?: number };
  };
  svg?: { source: string };
  table?: TableForm;
  printed?: { page: string | number; size: { width: number; height: number; unit: string }; ppi?: number }[];
  truncated?: { note?: string };
}

interface Saved {
  created: boolean;
  changed: boolean;
  from: Record<string, unknown> | null;
  references: number;
  resource: { id: string };
}

export interface FigurePage {
  element: HTMLElement;
  show(id: string, fresh: boolean): Promise<void>;
  hide(): void;
}

interface Events {
  back(): void;
  /** The figure on the page gets another id, which the list may have before the answer;
   *  nothing: it was refused. */
  renaming(id: string | undefined): void;
  renamed(id: string): void;
  list(): ResourceList | undefined;
}

/** The members of a placement that the page offers, with their words. */
const placements: { key: string; label: string; words: [string, string][] }[] = [
  { key: "position", label: "Position", words: [["", "As its type"], ["auto", "Where it fits"], ["top", "Head of a page"], ["bottom", "Foot of a page"], ["here", "In the text"]] },
  { key: "span", label: "Spans", words: [["", "As its type"], ["column", "A column"], ["page", "The page"], ["side", "The side column"]] },
  { key: "align", label: "Alignment", words: [["", "As its type"], ["left", "Left"], ["center", "Centred"], ["right", "Right"]] },
  { key: "wrap", label: "Text beside it", words: [["", "As its type"], ["none", "None"], ["left", "Figure left"], ["right", "Figure right"]] },
  { key: "rotate", label: "Turned", words: [["", "As its type"], ["none", "Upright"], ["ccw", "Quarter turn left"], ["cw", "Quarter turn right"]] },
  { key: "shrink", label: "Made smaller", words: [["", "As its type"], ["never", "Never"], ["page", "On a fresh page"], ["slot", "In any place"]] },
];

/** What is asked of a page's blocks. */
interface PageBlocks {
  blocks?: { kind: string; source: { toLine: number } }[];
}

export function figurePage(app: App, events: Events): FigurePage {
  const thumbs = new Thumbs(app.port);
  const element = h("div", { class: "figure-page", hidden: true });
  let id = "";
  let now: Whole | undefined;
  let drawnFor = "";
  let asked = 0;
  /** Fields and parts, each with how it shows what the book has. */
  let parts: ((r: Whole) => void)[] = [];

  /** Sends a change; what takes it back can be sent by one press. */
  const save = async (args: object, said?: string): Promise<Saved | undefined> => {
    const mine = id;
    const a = await app.change<Saved>("sandbox_save_resource", { id: mine, ...args, wait: false });
    if (!a) {
      if (now) for (const p of parts) p(now); // the fields go back to what the book has
      return undefined;
    }
    if (said && a.changed) app.announce(said);
    return a;
  };

  const load = async () => {
    const mine = ++asked;
    const a = JSON.parse((await app.port.cmd("resource", { id })).json) as Whole;
    if (mine !== asked || !a.ok) return;
    now = a;
    const key = `${a.id} ${a.kind}`;
    if (key !== drawnFor) build(a);
    drawnFor = key;
    for (const p of parts) p(a);
  };

  // The parts.

  const build = (r: Whole) => {
    parts = [];
    const title = h("h3", { class: "figure-title", tabIndex: -1 });
    const preview = h("div", { class: "figure-stage" });
    const facts = h("p", { class: "figure-facts" });
    const places = h("p", { class: "figure-facts" });
    const faults = h("ul", { class: "figure-faults" });
    let version = "";
    parts.push((r) => {
      setText(title, plain(r.caption) || r.id);
      const row = events.list()?.resources.find((x) => x.id === r.id);
      const v = row?.version ?? "";
      if (r.kind !== "table" && v !== version) preview.replaceChildren(thumbs.of(r, (version = v), true));
      setText(facts, factsOf(r));
      places.replaceChildren(...placesOf(r));
      faults.replaceChildren(...(r.problems ?? []).map((p) => h("li", {}, p)));
    });
    preview.hidden = r.kind === "table";
    const more = iconButton("more", "Actions for the figure", () => {});
    attachMenu(more, { label: "Actions for the figure", fill: actions });
    element.replaceChildren(
      h("div", { class: "figure-head" }, h("button", { class: "quiet figure-back", type: "button", on: { click: () => events.back() } }, icon("previous"), "All figures"), more),
      title,
      preview,
      facts,
      places,
      faults,
      h(
        "div",
        { class: "figure-acts" },
        h("button", { class: "button", type: "button", title: "Below the line of the caret in the text; without one below the first paragraph of the page in view", on: { click: () => void insert(`::resource{id="${id}"}`, true) } }, "Place at the caret"),
        h("button", { class: "quiet", type: "button", title: "At the caret in the text", on: { click: () => void insert(`:ref{id="${id}"}`, false) } }, "Cite at the caret"),
      ),
      ...(r.kind === "table" ? [tablePart()] : []),
      words(),
      placing(r),
      ...(r.kind === "svg" ? [svgPart()] : []),
    );
  };

  /** Without a caret the place is below the first paragraph of the page in view. */
  const caretOnPage = async (): Promise<void> => {
    const page = app.page();
    if (!page || page.chapter !== app.editor.chapter) return;
    const a = await app.run<{ pages?: PageBlocks[] }>("sandbox_inspect_pages", { chapter: page.chapter, position: page.position, text: "none" });
    const line = a?.pages?.[0]?.blocks?.find((b) => b.kind === "paragraph")?.source.toLine;
    if (line && !app.editor.touched && page.chapter === app.editor.chapter) app.editor.endOfLine(line);
  };

  const insert = async (text: string, block: boolean) => {
    const at = app.state.chapter;
    if (!at || app.editor.chapter !== at.id) {
      app.announce("The text of the chapter is still loading.", "problem");
      return;
    }
    if (block && !app.editor.touched) await caretOnPage();
    if (block) app.editor.insertBlock(text);
    else app.editor.insert(text);
    app.openPanel("text");
    app.editor.focus();
    app.announce(`${block ? "Placed" : "Cited"} in “${at.title}”, line ${app.editor.line - (block ? 1 : 0)}`);
  };

  const actions = (box: HTMLElement, close: () => void) => {
    const act = (label: string, run: () => void) => box.append(h("button", { class: "menu-item", type: "button", on: { click: () => { close(); run(); } } }, label));
    if (now?.kind === "bitmap" || now?.kind === "svg") act("Replace the picture…", () => void replace(pictureTypes, (c) => c));
    if (now?.kind === "video") {
      act("Replace the film…", () => void replace("video/mp4,video/webm,video/ogg,video/quicktime", (c) => c));
      act("Choose a poster…", () => void replace("image/png,image/jpeg,image/webp", (c) => ("image" in c ? { video: { poster: (c as { image: object }).image } } : {})));
    }
    const ask = h("button", { class: "menu-item", type: "button" }, "Delete…");
    ask.addEventListener("click", () => {
      const n = (now?.placedIn.length ?? 0) + (now?.citedIn?.length ?? 0);
      const question = `Delete “${id}”? ${n === 0 ? "Nothing in the text names it." : n === 1 ? "One place in the text names it and will stay without a figure." : `${n} places in the text name it and will stay without a figure.`}`;
      const yes = h("button", { class: "button danger", type: "button", on: { click: () => { close(); void remove(); } } }, "Delete");
      box.replaceChildren(h("div", { class: "menu-sure", attr: { role: "alertdialog", "aria-label": question } }, h("p", {}, question), h("div", {}, yes, h("button", { class: "quiet", type: "button", on: { click: close } }, "Cancel"))));
      yes.focus();
    });
    box.append(ask);
  };

  const replace = async (accept: string, as: (content: object) => object) => {
    const [file] = await chooseFiles(accept, false);
    if (!file) return;
    const content = await contentOf(file);
    if (!content) {
      app.announce(`${file.name} is neither a picture nor a film.`, "problem");
      return;
    }
    await save(as(content), "Replaced");
  };

  const remove = async () => {
    const gone = id;
    if (await app.run("sandbox_delete_resource", { id: gone, wait: false })) {
      app.announce(`${gone} is deleted`);
      events.back();
    }
  };

  /** A field with its label; `show` gives its value, `put` what a change sends. */
  const field = (label: string, control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: (r: Whole) => string, put: (v: string) => object | undefined, about?: string): HTMLElement => {
    const name = `figure-${slug(label)}`;
    control.id = name;
    if (about) control.setAttribute("aria-describedby", `${name}-about`);
    let dirty = false;
    control.addEventListener("input", () => (dirty = true));
    control.addEventListener("change", () => {
      dirty = false;
      const args = put(control.value);
      if (args) void save(args, `${label} is saved`);
    });
    control.addEventListener("keydown", (e) => {
      const key = e as KeyboardEvent;
      if (key.key !== "Escape" || !dirty || key.isComposing) return;
      key.stopPropagation();
      dirty = false;
      if (now) control.value = value(now);
    });
    parts.push((r) => {
      if (!dirty && control.value !== value(r)) control.value = value(r);
    });
    return h("div", { class: "figure-field" }, h("label", { attr: { for: name } }, label), control, about ? h("p", { class: "setting-about", id: `${name}-about` }, about) : null);
  };
  const line = (attr: Record<string, string> = {}) => h("input", { class: "field", type: "text", attr: { autocomplete: "off", ...attr } });
  const lines = (rows: number) => h("textarea", { class: "field", attr: { rows: String(rows) } });

  const words = (): HTMLElement => {
    const type = h("select", { class: "field" });
    parts.push((r) => {
      const types = events.list()?.types ?? [];
      const all = types.some((t) => t.id === r.typeId) ? types : [...types, { id: r.typeId, name: r.typeId ? `${r.typeId} (missing)` : "none" }];
      if (type.options.length !== all.length || all.some((t, i) => type.options[i]!.value !== t.id || type.options[i]!.text !== t.name)) type.replaceChildren(...options(all.map((t) => [t.id, t.name])));
      type.value = r.typeId;
    });
    return h(
      "section",
      { class: "setting-group" },
      h("h3", {}, "Words"),
      field("Caption", lines(2), (r) => r.caption, (caption) => ({ caption })),
      field("Note or credit", lines(1), (r) => r.resource.note ?? "", (note) => ({ note }), "A smaller line under it: the source, the photographer."),
      field("Alternative text", lines(2), (r) => r.altText ?? "", (altText) => ({ altText }), "What it shows, for those who do not see it."),
      field("Type", type, (r) => r.typeId, (typeId) => ({ typeId }), "Says how it is numbered and named."),
      rename(),
    );
  };

  const rename = (): HTMLElement => {
    const control = line({ spellcheck: "false", autocapitalize: "off" });
    const box = field("Id", control, (r) => r.id, (value) => {
      const newId = slugged(value);
      if (newId === id) return undefined;
      const was = id;
      events.renaming(newId);
      void save({ newId }).then((a) => {
        if (!a) return events.renaming(undefined);
        id = a.resource.id;
        events.renamed(id);
        app.announce(a.references === 0 ? `${was} is called ${id} now` : `${was} is called ${id} now, and in ${a.references === 1 ? "one place" : `${a.references} places`} of the text too`);
        void load();
      });
      return undefined;
    }, "The text calls it by this name; a new one is written there too.");
    return box;
  };
  /** An id as typed: blanks become hyphens, the rest is judged by the book. */
  const slugged = (s: string) => s.trim().replace(/\s+/g, "-") || slug(plain(now?.caption ?? "")) || id;

  const placing = (r: Whole): HTMLElement => {
    const place = (key: string, v: unknown) => ({ placement: { [key]: v } });
    const video = r.kind === "video";
    return h(
      "section",
      { class: "setting-group" },
      h("h3", {}, "Place on the page"),
      ...placements.map((p) => {
        const select = h("select", { class: "field" }, ...options(p.words));
        const f = field(p.label, select, (r) => text(r.resource.placement?.[p.key]), (v) => place(p.key, v || null));
        if (p.key === "span") parts.push((r) => (select.disabled = r.resource.placement?.["position"] === "here" || /cw$/.test(text(r.resource.placement?.["rotate"]))));
        return f;
      }),
      field("Width, in percent", line({ inputmode: "decimal", placeholder: "natural" }), (r) => percent(r.resource.placement?.["width"]), (v) => {
        const n = number(v);
        return n === undefined ? wrong("The width is a number of percent.") : place("width", n === null ? null : n / 100);
      }, "Of the column or page it stands in."),
      ...(r.kind === "bitmap"
        ? [
            field("Resolution", line({ inputmode: "decimal", placeholder: "as the book" }), (r) => text(r.resource.resolution), (v) => {
              const n = number(v);
              return n === undefined ? wrong("The resolution is a number of pixels to the inch.") : { resolution: n };
            }, "Pixels to the inch at its natural size."),
          ]
        : []),
      ...(r.kind === "bitmap" || r.kind === "svg" ? [safeArea()] : []),
      ...(r.kind === "table" ? [tableStyle()] : []),
      ...(video
        ? [
            field("Address", line({ type: "url" }), (r) => r.resource.video?.url ?? "", (url) => (url ? { video: { url } } : undefined)),
            field("Starts at second", line({ inputmode: "decimal" }), (r) => text(r.resource.video?.start), (v) => seconds("start", v)),
            field("Ends at second", line({ inputmode: "decimal" }), (r) => text(r.resource.video?.end), (v) => seconds("end", v)),
          ]
        : []),
    );
  };

  const seconds = (key: string, v: string) => {
    const n = number(v);
    return n === undefined ? wrong("A time is a number of seconds.") : { video: { [key]: n ?? 0 } };
  };

  const wrong = (text: string): undefined => {
    app.announce(text, "problem");
    if (now) for (const p of parts) p(now);
    return undefined;
  };

  /** What of a picture is never cropped away: drawn on it, or in four percentages. */
  const safeArea = (): HTMLElement => {
    const drawn = new SafeArea((area) => void save({ safeArea: area }, "The safe area is kept"));
    const keys: [keyof Area, string][] = [["x", "From the left"], ["y", "From the top"], ["width", "Width"], ["height", "Height"]];
    const whole: Area = { x: 0, y: 0, width: 1, height: 1 };
    const clear = h("button", { class: "quiet", type: "button", on: { click: () => void save({ safeArea: null }, "The safe area is taken away") } }, "No safe area");
    const show = (r: Whole) => {
      if (!box.open) return; // the picture is not fetched before it is wanted
      const version = events.list()?.resources.find((x) => x.id === r.id)?.version ?? "";
      void thumbs.address(r, version).then((address) => now?.id === r.id && drawn.show(address, now.resource.safeArea));
    };
    parts.push((r) => {
      clear.disabled = r.resource.safeArea === undefined;
      show(r);
    });
    const box = h(
      "details",
      { class: "figure-more", on: { toggle: () => now && show(now) } },
      h("summary", {}, "Safe area"),
      h("p", { class: "note" }, "The part that stays in sight however the picture is cropped: drag on the picture, or say it in percent."),
      drawn.element,
      ...keys.map(([key, label]) =>
        field(label, line({ inputmode: "decimal" }), (r) => (r.resource.safeArea ? percent(r.resource.safeArea[key]) : ""), (v) => {
          const n = number(v);
          if (n === undefined || n === null || n < 0 || n > 100) return wrong("A part of the picture is 0 to 100 percent.");
          const a = { ...(now?.resource.safeArea ?? whole), [key]: n / 100 };
          if (key === "x") a.width = Math.min(a.width, 1 - a.x);
          if (key === "y") a.height = Math.min(a.height, 1 - a.y);
          return { safeArea: a };
        }),
      ),
      clear,
    );
    return box;
  };

  const tableStyle = (): HTMLElement => {
    const select = h("select", { class: "field" });
    parts.push((r) => {
      const style = r.table?.styleId ?? "";
      const all: [string, string][] = [["", "The document’s"], ...(events.list()?.styles ?? []).map((s): [string, string] => [s.id, s.name])];
      if (!all.some(([s]) => s === style)) all.push([style, `${style} (missing)`]);
      select.replaceChildren(...options(all));
      select.value = style;
    });
    return field("Table style", select, (r) => r.table?.styleId ?? "", (styleId) => (now?.table ? { table: { rows: now.table.rows, styleId } } : undefined));
  };

  const tablePart = (): HTMLElement => {
    const editor = new TableEditor(
      async (change) => {
        const was = now?.table;
        const a = await save(change);
        if (!a || !was) return undefined;
        await load();
        return was;
      },
      (text, kind) => app.announce(text, kind),
    );
    const cut = h("p", { class: "note", hidden: true });
    let shown = "";
    parts.push((r) => {
      const cutOff = r.truncated !== undefined;
      cut.hidden = !cutOff;
      editor.element.hidden = cutOff;
      if (cutOff) setText(cut, "This table is too long to be edited here: an agent can change its cells, or paste it as several tables.");
      const key = JSON.stringify(r.table);
      if (r.table && key !== shown) editor.show(r.table);
      shown = key;
    });
    return h("section", { class: "setting-group" }, h("h3", {}, "Table"), editor.element, cut);
  };

  const svgPart = (): HTMLElement => {
    const texts = h("div", {});
    const source = h("textarea", { class: "field svg-source", attr: { "aria-label": "Source of the drawing", spellcheck: "false", rows: "14" } });
    const problem = h("p", { class: "setting-note problem", hidden: true, attr: { role: "status" } });
    let shown = "";
    let pause = 0;
    const put = async (svg: string) => {
      if (!isWholeSvg(svg)) {
        setText(problem, "The source is not whole, so it is not saved yet.");
        problem.hidden = false;
        return;
      }
      problem.hidden = true;
      if (svg !== now?.svg?.source) await save({ svg: { source: svg } });
    };
    source.addEventListener("input", () => {
      clearTimeout(pause);
      pause = window.setTimeout(() => void put(source.value), 700);
    });
    parts.push((r) => {
      const svg = r.svg?.source ?? "";
      if (svg === shown) return;
      shown = svg;
      if (document.activeElement !== source) source.value = svg;
      const at = (document.activeElement as HTMLElement | null)?.dataset["text"];
      texts.replaceChildren(
        ...svgTexts(svg).slice(0, 100).map((t, i) => {
          const f = h("input", { class: "field", type: "text", value: t.text, attr: { "aria-label": `Text ${i + 1} of the drawing`, "data-text": String(i) } });
          f.addEventListener("change", () => void put(withSvgText(svg, t, f.value)));
          return f;
        }),
      );
      if (at !== undefined) texts.querySelector<HTMLElement>(`[data-text="${at}"]`)?.focus();
      if (texts.childElementCount === 0) texts.append(h("p", { class: "note" }, "The drawing has no text of its own."));
    });
    return h("section", { class: "setting-group" }, h("h3", {}, "Text in the drawing"), h("div", { class: "svg-texts" }, texts), h("details", { class: "figure-more" }, h("summary", {}, "The whole source"), source, problem));
  };

  return {
    element,
    async show(which, fresh) {
      if (which !== id) {
        id = which;
        drawnFor = "";
        now = undefined;
        element.replaceChildren();
      }
      element.hidden = false;
      await load();
      if (fresh) element.querySelector<HTMLElement>(".figure-title")?.focus({ preventScroll: true });
    },
    hide() {
      element.hidden = true;
      id = "";
      drawnFor = "";
    },
  };
}

function text(v: unknown): string {
  return v === undefined || v === null ? "" : String(v);
}

/** A number as typed; null for none, undefined for something else. */
function number(s: string): number | null | undefined {
  if (s.trim() === "") return null;
  const n = Number(s.replace("%", "").replace(",", "."));
  return Number.isFinite(n) && n >= 0 ? n : undefined;
}

function percent(v: unknown): string {
  return typeof v === "number" ? String(Math.round(v * 1000) / 10) : "";
}

function factsOf(r: Whole): string {
  const parts: string[] = [];
  if (r.number) parts.push(r.number);
  if (r.pixels) parts.push(`${r.pixels.width} × ${r.pixels.height} pixels`);
  if (r.size) parts.push(`${r.size.width} × ${r.size.height} ${r.size.unit}`);
  if (r.rows) parts.push(`${count(r.rows, "row")}, ${count(r.columns ?? 0, "column")}`);
  if (r.kind === "video" && r.resource.video?.source) parts.push(r.resource.video.source === "file" ? "a film" : r.resource.video.source);
  const low = (r.printed ?? []).toSorted((a, b) => (a.ppi ?? 0) - (b.ppi ?? 0))[0];
  if (low) parts.push(`printed ${low.size.width} × ${low.size.height} ${low.size.unit}${low.ppi ? ` at ${low.ppi} ppi` : ""}`);
  return parts.join(" · ");
}

function placesOf(r: Whole): string[] {
  const place = (p: Placed) => `chapter ${p.chapter}, line ${p.line}${p.page !== undefined && p.page !== null ? ` (page ${p.page})` : ""}`;
  const list = (ps: Placed[]) => ps.slice(0, 5).map(place).join("; ") + (ps.length > 5 ? ` and ${ps.length - 5} more` : "");
  const out: string[] = [];
  if (r.placedIn.length > 0) out.push(`Placed in ${list(r.placedIn)}. `);
  if (r.citedIn?.length) out.push(`Cited in ${list(r.citedIn)}.`);
  return out.length > 0 ? out : ["Not placed in the text yet."];
}
