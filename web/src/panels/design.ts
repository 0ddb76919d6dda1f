// The Design panel: the settings most used, and a search over all of them.
//
// A row reads its setting with sandbox_get_config and changes it with
// sandbox_set_config, so that a person and an agent see and do the same. What an
// agent changes shows here as soon as the book's revision moves.
import { h, icon } from "../dom";
import { frame, type App, type Panel } from "./panel";

interface Length {
  value: number;
  unit: string;
}

interface Setting {
  path: string;
  set: unknown;
  effective: unknown;
  type: string;
  unit?: string;
  default?: unknown;
  enum?: string[];
  range?: unknown;
  effect?: string;
  about?: string;
  label?: string;
}

interface Changed {
  changed: { path: string; from: unknown; to: unknown }[];
  notes?: { path: string; note: string }[];
}

/** The settings shown without a search, by group; labels are the panel's own. */
const common: { group: string; settings: [path: string, label: string][] }[] = [
  {
    group: "Page",
    settings: [
      ["page.sizePreset", "Size"],
      ["page.margins.top", "Top margin"],
      ["page.margins.bottom", "Bottom margin"],
      ["page.margins.left", "Inner margin"],
      ["page.margins.right", "Outer margin"],
      ["page.margins.mirror", "Facing pages"],
    ],
  },
  {
    group: "Columns",
    settings: [
      ["layout.layoutType", "Columns"],
      ["layout.gutterWidth", "Gutter"],
    ],
  },
  {
    group: "Body text",
    settings: [
      ["bodyText.fontFamily", "Typeface"],
      ["bodyText.fontSize", "Size"],
      ["bodyText.lineHeight", "Leading"],
      ["bodyText.textAlign", "Alignment"],
      ["bodyText.firstLineIndent", "First-line indent"],
      ["bodyText.hyphenation.enabled", "Hyphenation"],
    ],
  },
  {
    group: "Headings",
    settings: [
      ["headings.fontFamily", "Typeface"],
      ["headings.levels[level=1].fontSize", "Chapter title"],
      ["headings.levels[level=2].fontSize", "Section title"],
    ],
  },
];

const words: Record<string, string> = {
  single: "One column",
  double: "Two columns",
  oneAndHalf: "Column and a half",
  multiple: "Several",
  justify: "Justified",
  left: "Left",
  right: "Right",
  start: "Start",
  end: "End",
  "11x17": "11 × 17 cm, pocket",
  "12x19": "12 × 19 cm, novel",
  "17x24": "17 × 24 cm, textbook",
  "21x28": "21 × 28 cm, report",
  custom: "Custom",
};

const units = ["cm", "mm", "in", "pt", "px", "em", "rem"];

const steps: Record<string, number> = { cm: 0.1, mm: 1, in: 0.05, pt: 0.5, px: 1, em: 0.05, rem: 0.05 };

