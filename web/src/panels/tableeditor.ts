// The table editor: a grid of fields. Every change is one of the table edits of
// sandbox_save_resource, so that editor, agents and imports agree; what comes
// back from the book is shown in place, and the focus stays.
import { h, iconButton, roving, setText } from "../dom";

interface Cell {
  content: string;
  colSpan?: number;
  rowSpan?: number;
  isHeader?: boolean;
  align?: string;
  verticalAlign?: string;
  background?: unknown;
  image?: unknown;
}

export interface TableForm {
  rows: (string | Cell)[][];
  headerRows?: number;
  columnWidths?: number[];
  styleId?: string;
}

/** What one change sends, beside the id. */
export type TableChange = { tableEdits: object[] } | { table: TableForm };

/** Sends a change; gives what takes it back, or undefined when it was refused. */
export type SendTable = (c: TableChange) => Promise<TableForm | undefined>;

interface Place {
  row: number;
  column: number;
}

/** The most cells that are edited here. */
const maxCells = 2000;

export class TableEditor {
  readonly element: HTMLElement;
  private grid = h("table", { class: "table-grid" });
  private note = h("p", { class: "note", hidden: true });
  private tools: HTMLElement;
  private form: TableForm = { rows: [] };
  private at: Place = { row: 0, column: 0 };
  private to: Place = { row: 0, column: 0 };
  private back: TableForm[] = [];
  private forth: TableForm[] = [];
  private buttons: Record<string, HTMLButtonElement> = {};
  private align = h("select", { class: "field", attr: { "aria-label": "Alignment in the cell" } }, ...options([["", "As the style"], ["left", "Left"], ["center", "Centred"], ["right", "Right"]]));
  private vertical = h("select", { class: "field", attr: { "aria-label": "Height in the cell" } }, ...options([["", "As the style"], ["top", "Top"], ["middle", "Middle"], ["bottom", "Bottom"]]));
  private fill = h("input", { class: "well", type: "color", attr: { "aria-label": "Fill of the cell" } });
  private refreshTools: () => void;
  /** Changes run one after another. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private send: SendTable,
    private say: (text: string, kind?: "note" | "problem") => void,
  ) {
    const act = (name: string, label: string, run: () => void) => (this.buttons[name] = h("button", { class: "quiet", type: "button", on: { click: run } }, label));
    const undo = iconButton("undo", "Undo in the table", () => void this.undo());
    const redo = iconButton("redo", "Redo in the table", () => void this.redo());
    this.buttons["undo"] = undo;
    this.buttons["redo"] = redo;
    this.tools = h(
      "div",
      { class: "toolbar table-tools", attr: { role: "toolbar", "aria-label": "Table" } },
      undo,
      redo,
      h("span", { class: "divider" }),
      act("row", "Add row", () => void this.edit({ action: "insert_row", row: this.box().bottom + 2 }, { row: this.box().bottom + 1, column: this.at.column })),
      act("column", "Add column", () => void this.edit({ action: "insert_column", column: this.box().right + 2 }, { row: this.at.row, column: this.box().right + 1 })),
      act("dropRow", "Delete row", () => void this.edit({ action: "delete_row", row: this.at.row + 1 }, { row: Math.max(0, this.at.row - 1), column: this.at.column })),
      act("dropColumn", "Delete column", () => void this.edit({ action: "delete_column", column: this.at.column + 1 }, { row: this.at.row, column: Math.max(0, this.at.column - 1) })),
      h("span", { class: "divider" }),
      act("merge", "Merge", () => this.merge()),
      act("split", "Split", () => void this.edit({ action: "split", row: this.at.row + 1, column: this.at.column + 1 })),
      act("head", "Header row", () => void this.header()),
      act("headCell", "Header cell", () => void this.set({ isHeader: this.cell(this.at)?.isHeader !== true })),
      act("equal", "Equal widths", () => void this.whole({ ...this.form, columnWidths: [] })),
    );
    this.refreshTools = roving(this.tools);
    this.align.addEventListener("change", () => void this.set({ align: this.align.value || null }));
    this.vertical.addEventListener("change", () => void this.set({ verticalAlign: this.vertical.value || null }));
    this.fill.addEventListener("change", () => void this.set({ background: this.fill.value }));
    const clear = h("button", { class: "quiet", type: "button", on: { click: () => void this.set({ background: null }) } }, "No fill");
    const row = (label: string, ...c: Node[]) => h("label", { class: "cell-setting" }, h("span", {}, label), ...c);
    this.element = h(
      "div",
      { class: "table-editor" },
      this.tools,
      h("div", { class: "table-scroll" }, this.grid),
      this.note,
      h("div", { class: "cell-settings", attr: { role: "group", "aria-label": "The chosen cells" } }, row("Alignment", this.align), row("Height", this.vertical), row("Fill", this.fill), clear),
    );
    this.element.addEventListener("keydown", (e) => this.keys(e));
    this.grid.addEventListener("paste", (e) => this.paste(e));
  }

  /** Shows the table as the book has it. */
  show(form: TableForm): void {
    const rows = form.rows.length;
    const columns = Math.max(1, ...form.rows.map((r) => r.length));
    this.form = form;
    const kept = this.focused();
    const shown = Math.min(rows, Math.max(1, Math.floor(maxCells / columns)));
    this.note.hidden = shown === rows;
    setText(this.note, `The first ${shown} of ${rows} rows are shown.`);
    const widths = form.columnWidths ?? [];
    const head = h(
      "tr",
      { class: "column-widths" },
      ...Array.from({ length: columns }, (_, c) => {
        const f = h("input", { class: "column-width", type: "text", value: widths[c] === undefined ? "" : String(widths[c]), placeholder: "auto", attr: { "aria-label": `Width of column ${c + 1}, in proportion`, inputmode: "decimal" } });
        f.addEventListener("change", () => this.width(c, f.value, columns));
        return h("td", {}, f);
      }),
    );
    const covered = new Set<string>();
    const body = form.rows.slice(0, shown).map((row, y) => {
      const tr = h("tr", y < (form.headerRows ?? 0) ? { class: "header-row" } : {});
      for (let x = 0; x < columns; x++) {
        if (covered.has(`${y} ${x}`)) continue;
        const c = asCell(row[x]);
        for (let dy = 0; dy < (c.rowSpan ?? 1); dy++) for (let dx = 0; dx < (c.colSpan ?? 1); dx++) covered.add(`${y + dy} ${x + dx}`);
        tr.append(this.field(c, y, x));
      }
      return tr;
    });
    this.grid.replaceChildren(h("thead", {}, head), h("tbody", {}, ...body));
    this.at = { row: Math.min(this.at.row, rows - 1), column: Math.min(this.at.column, columns - 1) };
    this.to = { row: Math.min(this.to.row, rows - 1), column: Math.min(this.to.column, columns - 1) };
    this.mark();
    if (kept) this.focus(kept);
  }

