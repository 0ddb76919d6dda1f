// The controls of settings: one for each kind of value. A control shows a
// setting and puts a new value; what comes back from the book is shown in place,
// so that neither the focus nor what is being typed is lost.
import { h, icon } from "../dom";

export interface Length {
  value: number;
  unit: string;
}

/** A setting as sandbox_get_config describes it. */
export interface Setting {
  path: string;
  set: unknown;
  effective: unknown;
  type: string;
  unit?: string;
  enum?: string[];
  effect?: string;
  about?: string;
  label?: string;
}

/** A colour of the palette. */
export interface Entry {
  id: string;
  name: string;
  hex: string;
}

export interface Control {
  element: HTMLElement;
  /** Shows the setting as it is now; false when this control cannot. */
  show(s: Setting): boolean;
}

type Put = (value: unknown) => void;

/** How the values of enumerations are said. */
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
  broadsheet: "Broadsheet",
  berliner: "Berliner",
  tabloid: "Tabloid",
  compact: "Compact",
  custom: "Custom",
  any: "Any page",
  odd: "Right-hand page",
  even: "Left-hand page",
  "always-odd": "Right-hand, after a blank",
  "always-even": "Left-hand, after a blank",
};

const units = ["cm", "mm", "in", "pt", "px", "em", "rem"];

/** What one press of a button or an arrow adds. */
const steps: Record<string, number> = { cm: 0.1, mm: 1, in: 0.05, pt: 0.5, px: 1, em: 0.05, rem: 0.05 };

const points: Record<string, number> = { cm: 72 / 2.54, mm: 72 / 25.4, in: 72, pt: 1 };

/** A length in points, undefined for a relative one. */
export function inPoints(l: Length | undefined): number | undefined {
  const unit = l && points[l.unit];
  return unit ? l.value * unit : undefined;
}

/** A value in words, for a person. */
export function written(v: unknown): string {
  const l = lengthOf(v);
  if (l) return `${round(l.value)} ${l.unit}`;
  if (v === null || v === undefined) return "not set";
  const hex = hexOf(v);
  if (hex) return hex;
  if (typeof v === "boolean") return v ? "on" : "off";
  if (typeof v === "string") return words[v] ?? v;
  const s = JSON.stringify(v);
  return s.length > 40 ? s.slice(0, 39) + "…" : s;
}

/** "10.5pt" or an object, as a length. */
export function lengthOf(v: unknown): Length | undefined {
  if (typeof v === "object" && v !== null && typeof (v as Length).value === "number" && typeof (v as Length).unit === "string") return v as Length;
  const m = typeof v === "string" ? /^(-?[\d.]+)\s*([a-z]+)$/.exec(v) : null;
  return m && units.includes(m[2]!) ? { value: Number(m[1]), unit: m[2]! } : undefined;
}

function hexOf(v: unknown): string | undefined {
  const hex = typeof v === "object" && v !== null ? (v as { hex?: unknown }).hex : v;
  return typeof hex === "string" && /^#[0-9a-f]{6}/i.test(hex) ? hex : undefined;
}

const valueOf = (s: Setting): unknown => s.set ?? s.effective;

/** The control for a setting; `id` is the id of the element a label names. */
export function control(s: Setting, id: string, put: Put, families: string[], palette: () => Entry[] = () => []): Control {
  const value = valueOf(s);
  const kind = s.type.toLowerCase();
  if (kind.startsWith("bool")) return switchOf(s, id, put);
  if (/fontFamily$/.test(s.path) && families.length > 0) return choice(s, id, families, put);
  if (s.enum && s.enum.length > 0 && (typeof value !== "object" || value === null)) return choice(s, id, s.enum, put);
  if (lengthOf(value)) return lengthField(s, id, put);
  if (kind.startsWith("colo") || hexOf(value)) return colour(s, id, put, palette());
  if (typeof value === "number") return plainNumber(s, id, put);
  if (typeof value === "string" || value === null || value === undefined) return line(s, id, put);
  if (Array.isArray(value) && value.every((v) => typeof v === "string")) return wordList(s, id, put);
  return structure(s, id, put);
}

