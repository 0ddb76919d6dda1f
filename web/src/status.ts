// The status line: is everything saved, how many pages, what is being done, and
// what an agent did last.
import { h, icon, setText } from "./dom";
import { count, type State } from "./state";

export class Status {
  readonly element: HTMLElement;
  private saved = h("span", { class: "saved" });
  private pages = h("span", { class: "pages" });
  private words = h("span", { class: "words" });
  private work = h("span", { class: "doing" });
  private bar = h("span", { class: "progress", hidden: true, attr: { role: "progressbar", "aria-label": "Setting pages", "aria-valuemin": "0", "aria-valuemax": "100" } }, h("span", {}));
  private note = h("span", { class: "status-note", attr: { role: "status" } });
  private agent = h("span", { class: "agent", hidden: true }, icon("agent"), h("span", {}));
  private fade = 0;
  /** The last page count that was known. */
  private last: { book: string; pages: number } | undefined;

  constructor(private state: State) {
    this.element = h("footer", { class: "status", attr: { "aria-label": "Status" } }, this.saved, this.pages, this.words, this.bar, this.work, this.note, this.agent);
    state.listen(() => this.draw());
    this.draw();
  }

  /** Says something for a while; a problem stays until the next thing said. */
  say(text: string, kind: "note" | "problem" = "note"): void {
    clearTimeout(this.fade);
    setText(this.note, text);
    this.note.title = text;
    this.note.classList.toggle("problem", kind === "problem");
    this.fade = window.setTimeout(() => setText(this.note, ""), kind === "problem" ? 20_000 : 6_000);
  }

  private draw(): void {
    const { book, died, stopped, progress, activity } = this.state.now;
    setText(this.saved, died ? (stopped ? "Stopped" : "Starting again…") : !book?.ready && !book?.question ? "Loading…" : book.readOnly ? "Read only" : book.saved || book.kept ? "Saved" : "Saving…");
    this.saved.dataset["state"] = died ? "bad" : book?.saved || book?.kept || book?.readOnly ? "saved" : "busy";
    // While the book is set anew the last count stays, faintly.
    if (book?.pages) this.last = { book: book.book.id, pages: book.pages };
    else if (this.last?.book !== book?.book.id) this.last = undefined;
    setText(this.pages, this.last ? count(this.last.pages, "page") : "");
    this.pages.classList.toggle("old", !book?.pages);
    const total = book?.chapters.reduce((n, c) => n + c.words, 0) ?? 0;
    setText(this.words, total > 0 ? count(total, "word") : "");
    const busy = progress !== undefined && progress.done < progress.of;
    this.bar.hidden = !busy;
    if (busy) {
      const percent = Math.round((progress.done / progress.of) * 100);
      this.bar.setAttribute("aria-valuenow", String(percent));
      (this.bar.firstElementChild as HTMLElement).style.width = `${percent}%`;
    }
    setText(this.work, book && !book.ready && book.waitingFor ? `Waiting: ${book.waitingFor}` : busy ? `Setting chapter ${Math.min(progress.done + 1, progress.of)} of ${progress.of}` : (book?.readOnly ? "This book is open in another window, which keeps it. Close it there to change it here, or make your own copy in the Books panel." : (book?.layoutError ?? book?.notice ?? "")));
    this.agent.hidden = !activity;
    if (activity) {
      const name = activity.tool.replace(/^sandbox_/, "").replaceAll("_", " ");
      setText(this.agent.lastElementChild!, activity.running ? `Agent: ${name}…` : `Agent: ${name}, ${activity.ok ? time(activity.ms) : "refused"}`);
      this.agent.classList.toggle("running", activity.running);
      this.agent.classList.toggle("refused", !activity.running && !activity.ok);
    }
  }
}

function time(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
