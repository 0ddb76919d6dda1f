// Designs to begin from: those of the sample books. A book that has none is offered
// them; every other can take one, and give it back.
import { h, icon, setText } from "../dom";
import { attachMenu } from "../menu";
import type { App } from "./panel";

type Config = Record<string, unknown>;

/** The designs, in the order of `postext new --design`. */
export const designs = [
  { sample: "the-tide-clerk", name: "Novel", about: "one column, wide outer margins" },
  { sample: "postext-guide", name: "Manual", about: "small page, numbered chapters, code" },
  { sample: "ten-summers", name: "Article", about: "two columns, notes, tables" },
  { sample: "harbour-report", name: "Report", about: "sans serif, boxes, an opening band" },
  { sample: "salt-almanac", name: "Poems", about: "one to a page" },
  { sample: "one-pot", name: "Cookbook", about: "ingredients in boxes" },
  { sample: "the-sleepy-lighthouse", name: "Picture book", about: "square page, large type" },
] as const;

export type Design = (typeof designs)[number];

/** What belongs to the book rather than to a design. */
const kept = ["locale", "direction", "numerals", "customFonts"];

/** What a new book has without a design of its own. */
const bare = new Set(["colorPalette", "resourceTypes", ...kept]);

async function configOf(sample: string): Promise<Config> {
  for (const file of ["preset.json", "postext-config.json"]) {
    const answer = await fetch(`/books/${sample}/${file}`);
    if (answer.ok) return ((await answer.json()) as { config: Config }).config;
  }
  throw new Error(`the design of ${sample} is not on this site`);
}

/** The design of a sample for a book that stores `before` and is in a language; undefined,
 *  with a word to the reader, when it cannot be fetched. */
export async function designFor(app: App, d: Design, before: Config, language: string): Promise<Config | undefined> {
  let config: Config;
  try {
    config = { ...(await configOf(d.sample)) };
  } catch (e) {
    app.announce(`The design could not be fetched: ${e instanceof Error ? e.message : String(e)}`, "problem");
    return undefined;
  }
  for (const key of kept) {
    delete config[key];
    if (key in before) config[key] = before[key];
  }
  // The names of figures and tables are the sample's language's.
  if (!/^en\b/i.test(language)) {
    delete config["resourceTypes"];
    if ("resourceTypes" in before) config["resourceTypes"] = before["resourceTypes"];
  }
  return config;
}

export function designPicker(app: App, changed: () => Promise<void>): { button: HTMLButtonElement; box: HTMLElement; refresh(): Promise<void> } {
  const button = h("button", { class: "quiet", type: "button" }, "Take a design", icon("down"));
  const box = h("div", { class: "design-offer" });
  let taken: { name: string; before: Config; after: string } | undefined;

  /** What the book stores, by section. */
  const stored = async (): Promise<Config | undefined> => {
    const a = await app.port.tool<{ ok: boolean; children?: { path: string; set?: unknown }[] }>("sandbox_get_config", { defaults: false });
    if (!a.ok) return undefined;
    return Object.fromEntries((a.children ?? []).filter((c) => c.set !== undefined && c.set !== null).map((c) => [c.path, c.set]));
  };

  const take = async (d: Design) => {
    const before = await stored();
    if (!before) return;
    const config = await designFor(app, d, before, app.state.book?.book.language ?? "en");
    if (!config) return;
    if (!(await app.run("sandbox_set_config", { replace: config, wait: false }))) return;
    taken = { name: d.name, before, after: JSON.stringify(await stored()) };
    app.announce(`The book has the design ${d.name}`);
    await changed();
  };

  const giveBack = async () => {
    const t = taken;
    taken = undefined;
    if (t && (await app.run("sandbox_set_config", { replace: t.before, wait: false }))) app.announce("The design is what it was");
    await changed();
    button.focus();
  };

  attachMenu(button, {
    label: "Take a design",
    fill(menu, close) {
      for (const d of designs)
        menu.append(h("button", { class: "menu-item menu-two", type: "button", on: { click: () => (close(), void take(d)) } }, h("span", {}, d.name), h("span", { class: "menu-about" }, d.about)));
    },
  });

  const draw = (now: Config) => {
    if (taken && taken.after !== JSON.stringify(now)) taken = undefined; // changed since
    const none = Object.keys(now).every((k) => bare.has(k));
    const key = taken ? `taken ${taken.name}` : none ? "none" : "";
    if (box.dataset["shows"] === key) return;
    box.dataset["shows"] = key;
    box.replaceChildren();
    if (taken) {
      const note = h("p", { attr: { role: "status" } });
      setText(note, `The book has the design ${taken.name}.`);
      box.append(h("div", { class: "banner" }, note, h("div", { class: "banner-acts" }, h("button", { class: "quiet undo", type: "button", on: { click: () => void giveBack() } }, icon("undo"), "Give it back"))));
    } else if (none) {
      box.append(
        h(
          "div",
          { class: "banner" },
          h("p", {}, "This book has no design yet: it is set on the plainest of pages, in two narrow columns. Begin with one of these, and change what you like."),
          h("div", { class: "banner-acts" }, ...designs.map((d) => h("button", { class: "button", type: "button", title: d.about, on: { click: () => void take(d) } }, d.name))),
        ),
      );
    }
  };

  return {
    button,
    box,
    async refresh() {
      const now = await stored();
      if (now) draw(now);
    },
  };
}
