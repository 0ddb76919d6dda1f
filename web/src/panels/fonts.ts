// The Fonts panel: the typefaces of the book, each set in itself, the font files
// it brings along, and the open catalogue.
import { h, icon, iconButton, setText } from "../dom";
import { attachMenu } from "../menu";
import { count } from "../state";
import { base64, chooseFiles, takeFiles } from "./files";
import { frame, type App, type Panel } from "./panel";

interface Used {
  family: string;
  role: string;
  source: "file" | "catalogue" | "missing";
  weights: number[];
  loaded: boolean;
  setIn?: string;
}

interface Variant {
  weight: number;
  style: "normal" | "italic";
  format?: string;
  fileName?: string;
  bytes?: number;
  problem?: string;
}

interface Own {
  family: string;
  redistributable: boolean;
  variants: Variant[];
}

interface Family {
  family: string;
  category: string;
  weights: number[];
  italics?: boolean;
  scripts?: string[];
  licence?: string;
  here: boolean;
}

interface FontList {
  inUse: Used[];
  custom: Own[];
  catalogue: Family[];
  total: number;
  note?: string;
}

interface SiteFont {
  family: string;
  weight: number;
  italic: boolean;
  file: string;
}

const accept = ".woff2,.woff,.ttf,.otf,.ttc,font/woff2,font/woff,font/ttf,font/otf";
const roles: { label: string; path: string; role: string }[] = [
  { label: "Body text", path: "bodyText.fontFamily", role: "Body text" },
  { label: "Headings", path: "headings.fontFamily", role: "Headings" },
];

