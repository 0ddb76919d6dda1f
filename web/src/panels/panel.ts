// What every panel is made of, and what it may ask of the application.
import type { Editor } from "../editor";
import { h } from "../dom";
import type { Port } from "../port";
import type { PageRow } from "../protocol";
import type { State } from "../state";

export interface App {
  port: Port;
  state: State;
  editor: Editor;
  /** The page in view. */
  page(): PageRow | undefined;
  /** Says something in the status line and to screen readers. */
  announce(text: string, kind?: "note" | "problem"): void;
  /** Calls a tool; a refusal is announced and gives undefined. */
  run<T>(name: string, args: object): Promise<T | undefined>;
  /** The same for a change that the panel shows already: it is answered before the
   *  state tells of it. */
  change<T>(name: string, args: object): Promise<T | undefined>;
  openPanel(id: string): void;
  /** A book was chosen: its chapters beside its pages, or on a phone its pages. */
  openBook(): void;
}

export interface Panel {
  id: string;
  element: HTMLElement;
  /** The panel came on screen. */
  shown?(): void;
  /** It left. */
  hidden?(): void;
}

export function frame(title: string, ...actions: Node[]): { element: HTMLElement; head: HTMLElement; body: HTMLElement; heading: HTMLElement } {
  const heading = h("h2", { class: "panel-title", tabIndex: -1 }, title);
  const head = h("header", { class: "panel-head" }, heading, h("div", { class: "panel-actions" }, ...actions));
  const body = h("div", { class: "panel-body" });
  return { element: h("section", { class: "panel", attr: { "aria-label": title } }, head, body), head, body, heading };
}
