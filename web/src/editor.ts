// The editor of the chapter's text.
//
// CodeMirror lives in a shadow root, where its styles are constructed sheets:
// the site's policy allows no inline ones. Each chapter has an editor state of
// its own, so undo and caret are per chapter.
//
// The worker holds the text; the editor is ahead of it by what was typed last.
// One change is on its way at a time, what is typed meanwhile waits in a buffer.
// A text changed by someone else (an agent) is put under both by mapping the
// changes over each other, so neither side loses a letter.
import { autocompletion, completionKeymap, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { markdown } from "@codemirror/lang-markdown";
import type { MarkdownConfig } from "@lezer/markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { boundedNesting } from "./nesting";
import { chapterLimit, chapterLimitSaid } from "./chapterlimit";
import { ChangeSet, Compartment, EditorSelection, EditorState, Text, Transaction, type Extension } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { h } from "./dom";
import type { Change } from "./protocol";

/** A text as the worker has it, and the revision it belongs to. */
export interface Known {
  text: string;
  revision: number;
  /** The worker's visit, and how the one before left the text: the revisions, of that
   *  visit, of the last change by a tool and by hand. */
  visit?: string;
  left?: { visit: string; tool: number; typed: number };
}

/** What stands in the editor when its worker is gone or about to go, with what the
 *  worker had of it: enough to put it over whatever a tool changed since. */
export interface Note {
  chapter: string;
  text: string;
  visit: string;
  revision: number;
  /** Turn the text into what the worker had for certain, and into what it had with the
   *  change under way, and into what was last known to be in storage; left out where
   *  that is the text itself. */
  known?: Change | undefined;
  sent?: Change | undefined;
  saved?: Change | undefined;
}

export interface EditorEvents {
  /**
   * Sends a change made to a text of `length` known at revision `base`; gives the
   * new revision, or why the worker does not take it: most often its text is another
   * one by now.
   */
  type(chapter: string, changes: Change[], length: number, base: number): Promise<{ revision: number } | { refused: string }>;
  /** What is typed is not taken; it stays in the editor, or never came in. */
  refused(why: string): void;
  /** Asks for the worker's text. */
  text(chapter: string): Promise<Known | undefined>;
  /** The caret moved; `typed` when by a change of the text. */
  caret(chapter: string, offset: number, toOffset: number, typed: boolean): void;
  /** Undo or redo became possible or impossible. */
  history(undo: number, redo: number): void;
}

/** What the editor knows of one chapter. */
interface Chapter {
  id: string;
  state: EditorState;
  /** The language the state's attributes tell. */
  lang: string;
  /** The text the worker has for certain. */
  known: Text;
  revision: number;
  visit: string;
  /** The revision of the last change made here that the worker took. */
  taken: number;
  /** The text that was last known to be in storage. */
  saved: Text;
  /** The caret was set: by pressing, by a key, from a page. */
  touched?: boolean;
  /** On its way to the worker. */
  sent: ChangeSet | undefined;
  /** Typed since. */
  unsent: ChangeSet | undefined;
}

/** The block between two lines of hyphens at the head of a text. */
const frontMatter: MarkdownConfig = {
  defineNodes: [{ name: "FrontMatter", block: true, style: tags.meta }],
  parseBlock: [
    {
      name: "FrontMatter",
      before: "HorizontalRule",
      parse(cx, line) {
        if (cx.lineStart !== 0 || !/^---\s*$/.test(line.text)) return false;
        let end = line.text.length;
        while (cx.nextLine()) {
          end = cx.lineStart + line.text.length;
          if (!/^(---|\.\.\.)\s*$/.test(line.text)) continue;
          cx.nextLine();
          break;
        }
        cx.addElement(cx.elt("FrontMatter", 0, end));
        return true;
      },
    },
  ],
};

const directives = new MatchDecorator({
  regexp: /:{1,3}[a-zA-Z][\w-]*(?=[{[\s]|$)|\{[#.a-z][^{}\n]*\}|\[\^[^\]\s]+\]/g,
  decoration: Decoration.mark({ class: "cm-directive" }),
});

const directiveMarks = ViewPlugin.fromClass(
  class {
    marks: DecorationSet;
    constructor(view: EditorView) {
      this.marks = directives.createDeco(view);
    }
    update(u: ViewUpdate) {
      this.marks = directives.updateDeco(u, this.marks);
    }
  },
  { decorations: (p) => p.marks },
);

const highlighting = HighlightStyle.define([
  { tag: tags.heading, color: "var(--ink)", fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: "var(--faint)" },
  { tag: [tags.link, tags.url], color: "var(--blue)" },
  { tag: tags.quote, color: "var(--soft)" },
  { tag: tags.monospace, color: "var(--green)" },
  { tag: [tags.comment, tags.meta], color: "var(--faint)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent", fontSize: "var(--editor-size, 14px)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: '"JetBrains Mono", ui-monospace, monospace', lineHeight: "1.7", fontVariantLigatures: "none", overflow: "auto" },
  ".cm-content": { padding: "18px 0 40vh", caretColor: "var(--brand)", maxWidth: "78ch" },
  ".cm-line": { padding: "0 24px 0 10px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--faint)", border: "none" },
  // Smaller figures on the line's own base: the line height is that of the text.
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "38px", padding: "0 8px 0 4px", fontSize: ".8em", lineHeight: "2.125", fontVariantNumeric: "tabular-nums" },
  // Faint: a paragraph of prose is one line, however many it wraps to.
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--line-tint) 60%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--brand)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--select) !important" },
  ".cm-selectionMatch": { backgroundColor: "var(--line-tint)" },
  ".cm-searchMatch": { backgroundColor: "var(--match)" },
  ".cm-searchMatch-selected": { outline: "1px solid var(--brand)" },
  ".cm-directive, .cm-directive span": { color: "var(--brand)" },
  ".cm-panels": { backgroundColor: "var(--surface-2)", color: "var(--ink)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--rule)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--rule)" },
  ".cm-panel.cm-search": { padding: "8px 12px", fontFamily: "var(--font-sans)", fontSize: "13px" },
  ".cm-panel.cm-search input[type=checkbox]": { accentColor: "var(--brand)" },
  ".cm-textfield": { backgroundColor: "var(--surface)", border: "1px solid var(--rule-strong)", borderRadius: "3px", color: "var(--ink)" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--surface)", border: "1px solid var(--rule-strong)", borderRadius: "3px", color: "var(--ink)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", border: "1px solid var(--rule-strong)", borderRadius: "4px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--brand)", color: "var(--brand-contrast)" },
  "@media (prefers-reduced-motion: reduce)": { ".cm-cursorLayer": { animation: "none !important" } },
});

const offered: Completion[] = [
  { label: ":::pagebreak", detail: "new page" },
  { label: ":::space", detail: "white space" },
  { label: ":::columns{count=2}", detail: "columns" },
  { label: ':::numbering{format="decimal" startAt=1}', detail: "page numbers" },
  { label: "::resource{id=\"\"}", detail: "place a figure" },
  { label: ":ref{id=\"\"}", detail: "cite a figure" },
  { label: ":smallcaps[]", detail: "small capitals" },
  { label: ":chip[]", detail: "inline label" },
];

function complete(c: CompletionContext): CompletionResult | null {
  const word = c.matchBefore(/:{1,3}[a-z]*/);
  if (!word || (word.text.length < 2 && !c.explicit)) return null;
  return { from: word.from, options: offered.filter((o) => o.label.startsWith(word.text)), validFor: /^:{1,3}[a-z]*$/ };
}

export class Editor {
  readonly element = h("div", { class: "editor" });
  private view: EditorView;
  private chapters = new Map<string, Chapter>();
  private now: Chapter | undefined;
  private language = new Compartment();
  private colours = new Compartment();
  private locked = new Compartment();
  private lang = "en";
  private readOnly = false;
  private awaiting: (() => void)[] = [];

  constructor(private events: EditorEvents) {
    const shadow = this.element.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":host{display:block;height:100%;min-height:0} .cm-editor{height:100%}");
    shadow.adoptedStyleSheets = [sheet];
    this.view = new EditorView({ state: EditorState.create({ extensions: [this.extensions(), EditorState.readOnly.of(true)] }), parent: shadow, root: shadow });
  }

  get chapter(): string | undefined {
    return this.now?.id;
  }

  get focused(): boolean {
    return this.view.hasFocus;
  }

  focus(): void {
    this.view.focus();
  }

  setLanguage(tag: string): void {
    if (tag === this.lang) return;
    this.lang = tag;
    if (this.now) this.now.lang = tag;
    this.view.dispatch({ effects: this.language.reconfigure(this.attributes()) });
  }

  /** A book that another window has can only be read here. */
  setReadOnly(readOnly: boolean): void {
    if (readOnly === this.readOnly) return;
    this.readOnly = readOnly;
    this.view.dispatch({ effects: this.locked.reconfigure(EditorState.readOnly.of(readOnly)) });
  }

  private attributes(): Extension {
    return EditorView.contentAttributes.of({ "aria-label": "Chapter text", lang: this.lang, tabindex: "0", spellcheck: "true", autocorrect: "off" });
  }

  private extensions(plain = false): Extension {
    return [
      lineNumbers(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      dropCursor(),
      EditorState.allowMultipleSelections.of(true),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      autocompletion({ override: [complete], icons: false }),
      this.colours.of(plain ? [] : coloured),
      // Before the highlighter sees such a text. The way back is recolour's: a
      // new highlighter would begin with the text of before the change.
      EditorState.transactionExtender.of((tr) =>
        tr.docChanged && isTooMuchToColour(tr.newDoc) ? { effects: this.colours.reconfigure([]) } : null,
      ),
      syntaxHighlighting(highlighting),
      directiveMarks,
      EditorView.lineWrapping,
      keymap.of([
        { key: "Mod-b", run: () => this.wrap("**") },
        { key: "Mod-i", run: () => this.wrap("*") },
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...completionKeymap,
      ]),
      look,
      this.language.of(this.attributes()),
      this.locked.of(EditorState.readOnly.of(this.readOnly)),
      chapterLimit(() => this.events.refused(chapterLimitSaid)),
      EditorView.updateListener.of((u) => this.updated(u)),
    ];
  }

  /** Shows a chapter; `text` is what the worker has. */
  show(id: string, text: Known): void {
    if (this.now) this.now.state = this.view.state;
    let c = this.chapters.get(id);
    if (c) {
      this.now = c;
      this.view.setState(c.state);
      if (c.lang !== this.lang) {
        c.lang = this.lang;
        this.view.dispatch({ effects: this.language.reconfigure(this.attributes()) });
      }
      if (this.view.state.readOnly !== this.readOnly) this.view.dispatch({ effects: this.locked.reconfigure(EditorState.readOnly.of(this.readOnly)) });
      this.remote(id, text);
    } else {
      const doc = Text.of(text.text.split("\n"));
      // The first look at a text is plain: its colours take a turn of their own.
      const plain = doc.length > colouredAtOnce;
      const state = EditorState.create({ doc, selection: { anchor: opening(text.text) }, extensions: this.extensions(plain) });
      this.now = { id, state, lang: this.lang, known: doc, revision: text.revision, visit: text.visit ?? "", taken: 0, saved: doc, sent: undefined, unsent: undefined };
      this.chapters.set(id, this.now);
      this.view.setState(state);
    }
    this.tellHistory();
    setTimeout(() => this.recolour());
  }

  /** Gives a text its colours back that can have them again. */
  private recolour(): void {
    const { state } = this.view;
    if (this.colours.get(state) === coloured || isTooMuchToColour(state.doc)) return;
    this.view.dispatch({ effects: this.colours.reconfigure(coloured) });
  }

  /** The text in the editor. */
  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Everything is in storage as of a revision. */
  saved(revision: number): void {
    for (const c of this.chapters.values()) if (c.revision <= revision) c.saved = c.known;
  }

  /** The chapters with something typed that the worker does not have, or had at a
   *  revision after `saved`, the last one known to be in storage. */
  unsaved(saved: number): Note[] {
    return [...this.chapters.values()].filter((c) => c.sent || c.unsent || c.taken > saved).map((c) => this.noteOf(c));
  }

  /** The text in the editor, to be put over another. */
  note(): Note | undefined {
    return this.now && this.noteOf(this.now);
  }

  private noteOf(c: Chapter): Note {
    const text = (c === this.now ? this.view.state : c.state).doc.toString();
    const sent = c.sent ? c.sent.apply(c.known) : c.known;
    return { chapter: c.id, text, visit: c.visit, revision: c.revision, known: replacement(text, c.known.toString()), sent: replacement(text, sent.toString()), saved: replacement(text, c.saved.toString()) };
  }

  /** Puts a text into the editor as if it had been typed, and waits until the worker
   *  has it or another text is to be shown. */
  async retype(text: string): Promise<void> {
    const c = this.now;
    const change = difference(this.view.state.doc, Text.of(text.split("\n")));
    if (!c || !change) return;
    this.view.dispatch({ changes: change });
    while ((c.sent || c.unsent) && this.chapters.get(c.id) === c) await new Promise<void>((f) => this.awaiting.push(f));
  }

  /** Something typed reached the worker, or never will. */
  private reached(): void {
    for (const f of this.awaiting.splice(0)) f();
  }

  /** Another book is open: nothing of the old one is kept. */
  forget(): void {
    this.chapters.clear();
    this.now = undefined;
    this.reached();
  }

  /** The worker's text of a chapter became this one. */
  remote(id: string, text: Known): void {
    const c = this.chapters.get(id);
    if (!c || text.revision < c.revision) return;
    c.revision = text.revision;
    const next = Text.of(text.text.split("\n"));
    const change = difference(c.known, next);
    if (!change) return;
    // known → next, and known → known+sent+unsent: each mapped over the other.
    const ours = compose(c.sent, c.unsent);
    c.known = next;
    if (ours) {
      const theirs = change.map(ours);
      c.sent = undefined;
      c.unsent = ours.map(change, true);
      this.apply(c, theirs);
    } else {
      this.apply(c, change);
    }
  }

  private apply(c: Chapter, changes: ChangeSet): void {
    const spec = { changes, annotations: [Transaction.addToHistory.of(false), Transaction.remote.of(true)] };
    if (c === this.now) this.view.dispatch(spec);
    else c.state = c.state.update(spec).state;
  }

  /** When the reader last wrote or moved the caret, as performance.now tells it. */
  handAt = 0;

  /** Selects what stands between two offsets of the worker's text. */
  reveal(from: number, to: number): void {
    const ours = this.now && compose(this.now.sent, this.now.unsent);
    const at = (n: number, side: -1 | 1) => (ours ? ours.mapPos(Math.min(n, ours.length), side) : n);
    this.select(at(from, 1), at(to, -1), false);
  }

  /** Selects a passage and brings it into sight; offsets in UTF-16 units. */
  select(from: number, to = from, focus = true): void {
    const end = this.view.state.doc.length;
    const clamp = (n: number) => Math.max(0, Math.min(end, n));
    this.view.dispatch({
      selection: EditorSelection.single(clamp(from), clamp(to)),
      effects: EditorView.scrollIntoView(EditorSelection.range(clamp(from), clamp(to)), { y: "center" }),
    });
    if (focus) this.view.focus();
  }

  /** Selects the word at or around an offset; `word` is how the worker reads it. */
  selectWord(offset: number, word: string | undefined, focus = true): void {
    const doc = this.view.state.doc;
    const at = Math.min(offset, doc.length);
    const from = Math.max(0, at - (word?.length ?? 0));
    const near = word ? doc.sliceString(from, at + word.length).indexOf(word) : -1;
    if (word && near >= 0) {
      this.select(from + near, from + near + word.length, focus);
      return;
    }
    const own = this.view.state.wordAt(at);
    this.select(own?.from ?? at, own?.to ?? at, focus);
  }

  undo(): void {
    undo(this.view);
    this.focus();
  }

  redo(): void {
    redo(this.view);
    this.focus();
  }

  /** Puts a mark around the selection, or takes it away. */
  wrap(mark: string, close = mark): boolean {
    const v = this.view;
    v.dispatch(
      v.state.changeByRange((r) => {
        const before = v.state.sliceDoc(r.from - mark.length, r.from);
        const after = v.state.sliceDoc(r.to, r.to + close.length);
        if (before === mark && after === close) {
          return {
            changes: [{ from: r.from - mark.length, to: r.from }, { from: r.to, to: r.to + close.length }],
            range: EditorSelection.range(r.from - mark.length, r.to - mark.length),
          };
        }
        return {
          changes: [{ from: r.from, insert: mark }, { from: r.to, insert: close }],
          range: EditorSelection.range(r.from + mark.length, r.to + mark.length),
        };
      }),
      { userEvent: "input", scrollIntoView: true },
    );
    v.focus();
    return true;
  }

  /** Begins the selected lines with a mark, in place of a mark of the same kind. */
  prefix(mark: string, kind: RegExp): void {
    const v = this.view;
    const changes: { from: number; to: number; insert: string }[] = [];
    const { from, to } = v.state.selection.main;
    for (let at = from; ; ) {
      const line = v.state.doc.lineAt(at);
      const old = kind.exec(line.text)?.[0] ?? "";
      changes.push({ from: line.from, to: line.from + old.length, insert: old === mark ? "" : mark });
      if (line.to >= to) break;
      at = line.to + 1;
    }
    v.dispatch({ changes, userEvent: "input", scrollIntoView: true });
    v.focus();
  }

  /** Puts a block of its own after the current line. */
  insertBlock(text: string): void {
    const v = this.view;
    const line = v.state.doc.lineAt(v.state.selection.main.head);
    const insert = (line.length > 0 ? "\n\n" : "") + text + "\n";
    v.dispatch({ changes: { from: line.to, insert }, selection: { anchor: line.to + insert.length }, userEvent: "input", scrollIntoView: true });
    v.focus();
  }

  /** Writes in place of the selection. */
  insert(text: string): void {
    const v = this.view;
    v.dispatch({ ...v.state.replaceSelection(text), userEvent: "input", scrollIntoView: true });
  }

  /** Whether somebody has set the caret in this chapter, or it is where it began. */
  get touched(): boolean {
    return this.now?.touched === true;
  }

  /** Puts the caret at the end of a line, from 1. */
  endOfLine(line: number): void {
    const { doc } = this.view.state;
    this.select(doc.line(Math.max(1, Math.min(line, doc.lines))).to);
  }

  /** The line the caret is in, from 1. */
  get line(): number {
    return this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
  }

  private updated(u: ViewUpdate): void {
    const c = this.now;
    if (!c) return;
    const remote = u.transactions.some((t) => t.annotation(Transaction.remote));
    if (u.docChanged && !remote) {
      c.unsent = compose(c.unsent, u.changes);
    }
    if (u.docChanged) {
      queueMicrotask(() => this.recolour());
      void this.send(c);
      this.tellHistory();
    }
    if (u.transactions.some((t) => t.annotation(Transaction.userEvent) !== undefined)) this.handAt = performance.now();
    if ((u.selectionSet || u.docChanged) && !remote) {
      const s = u.state.selection.main;
      c.touched = true;
      this.events.caret(c.id, s.from, s.to, u.docChanged);
    }
  }

  private tellHistory(): void {
    this.events.history(undoDepth(this.view.state), redoDepth(this.view.state));
  }

  private async send(c: Chapter): Promise<void> {
    let refusals = 0;
    while (!c.sent && c.unsent && this.chapters.get(c.id) === c) {
      const changes = c.unsent;
      c.sent = changes;
      c.unsent = undefined;
      const list: Change[] = [];
      changes.iterChanges((from, to, _a, _b, insert) => list.push({ from, to, insert: insert.toString() }));
      const answer = await this.events.type(c.id, list, changes.length, c.revision);
      if (this.chapters.get(c.id) !== c) return; // its worker is gone
      if (c.sent !== changes) continue; // the text changed under it meanwhile: sent again, mapped
      if ("revision" in answer) {
        c.known = changes.apply(c.known);
        c.revision = c.taken = answer.revision;
        c.sent = undefined;
        refusals = 0;
        this.reached();
        continue;
      }
      const text = await this.events.text(c.id);
      if (text === undefined) return;
      if (c.sent !== changes) continue;
      c.unsent = compose(changes, c.unsent);
      c.sent = undefined;
      refusals = text.text === c.known.toString() ? refusals + 1 : 0;
      this.remote(c.id, text);
      if (refusals > mostRefusals) {
        // The very text it was made to, and not taken: the next change tries again.
        this.events.refused(answer.refused);
        return;
      }
    }
  }
}

/** How often a change to the very text that the worker has is sent again. */
const mostRefusals = 3;

const coloured = markdown({ extensions: [frontMatter, boundedNesting] });

/** The longest text that is coloured in the same turn as it is shown, in UTF-16 units. */
const colouredAtOnce = 4_000;

/** A text that the highlighter would hold the window up over is shown without colours. */
function isTooMuchToColour(doc: Text): boolean {
  const longestLine = 20_000;
  const longestText = 2_000_000;
  if (doc.length > longestText) return true;
  if (doc.length <= longestLine) return false;
  for (const lines = doc.iterLines(); !lines.next().done; ) {
    if (lines.value.length > longestLine) return true;
  }
  return false;
}

function compose(a: ChangeSet | undefined, b: ChangeSet | undefined): ChangeSet | undefined {
  if (!a || !b) return a ?? b;
  return a.compose(b);
}

/** The smallest single replacement that turns one text into another. */
function difference(a: Text, b: Text): ChangeSet | undefined {
  const change = a.eq(b) ? undefined : replacement(a.toString(), b.toString());
  return change && ChangeSet.of(change, a.length);
}

/** The same of plain texts. */
export function replacement(a: string, b: string): Change | undefined {
  if (a === b) return undefined;
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  while (end < most - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return { from: start, to: a.length - end, insert: b.slice(start, b.length - end) };
}

/** The text that a note asks for where the worker has another one by now. What was
 *  stored is as a rule an earlier state of what was noted; but where a tool has changed
 *  it since, or another visit, what was typed is put over that. */
export function restored(note: Note, now: Known): string {
  const { left } = now;
  const same = left?.visit === note.visit;
  if (same && left.tool <= note.revision) return note.text;
  const had = same ? (left.typed > note.revision ? note.sent : note.known) : note.saved;
  const base = replaced(note.text, had);
  const ours = replacement(base, note.text);
  const theirs = replacement(base, now.text);
  if (!ours || !theirs) return ours ? note.text : now.text;
  const amid = ours.from > theirs.from && ours.from < theirs.to;
  const at = ChangeSet.of(amid ? lines(theirs, base) : theirs, base.length);
  return ChangeSet.of(ours, base.length).map(at).apply(Text.of(now.text.split("\n"))).toString();
}

/** A change of a text as a change of whole lines: what was typed in a passage that is
 *  gone stands beside the new one, not amid its words. */
function lines(c: Change, text: string): Change {
  const from = text.lastIndexOf("\n", c.from - 1) + 1;
  const end = text.indexOf("\n", c.to);
  const to = end < 0 ? text.length : end;
  return { from, to, insert: text.slice(from, c.from) + c.insert + text.slice(c.to, to) };
}

/** The same note of a text that was typed on. */
export function typedOn(note: Note, text: string): Note {
  const [known, sent, saved] = [note.known, note.sent, note.saved].map((c) => replacement(text, replaced(note.text, c)));
  return { ...note, text, known, sent, saved };
}

function replaced(text: string, c: Change | undefined): string {
  return c ? text.slice(0, c.from) + c.insert + text.slice(c.to) : text;
}

/** Where a chapter's first paragraph begins: who types before moving the caret
 *  should not find the front matter or the title in pieces. */
function opening(text: string): number {
  const head = /^---[ \t]*\n[\s\S]*?\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text)?.[0].length ?? 0;
  const skipped = /^(?:[ \t]*\n|#{1,6}[ \t].*\n)*/.exec(text.slice(head))?.[0].length ?? 0;
  return head + skipped;
}
