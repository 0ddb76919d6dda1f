// The Sandbox page. It draws what the worker publishes and sends back what the
// person does: the truth about the book is in the worker, the same for a person
// and an agent.
import { Editor, replacement, restored, typedOn, type Known } from "./editor";
import { startTools } from "./host";
import { Left, type Unsaved } from "./left";
import { readPlace, writePlace, type Place } from "./link";
import type { Picture, Point } from "./pages";
import { booksPanel } from "./panels/books";
import { chaptersPanel } from "./panels/chapters";
import { designPanel } from "./panels/design";
import { checksPanel } from "./panels/checks";
import { fontsPanel } from "./panels/fonts";
import type { App, Panel } from "./panels/panel";
import { resourcesPanel } from "./panels/resources";
import { textPanel } from "./panels/text";
import { keepsStopping, Port } from "./port";
import { followTheme, recall, remember } from "./prefs";
import type { BookState, Change, ChapterRow, PageRow, RowChanges, TextMessage, View } from "./protocol";
import { panelButtons, Shell } from "./shell";
import { Showing, type Picture as ShownPicture } from "./showing";
import { State } from "./state";
import { Status } from "./status";
import { pageByLabel, sentence, Viewport } from "./viewport";

followTheme();

const state = new State();
const firstPlace = readPlace(location.hash);
/** The place a permalink asked for, until the book is there to go to it. */
let wanted: Place | undefined = firstPlace;
/** The book and chapter whose text the editor shows. */
let shownBook = "";
let shownOpening = 0;
let shownChapter = "";
/** Where the caret is, and whether it got there by typing. */
let caret: { chapter: string; offset: number; to: number } | undefined;
/** The caret of before the worker was started again. */
let again: typeof caret;
/** Whether the worker there is now has told of the book. */
let heard = false;
/** What was typed last and is to be put back. */
const left = new Left(() => {
  const { book, died, stopped } = state.now;
  const stuck = book?.question !== undefined || /^the book could not be loaded/.test(book?.waitingFor ?? "");
  return { heard: heard && !died, stopped, ready: book?.ready === true, stuck, readOnly: book?.readOnly !== undefined, book: shownBook };
});
left.onTheWay = Boolean(firstPlace.chapter ?? firstPlace.page);
/** When the last new worker was given the text that stood in the editor. */
let revivedAt = -Infinity;
/** A worker that ends so soon after it, in ms, is not given the text again. */
const tooSoon = 20_000;

const port = new Port(
  () => ({
    t: "init",
    base: new URL("/", location.href).href,
    build: __WORKER_JS__,
    ...(firstPlace.preset || firstPlace.project ? { book: { preset: firstPlace.preset, project: firstPlace.project, lang: firstPlace.lang } } : {}),
    language: navigator.language || "en",
    storage: true,
    revision: state.book?.revision ?? 0,
  }),
  {
    state: (json) => onState(JSON.parse(json) as RawState),
    progress(json) {
      const p = JSON.parse(json) as { done: number; of: number };
      state.set({ progress: p });
      morePages();
    },
    text: onText,
    reveal: (json) => void onReveal(JSON.parse(json) as Reveal),
    async show(json, bytes) {
      const picture = JSON.parse(json) as ShownPicture;
      const at = await showing.show(picture, bytes);
      app.announce(`An agent shows ${picture.title}. Escape puts it away.`);
      return JSON.stringify(at);
    },
    died(error, next) {
      console.error(`postext: the worker is gone: ${error}`);
      state.set({ died: error, stopped: !next, progress: undefined });
      heard = false;
      keepTyped();
      left.look();
      app.announce(next ? "The typesetter stopped. It is starting again from what is saved." : sentence(keepsStopping, ", or start it again here."), "problem");
    },
    started(anew) {
      // A new worker knows nothing of what this window showed; what was typed and
      // did not reach the store is here alone.
      if (caret) again = caret;
      keepTyped();
      shownBook = shownChapter = "";
      if (anew) {
        // The panel on screen stays, whatever the store says.
        panelTold = false;
        openedEarly = true;
      }
      pagesRevision = "";
      state.set({ died: undefined, stopped: false });
      viewport.desk.repaint();
    },
  },
);

