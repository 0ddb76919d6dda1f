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
  center: "Centred",
  uppercase: "Capitals",
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
  if (typeof v === "string") return sayWord(v);
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

/** What a length that is set nowhere is stepped from: the size or the leading of the
 *  body text, nothing for others. */
export type Start = (path: string) => Length | undefined;

/** The control for a setting; `id` is the id of the element a label names. */
export function control(s: Setting, id: string, put: Put, families: string[], palette: () => Entry[] = () => [], start: Start = () => undefined): Control {
  const value = valueOf(s);
  const kind = s.type.toLowerCase();
  if (kind.startsWith("bool")) return switchOf(s, id, put);
  if (/fontFamily$/.test(s.path) && families.length > 0) return choice(s, id, families, put, (o) => o);
  if (kind === "length") return lengthField(s, id, put, start);
  if (/^number or/.test(kind) && s.enum && s.enum.length > 0) return wordOrNumber(s, id, s.enum, put);
  if (s.enum && s.enum.length > 0 && (typeof value !== "object" || value === null)) return choice(s, id, s.enum, put);
  if (lengthOf(value)) return lengthField(s, id, put, start);
  if (kind.startsWith("colo") || hexOf(value)) return colour(s, id, put, palette());
  if (typeof value === "number" || ((kind === "number" || kind === "integer") && (value === null || value === undefined))) return plainNumber(s, id, put);
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

function choice(s: Setting, id: string, options: string[], put: Put, say = sayWord): Control {
  const select = h("select", { class: "field", id });
  select.addEventListener("change", () => put(select.value === "" ? null : select.value));
  const show = (s: Setting) => {
    const value = String(valueOf(s) ?? ""); // "" where nothing is set and nothing follows
    const all = options.includes(value) ? options : [value, ...options];
    if (select.options.length !== all.length || !all.every((o, i) => select.options[i]!.value === o)) select.replaceChildren(...all.map((o) => h("option", { value: o }, o === "" ? written(null) : say(o))));
    select.value = value;
    return true;
  };
  show(s);
  return { element: select, show };
}

/** A colour: an entry of the palette, or one of its own in hex with its opacity. */
function colour(s: Setting, id: string, put: Put, palette: Entry[]): Control {
  const ofPalette = s.path.startsWith("colorPalette");
  const well = h("input", { class: "well", type: "color", id });
  const link = h("select", { class: "unit palette-link", hidden: palette.length === 0 || ofPalette, attr: { "aria-label": "From the palette" } }, h("option", { value: "" }, "own colour"), ...palette.map((e) => h("option", { value: e.id }, e.name)));
  const code = h("input", { class: "field hex", type: "text", attr: { "aria-label": "Hex", autocomplete: "off", spellcheck: "false", maxlength: "24" } });
  let rgb = "#000000";
  let opacity = 100;
  let linked = false;
  const alpha = new NumberField("", () => 5, (n) => put(withOpacity(rgb, Math.min(100, Math.max(0, n)))));
  alpha.element.setAttribute("aria-label", "Opacity in per cent");
  const own = h("span", { class: "colour-own" }, code, h("span", { class: "colour-alpha" }, alpha.element, h("span", { class: "unit-word" }, "%")));
  well.addEventListener("change", () => put(withOpacity(well.value, opacity === 0 ? 100 : opacity)));
  link.addEventListener("change", () => put(link.value === "" ? withOpacity(rgb, opacity) : { paletteId: link.value }));
  code.addEventListener("change", () => {
    const text = code.value.trim();
    put(text === "" ? null : /^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text) ? `#${text}` : text);
  });
  const show = (s: Setting) => {
    const value = valueOf(s);
    const of = typeof value === "object" && value !== null ? (value as { paletteId?: string }).paletteId : undefined;
    linked = !ofPalette && of !== undefined && palette.some((e) => e.id === of);
    link.value = linked ? of! : "";
    own.hidden = linked;
    const hex = longHex(typeof value === "object" && value !== null ? (value as { hex?: unknown }).hex : value);
    rgb = hex?.slice(0, 7) ?? "#000000";
    opacity = hex ? Math.round((parseInt(hex.slice(7, 9) || "ff", 16) / 255) * 100) : 0;
    well.value = rgb;
    well.classList.toggle("clear", opacity === 0);
    if (code !== document.activeElement) code.value = hex ? rgb : value === null || value === undefined ? "" : "transparent";
    code.placeholder = written(null);
    alpha.show(opacity);
    return true;
  };
  show(s);
  return { element: h("span", { class: "colour" }, link, well, own), show };
}

/** "#rgb", "#rgba" and their long forms, in the long one; undefined for anything else
 *  and for a colour that is not seen. */
function longHex(v: unknown): string | undefined {
  if (typeof v !== "string" || !/^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(v)) return undefined;
  const hex = v.toLowerCase();
  return hex.length > 5 ? hex : "#" + [...hex.slice(1)].map((c) => c + c).join("");
}

function withOpacity(rgb: string, percent: number): string {
  return percent >= 100 ? rgb : rgb + Math.round((percent * 255) / 100).toString(16).padStart(2, "0");
}

