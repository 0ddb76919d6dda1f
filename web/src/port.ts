// The window's end of the port to the worker: calls and their answers, events,
// and a new worker when the old one dies.
import { saveFile } from "./download";
import type { FromWorker, ToWorker, TextMessage } from "./protocol";

export interface Reply {
  json: string;
  buffers: ArrayBuffer[];
}

export interface Events {
  state(json: string): void;
  progress(json: string): void;
  text(m: TextMessage): void;
  reveal(json: string): void;
  /** Puts an encoded picture on the screen; gives where it stands, as JSON. */
  show(json: string, bytes: ArrayBuffer): Promise<string>;
  /** The worker is gone; next says whether another is starting. */
  died(error: string, next: boolean): void;
  /** A new worker has the port; what was on screen has to be asked for again. */
  started(again: boolean): void;
}

/** More deaths than this within a minute and the person is asked first. */
const maxDeaths = 3;

/** Said when no other worker is started. */
export const keepsStopping = "the typesetter stopped three times; reload the page";

/** How long a state waits for the answer of a call, in ms. */
const patience = 400;

export class Port {
  private worker: Worker | undefined;
  private generation = 0;
  private ready = false;
  private nextID = 1;
  private pending = new Map<number, (r: Reply) => void>();
  private queue: ToWorker[] = [];
  private deaths: number[] = [];
  /** Changes (change) that are not answered yet, and the states that came meanwhile. */
  private asking = 0;
  private held: string[] = [];
  private holding: ReturnType<typeof setTimeout> | undefined;
  /** Compiled by the first worker, for those that may follow. */
  private module: WebAssembly.Module | undefined;

  constructor(
    private init: () => Extract<ToWorker, { t: "init" }>,
    private events: Events,
  ) {}

  /** Starts a worker, in place of the one there is. */
  start(): void {
    const generation = ++this.generation;
    this.ready = false;
    this.worker?.terminate();
    const worker = new Worker(__WORKER_JS__, { name: "postext" });
    this.worker = worker;
    const lock = `postext-worker-${unique()}`;
    const gone = (error: string) => {
      if (this.generation === generation) this.dead(error);
    };
    worker.onmessage = (e) => {
      if (this.generation !== generation) return;
      const m = e.data as FromWorker | { t: "alive" } | { t: "compiled"; module: WebAssembly.Module };
      if (m.t === "alive") watch(lock, () => gone("the typesetter's worker was ended"));
      else if (m.t === "compiled") this.module = m.module;
      else this.receive(m);
    };
    worker.onerror = (e) => {
      e.preventDefault();
      gone(e.message || "the typesetter's worker failed");
    };
    worker.postMessage({ t: "module", module: this.module, lock });
  }

  private receive(m: FromWorker): void {
    switch (m.t) {
      case "hello":
        this.worker?.postMessage(this.init());
        this.events.started(this.generation > 1);
        break;
      case "answer": {
        const resolve = this.pending.get(m.id);
        this.pending.delete(m.id);
        resolve?.({ json: m.json, buffers: m.buffers ?? [] });
        break;
      }
      case "state":
        // The first one says that the session is there: what waited goes out.
        this.ready = true;
        for (const q of this.queue.splice(0)) this.worker?.postMessage(q);
        this.held.push(m.json);
        if (this.asking === 0) this.release();
        else this.holding ??= setTimeout(() => this.release(), patience);
        break;
      case "progress":
        this.events.progress(m.json);
        break;
      case "text":
        this.events.text(m);
        break;
      case "reveal":
        this.events.reveal(m.json);
        break;
      case "show":
        void this.show(m);
        break;
      case "download":
        saveFile(m.name, m.mime, m.buffers[0] ?? new ArrayBuffer(0));
        break;
      case "died":
        this.dead(m.error);
        break;
    }
  }