const editor = new Editor({
  async type(chapter: string, changes: Change[], length: number, base: number) {
    const a = JSON.parse((await port.cmd("type", { chapter, changes, length, base })).json) as { ok: boolean; error?: string; revision?: number };
    return a.ok && a.revision !== undefined ? { revision: a.revision } : { refused: a.error ?? "what was typed was not taken" };
  },
  refused: (why) => app.announce(sentence(why, "."), "problem"),
  text: readText,
  caret(chapter, offset, to, typed) {
    caret = { chapter, offset, to };
    // While typing, the page follows once the new pages are there.
    if (!typed) void placeCaret(true);
    else caretMoved = true;
  },
  history: (u, r) => text.history(u, r),
});

const status = new Status(state);

/** An answer; a refusal is announced and gives undefined. */
async function granted<T>(answer: Promise<{ ok: boolean; error?: string }>): Promise<T | undefined> {
  const a = await answer;
  if (a.ok) return a as T;
  status.say(a.error ?? "That was refused.", "problem");
  return undefined;
}

const app: App = {
  port,
  state,
  editor,
  page: () => viewport.desk.current,
  announce: (text, kind) => status.say(text, kind),
  run: <T>(name: string, args: object) => granted<T>(port.tool(name, args)),
  change: <T>(name: string, args: object) => granted<T>(port.change(name, args)),
  openPanel(id) {
    shell.show(id);
    panelChanged(id);
  },
  openBook() {
    shell.choose(shell.isNarrow ? "none" : "chapters");
  },
};

const text = textPanel(app, (by) => void stepChapter(by), (c) => void showChapter(c));
const panels = new Map<string, Panel>(
  [booksPanel(app), chaptersPanel(app), text, resourcesPanel(app), fontsPanel(app), designPanel(app), checksPanel(app)].map((p) => [p.id, p]),
);

const viewport = new Viewport(
  state,
  {
    paint,
    current: onCurrentPage,
    point: (page, from, to, how) => void onPoint(page, from, to, how),
    scaled() {},
    view: (change) => void setView(change),
    page: (label) => void goToPage(label),
    beyond: (by) => void beyond(by),
    chapter: (c) => void showChapter(c),
  },
  () => port.restart(),
);

const shell = new Shell(panels, viewport.element, status.element, panelChanged);
document.body.replaceChildren(shell.element);
const showing = new Showing(() => (shell.panel === "text" ? editor.focus() : viewport.desk.element.focus()));
// On a phone the pages come first; elsewhere the text is open beside them.
shell.show(shell.isNarrow ? "none" : panelButtons.some((p) => p.id === recall("panel")) ? recall("panel")! : recall("panel") === "none" ? "none" : "text");

port.start();
void startTools(async (name, args, signal) => {
  if (name === "sandbox_get_state" && !port.answers) return notYet();
  const start = performance.now();
  state.set({ activity: { tool: name, running: true, ok: true, ms: 0 } });
  let json = "";
  if (name === "sandbox_get_state") json = stillOwing((await port.call(name, args, signal)).json);
  else {
    if (left.owing) await left.settled(signal);
    json = signal.aborted ? '{"ok":false,"error":"cancelled"}' : (await port.call(name, args, signal)).json;
  }
  state.set({ activity: { tool: name, running: false, ok: !json.startsWith('{"ok":false') , ms: performance.now() - start } });
  return json;
}).catch((e: unknown) => {
  console.error("postext: the tools could not be started", e);
  app.announce("The tools for agents could not be started; reload the page.", "problem");
});

/** The state before there is a worker to ask: this tool never waits. */
function notYet(): string {
  const { died, stopped } = state.now;
  const why = stopped ? keepsStopping : died ? "the typesetter is starting again from what is saved" : "the typesetter is loading";
  return JSON.stringify({ ok: true, ready: false, waitingFor: why, book: null, pages: null, chapters: [], view: null, resources: 0, warnings: 0, saved: state.book ? state.book.saved || state.book.kept : true, revision: state.book?.revision ?? 0 });
}

/** The worker's state, as long as something typed is not in its book. */
function stillOwing(json: string): string {
  const a = JSON.parse(json) as { ok: boolean; ready?: boolean; waitingFor?: string };
  if (!a.ok || !a.ready || !left.owing) return json;
  return JSON.stringify({ ...a, ready: false, waitingFor: left.onTheWay ? "the page is going to the place its address names" : "what was typed last is being put back into the book" });
}

