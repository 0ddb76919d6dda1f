// What was typed last and may not have reached the book: noted down by a page as it
// goes, or left in the editor by a worker that is gone. It is put back once the book
// is there; until then agents' calls wait, so that none sees the text without it or
// has it put over what it wrote.
import { typedOn, type Note } from "./editor";
import { unique } from "./port";
import { forget, recall, remember, remembered } from "./prefs";

/** What stood in the editor when its page or its worker went. */
export interface Unsaved extends Note {
  /** The book's name in this window: kind, id and language. */
  book: string;
  /** The editor shows it still, and it may be typed on. */
  live?: boolean;
  /** It is being put back. */
  under?: boolean;
  /** The revision at which the worker took it: it is kept until that is in storage. */
  taken?: number;
}

/** How long a book that another window seems to have is waited for, in ms: the worker
 *  of before a reload lets go of it a moment later. */
const barredFor = 5_000;

/** What there is to know of the open book. */
export interface Open {
  /** The window has the book's state from the worker there is now. */
  heard: boolean;
  /** The typesetter is gone and no other is starting. */
  stopped: boolean;
  ready: boolean;
  /** The book waits for something a call may bring: an answer, or another book. */
  stuck: boolean;
  readOnly: boolean;
  book: string;
}

export class Left {
  private notes: Unsaved[] = read();
  private waiting: (() => void)[] = [];
  private barredSince: number | undefined;
  /** Where this page writes: pages that go together, as when the browser is closed, do
   *  not write over each other's. */
  private here = unique();
  private written = false;
  /** The page is on its way to the place its address names: agents' calls come after,
   *  or it would undo what they show. */
  onTheWay = false;

  /** open tells how the book is now. */
  constructor(private open: () => Open) {}

  /** Keeps what a worker that is gone did not save. */
  add(...notes: Unsaved[]): void {
    this.notes.push(...notes);
  }

  /** The notes of a book that are not being put back yet. */
  of(book: string): Unsaved[] {
    return this.notes.filter((n) => n.book === book && !n.under);
  }

  /** The worker took a note into the book, as of a revision. */
  reached(note: Unsaved, revision: number): void {
    note.taken = revision;
    this.look();
  }

  /** The book is in storage as of a revision. */
  saved(revision: number): void {
    this.notes = this.notes.filter((n) => n.taken === undefined || n.taken > revision);
  }

  /** The worker is gone: what it took and had not saved is put back into the next one. */
  revive(): void {
    for (const n of this.notes) if (n.taken !== undefined) Object.assign(n, { taken: undefined, under: undefined });
  }

  /** A note is in the book again, or never will be. */
  drop(note: Unsaved): void {
    this.notes = this.notes.filter((n) => n !== note);
    this.look();
  }

  /** Whether something has to be put back before an agent may see the book. */
  get owing(): boolean {
    const now = this.open();
    const notes = this.notes.filter((n) => n.taken === undefined);
    if (notes.length === 0 && !this.onTheWay || now.stopped) return false;
    if (!now.heard) return true;
    if (!now.ready) return !now.stuck;
    if (this.onTheWay) return true;
    if (!notes.some((n) => n.book === now.book)) return false;
    if (!now.readOnly) return true;
    if (this.barredSince === undefined) {
      this.barredSince = performance.now();
      setTimeout(() => this.look(), barredFor);
    }
    return performance.now() - this.barredSince < barredFor - 1;
  }

  /** Waits until nothing is owing, or the signal fires. */
  async settled(signal: AbortSignal): Promise<void> {
    while (this.owing && !signal.aborted) {
      await new Promise<void>((go) => {
        this.waiting.push(go);
        signal.addEventListener("abort", () => go(), { once: true });
      });
    }
  }

  /** The page is at its place. */
  arrived(): void {
    this.onTheWay = false;
    this.look();
  }

  /** Something became another: who waits looks again. */
  look(): void {
    if (this.owing) return;
    for (const go of this.waiting.splice(0)) go();
  }

  /** Writes down for the next visit what a page that goes has typed, and what it never
   *  came to put back; text is what the editor shows. */
  write(typed: Unsaved[], text: string): void {
    const list = [...typed, ...this.notes.map((n) => (n.live ? typedOn(n, text) : n))].filter((n) => n.known ?? n.sent ?? n.saved).slice(-mostNotes);
    this.written = list.length > 0;
    if (this.written) remember(before + this.here, JSON.stringify(list.map((n) => ({ ...n, live: undefined, under: undefined, taken: undefined }))));
    else forget(before + this.here);
  }

  /** The page that was about to go has stayed, and what it wrote down is in storage.
   *  Another may have read it meanwhile. */
  stayed(): void {
    if (!this.written) return;
    forget(before + this.here);
    this.here = unique();
    this.written = false;
  }
}

const before = "unsaved-";

/** The most notes that wait, of books that are not opened again. */
const mostNotes = 32;

/** How many of the places that were read are remembered. */
const remembersRead = 32;

/** Reads what other pages left, once: a page that goes may write a second time when
 *  this one has begun. */
function read(): Unsaved[] {
  const done = parsed<string>(recall("read"));
  const found = remembered(before);
  const notes = found.flatMap((place) => {
    const text = recall(before + place);
    forget(before + place);
    return done.includes(place) ? [] : parsed<Unsaved>(text);
  });
  if (found.length > 0) remember("read", JSON.stringify([...new Set([...done, ...found])].slice(-remembersRead)));
  return notes;
}

function parsed<T>(list: string | null): T[] {
  try {
    return JSON.parse(list ?? "[]") as T[];
  } catch {
    return []; // cut off by a full storage
  }
}
