// Module postext-sandbox/webmcp: the page's side of its tools' bridge.
//
// registerWebMcpTools adds a host page's own tools beside Postext's, on
// document.modelContext where the browser has it and on window.postextWebMcp
// always. startBridge boots page.wasm, the program that owns both; the Sandbox
// page calls it once. The handshake between the two is described in the doc
// comment of wasm/page/main.go.

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const RESERVED = /^(sandbox_|site_)/;
const READY = 'postextbridge';
// Names asked for before the bridge is up; shared by copies of this module.
const WAITING = Symbol.for('postext.webmcp.waiting');
// Set once the program is being started, so that no copy starts another.
const STARTED = Symbol.for('postext.webmcp.started');
// The door of a page that has window.postextWebMcp from its first moment.
const DOOR = Symbol.for('postext.webmcp.door');

const quote = (text) => JSON.stringify([...String(text)].slice(0, 80).join(''));

function waitingNames() {
  if (!globalThis[WAITING]) {
    Object.defineProperty(globalThis, WAITING, { value: new Set() });
  }
  return globalThis[WAITING];
}

// Reads a tool's members once and says what is wrong with them; what the
// schema means is checked by the bridge.
function snapshot(tool) {
  if (tool === null || typeof tool !== 'object') {
    throw new TypeError('a tool is an object { name, description, inputSchema, execute }');
  }
  const { name, title, description, inputSchema, annotations, execute } = tool;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new TypeError(`${quote(name)} cannot be a tool's name: give 1 to 128 of A-Z a-z 0-9 _ - .`);
  }
  if (RESERVED.test(name)) {
    throw new TypeError(`${quote(name)} cannot be a tool's name: names that begin with sandbox_ and site_ are the page's own`);
  }
  if (typeof description !== 'string' || description === '') {
    throw new TypeError(`the tool ${quote(name)} needs a description`);
  }
  if (typeof execute !== 'function') {
    throw new TypeError(`the tool ${quote(name)} needs execute, a function`);
  }
  const one = { name, description, execute, title: typeof title === 'string' ? title : '' };
  if (inputSchema !== undefined) {
    if (inputSchema === null || typeof inputSchema !== 'object' || Array.isArray(inputSchema)) {
      throw new TypeError(`the inputSchema of the tool ${quote(name)} must be a JSON Schema object`);
    }
    one.inputSchema = JSON.parse(JSON.stringify(inputSchema));
  }
  if (annotations !== undefined && annotations !== null) {
    const { readOnlyHint, consequentialHint, untrustedContentHint } = annotations;
    one.annotations = {
      readOnlyHint: Boolean(readOnlyHint),
      consequentialHint: Boolean(consequentialHint),
      untrustedContentHint: Boolean(untrustedContentHint),
    };
  }
  return one;
}

export function registerWebMcpTools(tools, signal) {
  if (tools === null || tools === undefined || typeof tools[Symbol.iterator] !== 'function') {
    throw new TypeError('registerWebMcpTools takes a list of tools');
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new TypeError('the second argument of registerWebMcpTools must be an AbortSignal');
  }
  const list = Array.from(tools, snapshot);
  const waiting = waitingNames();
  const taken = new Set(globalThis.postextWebMcp?.listTools().map((t) => t.name));
  for (const { name } of list) {
    if (taken.has(name) || waiting.has(name)) {
      throw new TypeError(`there is already a tool named ${quote(name)}`);
    }
    taken.add(name);
  }
  if (signal?.aborted) return;

  if (globalThis.postextBridge) {
    const wrong = globalThis.postextBridge.registerTools(list, signal);
    if (wrong) throw new TypeError(wrong);
    return;
  }
  const forget = () => {
    for (const { name } of list) waiting.delete(name);
  };
  for (const { name } of list) waiting.add(name);
  signal?.addEventListener('abort', forget, { once: true });
  globalThis.addEventListener(
    READY,
    () => {
      signal?.removeEventListener('abort', forget);
      forget();
      if (signal?.aborted) return;
      const wrong = globalThis.postextBridge.registerTools(list, signal);
      if (wrong) console.error(`postext: registerWebMcpTools: ${wrong}`);
    },
    { once: true },
  );
}

// Resolves when the program is up; start starts it unless it is being started.
export async function whenReady(start) {
  if (globalThis.postextBridge) return;
  if (globalThis[STARTED]) {
    await new Promise((done) => globalThis.addEventListener(READY, done, { once: true }));
    return;
  }
  globalThis[STARTED] = true;
  try {
    await start();
  } catch (error) {
    globalThis[STARTED] = false; // it may be tried again
    throw error;
  }
}

const GONE = "Postext's program in this page has stopped: reload the page, then look at sandbox_get_state for what is saved";

// Wraps the program's functions so that they answer in words when it has died,
// also the calls that were under way then. A dead Go program throws from every
// function of its own.
function lifeline() {
  const alive = new AbortController();
  const pending = new Set();
  const gone = (kind) => (kind === 'execute' ? { ok: false, error: GONE, isError: true } : { ok: false, error: GONE });
  const die = () => {
    if (alive.signal.aborted) return;
    alive.abort();
    for (const end of [...pending]) end();
  };
  const guard = (fn, kind) => {
    if (kind === 'list') {
      return () => {
        if (alive.signal.aborted) return [];
        try {
          return fn();
        } catch (error) {
          console.error('postext:', error);
          die();
          return [];
        }
      };
    }
    return (...args) => {
      if (alive.signal.aborted) return Promise.resolve(gone(kind));
      return new Promise((resolve, reject) => {
        const end = () => {
          pending.delete(end);
          resolve(gone(kind));
        };
        pending.add(end);
        let answer;
        try {
          answer = fn(...args);
        } catch (error) {
          console.error('postext:', error);
          die();
          return;
        }
        if (answer === undefined) {
          end(); // the program ended inside this very call
          return;
        }
        answer.then(
          (value) => {
            pending.delete(end);
            resolve(value);
          },
          (reason) => {
            pending.delete(end);
            reject(reason);
          },
        );
      });
    };
  };
  return { guard, die, signal: alive.signal };
}

async function instantiate(wasm, imports) {
  let source = await wasm;
  if (source instanceof WebAssembly.Module) return WebAssembly.instantiate(source, imports);
  if (typeof source === 'string' || source instanceof URL) source = await fetch(source);
  if (typeof Response === 'function' && source instanceof Response) {
    if (!source.ok) throw new Error(`page.wasm: HTTP ${source.status}`);
    const { instance } = await WebAssembly.instantiateStreaming(source, imports);
    return instance;
  }
  const { instance } = await WebAssembly.instantiate(source, imports);
  return instance;
}

export async function startBridge({ wasm, Go = globalThis.Go, callTool, mounted = false, titles, onExit }) {
  globalThis[STARTED] = true;
  const { guard, die, signal } = lifeline();
  const door = globalThis[DOOR];
  globalThis.postextHost = { callTool, mounted, titles, guard, alive: signal, door: door?.open };
  const go = new Go();
  let instance;
  try {
    instance = await instantiate(wasm, go.importObject);
  } catch (error) {
    door?.close("Postext's program could not be loaded: reload the page");
    throw error;
  }
  const ended = go.run(instance);
  ended.then(
    () => {
      die();
      onExit?.();
    },
    (error) => {
      die();
      onExit?.(error);
    },
  );
  if (!globalThis.postextBridge) {
    // go.run returns when the program first waits, and it defines the bridge before that.
    door?.close("Postext's program could not be started: reload the page");
    throw new Error('page.wasm ended before it defined the bridge');
  }
  return globalThis.postextBridge;
}