/** The worker is gone: what the editor shows is kept for the next one. */
function keepTyped(): void {
  left.revive();
  const note = editor.note();
  if (!note) return;
  if (performance.now() - revivedAt > tooSoon) left.add({ book: shownBook, live: true, ...note }, ...unsaved().filter((n) => n.chapter !== note.chapter));
  else {
    // What was typed last may be what ends it.
    const others = unsaved().filter((n) => n.chapter !== note.chapter);
    left.add(...others);
    setTimeout(() => app.announce("The typesetter stopped again with what was typed last in this chapter; it goes on from what is saved.", "problem"));
  }
  savedAt = 0;
  editor.forget();
}

/** The last revision that the worker said was in storage. That nothing is unsaved, said
 *  before a change came to it, says nothing of that change. */
let savedAt = 0;

function unsaved(): Unsaved[] {
  return editor.unsaved(savedAt).map((n) => ({ book: shownBook, ...n }));
}

// State.

type RawState = Omit<BookState, "book" | "view" | "chapters"> & { book: BookState["book"] | null; view: View | null; chapters?: ChapterRow[]; rows?: RowChanges };

/** The list of chapters: whole, or the last one with what changed of it. */
function chaptersOf(raw: RawState): ChapterRow[] {
  const last = state.book?.chapters ?? [];
  if (raw.chapters || !raw.rows) return raw.chapters ?? [];
  const { at, gone, come, rows } = raw.rows;
  if (rows.length === 0 && gone === come) return last;
  const list = [...last];
  if (gone !== come) {
    list.splice(at, gone, ...rows.filter((r) => r.chapter > at && r.chapter <= at + come));
    for (let i = at + come; i < list.length; i++) list[i] = { ...list[i]!, chapter: i + 1 };
  }
  for (const r of rows) list[r.chapter - 1] = r;
  return list;
}

const noView: View = { viewer: "canvas", panel: "none", scope: "chapter", chapter: 1, pages: "single", zoom: 1, fit: "width" };

let lastPanel = "";
/** Whether the worker has been told which panel is on screen. */
let panelTold = false;
/** The panel that the worker was told of last, until a state says it has heard, or has
 *  had the time to. */
let panelAsked: { panel: string; until: number } | undefined;
const panelHeardIn = 2000; // ms
/** Whether the reader opened or closed a panel before the book was there. */
let openedEarly = false;

function onState(raw: RawState): void {
  const book: BookState = { ...raw, chapters: chaptersOf(raw), book: raw.book ?? { kind: "", id: "", name: "" }, view: raw.view ?? noView };
  const done = book.pages !== null && !book.setting;
  heard = true;
  state.set({ book, ...(done ? { progress: undefined } : {}) });
  if (!book.ready) {
    if (shownBook !== "" && raw.book === null) {
      shownBook = shownChapter = "";
      editor.forget();
      viewport.desk.show([]);
    }
    left.look();
    return;
  }
  shell.setTitle(book.book.name);
  shell.mark("books", book.book.newer === true || book.question !== undefined);
  if (done) shell.badge("checks", book.warnings ?? 0, "warning");
  editor.setReadOnly(book.readOnly !== undefined);
  const id = `${book.book.kind}/${book.book.id}/${book.book.language ?? ""}`;
  const another = id !== shownBook || book.opening !== shownOpening;
  if (another) {
    shownBook = id;
    shownOpening = book.opening ?? 0;
    shownChapter = "";
    pagesRevision = "";
    caret = undefined;
    left.saved(Infinity); // a book is saved before another takes its place
    savedAt = 0;
    editor.forget();
    editor.setLanguage(book.book.language ?? "en");
  }
  if (book.saved) {
    savedAt = book.revision;
    left.saved(savedAt);
    editor.saved(savedAt);
    if (editor.unsaved(savedAt).length === 0) left.stayed();
  }
  if (raw.view && panelAsked && performance.now() < panelAsked.until) {
    // What it says of the panel may be from before that was heard of.
    if (raw.view.panel === panelAsked.panel) panelAsked = undefined;
  } else if (raw.view && (!panelTold || another && shell.isNarrow)) {
    // The panel of the last visit comes back, unless another was opened while the
    // typesetter was loading, or there is no room beside the pages.
    panelTold = true;
    lastPanel = raw.view.panel;
    if (shell.panel !== lastPanel) {
      if (openedEarly || shell.isNarrow || !panels.has(lastPanel)) panelChanged(shell.panel, false);
      else shell.show(lastPanel);
    }
  } else if (raw.view && raw.view.panel !== lastPanel) {
    // An agent opened a panel.
    if (raw.view.panel !== shell.panel && panels.has(raw.view.panel)) shell.show(raw.view.panel);
    if (raw.view.panel === "none" && !shell.isNarrow) shell.show("none");
    lastPanel = raw.view.panel;
  }
  const c = state.chapter;
  if (c && c.id !== shownChapter) {
    shownChapter = c.id;
    caret = undefined;
    void loadText(c.id);
  }
  if (!book.readOnly) putBack(book);
  left.look();
  void loadPages();
  void followWanted();
}

