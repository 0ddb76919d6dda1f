/** A tool of a host page. */
export interface HostTool {
  /** 1 to 128 of A-Z a-z 0-9 _ - . ; not beginning with sandbox_ or site_. */
  name: string;
  /** Short, for people. */
  title?: string;
  description: string;
  /** JSON Schema (2020-12) of the arguments, which are checked against it. */
  inputSchema?: object;
  annotations?: {
    readOnlyHint?: boolean;
    consequentialHint?: boolean;
    untrustedContentHint?: boolean;
  };
  /**
   * Does the work. An object is the answer, with `ok: true` added; anything else
   * becomes its `result`; a throw becomes `{ ok: false, error }`.
   */
  execute(args: any, options: { signal: AbortSignal }): unknown;
}

/**
 * Adds tools to `window.postextWebMcp` and, where the browser has WebMCP, to
 * `document.modelContext`, until `signal` aborts.
 *
 * @throws TypeError at once, having registered nothing, for a name that is
 * invalid or taken and for a tool without description or execute. An
 * `inputSchema` that is no JSON Schema throws too once the bridge is up; asked for
 * before that, it is reported to the console and nothing is registered.
 */
export function registerWebMcpTools(tools: Iterable<HostTool>, signal?: AbortSignal): void;

/** A tool as `window.postextWebMcp.listTools()` gives it. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: any;
  annotations: { readOnlyHint: boolean; consequentialHint: boolean; untrustedContentHint: boolean };
}

/** Fires `toolchange`, once for all that comes and goes within one tick. */
export interface PostextWebMcp extends EventTarget {
  readonly version: string;
  /** Fresh plain copies. */
  listTools(): ListedTool[];
  /** Resolves with the answer; rejects only with an AbortError, after `signal` fired. */
  executeTool(name: string, args?: object, options?: { signal?: AbortSignal }): Promise<any>;
}

/** What page.wasm gives to the page's script. */
export interface PostextBridge {
  /** The Sandbox came on screen: registers its tools. */
  mount(): void;
  /** It left: withdraws them and answers the calls under way. */
  unmount(): void;
  mounted(): boolean;
  /** What the browser refused to register, in words. */
  problems(): string[];
  /** Registers a host's tools; "" or what is wrong with them. */
  registerTools(tools: HostTool[], signal?: AbortSignal): string;
}

export interface StartBridgeOptions {
  /** page.wasm: its address, a response for it, its bytes or the compiled module. */
  wasm: string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module;
  /** The class of wasm_exec.js; by default the global one. */
  Go?: new () => { importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> };
  /**
   * Does the work of a sandbox_* tool: `args` is the JSON text of checked
   * arguments; resolves with the JSON text of the answer. `signal` fires when
   * nobody waits any more.
   */
  callTool(name: string, args: string, signal: AbortSignal): Promise<string>;
  /** The Sandbox is on screen already. */
  mounted?: boolean;
  /** Titles in the page's language, by tool name. */
  titles?: Record<string, string>;
  /** Told when the program has ended; its tools are withdrawn by then. */
  onExit?(error?: unknown): void;
}

/** Boots page.wasm; call it once, early. */
export function startBridge(options: StartBridgeOptions): Promise<PostextBridge>;

declare global {
  interface Window {
    readonly postextWebMcp: PostextWebMcp;
    readonly postextBridge: PostextBridge;
  }
}
