// The Design panel: the settings most used, and a search over all of them.
//
// A row reads its setting with sandbox_get_config and changes it with
// sandbox_set_config, so that a person and an agent see and do the same. What an
// agent changes shows here as soon as the book's revision moves.
import { h, icon, setText } from "../dom";
import { browser, help, type Change, type Field } from "./browse";
import { control, lengthOf, written, type Control, type Entry as Swatch, type Setting } from "./controls";
import { designPicker } from "./designs";
import { pageCard } from "./pagecard";
import { paletteActions } from "./palette";
import { frame, type App, type Panel } from "./panel";

interface Outcome {
  ok: boolean;
  error?: string;
  changed: { path: string; from: unknown; to: unknown }[];
  notes?: { path: string; note: string }[];
}

/** What the panel knows of the settings it shows, by path. */
type Known = Map<string, Setting>;

/** What the worker tells of the settings ("design"). */
interface Told {
  ok: boolean;
  error?: string;
  fields?: Field[];
  changed?: { section: string; group: string; fields: Field[] }[];
  note?: string;
}

interface Entry {
  path: string;
  /** The panel's own label; a function where it depends on other settings. */
  label: string | ((k: Known) => string);
  /** Shown only when this holds. */
  when?: (k: Known) => boolean;
  about?: string;
}

const value = (k: Known, path: string): unknown => k.get(path)?.effective;
const mirrored = (k: Known) => value(k, "page.margins.mirror") === true;

/** The settings shown without a search, by group. */
const common: { group: string; settings: Entry[] }[] = [
  {
    group: "Page",
    settings: [
      { path: "page.sizePreset", label: "Size" },
      { path: "page.width", label: "Width", when: (k) => value(k, "page.sizePreset") === "custom" },
      { path: "page.height", label: "Height", when: (k) => value(k, "page.sizePreset") === "custom" },
      { path: "page.margins.top", label: "Top margin" },
      { path: "page.margins.bottom", label: "Bottom margin" },
      { path: "page.margins.left", label: (k) => (mirrored(k) ? "Inner margin" : "Left margin") },
      { path: "page.margins.right", label: (k) => (mirrored(k) ? "Outer margin" : "Right margin") },
      { path: "page.margins.mirror", label: "Mirror margins" },
      { path: "layout.layoutType", label: "Columns" },
      { path: "layout.gutterWidth", label: "Gutter", when: (k) => value(k, "layout.layoutType") !== "single" },
    ],
  },
  {
    group: "Body text",
    settings: [
      { path: "bodyText.fontFamily", label: "Typeface" },
      { path: "bodyText.fontSize", label: "Size" },
      { path: "bodyText.lineHeight", label: "Leading" },
      { path: "bodyText.textAlign", label: "Alignment" },
      { path: "bodyText.hyphenation.enabled", label: "Hyphenation" },
      { path: "bodyText.firstLineIndent", label: "First-line indent" },
    ],
  },
  {
    group: "Headings",
    settings: [
      { path: "headings.fontFamily", label: "Typeface" },
      { path: "headings.levels[level=1].fontSize", label: "Chapter title" },
      { path: "headings.levels[level=2].fontSize", label: "Section title" },
      { path: "headings.levels[level=1].breakBefore.parity", label: "Chapters begin on" },
    ],
  },
  {
    group: "Page numbers",
    settings: [{ path: "page.pageNumbering.startAt", label: "First page number" }],
  },
];

const colours = "Colours";
const isPalette = /^colorPalette\[id=([^\]]+)\]\.value$/;

const places = new Map(common.flatMap((g) => g.settings).map((s, i) => [s.path, i]));

/** What wins over a named size. */
const sides = ["page.width", "page.height"];

/** Changes of one setting this close together are taken back as one. */
const together = 3000;

/** One setting on the panel. */
interface Row {
  entry: Entry;
  box: HTMLElement;
  label: HTMLLabelElement;
  note: HTMLElement;
  undo: HTMLButtonElement;
  reset: HTMLButtonElement;
  control: Control | undefined;
  shown: string;
  /** What it is now against what the book began with. */
  field: Field | undefined;
}

/** A change that can be taken back. */
interface Step {
  back: Change[];
  to: string;
  at: number;
}