/** Puts back what was typed in other chapters than the one on screen, which loadText
 *  sees to. It is written at once: later it would be put over what was changed there
 *  meanwhile. */
function putBack(book: BookState): void {
  for (const n of left.of(shownBook)) {
    if (n.chapter === shownChapter) continue;
    if (!book.chapters.some((c) => c.id === n.chapter)) left.drop(n);
    else {
      n.under = true;
      void writeLeft(n, n.live ? { ...n, ...typedOn(n, editor.text) } : n);
    }
  }
}

/** How often a text that changes under a note is read again. */
const tries = 3;

async function writeLeft(note: Unsaved, now: Unsaved): Promise<void> {
  note.live = false;
  Object.assign(note, { text: now.text, known: now.known, sent: now.sent, saved: now.saved });
  let error = "its text could not be read";
  for (let i = 0; i < tries && heard; i++) {
    const known = await readText(note.chapter);
    const change = known && replacement(known.text, restored(note, known));
    if (!known) continue;
    if (!change) return left.drop(note);
    const a = JSON.parse((await port.cmd("type", { chapter: note.chapter, changes: [change], length: known.text.length, base: known.revision })).json) as { ok: boolean; error?: string; revision?: number };
    if (a.ok) return left.reached(note, a.revision ?? 0);
    error = a.error ?? error;
  }
  note.under = false;
  if (!heard) return; // the next worker's
  left.drop(note);
  app.announce(`What was typed last in another chapter could not be put back: ${error}`, "problem");
}

async function loadText(chapter: string): Promise<void> {
  const t = await readText(chapter);
  if (!t || chapter !== shownChapter) return;
  const notes = state.book?.readOnly ? [] : left.of(shownBook).filter((n) => n.chapter === chapter);
  let mine = t.text;
  for (const n of notes) {
    // The second is put over what the first makes of the text.
    const now = mine === t.text ? t : { text: mine, revision: t.revision };
    const next = restored(n.live ? typedOn(n, editor.text) : n, now);
    if (n.live && next !== mine) revivedAt = performance.now();
    mine = next;
  }
  editor.show(chapter, t);
  let reached: Promise<void> | undefined;
  if (notes.length > 0) {
    for (const n of notes) Object.assign(n, { under: true, live: false });
    reached = editor.retype(mine);
  }
  if (again?.chapter === chapter) editor.select(again.offset, again.offset, false);
  again = undefined;
  await reached;
  // The worker has them, or is gone: then the editor has, and they were noted again.
  for (const n of notes) left.drop(n);
}

async function readText(chapter: string): Promise<Known | undefined> {
  const a = JSON.parse((await port.cmd("text", { chapter })).json) as Partial<Known> & { ok: boolean; error?: string };
  if (a.ok && a.text !== undefined) return { ...a, text: a.text, revision: a.revision ?? 0 };
  app.announce(a.error ?? "The chapter's text could not be read.", "problem");
  return undefined;
}

function onText(m: TextMessage): void {
  editor.remote(m.chapter, { text: m.markdown, revision: m.revision });
}

interface Reveal {
  panel?: string;
  chapter: string;
  offset: number;
  toOffset: number;
  position?: number;
}