export function fontsPanel(app: App): Panel {
  const make = h("button", { class: "quiet", type: "button", on: { click: () => void chooseFiles(accept, true).then(add) } }, icon("plus"), "Add font file");
  const f = frame("Fonts", make);
  const said = h("p", { class: "note", hidden: true, attr: { role: "status" } });
  const used = h("ul", { class: "book-list" });
  const pickers = h("div", { class: "font-pickers" });
  const ownTitle = h("h3", { class: "books-title" }, "Your font files");
  const own = h("ul", { class: "book-list" });
  const search = h("input", { class: "search", type: "search", placeholder: "Search the catalogue", attr: { "aria-label": "Search the font catalogue", autocomplete: "off", spellcheck: "false" } });
  const found = h("p", { class: "note", attr: { role: "status" } });
  const catalogue = h("ul", { class: "book-list" });
  f.body.append(
    said,
    h("h3", { class: "books-title" }, "Typefaces in this book"),
    used,
    pickers,
    ownTitle,
    own,
    h("h3", { class: "books-title" }, "Catalogue"),
    h("div", { class: "search-box" }, icon("search"), search),
    found,
    catalogue,
  );
  takeFiles(f.element, (files) => void add(files));

  const selects = new Map<string, HTMLSelectElement>();
  for (const r of roles) {
    const id = `font-${r.path.replace(".", "-")}`;
    const select = h("select", { class: "field", id });
    select.addEventListener("change", () => void choose(r.path, select.value));
    selects.set(r.path, select);
    pickers.append(h("div", { class: "figure-field" }, h("label", { attr: { for: id } }, r.label), select));
  }

  let visible = false;
  let seen = -1;
  let drawn = "";
  let site: SiteFont[] = [];
  let last: FontList | undefined;
  /** Faces this window has loaded to show families in themselves. */
  const faces = new Map<string, Promise<string>>();

  const tell = (text: string) => {
    setText(said, text);
    said.hidden = text === "";
  };

  const load = async (force = false) => {
    const book = app.state.book;
    if (!visible || !book?.ready || (!force && seen === book.revision)) return;
    seen = book.revision;
    if (site.length === 0) {
      try {
        site = (await (await fetch("/fonts/index.json")).json()) as SiteFont[];
      } catch (e) {
        app.announce(`The list of typefaces could not be loaded: ${String(e)}`, "problem");
      }
    }
    const a = await app.run<FontList>("sandbox_list_fonts", { limit: 1 });
    if (!a) return;
    last = a;
    draw(a);
  };

  const draw = (a: FontList) => {
    const key = JSON.stringify([a.inUse, a.custom, site.length]);
    if (key === drawn) return;
    drawn = key;
    const focus = document.activeElement?.closest<HTMLElement>("[data-font]")?.dataset["font"];
    used.replaceChildren(...a.inUse.map(usedRow));
    own.replaceChildren(...a.custom.map(ownRow));
    ownTitle.hidden = own.hidden = a.custom.length === 0;
    for (const r of roles) {
      const select = selects.get(r.path)!;
      const now = a.inUse.find((u) => u.role === r.role)?.family ?? a.inUse.find((u) => u.role === "Body text")?.family ?? "";
      const custom = a.custom.map((c) => c.family);
      const rest = [...new Set([...site.map((s) => s.family), ...a.inUse.map((u) => u.family)])].filter((n) => !custom.includes(n));
      const group = (label: string, names: string[]) => {
        const g = h("optgroup", {}, ...names.map((n) => h("option", { value: n }, n)));
        g.label = label;
        return g;
      };
      select.replaceChildren(...(custom.length ? [group("Custom", custom)] : []), group("Of the site", rest));
      select.value = now;
    }
    if (focus) f.body.querySelector<HTMLElement>(`[data-font="${CSS.escape(focus)}"] button`)?.focus();
  };

  /** A family's name set in the family itself, as soon as it is there. */
  const specimen = (family: string): HTMLElement => {
    const name = h("span", { class: "font-name" }, h("bdi", {}, family));
    void face(family).then((as) => {
      if (as) name.style.fontFamily = `"${as}", var(--font-serif)`;
    });
    return name;
  };

  const face = (family: string): Promise<string> => {
    const mine = last?.custom.find((c) => c.family === family);
    const v = mine?.variants.find((x) => x.weight === 400 && x.style === "normal") ?? mine?.variants[0];
    const key = mine ? `${family} ${v?.fileName} ${v?.bytes}` : family;
    let loading = faces.get(key);
    if (!loading) {
      loading = fetchFace(family, v).catch(() => "");
      faces.set(key, loading);
    }
    return loading;
  };

  const fetchFace = async (family: string, own: Variant | undefined): Promise<string> => {
    let bytes: ArrayBuffer | undefined;
    if (own) bytes = (await app.port.cmd("face", { family, weight: own.weight, italic: own.style === "italic" })).buffers[0];
    else {
      const of = site.filter((s) => s.family === family && !s.italic);
      const best = of.find((s) => s.weight === 400) ?? of[0];
      if (best) bytes = await (await fetch(`/fonts/${encodeURIComponent(best.file)}`)).arrayBuffer();
    }
    if (!bytes) return "";
    const as = `book ${family.replace(/["\\]/g, "")} ${faces.size}`;
    const loaded = await new FontFace(as, bytes).load();
    document.fonts.add(loaded);
    return as;
  };

  const usedRow = (u: Used): HTMLElement =>
    h(
      "li",
      { class: "font" },
      h("span", { class: "font-text" }, specimen(u.family), h("span", { class: "book-facts" }, [u.role, u.setIn ? `not on this server: set in ${u.setIn}` : u.source === "file" ? "your file" : u.source === "missing" ? "cannot be had: another stands in" : u.loaded ? "of the site" : "catalogue", u.weights.length ? u.weights.join(", ") : ""].filter(Boolean).join(" · "))),
    );

  const ownRow = (o: Own): HTMLElement => {
    const more = iconButton("more", `Actions for ${o.family}`, () => {});
    const item = h(
      "li",
      { class: "font", attr: { "data-font": o.family } },
      h(
        "span",
        { class: "font-text" },
        specimen(o.family),
        ...o.variants.map((v) => h("span", { class: v.problem ? "book-facts problem" : "book-facts" }, `${v.weight} ${v.style === "italic" ? "italic" : "upright"} · ${v.fileName ?? v.format ?? ""}${v.bytes ? ` · ${Math.ceil(v.bytes / 1024)} KB` : ""}${v.problem ? ` · ${v.problem}` : ""}`)),
        o.redistributable ? null : h("span", { class: "book-facts" }, "stays here: never goes out in a file"),
      ),
      more,
    );
    attachMenu(more, {
      label: `Actions for ${o.family}`,
      fill(box, close) {
        const act = (label: string, run: () => void) => box.append(h("button", { class: "menu-item", type: "button", on: { click: () => { close(); run(); } } }, label));
        act("Use for the body text", () => void choose("bodyText.fontFamily", o.family));
        act("Use for the headings", () => void choose("headings.fontFamily", o.family));
        act("Rename…", () => rename(o, item));
        act(o.redistributable ? "Keep out of exported files" : "May go out in files", () => void change({ action: "set_redistributable", family: o.family, redistributable: !o.redistributable }));
        for (const v of o.variants.length > 1 ? o.variants : []) act(`Remove ${v.weight} ${v.style === "italic" ? "italic" : "upright"}`, () => void change({ action: "remove", family: o.family, weight: v.weight, style: v.style }, `${v.fileName ?? "The file"} is removed`));
        act("Remove the family", () => void change({ action: "remove_family", family: o.family }, `${o.family} is removed`));
      },
    });
    return item;
  };

  const rename = (o: Own, item: HTMLElement) => {
    const name = h("input", { class: "field", type: "text", value: o.family, attr: { "aria-label": "Name of the family", maxlength: "100" } });
    let done = false;
    const end = async (commit: boolean) => {
      if (done) return;
      done = true;
      const to = name.value.trim();
      if (commit && to !== "" && to !== o.family) await change({ action: "rename", family: o.family, newFamily: to }, `The family is called ${to} now`);
      drawn = "";
      if (last) draw(last);
    };
    name.addEventListener("keydown", (e) => {
      if (e.isComposing) return;
      if (e.key === "Enter") void end(true);
      if (e.key === "Escape") {
        e.stopPropagation();
        void end(false);
      }
    });
    name.addEventListener("blur", () => void end(true));
    item.replaceChildren(name);
    name.focus();
    name.select();
  };

  const change = async (args: object, text?: string) => {
    const a = await app.run<{ notes?: string[] }>("sandbox_save_font", { ...args, wait: false });
    if (!a) return undefined;
    if (text) app.announce(text);
    await load(true);
    return a;
  };

  const choose = async (path: string, family: string) => {
    const a = await app.run<{ notes?: { note: string }[] }>("sandbox_set_config", { changes: [{ path, value: family }], wait: false });
    drawn = ""; // a refused choice goes back
    await load(true);
    if (a) app.announce(`${path.startsWith("body") ? "The body text is" : "The headings are"} set in ${family}`);
  };

  const add = async (files: File[]) => {
    const notes: string[] = [];
    let added = 0;
    for (const file of files) {
      const data = await base64(file);
      const n = JSON.parse((await app.port.cmd("fontname", { data })).json) as { ok: boolean; error?: string; family?: string };
      if (!n.ok) {
        notes.push(`${file.name}: ${n.error ?? "it is no font"}.`);
        continue;
      }
      const family = n.family || file.name.replace(/\.[^.]+$/, "");
      const a = await change({ action: "add", family, file: { base64: data, name: file.name } });
      if (!a) continue;
      added++;
      notes.push(...(a.notes ?? []).map((t) => `${file.name}: ${t}.`));
    }
    tell([added ? `${count(added, "font file")} added.` : "", ...notes].filter(Boolean).join(" "));
  };

  // The catalogue.

  let asked = 0;
  let pause = 0;
  const find = async () => {
    const words = search.value.trim();
    const mine = ++asked;
    if (words === "") {
      catalogue.replaceChildren();
      setText(found, "Search by name among the families of the open catalogue.");
      return;
    }
    const a = await app.run<FontList>("sandbox_list_fonts", { search: words, limit: 20 });
    if (!a || mine !== asked) return;
    setText(found, a.total === 0 ? (a.note ?? "No family has such a name.") : a.total > a.catalogue.length ? `The first ${a.catalogue.length} of ${a.total} families` : count(a.total, "family", "families"));
    catalogue.replaceChildren(
      ...a.catalogue.map((c) =>
        h(
          "li",
          { class: "font" },
          h("span", { class: "font-text" }, h("span", { class: "font-name" }, c.family), h("span", { class: "book-facts" }, [c.category, c.weights.length > 1 ? `${c.weights[0]}–${c.weights.at(-1)}` : String(c.weights[0] ?? ""), c.italics ? "with italics" : "", c.licence ?? "", c.here ? "" : "not on this server"].filter(Boolean).join(" · "))),
          h("button", { class: "quiet", type: "button", disabled: !c.here, attr: { "aria-label": `Body text in ${c.family}` }, on: { click: () => void choose("bodyText.fontFamily", c.family) } }, "Body"),
          h("button", { class: "quiet", type: "button", disabled: !c.here, attr: { "aria-label": `Headings in ${c.family}` }, on: { click: () => void choose("headings.fontFamily", c.family) } }, "Headings"),
        ),
      ),
    );
  };
  search.addEventListener("input", () => {
    clearTimeout(pause);
    pause = window.setTimeout(() => void find(), 200);
  });
  search.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || search.value === "") return;
    e.stopPropagation();
    search.value = "";
    void find();
  });
  void find();

  app.state.listen(({ book }, before) => {
    if (book && book.opening !== before.book?.opening) {
      tell("");
      drawn = "";
    }
    void load();
  });
  return {
    id: "fonts",
    element: f.element,
    shown() {
      visible = true;
      void load(true);
    },
    hidden() {
      visible = false;
    },
  };
}