  private async show(m: Extract<FromWorker, { t: "show" }>): Promise<void> {
    const worker = this.worker;
    try {
      const json = await this.events.show(m.json, m.buffers[0] ?? new ArrayBuffer(0));
      worker?.postMessage({ t: "shown", id: m.id, json } satisfies ToWorker);
    } catch (e) {
      // Without an answer the worker refuses the call after a while.
      console.error("postext: the picture could not be shown", e);
    }
  }

  private dead(error: string): void {
    this.generation++; // whatever the old worker still says is not heard
    this.worker?.terminate();
    this.worker = undefined;
    this.ready = false;
    this.queue = [];
    const now = Date.now();
    this.deaths = [...this.deaths.filter((t) => now - t < 60_000), now];
    const next = this.deaths.length < maxDeaths;
    const json = JSON.stringify({
      ok: false,
      error: next ? `The typesetter stopped (${error}) and was started again from what is saved; ask sandbox_get_state, then repeat the call.` : `${keepsStopping} (${error}); what is saved stays.`,
    });
    const lost = [...this.pending.values()];
    this.pending.clear();
    for (const resolve of lost) resolve({ json, buffers: [] });
    this.held = [];
    this.events.died(error, next);
    if (next) this.start();
  }

  /** Whether a worker answers calls; before that they wait. */
  get answers(): boolean {
    return this.ready;
  }

  /** Starts again after a person asked for it. */
  restart(): void {
    this.deaths = [];
    this.start();
  }

  private send(m: ToWorker): void {
    if (this.ready) this.worker?.postMessage(m);
    else this.queue.push(m);
  }

  private ask(t: "call" | "cmd", name: string, args: string, signal?: AbortSignal): Promise<Reply> {
    if (!this.worker) {
      return Promise.resolve({ json: JSON.stringify({ ok: false, error: `${keepsStopping}. Nothing was changed.` }), buffers: [] });
    }
    const id = this.nextID++;
    return new Promise((resolve) => {
      this.pending.set(id, resolve);
      this.send({ t, id, name, args });
      signal?.addEventListener("abort", () => {
        if (this.pending.has(id)) this.send({ t: "cancel", id });
      });
    });
  }

  /** Calls a tool; the answer is its JSON text. */
  call(name: string, args: string, signal?: AbortSignal): Promise<Reply> {
    return this.ask("call", name, args, signal);
  }

  /** Calls a tool with plain values, for the page's own use. */
  async tool<T>(name: string, args: object, signal?: AbortSignal): Promise<T> {
    return JSON.parse((await this.call(name, JSON.stringify(args), signal)).json) as T;
  }

  /** Calls a tool whose change the caller shows already: the answer comes before the
   *  state of the book that tells of it. */
  async change<T>(name: string, args: object): Promise<T> {
    this.asking++;
    try {
      return await this.tool<T>(name, args);
    } finally {
      // A turn later: who waits for the answer goes on before.
      setTimeout(() => {
        if (--this.asking === 0) this.release();
      });
    }
  }

  /** Hands on the states that were held, each of which tells what changed since the one
   *  before. */
  private release(): void {
    clearTimeout(this.holding);
    this.holding = undefined;
    for (const json of this.held.splice(0)) this.events.state(json);
  }

  /** Sends a command of the interface. */
  cmd(name: string, args: object, signal?: AbortSignal): Promise<Reply> {
    return this.ask("cmd", name, JSON.stringify(args), signal);
  }

  /** The page goes away: save now. */
  hide(): void {
    if (this.ready) this.worker?.postMessage({ t: "hide" } satisfies ToWorker);
  }
}

/** Calls back when the holder of a lock is gone: a dead worker says nothing itself. */
function watch(lock: string, gone: () => void): void {
  if (navigator.locks) void navigator.locks.request(lock, gone);
}

/** A name that no other page has. crypto.randomUUID would be one, but a site that is
 *  served without TLS has it at localhost only. */
export function unique(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