async function onReveal(r: Reveal): Promise<void> {
  const asked = performance.now();
  if (r.panel && panels.has(r.panel)) shell.show(r.panel);
  await loadPages();
  const page = r.position ? viewport.desk.list.find((p) => p.chapter === r.chapter && p.position === r.position) : undefined;
  if (page) viewport.desk.reveal(page, false);
  if (r.panel === "text" || r.toOffset > r.offset) {
    // The chapter's text may still be on its way.
    for (let i = 0; i < 50 && editor.chapter !== r.chapter; i++) await new Promise((f) => setTimeout(f, 20));
    // Who has gone on writing meanwhile keeps the caret: the next letter would be put
    // over what is selected.
    if (editor.chapter === r.chapter && editor.handAt < asked) editor.reveal(r.offset, r.toOffset);
  }
}

// Pages.

let pagesRevision = "";
/** What the list on the desk is of, and whether more of it is to come. */
let listed = { chapter: "", revision: -1, complete: false };
let moreTimer = 0;

/** More chapters are set: the list is asked for again where it grows by that. */
function morePages(): void {
  if (moreTimer !== 0 || (listed.complete && listed.chapter === shownChapter && listed.revision === state.book?.revision)) return;
  moreTimer = window.setTimeout(() => {
    moreTimer = 0;
    void loadPages();
  }, state.book?.view.scope === "book" ? 400 : 60);
}

let pagesAsked = 0;
let loadingPages: Promise<void> | undefined;
let caretMoved = false;

/** Asks for the list of pages until it belongs to what the worker has now. */
function loadPages(): Promise<void> {
  pagesAsked++;
  loadingPages ??= (async () => {
    for (let seen = -1; seen !== pagesAsked; ) {
      seen = pagesAsked;
      const a = JSON.parse((await port.cmd("view", {})).json) as { ok?: boolean; pages?: PageRow[]; revision?: number; complete?: boolean };
      if (!a.pages) continue;
      listed = { chapter: shownChapter, revision: a.revision ?? -1, complete: a.complete ?? false };
      // While a chapter is being set the old pages stay.
      if (a.pages.length === 0 && !a.complete && viewport.desk.list.some((p) => p.chapter === shownChapter)) continue;
      const key = a.pages.map((p) => p.key).join(" ");
      if (key === pagesRevision && a.pages.length === viewport.desk.list.length) continue;
      pagesRevision = key;
      viewport.desk.show(a.pages);
      viewport.pagesChanged();
      showFirst();
      void placeCaret(caretMoved);
      caretMoved = false;
    }
  })().finally(() => (loadingPages = undefined));
  return loadingPages;
}

let shownPlace = "";

/** The first time a chapter's pages are there the desk goes to the page the view names. */
function showFirst(): void {
  const key = `${shownBook}/${shownChapter}`;
  if (key === shownPlace) return;
  const page = viewport.desk.list.find((p) => p.chapter === shownChapter && p.position === (state.book?.view.position ?? 1)) ?? viewport.desk.list.find((p) => p.chapter === shownChapter);
  if (!page) return;
  shownPlace = key;
  viewport.desk.reveal(page);
}

async function paint(page: PageRow, width: number, signal: AbortSignal): Promise<Picture | undefined> {
  const r = await port.cmd("paint", { chapter: page.chapter, position: page.position, width }, signal);
  const a = JSON.parse(r.json) as { ok?: boolean; width?: number; height?: number };
  const pixels = r.buffers[0];
  if (!pixels || !a.width || !a.height) return undefined;
  return { width: a.width, height: a.height, pixels };
}

let tellPage = 0;

function onCurrentPage(page: PageRow): void {
  writeLink(page);
  clearTimeout(tellPage);
  tellPage = window.setTimeout(() => {
    // What the reader looks at is part of the published view. The desk may still
    // show a chapter that somebody has just led the reader away from.
    const v = state.book?.view;
    const now = viewport.desk.current;
    if (!v || !state.book?.ready || !now || wanted) return;
    if (v.scope === "chapter" && now.chapter !== state.chapter?.id) return;
    if (now.chapter === state.chapter?.id && now.position === v.position) return;
    void setView({ chapter: now.chapter, position: now.position });
  }, 300);
}

/** Changes the published view by hand; chapters go by id here. */
async function setView(change: { panel?: string; chapter?: string; position?: number; fit?: string; zoom?: number; pages?: string; scope?: string }): Promise<void> {
  const a = JSON.parse((await port.cmd("view", change)).json) as { ok: boolean; error?: string };
  if (!a.ok) app.announce(a.error ?? "The view could not be changed.", "problem");
}

