// What the window and the worker say to each other. The other half is
// wasm/worker/main.go; a change here is a change there.
//
// Everything long is one JSON text inside a message, so that Go never crosses
// the border per field; pixels travel as transferred buffers.

export type ToWorker =
  | { t: "init"; base: string; build: string; book?: { preset?: string | undefined; project?: string | undefined; lang?: string | undefined }; language: string; storage: boolean; revision: number }
  | { t: "call"; id: number; name: string; args: string }
  | { t: "cmd"; id: number; name: string; args: string }
  | { t: "cancel"; id: number }
  | { t: "hide" }
  | { t: "shown"; id: number; json: string };

export type FromWorker =
  | { t: "hello" }
  | { t: "answer"; id: number; json: string; buffers?: ArrayBuffer[] }
  | { t: "state"; json: string }
  | { t: "progress"; json: string }
  | ({ t: "text" } & TextMessage)
  | { t: "reveal"; json: string }
  | { t: "show"; id: number; json: string; buffers: ArrayBuffer[] }
  | { t: "download"; name: string; mime: string; buffers: ArrayBuffer[] }
  | { t: "died"; error: string };

/** A tool changed the text of a chapter (an id). */
export interface TextMessage {
  chapter: string;
  revision: number;
  markdown: string;
}

/** One replacement in UTF-16 offsets of the text before the whole change. */
export interface Change {
  from: number;
  to: number;
  insert: string;
}

export interface Refusal {
  ok: false;
  error: string;
}

export type Answer<T> = ({ ok: true } & T) | Refusal;

/** How a long list of chapters changed: at place `at`, from 0, `gone` rows went and
 *  `come` rows came; `rows` are those that are new or changed. */
export interface RowChanges {
  at: number;
  gone: number;
  come: number;
  rows: ChapterRow[];
}

export interface ChapterRow {
  chapter: number;
  id: string;
  title: string;
  onScreen?: boolean;
  words: number;
  pages: number | null;
  firstPage?: string;
  lastPage?: string;
}

export interface View {
  viewer: string;
  panel: string;
  scope: "chapter" | "book";
  chapter: number;
  page?: string | number;
  position?: number;
  pages: "single" | "spread";
  zoom: number;
  fit: "none" | "width" | "height";
  printPreview?: boolean;
  designGroup?: string;
  guides?: Record<string, boolean>;
}

/** The answer of sandbox_get_state, published after every change; of many chapters
 *  only the rows that changed are sent. */
export interface BookState {
  ready: boolean;
  waitingFor?: string;
  book: { kind: string; id: string; name: string; title?: string; language?: string; edited?: boolean; live?: boolean; newer?: boolean; folder?: boolean };
  pages: number | null;
  pagesKnown?: number | string;
  /** The number of pages is of an earlier visit; they are being set. */
  setting?: boolean;
  chapters: ChapterRow[];
  view: View;
  resources?: number;
  warnings?: number;
  question?: { kind: string; text: string; book: string };
  notice?: string;
  layoutError?: string;
  /** Why the book can only be looked at in this window. */
  readOnly?: string;
  /** Counts the books opened: another number, other texts. */
  opening?: number;
  undo?: { undo: number; redo: number; next?: string };
  saved: boolean;
  /** Every change of the book is saved; only how it is shown may not be. */
  kept?: boolean;
  revision: number;
  recent?: { tool: string; revision: number; outcome: string; ms: number }[];
}

/** One page as the "view" command lists it; lengths in CSS pixels at zoom 1. */
export interface PageRow {
  /** Id of the chapter the page belongs to. */
  chapter: string;
  /** Place among the chapter's pages, from 1. */
  position: number;
  /** What is printed on it; empty on an unnumbered page. */
  label: string;
  side: "recto" | "verso";
  width: number;
  height: number;
  blank?: boolean;
  /** Changes when the page has to be painted again. */
  key?: string;
}