  private field(c: Cell, y: number, x: number): HTMLElement {
    const field = h("textarea", { class: "cell", value: c.content, attr: { "aria-label": `Row ${y + 1}, column ${x + 1}`, rows: String(Math.max(1, c.content.split("\n").length)) } });
    if (c.align) field.dataset["align"] = c.align;
    field.addEventListener("focus", () => this.choose({ row: y, column: x }));
    field.addEventListener("change", () => {
      if (field.value !== c.content) void this.edit({ action: "set_cell", row: y + 1, column: x + 1, cell: { content: field.value } });
    });
    field.addEventListener("pointerdown", (e) => {
      if (!e.shiftKey) return;
      e.preventDefault();
      this.to = { row: y, column: x };
      this.mark();
    });
    const td = h("td", { attr: { "data-place": `${y} ${x}`, ...(c.colSpan ? { colspan: String(c.colSpan) } : {}), ...(c.rowSpan ? { rowspan: String(c.rowSpan) } : {}) } }, field);
    if (c.isHeader) td.classList.add("header-cell");
    const hex = hexOf(c.background);
    if (hex) {
      const strip = h("span", { class: "cell-fill", title: `Fill ${hex}` });
      strip.style.background = hex;
      td.append(strip);
    }
    return td;
  }

  // Which cells.

  private choose(p: Place): void {
    this.at = this.to = p;
    this.mark();
  }

  private box(): { top: number; left: number; bottom: number; right: number } {
    const end = (p: Place) => {
      const c = this.cell(p);
      return { row: p.row + (c?.rowSpan ?? 1) - 1, column: p.column + (c?.colSpan ?? 1) - 1 };
    };
    const [a, b] = [end(this.at), end(this.to)];
    return { top: Math.min(this.at.row, this.to.row), left: Math.min(this.at.column, this.to.column), bottom: Math.max(a.row, b.row), right: Math.max(a.column, b.column) };
  }

  private cell(p: Place): Cell | undefined {
    const row = this.form.rows[p.row];
    return row && asCell(row[p.column]);
  }

