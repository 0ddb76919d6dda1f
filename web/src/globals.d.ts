// Put in by web/build: the addresses of what it built before this script.
declare const __PAGE_WASM__: string;
declare const __REHEARSAL_JS__: string;
declare const __WORKER_WASM__: string;
declare const __WORKER_JS__: string;
/** The version of the tools (bridge.Version). */
declare const __VERSION__: string;

// The loader of Go programs; it comes with the compiler.
declare module "wasm_exec";

declare class Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}