function writeLink(page: PageRow): void {
  const b = state.book;
  if (!b?.ready || wanted) return;
  const chapter = b.chapters.find((c) => c.id === page.chapter);
  const link = writePlace({
    ...(b.book.kind === "project" ? { project: b.book.id } : { preset: b.book.id, ...(b.book.language ? { lang: b.book.language } : {}) }),
    view: b.view.viewer,
    ...(chapter ? { chapter: chapter.chapter } : {}),
    page: page.label,
  });
  if (link !== location.hash) history.replaceState(history.state, "", link);
}

/** Goes where the permalink says, once the book it names is there. */
async function followWanted(): Promise<void> {
  const place = wanted;
  if (!place || !state.book?.ready) return;
  wanted = undefined;
  try {
    await goTo(place, state.book);
  } finally {
    left.arrived();
  }
}

/** Whether the page was loaded again: what its address says may be older than the view
 *  that was kept. */
const reloaded = performance.getEntriesByType("navigation").some((e) => (e as PerformanceNavigationTiming).type === "reload");

async function goTo(place: Place, b: BookState): Promise<void> {
  const id = place.project ?? place.preset;
  if (id && (id !== b.book.id || (place.lang && place.lang !== b.book.language))) {
    // The first link was the worker's to follow, and what it opened is what there is.
    const found = place !== firstPlace && (JSON.parse((await port.cmd("follow", { project: place.project, preset: place.preset, lang: place.lang })).json) as { found?: boolean }).found;
    if (!found && id !== state.book?.book.id) {
      if (viewport.desk.current) writeLink(viewport.desk.current);
      if (state.book?.notice) app.announce(state.book.notice, "problem");
      return;
    }
  }
  if (!place.chapter && !place.page) return;
  if (place === firstPlace && reloaded && (b.view.chapter > 1 || (b.view.position ?? 1) > 1)) return;
  const chapter = state.book?.chapters[(place.chapter ?? 0) - 1];
  if (place.page) {
    const a = await port.tool<{ ok: boolean }>("sandbox_go_to_page", { ...(chapter ? { chapter: chapter.id } : {}), page: place.page });
    if (a.ok) return;
  }
  // A page the chapter does not have is as good as none.
  if (chapter) await showChapter(chapter);
}

addEventListener("hashchange", (e) => {
  // The event's own address: the permalink may have been rewritten meanwhile.
  wanted = readPlace(new URL(e.newURL).hash);
  void followWanted();
});

async function goToPage(label: string): Promise<void> {
  const here = viewport.desk.list.find((p) => p.label === label);
  if (here) {
    viewport.desk.reveal(here);
    return;
  }
  // Another chapter may have it; past both ends of the book the nearest end here.
  const a = await port.tool<{ ok: boolean; error?: string }>("sandbox_go_to_page", { page: label });
  if (a.ok) return;
  const nearest = pageByLabel(viewport.desk.list, label);
  if (nearest) viewport.desk.reveal(nearest);
  else app.announce(a.error ?? "There is no such page.", "problem");
}

async function beyond(by: 1 | -1): Promise<void> {
  const c = state.chapter;
  const next = c && state.book?.chapters[c.chapter - 1 + by];
  if (!next) return;
  await app.run("sandbox_go_to_page", { chapter: next.id, position: by > 0 ? 1 : -1 });
}

async function stepChapter(by: 1 | -1): Promise<void> {
  const c = state.chapter;
  const next = c && state.book?.chapters[c.chapter - 1 + by];
  if (next) await showChapter(next);
}

async function showChapter(c: ChapterRow): Promise<void> {
  await setView({ chapter: c.id, position: 1 });
}

// Caret, in both directions.

let caretAsked = 0;

async function placeCaret(follow: boolean): Promise<void> {
  const at = caret;
  const mine = ++caretAsked;
  void placePassage(at, mine);
  if (!at || state.book?.view.guides?.["caret"] === false) {
    viewport.desk.caret(undefined, false);
    return;
  }
  const a = JSON.parse((await port.cmd("caret", { chapter: at.chapter, offset: at.offset })).json) as { ok?: boolean; position?: number; x?: number; y?: number; height?: number; color?: string };
  if (mine !== caretAsked) return;
  const page = viewport.desk.list.find((p) => p.chapter === at.chapter && p.position === a.position);
  if (!page || a.y === undefined || !a.color) viewport.desk.caret(undefined, false);
  else viewport.desk.caret({ page, x: a.x ?? 0, y: a.y, height: a.height ?? 0.02, color: a.color }, follow);
}

