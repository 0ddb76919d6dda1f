// window.postextWebMcp from the page's first moment (tools.md 13): the page's
// program takes it over when it is there (webmcp.js); what is asked before waits
// for it.

type Execute = (name: string, args?: unknown, options?: { signal?: AbortSignal }) => Promise<unknown>;

interface Program {
  list: () => unknown[];
  execute: Execute;
}

/** What the program's start finds here; it is taken once. */
export interface Door {
  /** Hands the door to the program and gives its handle. */
  open(list: Program["list"], execute: Execute): EventTarget;
  /** Answers what waits, and all that comes, with a refusal. */
  close(error: string): void;
}

const DOOR = Symbol.for("postext.webmcp.door");

let program: Program | undefined;
const arrived: { go?: (p: Program) => void } = {};
const waiting = new Promise<Program>((resolve) => (arrived.go = resolve));

function come(p: Program): void {
  program = p;
  arrived.go?.(p);
}

const execute: Execute = (name, args, options) => {
  if (program) return program.execute(name, args, options);
  const signal = options?.signal;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new DOMException("The call was aborted.", "AbortError"));
    if (signal?.aborted) return stop();
    signal?.addEventListener("abort", stop, { once: true });
    void waiting.then((p) => {
      signal?.removeEventListener("abort", stop);
      if (!signal?.aborted) p.execute(name, args, options).then(resolve, reject);
    });
  });
};

const handle = new EventTarget();
const door: Door = {
  open(list, run) {
    Reflect.deleteProperty(globalThis, DOOR);
    come({ list, execute: run });
    return handle;
  },
  close(error) {
    if (!program) come({ list: () => [], execute: () => Promise.resolve({ ok: false, error }) });
  },
};

Object.assign(handle, { listTools: () => program?.list() ?? [], executeTool: execute, version: __VERSION__ });
Object.freeze(handle);
Object.defineProperty(globalThis, "postextWebMcp", { value: handle, enumerable: true });
Object.defineProperty(globalThis, DOOR, { value: door, configurable: true });