export function designPanel(app: App): Panel {
  const f = frame("Design");
  const search = h("input", { class: "search", type: "search", placeholder: "Search settings", attr: { "aria-label": "Search settings", autocomplete: "off", spellcheck: "false" } });
  const undoBox = h("div", { class: "change", hidden: true, attr: { role: "status" } });
  const results = h("div", { class: "settings" });
  f.body.append(h("div", { class: "search-box" }, icon("search"), search), undoBox, results);

  let families: string[] = [];
  let rows: { path: string; label: string; box: HTMLElement; drawn: string }[] = [];
  let visible = false;
  let seen = -1;
  let asked = 0;

  const loadFamilies = async () => {
    if (families.length > 0) return;
    try {
      const list = (await (await fetch("/fonts/index.json")).json()) as { family: string }[];
      families = [...new Set(list.map((x) => x.family))];
    } catch (e) {
      app.announce(`The list of typefaces could not be loaded: ${String(e)}`, "problem");
    }
  };

  const change = async (path: string, label: string, value: unknown) => {
    const a = await app.run<Changed>("sandbox_set_config", { changes: [{ path, value }] });
    if (!a) {
      await refresh(true);
      return;
    }
    const c = a.changed.find((c) => c.path === path) ?? a.changed[0];
    if (c) showUndo(label, c.path, c.from, a.notes?.[0]?.note);
    await refresh(true);
  };

  const showUndo = (label: string, path: string, from: unknown, note?: string) => {
    const back = h("button", { class: "quiet", type: "button" }, icon("undo"), "Undo");
    back.addEventListener("click", () => {
      undoBox.hidden = true;
      void (async () => {
        await app.run("sandbox_set_config", { changes: [{ path, value: from }] });
        await refresh(true);
      })();
    });
    const was = h("span", {}, label, " was ", h("b", {}, from === null || from === undefined ? "not set" : written(from)));
    undoBox.replaceChildren(was, back, ...(note ? [h("p", { class: "note" }, note)] : []));
    undoBox.hidden = false;
  };

  const read = async (path: string): Promise<Setting | undefined> => {
    const a = await app.port.tool<{ ok: boolean } & Setting>("sandbox_get_config", { path });
    return a.ok ? a : undefined;
  };

  const draw = async (r: (typeof rows)[number]) => {
    const s = await read(r.path);
    if (!s) {
      r.box.hidden = true;
      return;
    }
    const now = JSON.stringify([s.set, s.effective]);
    if (now === r.drawn || r.box.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement && r.drawn !== "" && document.activeElement.dataset["dirty"]) return;
    const focused = r.box.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["part"] : undefined;
    r.drawn = now;
    r.box.hidden = false;
    r.box.classList.toggle("is-set", s.set !== null && s.set !== undefined);
    const id = `set-${r.path.replace(/[^A-Za-z0-9]+/g, "-")}`;
    const reset = h("button", { class: "reset", type: "button", title: `${r.label}: back to the design’s value`, attr: { "aria-label": `Reset ${r.label}` }, hidden: s.set === null || s.set === undefined });
    reset.addEventListener("click", () => void change(r.path, r.label, null));
    const label = h("label", { class: "setting-label", attr: { for: id }, title: s.about ?? r.path }, r.label);
    r.box.replaceChildren(label, reset, control(s, id, (v) => void change(r.path, r.label, v), families));
    if (focused) r.box.querySelector<HTMLElement>(`[data-part="${focused}"]`)?.focus();
  };

  const refresh = async (force = false) => {
    const book = app.state.book;
    if (!visible || !book?.ready || (!force && seen === book.revision)) return;
    seen = book.revision;
    await loadFamilies();
    await Promise.all(rows.map(draw));
  };

  const list = (groups: { group: string; settings: [string, string, string?][] }[]) => {
    rows = [];
    results.replaceChildren(
      ...groups.map(({ group, settings }) =>
        h(
          "section",
          { class: "setting-group" },
          h("h3", {}, group),
          ...settings.map(([path, label, about]) => {
            const box = h("div", { class: "setting", title: about ?? "" });
            rows.push({ path, label, box, drawn: "" });
            return box;
          }),
        ),
      ),
    );
    void refresh(true);
  };

  const find = async () => {
    const query = search.value.trim();
    const mine = ++asked;
    if (query === "") {
      list(common);
      return;
    }
    const a = await app.port.tool<{ ok: boolean; error?: string; paths?: { path: string; label?: string; about?: string }[] }>("sandbox_find_setting", { query, limit: 24 });
    if (mine !== asked) return;
    const paths = a.paths ?? [];
    if (!a.ok || paths.length === 0) {
      rows = [];
      results.replaceChildren(h("p", { class: "note" }, a.error ?? `No setting answers to “${query}”.`));
      return;
    }
    const groups = new Map<string, [string, string, string?][]>();
    for (const p of paths) {
      const key = p.path.split(/[.[]/)[0] ?? "";
      const g = groups.get(key) ?? [];
      g.push([p.path, p.label ?? p.path, p.about ? `${p.about} (${p.path})` : p.path]);
      groups.set(key, g);
    }
    list([...groups].map(([group, settings]) => ({ group: title(group), settings })));
  };

  let pause = 0;
  search.addEventListener("input", () => {
    clearTimeout(pause);
    pause = window.setTimeout(() => void find(), 150);
  });
  search.addEventListener("keydown", (e) => {
    if (e.key === "Escape" && search.value !== "") {
      e.stopPropagation();
      search.value = "";
      void find();
    }
  });

  app.state.listen(({ book }, before) => {
    if (book && before.book && book.book.id !== before.book.book.id) undoBox.hidden = true;
    void refresh();
  });
  list(common);
  return {
    id: "design",
    element: f.element,
    shown() {
      visible = true;
      void refresh(true);
    },
    hidden() {
      visible = false;
    },
  };
}

/** "bodyText" as a heading: "Body text". */
function title(key: string): string {
  const t = key.replace(/([A-Z])/g, " $1").toLowerCase();
  return t.charAt(0).toUpperCase() + t.slice(1);
}

function written(v: unknown): string {
  if (isLength(v)) return `${v.value} ${v.unit}`;
  if (v && typeof v === "object" && "hex" in v) return String((v as { hex: unknown }).hex);
  if (typeof v === "boolean") return v ? "on" : "off";
  if (typeof v === "string") return words[v] ?? v;
  const s = JSON.stringify(v) ?? "";
  return s.length > 40 ? s.slice(0, 39) + "…" : s;
}

function isLength(v: unknown): v is Length {
  return typeof v === "object" && v !== null && typeof (v as Length).value === "number" && typeof (v as Length).unit === "string";
}

/** "10.5pt" or an object, as a length. */
function lengthOf(v: unknown): Length | undefined {
  if (isLength(v)) return v;
  const m = typeof v === "string" ? /^(-?[\d.]+)\s*([a-z]+)$/.exec(v) : null;
  return m && units.includes(m[2]!) ? { value: Number(m[1]), unit: m[2]! } : undefined;
}

/** The control for one setting; `put` gets the new value. */
function control(s: Setting, id: string, put: (v: unknown) => void, families: string[]): HTMLElement {
  const value = s.set ?? s.effective;
  const kind = s.type.toLowerCase();
  if (kind.startsWith("bool")) {
    const box = h("input", { class: "switch", type: "checkbox", id, attr: { role: "switch", "data-part": "value" } });
    box.checked = value === true;
    box.addEventListener("change", () => put(box.checked));
    return box;
  }
  if (/fontFamily$/.test(s.path) && families.length > 0) return choice(id, String(value), families, put);
  if (s.enum && s.enum.length > 0 && (typeof value !== "object" || value === null)) return choice(id, String(value), s.enum, put);
  const length = lengthOf(value);
  if (length) return lengthField(id, length, put);
  if (kind.startsWith("colo") || (value && typeof value === "object" && "hex" in value)) {
    const hex = typeof value === "string" ? value : String((value as { hex?: string } | null)?.hex ?? "#000000");
    const well = h("input", { class: "well", type: "color", id, value: /^#[0-9a-f]{6}/i.test(hex) ? hex.slice(0, 7) : "#000000", attr: { "data-part": "value" } });
    well.addEventListener("change", () => put(well.value));
    return h("span", { class: "colour" }, well, h("span", { class: "colour-name" }, hex));
  }
  if (typeof value === "number") {
    const field = numberField(id, value, 1, (n) => put(n));
    return field;
  }
  if (typeof value === "string" || value === null || value === undefined) {
    const field = h("input", { class: "field", type: "text", id, value: value ?? "", attr: { "data-part": "value" } });
    field.addEventListener("change", () => put(field.value === "" ? null : field.value));
    return field;
  }
  return h("code", { class: "raw" }, written(value));
}

function choice(id: string, value: string, options: string[], put: (v: string) => void): HTMLSelectElement {
  const all = options.includes(value) ? options : [value, ...options];
  const select = h("select", { class: "field", id, attr: { "data-part": "value" } }, ...all.map((o) => h("option", { value: o }, words[o] ?? o)));
  select.value = value;
  select.addEventListener("change", () => put(select.value));
  return select;
}

function numberField(id: string, value: number, step: number, put: (n: number) => void): HTMLInputElement {
  const field = h("input", { class: "field number", type: "text", id, value: String(value), attr: { inputmode: "decimal", "data-part": "value", autocomplete: "off" } });
  let last = value;
  const commit = () => {
    const n = Number(field.value.replace(",", "."));
    delete field.dataset["dirty"];
    if (field.value.trim() === "" || !Number.isFinite(n)) field.value = String(last);
    else if (n !== last) put((last = n));
  };
  field.addEventListener("input", () => (field.dataset["dirty"] = "1"));
  field.addEventListener("change", commit);
  field.addEventListener("keydown", (e) => {
    if (e.isComposing) return;
    if (e.key === "Enter") commit();
    if (e.key !== "ArrowUp" && e.key !== "ArrowDown") return;
    e.preventDefault();
    const by = step * (e.shiftKey ? 10 : e.altKey ? 0.1 : 1) * (e.key === "ArrowUp" ? 1 : -1);
    field.value = String(round((Number(field.value.replace(",", ".")) || 0) + by));
    commit();
  });
  return field;
}

function lengthField(id: string, l: Length, put: (v: Length) => void): HTMLElement {
  const by = steps[l.unit] ?? 1;
  const field = numberField(id, round(l.value), by, (value) => put({ value, unit: l.unit }));
  const nudge = (sign: number, label: string, name: "minus" | "plus") => {
    const b = h("button", { class: "nudge", type: "button", tabIndex: -1, attr: { "aria-label": label } }, icon(name));
    b.addEventListener("click", () => put({ value: round(l.value + sign * by), unit: l.unit }));
    return b;
  };
  const unit = h("select", { class: "unit", attr: { "aria-label": "Unit", "data-part": "unit" } }, ...units.map((u) => h("option", { value: u }, u)));
  unit.value = l.unit;
  unit.addEventListener("change", () => put(convert(l, unit.value)));
  return h("span", { class: "length" }, nudge(-1, "Less", "minus"), field, nudge(1, "More", "plus"), unit);
}

const points: Record<string, number> = { cm: 72 / 2.54, mm: 72 / 25.4, in: 72, pt: 1 };

/** The same length in another unit; relative units keep the number, as nothing
 *  here knows what they refer to. */
function convert(l: Length, unit: string): Length {
  const a = points[l.unit];
  const b = points[unit];
  return a && b ? { value: round((l.value * a) / b), unit } : { value: l.value, unit };
}

function round(n: number): number {
  return Math.round(n * 1000) / 1000;
}