/** Marks on the pages what is selected in the text. */
async function placePassage(at: typeof caret, mine: number): Promise<void> {
  if (!at || at.to <= at.offset || state.book?.view.guides?.["selection"] === false) {
    viewport.desk.passage("", [], "");
    return;
  }
  const a = JSON.parse((await port.cmd("passage", { chapter: at.chapter, offset: at.offset, toOffset: at.to })).json) as { ok?: boolean; parts?: { position: number; x: number; y: number; width: number; height: number }[]; color?: string };
  if (mine === caretAsked) viewport.desk.passage(at.chapter, a.parts ?? [], a.color ?? "");
}

interface PointAnswer {
  ok: boolean;
  where?: string;
  source?: { line: number; offset: number; word?: string };
  link?: { kind: string; target: string; page?: string | number; chapter?: number };
}

async function onPoint(page: PageRow, from: Point, to: Point, how: { word: boolean; follow: boolean }): Promise<void> {
  const ask = async (p: Point) =>
    JSON.parse((await port.cmd("point", { chapter: page.chapter, position: page.position, x: p.x, y: p.y })).json) as PointAnswer;
  const a = await ask(from);
  if (!a.ok) return;
  if (how.follow && a.link) {
    if (a.link.kind === "url") window.open(a.link.target, "_blank", "noopener");
    else await app.run("sandbox_go_to_page", { anchor: a.link.target });
    return;
  }
  if (!a.source) return;
  const start = a.source.offset;
  let end = start;
  if (from !== to) {
    const b = await ask(to);
    if (b.ok && b.source) end = b.source.offset;
  }
  if (page.chapter !== shownChapter) {
    const c = state.book?.chapters.find((c) => c.id === page.chapter);
    if (c) await showChapter(c);
    for (let i = 0; i < 50 && editor.chapter !== page.chapter; i++) await new Promise((f) => setTimeout(f, 20));
  }
  if (shell.panel !== "text" && !shell.isNarrow) app.openPanel("text");
  if (editor.chapter !== page.chapter) return;
  if (how.word && end === start) editor.selectWord(start, a.source.word, !shell.isNarrow);
  else editor.select(start, end, !shell.isNarrow);
}

// The page's life.

function panelChanged(id: string, byHand = true): void {
  if (byHand) {
    remember("panel", id);
    if (!state.book?.ready) openedEarly = true;
  }
  lastPanel = id;
  if (state.book?.ready) {
    panelAsked = { panel: id, until: performance.now() + panelHeardIn };
    void setView({ panel: id });
  }
  if (byHand && id === "text") editor.focus();
}

// The browser may end the worker before it comes to save. What the window can write
// down at once is what was typed. When the next page lives in another process, the
// event of going may come after that one has begun: beforeunload never does.
function going(): void {
  port.hide();
  left.write(unsaved(), editor.text);
}
addEventListener("beforeunload", going);
addEventListener("pagehide", going);
addEventListener("pageshow", (e) => {
  if (e.persisted) left.stayed(); // the worker lives on and saves
});
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") port.hide();
});

// A sample that is served from a folder may change there while it is read.
function look(): void {
  if (document.visibilityState === "visible" && state.book?.ready && state.book.book.live) void port.cmd("look", {});
}
setInterval(look, 3000);
addEventListener("focus", look);
document.addEventListener("visibilitychange", look);

addEventListener("keydown", (e) => {
  if (e.defaultPrevented || !(e.ctrlKey || e.metaKey) || e.altKey) return;
  if (e.key === "s") {
    e.preventDefault(); // saved anyway: the browser's own dialog would only mislead
    port.hide();
    app.announce("Everything is saved as you type.");
  }
});

// A device pixel ratio of another screen needs pages of another sharpness.
function watchRatio(): void {
  matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener(
    "change",
    () => {
      viewport.desk.repaint();
      watchRatio();
    },
    { once: true },
  );
}
watchRatio();