export function designPanel(app: App): Panel {
  const designs = designPicker(app, () => refresh(true));
  const f = frame("Design", designs.button, designs.more);
  const search = h("input", { class: "search", type: "search", placeholder: "Search settings", attr: { "aria-label": "Search settings", autocomplete: "off", spellcheck: "false" } });
  const card = pageCard();
  const found = h("p", { class: "found for-readers", attr: { role: "status" } });
  const results = h("div", { class: "settings" });
  const onlyChanged = h("button", { class: "quiet only-changed", type: "button", disabled: true, attr: { "aria-pressed": "false" } }, "Changed");
  f.body.append(h("div", { class: "search-row" }, h("div", { class: "search-box" }, icon("search"), search), onlyChanged), found, designs.box, card.element, results);

  let families: string[] = [];
  let palette: Swatch[] = [];
  let rows: Row[] = [];
  /** The rows in the folds of all settings. */
  const open: Row[] = [];
  let visible = false;
  let seen = -1;
  let asked = 0;
  const known: Known = new Map();
  const fields = new Map<string, Field>();
  /** Shown: the settings most used, those found by words, or those that changed. */
  let changedOnly = false;
  const steps = new Map<string, Step[]>();
  /** Changes on their way: at most one call at a time, the latest value waits. */
  const waiting = new Map<string, { row: Row; changes: Change[] }>();
  let sending = false;

  let site: string[] = [];
  /** The families to choose from: the book's own first, then those it uses and the site's. */
  const loadFamilies = async () => {
    try {
      if (site.length === 0) site = ((await (await fetch("/fonts/index.json")).json()) as { family: string }[]).map((x) => x.family);
    } catch (e) {
      app.announce(`The list of typefaces could not be loaded: ${String(e)}`, "problem");
    }
    const own = await app.port.tool<{ ok: boolean; custom?: { family: string }[]; inUse?: { family: string }[] }>("sandbox_list_fonts", { limit: 1 });
    families = [...new Set([...(own.custom ?? []).map((c) => c.family), ...site, ...(own.inUse ?? []).map((u) => u.family)])];
  };

  // Changing.

  const put = (row: Row, v: unknown) => {
    const changes: Change[] = [{ path: row.entry.path, value: v }];
    if (row.entry.path === "page.sizePreset") {
      // A width and a height of its own would win over the named size.
      for (const path of sides) changes.push({ path, value: v === "custom" ? value(known, path) : null });
    }
    post(row, changes);
  };

  /** Back to what the book began with. */
  const reset = (row: Row) => {
    const changes: Change[] = [{ path: row.entry.path, value: row.field?.was ?? null }];
    if (row.entry.path === "page.sizePreset") for (const path of sides) changes.push({ path, value: fields.get(path)?.changed ? (fields.get(path)!.was ?? null) : (known.get(path)?.set ?? null) });
    post(row, changes);
  };

  const post = (row: Row, changes: Change[]) => {
    waiting.set(row.entry.path, { row, changes });
    void send();
  };

  const send = async () => {
    if (sending) return;
    sending = true;
    try {
      for (let next = [...waiting][0]; next; next = [...waiting][0]) {
        const [path, { row, changes }] = next;
        waiting.delete(path);
        const a = await app.port.tool<Outcome>("sandbox_set_config", { changes, wait: false });
        if (!a.ok) {
          say(row, a.error ?? "That was refused.", true);
          row.shown = "";
          continue;
        }
        const mine = a.changed.find((c) => c.path === path);
        say(row, a.notes?.find((n) => n.path === path)?.note ?? "", false);
        if (mine) stepped(path, { back: a.changed.map((c) => ({ path: c.path, value: c.from })), to: JSON.stringify(mine.to), at: performance.now() });
      }
    } finally {
      sending = false;
    }
    await refresh(true);
  };

  const stepped = (path: string, step: Step) => {
    const list = steps.get(path) ?? [];
    const last = list.at(-1);
    if (last && step.at - last.at < together) Object.assign(last, { to: step.to, at: step.at });
    else list.push(step);
    steps.set(path, list.slice(-50));
  };

  const takeBack = async (row: Row) => {
    const step = steps.get(row.entry.path)?.pop();
    if (!step) return;
    const a = await app.port.tool<Outcome>("sandbox_set_config", { changes: step.back, wait: false });
    say(row, a.ok ? "" : (a.error ?? "That was refused."), !a.ok);
    await refresh(true);
    if (row.undo.hidden && document.activeElement === document.body) row.box.querySelector<HTMLElement>("input, select")?.focus();
  };

  const say = (row: Row, text: string, problem: boolean) => {
    setText(row.note, text);
    row.note.hidden = text === "";
    row.note.classList.toggle("problem", problem);
    if (problem) app.announce(text, "problem");
  };

  // Showing.

  const makeRow = (entry: Entry, prefix = "set"): Row => {
    const id = `${prefix}-${entry.path.replace(/[^A-Za-z0-9]+/g, "-")}`;
    const label = h("label", { class: "setting-label", attr: { for: id } });
    const undo = h("button", { class: "quiet undo", type: "button", hidden: true }, icon("undo"), "Undo");
    const dot = h("button", { class: "reset", type: "button", hidden: true });
    const note = h("p", { class: "setting-note", hidden: true, attr: { role: "status" } });
    const about = entry.about ? h("p", { class: "setting-about", id: `${id}-about` }, entry.about) : null;
    const box = h("div", { class: "setting", hidden: true }, h("div", { class: "setting-name" }, label, about), h("div", { class: "setting-acts" }, undo, dot), note);
    const row: Row = { entry, box, label, note, undo, reset: dot, control: undefined, shown: "", field: undefined };
    undo.addEventListener("click", () => void takeBack(row));
    dot.addEventListener("click", () => reset(row));
    return row;
  };

  const draw = (row: Row) => {
    const field = fields.get(row.entry.path) ?? row.field;
    const s = field?.setting ?? known.get(row.entry.path);
    const show = (s !== undefined || field !== undefined) && (row.entry.when?.(known) ?? true);
    row.box.hidden = !show;
    if (!show) return;
    row.field = field;
    const name = typeof row.entry.label === "string" ? row.entry.label : row.entry.label(known);
    setText(row.label, name);
    const changed = (field?.changed ?? 0) > 0;
    row.box.classList.toggle("is-set", changed);
    const focused = row.reset === document.activeElement;
    row.reset.hidden = !changed;
    row.reset.title = `${name}: changed; press to go back to ${field?.was === undefined && field?.wasEffective === undefined ? "what it was" : written(field.wasEffective ?? field.was)}`;
    row.reset.setAttribute("aria-label", `Reset ${name}`);
    if (focused && !changed) row.box.querySelector<HTMLElement>("input, select")?.focus();
    if (!s) {
      // An item of a list is there or not: its own fields are among all settings.
      if (!row.control) {
        const word = h("span", { class: "setting-control setting-word" }, field?.was ? "taken out" : "added");
        row.note.before(word);
        row.control = { element: word, show: () => true };
      }
      return;
    }
    row.label.title = s.about ?? "";
    drawUndo(row, s, name);
    if (waiting.has(row.entry.path)) return; // a newer value is on its way
    const now = JSON.stringify([s.set, s.effective, families.join(), palette]);
    if (now === row.shown) return;
    row.shown = now;
    if (row.control?.show(s)) return;
    const id = row.label.htmlFor;
    const fresh = control(s, id, (v) => put(row, v), families, () => palette, start);
    if (row.entry.about) fresh.element.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.setAttribute("aria-describedby", `${id}-about`);
    if (row.control) row.control.element.replaceWith(fresh.element);
    else row.note.before(fresh.element);
    fresh.element.classList.add("setting-control");
    row.control = fresh;
  };

  /** What a length that is set nowhere is stepped from. */
  const start = (path: string) => lengthOf(value(known, /fontSize$/i.test(path) ? "bodyText.fontSize" : /lineHeight$/i.test(path) ? "bodyText.lineHeight" : ""));

  const drawUndo = (row: Row, s: Setting, name: string) => {
    const list = steps.get(row.entry.path) ?? [];
    // Somebody else has changed it since: what was before is not ours to restore.
    // A value that equals the default is not stored.
    const now = JSON.stringify(s.set ?? null);
    const ours = (x: Step) => x.to === now || (now === "null" && x.to === JSON.stringify(s.effective));
    if (list.length > 0 && !sending && !ours(list.at(-1)!)) list.length = list.findLastIndex(ours) + 1;
    const last = list.at(-1);
    row.undo.hidden = !last;
    if (!last) return;
    const was = last.back.find((b) => b.path === row.entry.path)?.value;
    row.undo.title = `${name} was ${written(was)}`;
    row.undo.setAttribute("aria-description", row.undo.title);
  };

  const ask = async (args: object): Promise<Told> => JSON.parse((await app.port.cmd("design", { ...args, taken: designs.taken() })).json) as Told;

  const refresh = async (force = false) => {
    const book = app.state.book;
    if (!visible || !book?.ready || (!force && seen === book.revision)) return;
    seen = book.revision;
    await Promise.all([designs.refresh(), loadFamilies()]);
    if (changedOnly && !(await listChanged())) return;
    const mine = rows;
    const paths = [...new Set([...mine, ...open].map((r) => r.entry.path).concat(card.paths))];
    const [told, colors] = await Promise.all([ask({ paths }), app.port.tool<{ ok: boolean } & Setting>("sandbox_get_config", { path: "colorPalette" })]);
    if (!told.ok) return app.announce(told.error ?? "The settings cannot be read", "problem");
    known.clear();
    fields.clear();
    for (const field of told.fields ?? []) {
      fields.set(field.path, field);
      if (field.setting) known.set(field.path, field.setting);
    }
    const entries = (colors.ok ? colors.effective : []) as { id: string; name?: string; value?: { hex?: string } | string }[] | null;
    const before = palette.map((e) => e.id + e.name).join();
    palette = (entries ?? []).map((e) => ({ id: e.id, name: e.name ?? e.id, hex: (typeof e.value === "object" ? e.value?.hex : e.value) ?? "" }));
    for (const r of open) draw(r);
    void all.refresh();
    card.draw(known);
    if (mine !== rows) return;
    if (search.value.trim() === "" && !changedOnly && before !== palette.map((e) => e.id + e.name).join()) return list(usual());
    for (const r of mine) draw(r);
  };

  const all = browser({
    ask,
    add(field) {
      const row = makeRow({ path: field.path, label: field.label, about: help(field) }, "all");
      row.field = field;
      fields.delete(field.path);
      open.push(row);
      draw(row);
      return row.box;
    },
    counted(n) {
      onlyChanged.disabled = n === 0 && !changedOnly;
      setText(onlyChanged, n === 0 ? "Changed" : `Changed ${n}`);
      onlyChanged.title = changedOnly ? "Show the usual settings" : "Show only what is changed";
      designs.counted(n);
    },
    drop(inside) {
      for (const row of open.filter((r) => inside.contains(r.box))) open.splice(open.indexOf(row), 1);
    },
    change: (changes) => change(changes),
  });
  const change = async (changes: Change[]): Promise<Change[] | undefined> => {
    const back: Change[] = [];
    // A call takes a hundred of them.
    for (let i = 0; i < changes.length; i += 100) {
      const a = await app.run<Outcome>("sandbox_set_config", { changes: changes.slice(i, i + 100), wait: false });
      if (!a) return undefined;
      back.push(...a.changed.map((c) => ({ path: c.path, value: c.from })));
    }
    await refresh(true);
    return back;
  };
  const colourActions = paletteActions(app, change, () => palette);
  f.body.append(all.element);

  /** The groups shown without a search: the most used settings, and the palette. */
  const usual = (): { group: string; settings: Entry[] }[] => {
    const entries: Entry[] = [...palette.map((e) => ({ path: `colorPalette[id=${e.id}].value`, label: e.name })), { path: "bodyText.color", label: "Text" }];
    return [...common.slice(0, -1), { group: colours, settings: entries }, ...common.slice(-1)];
  };

  const list = (groups: { group: string; settings: Entry[] }[]) => {
    rows = [];
    results.replaceChildren(
      ...groups.map(({ group, settings }) =>
        h(
          "section",
          { class: "setting-group" },
          h("h3", {}, group),
          ...settings.map((entry) => {
            const row = makeRow(entry);
            const id = group === colours && isPalette.exec(entry.path)?.[1];
            const e = id && palette.find((e) => e.id === id);
            if (e) row.reset.after(colourActions.actions(e, row.box));
            rows.push(row);
            draw(row);
            return row.box;
          }),
          group === colours && colourActions.adder,
        ),
      ),
    );
    void refresh(true);
  };

  // What is changed.

  let listed = "";
  /** Lists what is changed; false when that shows other rows than before, which it
   *  then draws. */
  const listChanged = async (): Promise<boolean> => {
    const told = await ask({ changed: true });
    const groups = (told.changed ?? []).map((c) => ({ group: c.section, settings: c.fields.map((x) => ({ path: x.path, label: x.label, about: placed(x.path, x.setting?.about) })) }));
    const key = JSON.stringify(groups);
    if (key === listed) return true;
    listed = key;
    setText(found, told.note ?? "");
    if (groups.length === 0) {
      rows = [];
      results.replaceChildren(h("p", { class: "note" }, "Nothing is changed."));
      return false;
    }
    list(groups);
    for (const c of told.changed ?? []) {
      for (const x of c.fields) {
        const row = rows.find((r) => r.entry.path === x.path);
        if (row) row.field = x;
      }
    }
    for (const r of rows) draw(r);
    return false;
  };

  const showChanged = (on: boolean) => {
    changedOnly = on;
    listed = "";
    onlyChanged.setAttribute("aria-pressed", String(on));
    f.body.classList.toggle("searching", on);
    f.body.classList.toggle("only-changes", on);
    if (on) void refresh(true);
    else list(usual());
  };
  onlyChanged.addEventListener("click", () => {
    search.value = "";
    showChanged(!changedOnly);
  });

  // Searching.

  const find = async () => {
    const query = search.value.trim();
    const mine = ++asked;
    if (changedOnly) showChanged(false);
    f.body.classList.toggle("searching", query !== "");
    if (query === "") {
      setText(found, "");
      list(usual());
      return;
    }
    const a = await app.port.tool<{ ok: boolean; error?: string; paths?: { path: string; label?: string; about?: string }[] }>("sandbox_find_setting", { query, limit: 40 });
    if (mine !== asked) return;
    // Paths with an ellipsis name entries this book does not have yet. What the
    // panel itself offers comes first, in its own order.
    const own = (p: { path: string }) => places.get(p.path) ?? places.size;
    const paths = (a.paths ?? []).filter((p) => !p.path.includes("…")).sort((x, y) => own(x) - own(y));
    setText(found, paths.length === 1 ? "One setting" : `${paths.length} settings`);
    if (!a.ok || paths.length === 0) {
      rows = [];
      results.replaceChildren(h("p", { class: "note" }, a.error ?? `No setting answers to “${query}”. Another word for it may do: every setting has a name, an explanation and the words of the trade.`));
      return;
    }
    const groups = new Map<string, Entry[]>();
    for (const p of paths) {
      const key = p.path.split(/[.[]/)[0] ?? "";
      const about = placed(p.path, p.about);
      groups.set(key, [...(groups.get(key) ?? []), { path: p.path, label: p.label ?? p.path, ...(about ? { about } : {}) }]);
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
      e.preventDefault();
      e.stopPropagation();
      search.value = "";
      void find();
    }
  });

  // Undo from the keyboard takes back what was set last in the row, unless the field
  // itself has something typed to undo.
  f.body.addEventListener("input", (e) => ((e.target as HTMLElement).dataset["typed"] = ""));
  f.body.addEventListener("change", (e) => delete (e.target as HTMLElement).dataset["typed"]);
  f.body.addEventListener("keydown", (e) => {
    if (!(e.ctrlKey || e.metaKey) || e.shiftKey || e.altKey || e.key.toLowerCase() !== "z" || e.isComposing) return;
    const target = e.target as HTMLElement;
    const row = [...rows, ...open].find((r) => r.box.contains(target));
    if (!row || row.undo.hidden || target.dataset["typed"] !== undefined) return;
    e.preventDefault();
    void takeBack(row);
  });

  app.state.listen(({ book }, before) => {
    if (book && before.book && book.book.id !== before.book.book.id) {
      steps.clear();
      known.clear();
      all.close();
      search.value = "";
      void find();
    }
    void refresh();
  });
  list(usual());
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

/** Where in the lists a path is, and what it does. */
function placed(path: string, about: string | undefined): string {
  return [place(path), about].filter(Boolean).join(": ");
}

/** Which entry of a list a path is in: "level 2", "titleOdd". */
function place(path: string): string {
  return [...path.matchAll(/\[(\w+)=([^\]]+)\]/g)].map((m) => (m[1] === "id" ? m[2]! : `${m[1]} ${m[2]}`)).join(", ");
}
