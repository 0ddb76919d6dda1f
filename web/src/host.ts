// Starts the page's program (wasm/page), which offers the tools to agents and
// hands the Sandbox's calls to us.
import "wasm_exec";
import { startBridge } from "./webmcp.js";

export type CallTool = (name: string, args: string, signal: AbortSignal) => Promise<string>;

/** Without callTool the page has no Sandbox: only the site's tools are there. */
export async function startTools(callTool?: CallTool): Promise<void> {
  await startBridge({
    wasm: module(),
    callTool: callTool ?? (async () => JSON.stringify({ ok: false, error: "The Sandbox is not on screen: open /en/sandbox." })),
    mounted: callTool !== undefined,
    onExit(error) {
      console.error("postext: the page's program ended; reload the page to have its tools back", error ?? "");
    },
  });
}

/** How long a rehearsal is waited for, in milliseconds; it takes a tenth of that. */
const patience = 4000;

/** The rehearsed module (early.ts), or a fresh one where that went wrong. */
async function module(): Promise<WebAssembly.Module | Response> {
  const rehearsed = (globalThis as { postextRehearsed?: Promise<WebAssembly.Module> }).postextRehearsed;
  if (rehearsed) {
    const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("it takes too long")), patience));
    try {
      return await Promise.race([rehearsed, late]);
    } catch (e) {
      console.warn("postext: the page's program starts without a rehearsal:", e);
    }
  }
  return fetch(__PAGE_WASM__);
}
