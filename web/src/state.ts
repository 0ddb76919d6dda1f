// What the window knows of the book: the state the worker published last, and
// who wants to hear of the next.
import type { BookState, ChapterRow } from "./protocol";

export interface Activity {
  tool: string;
  running: boolean;
  ok: boolean;
  ms: number;
}

export interface Snapshot {
  book: BookState | undefined;
  /** Why the worker is gone; a new one is starting unless `stopped`. */
  died: string | undefined;
  stopped: boolean;
  /** Layout under way: chapters done of all. */
  progress: { done: number; of: number; label?: string } | undefined;
  activity: Activity | undefined;
}

export class State {
  private snapshot: Snapshot = { book: undefined, died: undefined, stopped: false, progress: undefined, activity: undefined };
  private listeners = new Set<(now: Snapshot, before: Snapshot) => void>();
  private scheduled = false;
  private before: Snapshot = this.snapshot;

  get now(): Snapshot {
    return this.snapshot;
  }

  get book(): BookState | undefined {
    return this.snapshot.book;
  }

  /** Changes part of it; listeners hear once per frame at most. */
  set(part: Partial<Snapshot>): void {
    this.snapshot = { ...this.snapshot, ...part };
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      const before = this.before;
      this.before = this.snapshot;
      for (const l of this.listeners) l(this.snapshot, before);
    });
  }

  listen(f: (now: Snapshot, before: Snapshot) => void): void {
    this.listeners.add(f);
  }

  /** The chapter on screen. */
  get chapter(): ChapterRow | undefined {
    const b = this.snapshot.book;
    return b?.chapters.find((c) => c.onScreen) ?? b?.chapters[0];
  }
}

/** "1–14", "7", or "…" while the pages are not known. */
export function pageRange(c: ChapterRow): string {
  if (c.firstPage && c.lastPage) return c.firstPage === c.lastPage ? c.firstPage : `${c.firstPage}–${c.lastPage}`;
  return c.pages === null || c.pages === undefined ? "…" : c.pages === 1 ? "1 page" : `${c.pages} pages`;
}

export function count(n: number, one: string, many = one + "s"): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}
