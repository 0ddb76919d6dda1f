// Every setting there is, by the groups and sections of the design: folds that are
// read when they are opened. The items of lists have folds of their own; they can be
// added and removed. Rows are those of the Design panel.
import { h, icon } from "../dom";
import type { Setting } from "./controls";

export interface Group {
  id: string;
  label: string;
  sections: { id: string; label: string; changed: number }[];
}

/** A field as the worker tells of it. */
export interface Field {
  path: string;
  label: string;
  setting?: Setting & { range?: string };
  takes?: string;
  /** It is there or not, as a drop cap is. */
  optional?: boolean;
  on?: boolean;
  list?: boolean;
  key?: string;
  items?: { path: string; label: string; stored?: boolean; changed: number }[];
  /** How many settings in it differ from what the book began with, what stood there
   *  then, and what came of it. */
  changed: number;
  was?: unknown;
  wasEffective?: unknown;
}

export interface Change {
  path: string;
  value: unknown;
}

/** What the panel does for the rows shown here. */
export interface Rows {
  /** Asks the worker for fields. */
  ask(args: object): Promise<{ ok: boolean; error?: string; groups?: Group[]; fields?: Field[]; changed?: { fields: Field[] }[] }>;
  /** The row of a setting. */
  add(field: Field): HTMLElement;
  /** So many settings are changed. */
  counted(n: number): void;
  /** The rows in an element are gone. */
  drop(inside: HTMLElement): void;
  /** Makes changes; what takes them back, undefined when they were refused. */
  change(changes: Change[]): Promise<Change[] | undefined>;
}

export interface Browser {
  element: HTMLElement;
  /** Says anew how much is set in each group and section. */
  refresh(): Promise<void>;
  /** Folds everything up: another book is open. */
  close(): void;
}

