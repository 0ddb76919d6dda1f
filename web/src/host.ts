// Starts the page's program (wasm/page), which offers the tools to agents and
// hands the Sandbox's calls to us.
import "wasm_exec";
import { startBridge } from "./webmcp.js";

export type CallTool = (name: string, args: string, signal: AbortSignal) => Promise<string>;

/** Without callTool the page has no Sandbox: only the site's tools are there. */
export async function startTools(callTool?: CallTool): Promise<void> {
  await startBridge({
    wasm: fetch(__PAGE_WASM__),
    callTool: callTool ?? (async () => JSON.stringify({ ok: false, error: "The Sandbox is not on screen: open /en/sandbox." })),
    mounted: callTool !== undefined,
    onExit(error) {
      console.error("postext: the page's program ended; reload the page to have its tools back", error ?? "");
    },
  });
}
