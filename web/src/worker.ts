// The worker's script. It compiles the program (or takes the module that an
// earlier worker of this page compiled), runs it, and from then on is out of the
// way: the program listens to the port itself and says hello. When the program
// ends, for whatever reason, the window is told.
import "wasm_exec";

interface Start {
  t: "module";
  module?: WebAssembly.Module;
  /** A lock held as long as this worker lives: the window waits for it. */
  lock: string;
}

// The last lines the program wrote, to say what it died of.
let tail = "";
const files = (globalThis as unknown as { fs: { writeSync(fd: number, bytes: Uint8Array): number } }).fs;
const write = files.writeSync.bind(files);
const decoder = new TextDecoder();
files.writeSync = (fd, bytes) => {
  tail = (tail + decoder.decode(bytes, { stream: true })).slice(-4000);
  return write(fd, bytes);
};

function causeOfDeath(): string {
  const lines = tail.split("\n");
  const line = lines.find((l) => /^(panic|fatal error|runtime error)/.test(l));
  return line ?? "the typesetter stopped";
}

function died(error: string): void {
  postMessage({ t: "died", error });
}

async function start(m: Start): Promise<void> {
  // Held for ever; the browser lets go of it when the worker is gone.
  if (navigator.locks) {
    await new Promise<void>((held) => {
      void navigator.locks.request(m.lock, () => {
        held();
        return new Promise<void>(() => {});
      });
    });
  }
  postMessage({ t: "alive" });
  let module = m.module;
  if (!module) {
    module = await WebAssembly.compileStreaming(fetch(__WORKER_WASM__));
    postMessage({ t: "compiled", module });
  }
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  await go.run(instance);
  died(causeOfDeath());
}

function first(e: MessageEvent): void {
  const m = e.data as Start;
  if (m.t !== "module") return;
  removeEventListener("message", first);
  start(m).catch((e: unknown) => died(String(e)));
}

addEventListener("message", first);