export function browser(rows: Rows): Browser {
  const element = h("section", { class: "setting-group all-settings" }, h("h3", {}, "All settings"));
  const counts = new Map<string, HTMLElement>();
  /** How many settings each section has changed. */
  const changed = new Map<string, number>();

  /** A fold that is filled when it is opened and emptied when it is closed. */
  const fold = (label: string, count: HTMLElement, load: () => Promise<Node[]>): { element: HTMLDetailsElement; reload: () => Promise<void> } => {
    const body = h("div", { class: "fold-body" });
    const element = h("details", { class: "fold" }, h("summary", {}, icon("down"), h("span", { class: "fold-label" }, label), count), body);
    const reload = async () => {
      const nodes = await load();
      rows.drop(body);
      body.replaceChildren(...nodes);
    };
    element.addEventListener("toggle", () => {
      if (element.open) void reload();
      else {
        rows.drop(body);
        body.replaceChildren();
      }
    });
    return { element, reload };
  };

  const badge = (changed: number, key?: string) => {
    const b = h("span", { class: "books-count fold-count" });
    say(b, changed);
    if (key) counts.set(key, b);
    return b;
  };

  const say = (b: HTMLElement, changed: number) => {
    b.textContent = changed === 0 ? "" : `${changed} changed`;
    b.hidden = changed === 0;
  };

  const show = (fields: Field[], reload: () => Promise<void>): Node[] => fields.map((f) => (f.setting ? rows.add(f) : f.list ? listOf(f, reload) : f.optional ? optional(f, reload) : fold(f.label, badge(f.changed), () => under({ path: f.path }).then((u) => u.nodes)).element));

  /** What is there or not: a switch, and its fields while it is there. */
  const optional = (f: Field, reload: () => Promise<void>): Node => {
    const id = `on-${f.path.replace(/[^A-Za-z0-9]+/g, "-")}`;
    const box = h("input", { class: "switch", type: "checkbox", id, attr: { role: "switch" } });
    box.checked = f.on === true;
    const made = fold(f.label, badge(f.changed), async () => {
      const row = h("div", { class: "setting" }, h("div", { class: "setting-name" }, h("label", { class: "setting-label", attr: { for: id } }, `With ${f.label.toLowerCase()}`)), h("span", {}), h("span", { class: "setting-control" }, box));
      return box.checked ? [row, ...(await under({ path: f.path }, reload)).nodes] : [row];
    });
    box.addEventListener("change", async () => {
      // A heading style without one has none though its level has.
      const off = f.path.startsWith("headingStyles") && f.path.endsWith(".dropCap") ? false : null;
      const back = await rows.change([{ path: f.path, value: box.checked ? {} : off }]);
      if (!back) box.checked = !box.checked;
      await made.reload();
      box.focus();
    });
    return made.element;
  };

  /** What stands in a section or under a path. */
  const under = async (args: { section?: string; path?: string }, reload: () => Promise<void> = async () => {}): Promise<{ nodes: Node[]; fields: Field[] }> => {
    const a = await rows.ask(args);
    if (!a.ok) return { nodes: [h("p", { class: "note" }, a.error ?? "That cannot be read.")], fields: [] };
    return { nodes: show((a.fields ?? []).filter(ofItsKind(a.fields ?? [])), reload), fields: a.fields ?? [] };
  };

  const listOf = (f: Field, reload: () => Promise<void>): Node => {
    const box = h("div", { class: "fold-list" }, h("h4", {}, f.label));
    for (const it of f.items ?? []) {
      const item = fold(it.label, badge(it.changed), async () => {
        const { nodes } = await under({ path: it.path }, () => item.reload());
        if (it.stored && f.key !== "level") {
          const remove = h("button", { class: "quiet", type: "button" }, icon("minus"), `Remove ${it.label}`);
          remove.addEventListener("click", () => void rows.change([{ path: it.path, value: null }]).then((back) => back && reload()));
          nodes.push(h("p", { class: "fold-acts" }, remove));
        }
        return nodes;
      });
      item.element.dataset["path"] = it.path;
      box.append(item.element);
    }
    if (f.key !== "level" || f.path.startsWith("toc.")) box.append(adder(f, reload));
    return box;
  };

  /** The field and button that add an item to a list. */
  const adder = (f: Field, reload: () => Promise<void>): HTMLElement => {
    const name = h("input", { class: "field", type: "text", placeholder: f.key === "level" ? "Level, 1 to 6" : "Name of the new one", attr: { "aria-label": `New in ${f.label}`, autocomplete: "off" } });
    const kind = h("select", { class: "field", attr: { "aria-label": "Kind" } }, ...["text", "rule", "box", "image"].map((k) => h("option", { value: k }, k)));
    const elements = f.path.endsWith("elements");
    const add = h("button", { class: "quiet", type: "button" }, icon("plus"), "Add");
    const put = async () => {
      const id = name.value.trim();
      if (f.key && id === "") return name.focus();
      const at = f.key ? `${f.key}=${id}` : String(f.items?.length ?? 0);
      const value = elements ? { kind: kind.value, placement: { anchor: { edge: "top-left" } } } : f.path.endsWith("tabStops") ? { position: "end" } : {};
      if (!(await rows.change([{ path: `${f.path}[${at}]`, value }]))) return;
      await reload();
      // The new one is there to be made: its fold opens.
      const made = element.querySelector<HTMLDetailsElement>(`details[data-path="${CSS.escape(`${f.path}[${at}]`)}"]`);
      if (!made) return;
      made.open = true;
      made.querySelector("summary")?.focus();
    };
    add.addEventListener("click", () => void put());
    name.addEventListener("keydown", (e) => {
      if (e.key === "Enter" && !e.isComposing) void put();
    });
    return h("p", { class: "fold-acts" }, f.key ? name : null, elements ? kind : null, add);
  };

  const section = (id: string, label: string): HTMLElement => {
    const made = fold(label, badge(changed.get(id) ?? 0, id), async () => {
      const { nodes, fields } = await under({ section: id }, () => made.reload());
      if (fields.some((f) => f.changed > 0)) nodes.push(resetting(label, fields, () => made.reload()));
      return nodes;
    });
    made.element.dataset["section"] = label;
    return made.element;
  };

  const resetting = (label: string, fields: Field[], reload: () => Promise<void>): HTMLElement => {
    const reset = h("button", { class: "quiet", type: "button" }, icon("undo"), `Reset ${label}`);
    const box = h("p", { class: "fold-acts" }, reset);
    reset.addEventListener("click", async () => {
      const a = await rows.ask({ changed: true });
      const inside = (path: string) => fields.some((f) => path === f.path || path.startsWith(`${f.path}.`) || path.startsWith(`${f.path}[`));
      const changes = (a.changed ?? []).flatMap((c) => c.fields).filter((x) => inside(x.path));
      const back = changes.length > 0 && (await rows.change(changes.map((x) => ({ path: x.path, value: x.was ?? null }))));
      if (!back) return;
      const undo = h("button", { class: "quiet", type: "button" }, icon("redo"), `Give ${label} back`);
      undo.addEventListener("click", () => void rows.change(back).then((done) => done && reload()));
      await reload();
      box.replaceChildren(undo);
      element.querySelector(`[data-section="${CSS.escape(label)}"]`)?.append(box);
      undo.focus();
    });
    return box;
  };

  const refresh = async () => {
    const { groups } = await rows.ask({});
    if (!groups) return;
    let total = 0;
    for (const g of groups) {
      let all = 0;
      for (const s of g.sections) {
        changed.set(s.id, s.changed);
        all += s.changed;
        const b = counts.get(s.id);
        if (b) say(b, s.changed);
      }
      const key = `group ${g.id}`;
      if (!counts.has(key)) element.append(fold(g.label, badge(0, key), async () => g.sections.map((s) => section(s.id, s.label))).element);
      say(counts.get(key)!, all);
      total += all;
    }
    rows.counted(total);
  };

  const close = () => {
    for (const d of element.querySelectorAll<HTMLDetailsElement>("details[open]")) d.open = false;
  };
  return { element, refresh, close };
}

/** What the elements of running heads and designs have beside what all have. */
const elementFields: Record<string, string[]> = { rule: ["direction", "color", "thickness"], box: ["style"], image: ["resourceId", "decorative"] };
const anyElement = ["id", "kind", "parity", "pages", "reserve", "placement"];
const notText = ["thickness", "style", "resourceId", "decorative"];

/** Which fields belong to an element of its kind; of anything else all do. */
function ofItsKind(fields: Field[]): (f: Field) => boolean {
  const kind = fields.find((f) => /\.elements\[[^\]]*\]\.kind$/.test(f.path))?.setting?.effective as string | undefined;
  if (!kind) return () => true;
  const own = elementFields[kind];
  return (f) => {
    const name = f.path.slice(f.path.lastIndexOf(".") + 1);
    if (name === "reserve") return f.path.includes("advancedDesign") || f.changed > 0;
    return f.changed > 0 || (own ? own.includes(name) || anyElement.includes(name) : !notText.includes(name));
  };
}

/** What a setting does, its bounds, and where it takes its value from. */
export function help(f: Field): string {
  const parts = [f.setting?.about ?? ""];
  if (f.setting?.range && !f.setting.enum && f.setting.type !== "length") parts.push(`Possible: ${f.setting.range}.`);
  if (f.takes) parts.push(`Unless set: ${f.takes}.`);
  return parts.filter(Boolean).join(" ");
}