  private mark(): void {
    const b = this.box();
    for (const td of this.grid.querySelectorAll<HTMLElement>("[data-place]")) {
      const [y, x] = td.dataset["place"]!.split(" ").map(Number) as [number, number];
      td.classList.toggle("chosen", y >= b.top && y <= b.bottom && x >= b.left && x <= b.right);
    }
    const c = this.cell(this.at);
    const many = b.bottom > b.top || b.right > b.left;
    const joined = (c?.colSpan ?? 1) > 1 || (c?.rowSpan ?? 1) > 1;
    const only = this.at.row === this.to.row && this.at.column === this.to.column;
    this.buttons["merge"]!.disabled = !many || (joined && only);
    this.buttons["split"]!.disabled = !joined;
    this.buttons["dropRow"]!.disabled = this.form.rows.length < 2;
    this.buttons["dropColumn"]!.disabled = Math.max(0, ...this.form.rows.map((r) => r.length)) < 2;
    this.buttons["undo"]!.disabled = this.back.length === 0;
    this.buttons["redo"]!.disabled = this.forth.length === 0;
    this.buttons["equal"]!.disabled = (this.form.columnWidths ?? []).length === 0;
    this.buttons["head"]!.setAttribute("aria-pressed", String(this.at.row < (this.form.headerRows ?? 0)));
    this.buttons["headCell"]!.setAttribute("aria-pressed", String(c?.isHeader === true));
    this.align.value = c?.align ?? "";
    this.vertical.value = c?.verticalAlign ?? "";
    this.fill.value = hexOf(c?.background) ?? "#ffffff";
    this.refreshTools();
  }

  private focused(): Place | undefined {
    const td = document.activeElement?.closest<HTMLElement>("[data-place]");
    if (!td || !this.grid.contains(td)) return undefined;
    const [row, column] = td.dataset["place"]!.split(" ").map(Number) as [number, number];
    return { row, column };
  }

  private focus(p: Place): void {
    const td = this.grid.querySelector<HTMLElement>(`[data-place="${p.row} ${p.column}"]`);
    td?.querySelector("textarea")?.focus();
  }

  private keys(e: KeyboardEvent): void {
    if (e.isComposing) return;
    if ((e.ctrlKey || e.metaKey) && !e.altKey && (e.key.toLowerCase() === "z" || e.key.toLowerCase() === "y")) {
      const field = e.target instanceof HTMLTextAreaElement ? e.target : undefined;
      if (field && field.value !== field.defaultValue) return; // what is being typed is the field's own to undo
      e.preventDefault();
      void (e.key.toLowerCase() === "y" || e.shiftKey ? this.redo() : this.undo());
      return;
    }
    const field = e.target;
    if (!(field instanceof HTMLTextAreaElement) || e.ctrlKey || e.metaKey || e.altKey) return;
    const p = this.focused();
    if (!p) return;
    const step = (dy: number, dx: number) => {
      e.preventDefault();
      if (e.shiftKey && e.key !== "Enter") {
        this.to = this.clamp({ row: this.to.row + dy, column: this.to.column + dx });
        this.mark();
        return;
      }
      const c = this.cell(p);
      const to = this.clamp({ row: p.row + (dy > 0 ? dy * (c?.rowSpan ?? 1) : dy), column: p.column + (dx > 0 ? dx * (c?.colSpan ?? 1) : dx) });
      this.focus(this.visible(to));
    };
    const start = field.selectionStart === 0 && field.selectionEnd === 0;
    const end = field.selectionStart === field.value.length && field.selectionEnd === field.value.length;
    const lines = field.value.includes("\n");
    if (e.key === "Enter" && !e.shiftKey) step(1, 0);
    else if (e.key === "ArrowUp" && (!lines || start)) step(-1, 0);
    else if (e.key === "ArrowDown" && (!lines || end)) step(1, 0);
    else if (e.key === "ArrowLeft" && start) step(0, -1);
    else if (e.key === "ArrowRight" && end) step(0, 1);
  }

  private clamp(p: Place): Place {
    const columns = Math.max(1, ...this.form.rows.map((r) => r.length));
    return { row: Math.max(0, Math.min(this.form.rows.length - 1, p.row)), column: Math.max(0, Math.min(columns - 1, p.column)) };
  }

  /** The place of the cell that covers a place. */
  private visible(p: Place): Place {
    for (let y = p.row; y >= 0; y--)
      for (let x = p.column; x >= 0; x--) {
        const c = this.cell({ row: y, column: x });
        if (c && y + (c.rowSpan ?? 1) > p.row && x + (c.colSpan ?? 1) > p.column && this.grid.querySelector(`[data-place="${y} ${x}"]`)) return { row: y, column: x };
      }
    return p;
  }

  // Changing.

  private edit(one: object, then?: Place): Promise<void> {
    return this.run({ tableEdits: [one] }, then);
  }

  private whole(form: TableForm): Promise<void> {
    return this.run({ table: form });
  }

  private run(change: TableChange, then?: Place, kind: "new" | "undo" | "redo" = "new"): Promise<void> {
    const done = this.queue.then(async () => {
      const was = await this.send(change);
      if (!was) return;
      if (kind === "new") {
        this.back.push(was);
        this.forth = [];
      } else (kind === "undo" ? this.forth : this.back).push(was);
      if (this.back.length > 100) this.back.shift();
      if (then) {
        this.choose(then);
        this.focus(this.visible(then));
      } else this.mark();
    });
    this.queue = done;
    return done;
  }