/** A list of words, written one after the other. */
function wordList(s: Setting, id: string, put: Put): Control {
  const field = h("input", { class: "field", type: "text", id, attr: { autocomplete: "off" } });
  field.addEventListener("change", () => put(field.value.trim() === "" ? null : field.value.trim().split(/\s+/)));
  const show = (s: Setting) => {
    const v = valueOf(s);
    if (!Array.isArray(v)) return false;
    if (field !== document.activeElement) field.value = v.join(" ");
    return true;
  };
  show(s);
  return { element: field, show };
}

/** A value of parts, as JSON. */
function structure(s: Setting, id: string, put: Put): Control {
  const field = h("input", { class: "field raw", type: "text", id, attr: { autocomplete: "off", spellcheck: "false" } });
  field.addEventListener("change", () => {
    let v: unknown = field.value.trim();
    try {
      v = v === "" ? null : JSON.parse(v as string);
    } catch {
      // Not JSON: the text itself is put, and its refusal says what is wrong.
    }
    put(v);
  });
  const show = (s: Setting) => {
    const v = valueOf(s);
    if (field !== document.activeElement) field.value = v === null || v === undefined ? "" : JSON.stringify(v);
    return true;
  };
  show(s);
  return { element: field, show };
}

function switchOf(s: Setting, id: string, put: Put): Control {
  const box = h("input", { class: "switch", type: "checkbox", id, attr: { role: "switch" } });
  box.addEventListener("change", () => put(box.checked));
  const show = (s: Setting) => {
    box.checked = valueOf(s) === true;
    return true;
  };
  show(s);
  return { element: box, show };
}

function choice(s: Setting, id: string, options: string[], put: Put): Control {
  const select = h("select", { class: "field", id });
  select.addEventListener("change", () => put(select.value === "" ? null : select.value));
  const show = (s: Setting) => {
    const value = String(valueOf(s) ?? ""); // "" where nothing is set and nothing follows
    const all = options.includes(value) ? options : [value, ...options];
    if (select.options.length !== all.length || !all.every((o, i) => select.options[i]!.value === o)) select.replaceChildren(...all.map((o) => h("option", { value: o }, o === "" ? written(null) : (words[o] ?? o))));
    select.value = value;
    return true;
  };
  show(s);
  return { element: select, show };
}

/** The palette's entries by name, and a colour of one's own. */
function colour(s: Setting, id: string, put: Put, palette: Entry[]): Control {
  const well = h("input", { class: "well", type: "color", id });
  const name = h("span", { class: "colour-name" });
  const link = h("select", { class: "unit palette-link", hidden: palette.length === 0 || s.path.startsWith("colorPalette"), attr: { "aria-label": "From the palette" } }, h("option", { value: "" }, "own colour"), ...palette.map((e) => h("option", { value: e.id }, e.name)));
  let hex: string | undefined;
  well.addEventListener("change", () => put(well.value));
  link.addEventListener("change", () => put(link.value === "" ? (hex ?? null) : { paletteId: link.value }));
  const show = (s: Setting) => {
    const value = valueOf(s);
    hex = hexOf(value);
    name.textContent = written(null);
    const id = typeof value === "object" && value !== null ? (value as { paletteId?: string }).paletteId : undefined;
    link.value = id && palette.some((e) => e.id === id) ? id : "";
    if (!hex) {
      if (typeof value === "object" && value !== null) name.textContent = String((value as { hex?: string }).hex ?? "");
      return true;
    }
    well.value = hex.slice(0, 7).toLowerCase();
    name.textContent = hex;
    return true;
  };
  show(s);
  return { element: h("span", { class: "colour" }, name, link, well), show };
}

