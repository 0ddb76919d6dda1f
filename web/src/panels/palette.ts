// The colours of the palette on the Design panel: what can be done with an entry
// beside changing its value, and adding another.
import { h, icon, iconButton } from "../dom";
import { attachMenu } from "../menu";
import type { Change } from "./browse";
import type { Entry } from "./controls";
import type { App } from "./panel";

export interface Palette {
  /** The button with what can be done with an entry; what is asked stands in `row`. */
  actions(e: Entry, row: HTMLElement): HTMLElement;
  /** The button that adds one. */
  adder: HTMLElement;
}

/** `change` makes changes and gives what takes them back, undefined when refused;
 *  `now` are the entries there are. */
export function paletteActions(app: App, change: (changes: Change[]) => Promise<Change[] | undefined>, now: () => Entry[]): Palette {
  const at = (id: string, field = "") => `colorPalette[id=${id}]${field}`;

  const rename = (e: Entry, row: HTMLElement) => {
    const label = row.querySelector<HTMLElement>(".setting-name");
    if (!label) return;
    const name = h("input", { class: "field", type: "text", value: e.name, attr: { "aria-label": "Name of the colour", maxlength: "60", autocomplete: "off" } });
    let done = false;
    const end = async (commit: boolean) => {
      if (done) return;
      done = true;
      const to = name.value.trim();
      name.remove();
      row.classList.remove("renaming");
      if (commit && to !== "" && to !== e.name) await change([{ path: at(e.id, ".name"), value: to }]);
    };
    name.addEventListener("keydown", (k) => {
      if (k.isComposing) return;
      if (k.key === "Enter") void end(true);
      if (k.key === "Escape") {
        k.stopPropagation();
        void end(false);
      }
    });
    name.addEventListener("blur", () => void end(true));
    row.classList.add("renaming");
    label.prepend(name);
    name.focus();
    name.select();
  };

  /** Asks before an entry goes, naming what has its colour. */
  const remove = async (e: Entry, row: HTMLElement) => {
    const a = JSON.parse((await app.port.cmd("design", { uses: e.id })).json) as { ok: boolean; error?: string; fields?: { path: string; label: string }[] };
    if (!a.ok) return app.announce(a.error ?? "That cannot be read.", "problem");
    const uses = [...new Set((a.fields ?? []).map((f) => f.label))];
    const some = uses.slice(0, 6).join(", ") + (uses.length > 6 ? `, and ${uses.length - 6} more` : "");
    const text = uses.length === 0 ? `Nothing in this design has the colour ${e.name}.` : `${e.name} is the colour of ${some}. They keep it as a colour of their own.`;
    const gone = h("button", { class: "button danger", type: "button" }, "Delete it");
    const keep = h("button", { class: "quiet", type: "button" }, "Keep it");
    const box = h("div", { class: "banner asking", attr: { role: "alertdialog", "aria-label": `Delete ${e.name}?` } }, h("p", {}, text), h("div", { class: "banner-acts" }, gone, keep));
    const close = () => {
      box.remove();
      row.querySelector<HTMLElement>(".setting-acts button:not([hidden])")?.focus();
    };
    keep.addEventListener("click", close);
    box.addEventListener("keydown", (k) => {
      if (k.key !== "Escape") return;
      k.stopPropagation();
      close();
    });
    gone.addEventListener("click", async () => {
      const back = await change([{ path: at(e.id), value: null }]);
      if (!back) return;
      app.announce(`${e.name} is deleted`);
      const undo = h("button", { class: "quiet undo", type: "button" }, icon("undo"), "Give it back");
      const note = h("div", { class: "banner asking" }, h("p", { attr: { role: "status" } }, `${e.name} is deleted.`), h("div", { class: "banner-acts" }, undo));
      adder.before(note);
      undo.addEventListener("click", () => {
        note.remove();
        void change(back);
      });
      undo.focus();
    });
    row.parentElement?.querySelector(".asking")?.remove();
    row.after(box);
    keep.focus();
  };

  const actions = (e: Entry, row: HTMLElement): HTMLElement => {
    const more = iconButton("more", `Actions for ${e.name}`, () => {});
    attachMenu(more, {
      label: `Actions for ${e.name}`,
      fill(box, close) {
        const act = (label: string, run: () => void) => box.append(h("button", { class: "menu-item", type: "button", on: { click: () => (close(), run()) } }, label));
        act("Rename…", () => rename(e, row));
        act("Delete…", () => void remove(e, row));
      },
    });
    return more;
  };

  const add = async () => {
    const entries = now();
    let n = entries.length + 1;
    while (entries.some((e) => e.id === `colour-${n}`)) n++;
    if (await change([{ path: at(`colour-${n}`), value: { name: `Colour ${n}`, value: "#7a6a53" } }])) app.announce(`Colour ${n} is in the palette`);
  };
  const adder = h("p", { class: "fold-acts" }, h("button", { class: "quiet", type: "button", on: { click: () => void add() } }, icon("plus"), "Add a colour"));
  return { actions, adder };
}