  private async undo(): Promise<void> {
    const form = this.back.pop();
    if (form) await this.run({ table: form }, undefined, "undo");
  }

  private async redo(): Promise<void> {
    const form = this.forth.pop();
    if (form) await this.run({ table: form }, undefined, "redo");
  }

  private set(members: object): Promise<void> {
    const b = this.box();
    const edits: object[] = [];
    for (let row = b.top; row <= b.bottom; row++)
      for (let column = b.left; column <= b.right; column++) {
        if (this.grid.querySelector(`[data-place="${row} ${column}"]`)) edits.push({ action: "set_cell", row: row + 1, column: column + 1, cell: members });
      }
    if (edits.length > 200) {
      this.say("At most 200 cells are changed at once: choose fewer.", "problem");
      return Promise.resolve();
    }
    return this.run({ tableEdits: edits });
  }

  private merge(): void {
    const b = this.box();
    void this.edit({ action: "merge", row: b.top + 1, column: b.left + 1, toRow: b.bottom + 1, toColumn: b.right + 1 }, { row: b.top, column: b.left });
  }

  /** The chosen row becomes the last of the header, or the first below it. */
  private header(): Promise<void> {
    const now = this.form.headerRows ?? 0;
    return this.whole({ ...this.form, headerRows: this.at.row < now ? this.at.row : this.at.row + 1 });
  }

  private width(column: number, text: string, columns: number): void {
    const value = Number(text.replace(",", "."));
    if (text.trim() !== "" && !(value > 0)) {
      this.say("A column's width is a number above 0, in proportion to the others.", "problem");
      this.show(this.form);
      return;
    }
    const have = this.form.columnWidths ?? [];
    const widths = Array.from({ length: columns }, (_, i) => have[i] ?? 1);
    widths[column] = text.trim() === "" ? 1 : value;
    void this.whole({ ...this.form, columnWidths: widths });
  }

  /** Cells pasted from a spreadsheet: TSV, or simple CSV. */
  private paste(e: ClipboardEvent): void {
    const cells = cellsOf(e.clipboardData?.getData("text/plain") ?? "");
    const p = this.focused();
    if (!cells || !p) return;
    e.preventDefault();
    e.stopPropagation();
    const rows = this.form.rows.length;
    const columns = Math.max(1, ...this.form.rows.map((r) => r.length));
    const edits: object[] = [];
    for (let y = rows; y < p.row + cells.length; y++) edits.push({ action: "insert_row" });
    for (let x = columns; x < p.column + Math.max(...cells.map((r) => r.length)); x++) edits.push({ action: "insert_column" });
    cells.forEach((row, y) => row.forEach((content, x) => edits.push({ action: "set_cell", row: p.row + y + 1, column: p.column + x + 1, cell: { content } })));
    if (edits.length > 200) {
      this.say("More than 200 cells are pasted as a table of their own: leave the table and paste there.", "problem");
      return;
    }
    void this.run({ tableEdits: edits }, p);
  }
}

/** The rows of a pasted table; undefined for a plain text. */
export function cellsOf(text: string): string[][] | undefined {
  const body = text.replace(/\r\n?/g, "\n").replace(/\n+$/, "");
  if (body.includes("\t")) return body.split("\n").map((l) => l.split("\t").map(unquote));
  const lines = body.split("\n");
  if (lines.length < 2) return undefined;
  const rows = lines.map(csv);
  const n = rows[0]!.length;
  return n > 1 && rows.every((r) => r.length === n) ? rows : undefined;
}

function csv(line: string): string[] {
  const mark = line.includes(";") && !line.includes(",") ? ";" : ",";
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    if (c === '"' && quoted && line[i + 1] === '"') cell += line[++i]!;
    else if (c === '"' && (quoted || cell === "")) quoted = !quoted;
    else if (c === mark && !quoted) {
      cells.push(cell.trim());
      cell = "";
    } else cell += c;
  }
  return [...cells, cell.trim()];
}

function unquote(s: string): string {
  return s.length > 1 && s.startsWith('"') && s.endsWith('"') ? s.slice(1, -1).replaceAll('""', '"') : s;
}

function asCell(c: string | Cell | undefined): Cell {
  return typeof c === "object" ? c : { content: c ?? "" };
}

function hexOf(v: unknown): string | undefined {
  const hex = typeof v === "object" && v !== null ? (v as { hex?: unknown }).hex : v;
  return typeof hex === "string" && /^#[0-9a-f]{6}/i.test(hex) ? hex.slice(0, 7).toLowerCase() : undefined;
}

export function options(list: [string, string][]): HTMLOptionElement[] {
  return list.map(([value, label]) => h("option", { value }, label));
}
