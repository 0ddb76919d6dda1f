// Designs to begin from: those of the sample books. A book that has none is offered
// them; every other can take one, and give it back.
import { h, icon, iconButton } from "../dom";
import { attachMenu } from "../menu";
import { forget, recall, remember } from "../prefs";
import { count } from "../state";
import { exportFile } from "./downloads";
import { chooseFiles } from "./files";
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
  try {
    return fitted(await configOf(d.sample), before, language);
  } catch (e) {
    app.announce(`The design could not be fetched: ${e instanceof Error ? e.message : String(e)}`, "problem");
    return undefined;
  }
}

/** A sample's configuration with what belongs to the book. */
function fitted(of: Config, before: Config, language: string): Config {
  const config = { ...of };
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

export interface DesignPicker {
  button: HTMLButtonElement;
  more: HTMLButtonElement;
  box: HTMLElement;
  refresh(): Promise<void>;
  /** The design the reader gave the book, as far as this browser remembers. */
  taken(): Config | undefined;
  /** So many settings differ from the design the book began with. */
  counted(n: number): void;
}

export function designPicker(app: App, changed: () => Promise<void>): DesignPicker {
  const button = h("button", { class: "quiet", type: "button" }, "Take a design", icon("down"));
  const more = iconButton("more", "More for the design", () => {});
  const box = h("div", { class: "design-offer" });
  /** What was done last and can be given back. */
  let done: { said: string; before: Config; after: string; sample: string | null } | undefined;
  let asking = false;
  let began: Config | undefined;
  let differs = 0;
  const fetched = new Map<string, Promise<Config>>();

  const language = () => app.state.book?.book.language ?? "en";
  /** The book, for what this browser remembers of it. */
  const of = () => `design ${app.state.book?.book.kind} ${app.state.book?.book.id}`;
  const note = (sample: string | null) => (sample ? remember(of(), sample) : forget(of()));

  /** What the book stores, by section. */
  const stored = async (): Promise<Config | undefined> => {
    const a = await app.port.tool<{ ok: boolean; children?: { path: string; set?: unknown }[] }>("sandbox_get_config", { defaults: false });
    if (!a.ok) return undefined;
    return Object.fromEntries((a.children ?? []).filter((c) => c.set !== undefined && c.set !== null).map((c) => [c.path, c.set]));
  };

  /** Puts a design in place of the book's. */
  const put = async (config: Config | string, said: string, sample: string | null): Promise<boolean> => {
    const before = await stored();
    const was = recall(of());
    if (!before || !(await app.run("sandbox_set_config", { replace: config, wait: false }))) return false;
    note(sample);
    done = { said, before, after: JSON.stringify(await stored()), sample: was };
    app.announce(said);
    await changed();
    return true;
  };

  const take = async (d: Design) => {
    const config = await designFor(app, d, (await stored()) ?? {}, language());
    if (config) await put(config, `The book has the design ${d.name}.`, d.sample);
  };

  const giveBack = async () => {
    const t = done;
    done = undefined;
    if (t && (await app.run("sandbox_set_config", { replace: t.before, wait: false }))) {
      note(t.sample);
      app.announce("The design is what it was");
    }
    await changed();
    button.focus();
  };

  // Back to what the book began with: the design it was given, its sample's, or that
  // of a new book.

  const reset = async () => {
    asking = false;
    const now = (await stored()) ?? {};
    const back = "The design is as the book began.";
    if (began) await put(began, back, recall(of()));
    else if (from) {
      const a = await app.run<{ note?: string }>("sandbox_reset_to_original", { part: "config", wait: false });
      if (a) app.announce(a.note ?? back);
      await changed();
    } else await put(fitted({}, now, ""), back, null);
    button.focus();
  };

  let from = "";
  const ask = async () => {
    const a = JSON.parse((await app.port.cmd("design", {})).json) as { from?: string };
    from = a.from ?? "";
    asking = true;
    draw((await stored()) ?? {});
    box.querySelector<HTMLElement>(".banner button")?.focus();
  };

  /** A configuration file in place of the design. */
  const bring = async () => {
    const [file] = await chooseFiles(".json,application/json", false);
    if (file) await put(await file.text(), `The design is that of ${file.name}.`, null);
  };

  attachMenu(button, {
    label: "Take a design",
    fill(menu, close) {
      for (const d of designs)
        menu.append(h("button", { class: "menu-item menu-two", type: "button", on: { click: () => (close(), void take(d)) } }, h("span", {}, d.name), h("span", { class: "menu-about" }, d.about)));
    },
  });
  attachMenu(more, {
    label: "More for the design",
    fill(menu, close) {
      const act = (label: string, run: () => void, disabled = false) => menu.append(h("button", { class: "menu-item", type: "button", disabled, on: { click: () => (close(), run()) } }, label));
      act("Reset the design…", () => void ask(), differs === 0);
      act("Download the design", () => exportFile(app, { format: "config" }));
      act("Bring a design from a file…", () => void bring());
    },
  });

  const banner = (text: string, ...acts: HTMLElement[]) => h("div", { class: "banner" }, h("p", { attr: { role: "status" } }, text), h("div", { class: "banner-acts" }, ...acts));
  const press = (cls: string, label: string, run: () => void, title = "") => h("button", { class: cls, type: "button", title, on: { click: run } }, label);

  const draw = (now: Config) => {
    if (done && done.after !== JSON.stringify(now)) done = undefined; // changed since
    const none = Object.keys(now).every((k) => bare.has(k));
    const key = asking ? `asking ${differs}` : done ? `done ${done.said}` : none ? "none" : "";
    if (box.dataset["shows"] === key) return;
    box.dataset["shows"] = key;
    box.replaceChildren();
    if (asking) {
      const to = began ? "the design it was given" : from ? `the design of ${from}, with its fonts` : "the plain design of a new book";
      const close = () => {
        asking = false;
        draw(now);
        more.focus();
      };
      const b = banner(
        `The book goes back to ${to}: ${count(differs, "setting")} ${differs === 1 ? "is" : "are"} changed again.`,
        press("button", "Reset the design", () => void reset()),
        press("quiet", "Leave it", close),
      );
      b.addEventListener("keydown", (e) => {
        if (e.key !== "Escape") return;
        e.stopPropagation();
        close();
      });
      box.append(b);
    } else if (done) {
      const back = h("button", { class: "quiet undo", type: "button", on: { click: () => void giveBack() } }, icon("undo"), "Give it back");
      box.append(banner(done.said, back));
    } else if (none) {
      box.append(banner("This book has no design yet: it is set on the plainest of pages, in two narrow columns. Begin with one of these, and change what you like.", ...designs.map((d) => press("button", d.name, () => void take(d), d.about))));
    }
  };

  return {
    button,
    more,
    box,
    taken: () => began,
    counted(n) {
      differs = n;
    },
    async refresh() {
      const now = await stored();
      if (!now) return;
      const sample = recall(of());
      began = undefined;
      if (sample) {
        const config = fetched.get(sample) ?? configOf(sample);
        fetched.set(sample, config);
        try {
          began = fitted(await config, now, language());
        } catch (e) {
          fetched.delete(sample);
          app.announce(`The design the book was given could not be fetched: ${e instanceof Error ? e.message : String(e)}`, "problem");
        }
      }
      draw(now);
    },
  };
}