/** Words, or a number of one's own. */
function wordOrNumber(s: Setting, id: string, options: string[], put: Put): Control {
  const list = h("datalist", { id: `${id}-words` }, ...options.map((o) => h("option", { value: o })));
  const field = h("input", { class: "field", type: "text", id, attr: { list: list.id, autocomplete: "off", spellcheck: "false" } });
  field.addEventListener("change", () => {
    const text = field.value.trim();
    put(text === "" ? null : Number.isFinite(Number(text)) ? Number(text) : text);
  });
  const show = (s: Setting) => {
    const v = valueOf(s);
    if (typeof v === "object" && v !== null && !lengthOf(v)) return false;
    if (field !== document.activeElement) field.value = v === null || v === undefined ? "" : lengthOf(v) ? written(v).replace(" ", "") : String(v);
    return true;
  };
  show(s);
  return { element: h("span", { class: "field-with-words" }, field, list), show };
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
  private empty = false;

  constructor(
    id: string,
    private step: () => number,
    private put: (n: number) => void,
    /** What is stepped from while nothing is shown. */
    private start: () => number = () => this.last,
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
        this.element.value = this.empty ? "" : String(this.last);
      }
      if (e.key !== "ArrowUp" && e.key !== "ArrowDown") return;
      e.preventDefault();
      this.move((e.shiftKey ? 10 : e.altKey ? 0.1 : 1) * (e.key === "ArrowUp" ? 1 : -1));
    });
  }

  /** Steps from what the field shows. */
  move(by: number): void {
    this.element.value = String(round((this.read() ?? this.start()) + by * this.step()));
    this.commit();
  }

  show(n: number): void {
    this.last = n;
    this.empty = false;
    this.element.placeholder = "";
    if (!this.dirty) this.element.value = String(n);
  }

  /** Nothing is set. */
  clear(): void {
    this.empty = true;
    this.element.placeholder = "–";
    if (!this.dirty) this.element.value = "";
  }

  private read(): number | undefined {
    const text = this.element.value.trim().replace(",", ".");
    const n = Number(text);
    return text === "" || !Number.isFinite(n) ? undefined : n;
  }

  private commit(): void {
    const n = this.read();
    this.dirty = false;
    if (n === undefined) this.element.value = this.empty ? "" : String(this.last);
    else if (this.empty || n !== this.last) {
      this.empty = false;
      this.put((this.last = n));
    }
  }
}

function plainNumber(s: Setting, id: string, put: Put): Control {
  const weight = /weight$/i.test(s.path);
  // Parts of one are stepped finely, what is counted or measured in whole numbers by one.
  const fine = !weight && !s.type.startsWith("int") && (typeof valueOf(s) !== "number" || Math.abs(valueOf(s) as number) < 4);
  const field = new NumberField(id, () => (weight ? 100 : fine ? 0.05 : 1), put, () => (weight ? 400 : 0));
  const show = (s: Setting) => {
    const v = valueOf(s);
    if (typeof v === "number") field.show(round(v));
    else field.clear();
    return typeof v === "number" || v === null || v === undefined;
  };
  show(s);
  return { element: h("span", { class: "length" }, ...nudges(field), s.unit ? h("span", { class: "unit-word" }, s.unit) : null), show };
}

/** A length in its unit, or one of the words the setting knows beside lengths. Where
 *  nothing is set the field is empty, and is stepped from what stands there now. */
function lengthField(s: Setting, id: string, put: Put, start: Start): Control {
  let now: Length | undefined;
  const words = (s.enum ?? []).filter((w) => w !== "");
  const from = (): Length => now ?? start(s.path) ?? { value: 0, unit: s.unit && units.includes(s.unit) ? s.unit : "mm" };
  const field = new NumberField(
    id,
    () => steps[from().unit] ?? 1,
    (value) => put((now = { value, unit: from().unit })),
    () => round(from().value),
  );
  const unit = h("select", { class: "unit", attr: { "aria-label": "Unit" } }, ...words.map((w) => h("option", { value: w }, sayWord(w).toLowerCase())), ...units.map((u) => h("option", { value: u }, u)));
  unit.addEventListener("change", () => {
    if (words.includes(unit.value)) put(unit.value);
    else put((now = convert(from(), unit.value)));
  });
  const show = (s: Setting) => {
    const v = valueOf(s);
    now = lengthOf(v);
    if (now) field.show(round(now.value));
    else field.clear();
    unit.value = now ? now.unit : typeof v === "string" && words.includes(v) ? v : from().unit;
    return now !== undefined || v === null || v === undefined || words.includes(String(v));
  };
  show(s);
  return { element: h("span", { class: words.length > 0 ? "length worded" : "length" }, ...nudges(field), unit), show };
}

/** How a value of an enumeration is said: "ellipsis-end" as "Ellipsis end". */
function sayWord(w: string): string {
  if (words[w]) return words[w];
  if (!/^[a-z][a-zA-Z-]*$/.test(w)) return w;
  const said = w.replace(/([A-Z])/g, " $1").replace(/-/g, " ").toLowerCase();
  return said.charAt(0).toUpperCase() + said.slice(1);
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
