// The Text panel: the source of the chapter on screen.
import { h, iconButton, roving } from "../dom";
import type { ChapterRow } from "../protocol";
import { chapterSwitcher } from "../switcher";
import { frame, type App, type Panel } from "./panel";

export interface TextPanel extends Panel {
  history(undo: number, redo: number): void;
}

export function textPanel(app: App, step: (by: 1 | -1) => void, choose: (c: ChapterRow) => void): TextPanel {
  const previous = iconButton("previous", "Previous chapter", () => step(-1));
  const next = iconButton("next", "Next chapter", () => step(1));
  const f = frame("Text", previous, next);
  f.element.classList.add("panel-text");
  f.heading.replaceChildren(chapterSwitcher(app.state, choose));
  const e = app.editor;
  const undo = iconButton("undo", "Undo typing", () => e.undo());
  const redo = iconButton("redo", "Redo typing", () => e.redo());
  const agentUndo = h("button", { class: "quiet agent-undo", type: "button", title: "Take back the last change an agent made to the text" }, "Undo agent");
  const agentRedo = h("button", { class: "quiet agent-undo", type: "button", title: "Make the agent’s change again" }, "Redo");
  agentUndo.addEventListener("click", () => void app.run("sandbox_undo_text", {}));
  agentRedo.addEventListener("click", () => void app.run("sandbox_undo_text", { redo: true }));
  const agent = h("div", { class: "agent-history", hidden: true }, agentUndo, agentRedo);
  const bar = h(
    "div",
    { class: "toolbar editor-bar", attr: { role: "toolbar", "aria-label": "Text" } },
    undo,
    redo,
    h("span", { class: "divider" }),
    iconButton("bold", "Bold", () => e.wrap("**")),
    iconButton("italic", "Italic", () => e.wrap("*")),
    iconButton("heading", "Heading", () => e.prefix("## ", /^#{1,6}\s+/)),
    iconButton("quote", "Quotation", () => e.prefix("> ", /^>\s?/)),
    iconButton("list", "List", () => e.prefix("- ", /^([-*+]|\d+[.)])\s+/)),
    iconButton("rule", "Page break", () => e.insertBlock(":::pagebreak")),
    agent,
  );
  const refresh = roving(bar);
  f.body.classList.add("editor-body");
  f.body.append(bar, e.element);

  app.state.listen(({ book }) => {
    const c = app.state.chapter;
    if (!book || !c) return;
    previous.disabled = c.chapter <= 1;
    next.disabled = c.chapter >= book.chapters.length;
    const u = book.undo;
    agent.hidden = !u || (u.undo === 0 && u.redo === 0);
    agentUndo.disabled = !u || u.undo === 0;
    agentRedo.hidden = !u || u.redo === 0;
    if (u?.next) agentUndo.title = `Take back: ${u.next}`;
    refresh();
  });
  return {
    id: "text",
    element: f.element,
    history(u, r) {
      undo.disabled = u === 0;
      redo.disabled = r === 0;
      refresh();
    },
  };
}