function line(s: Setting, id: string, put: Put): Control {
  const field = h("input", { class: "field", type: "text", id, attr: { autocomplete: "off" } });
  field.addEventListener("change", () => put(field.value === "" ? null : field.value));
  let dirty = false;
  field.addEventListener("input", () => (dirty = true));
  field.addEventListener("blur", () => (dirty = false));
  const show = (s: Setting) => {
    const v = valueOf(s);
    if (v !== null && v !== undefined && typeof v !== "string") return false;
    if (!dirty) field.value = v ?? "";
    return true;
  };
  show(s);
  return { element: field, show };
}

/** A field for a number: arrows step, with Shift tenfold, with Alt a tenth. */
class NumberField {
  readonly element: HTMLInputElement;
  private last = 0;
  private dirty = false;

  constructor(
    id: string,
    private step: () => number,
    private put: (n: number) => void,
  ) {
    this.element = h("input", { class: "field number", type: "text", id, attr: { inputmode: "decimal", autocomplete: "off" } });
    this.element.addEventListener("input", () => (this.dirty = true));
    this.element.addEventListener("focus", () => this.element.select());
    this.element.addEventListener("change", () => this.commit());
    this.element.addEventListener("keydown", (e) => {
      if (e.isComposing) return;
      if (e.key === "Enter") this.commit();
      if (e.key === "Escape" && this.dirty) {
        e.stopPropagation();
        this.dirty = false;
        this.element.value = String(this.last);
      }
      if (e.key !== "ArrowUp" && e.key !== "ArrowDown") return;
      e.preventDefault();
      this.move((e.shiftKey ? 10 : e.altKey ? 0.1 : 1) * (e.key === "ArrowUp" ? 1 : -1));
    });
  }

  /** Steps from what the field shows. */
  move(by: number): void {
    this.element.value = String(round((this.read() ?? this.last) + by * this.step()));
    this.commit();
  }

  show(n: number): void {
    this.last = n;
    if (!this.dirty) this.element.value = String(n);
  }

  private read(): number | undefined {
    const text = this.element.value.trim().replace(",", ".");
    const n = Number(text);
    return text === "" || !Number.isFinite(n) ? undefined : n;
  }

  private commit(): void {
    const n = this.read();
    this.dirty = false;
    if (n === undefined) this.element.value = String(this.last);
    else if (n !== this.last) this.put((this.last = n));
  }
}

function plainNumber(s: Setting, id: string, put: Put): Control {
  const step = s.type.startsWith("int") ? 1 : 0.05;
  const field = new NumberField(id, () => step, put);
  const show = (s: Setting) => {
    const v = valueOf(s);
    if (typeof v !== "number") return false;
    field.show(round(v));
    return true;
  };
  show(s);
  return { element: h("span", { class: "length" }, ...nudges(field), s.unit ? h("span", { class: "unit-word" }, s.unit) : null), show };
}

function lengthField(s: Setting, id: string, put: Put): Control {
  let now: Length = { value: 0, unit: "pt" };
  const field = new NumberField(id, () => steps[now.unit] ?? 1, (value) => put((now = { value, unit: now.unit })));
  const unit = h("select", { class: "unit", attr: { "aria-label": "Unit" } }, ...units.map((u) => h("option", { value: u }, u)));
  unit.addEventListener("change", () => put((now = convert(now, unit.value))));
  const show = (s: Setting) => {
    const l = lengthOf(valueOf(s));
    if (!l) return false;
    now = l;
    field.show(round(l.value));
    unit.value = l.unit;
    return true;
  };
  show(s);
  return { element: h("span", { class: "length" }, ...nudges(field), unit), show };
}

/** The field between the two buttons that make its number less and more; for
 *  the keyboard the arrows do that. */
function nudges(field: NumberField): HTMLElement[] {
  const nudge = (sign: number, label: string, name: "minus" | "plus") =>
    h("button", { class: "nudge", type: "button", tabIndex: -1, attr: { "aria-label": label }, on: { click: () => field.move(sign) } }, icon(name));
  return [nudge(-1, "Less", "minus"), field.element, nudge(1, "More", "plus")];
}

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
