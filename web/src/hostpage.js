// /assets/webmcp.js of a built site: module postext-sandbox/webmcp for a host page
// that has no build of its own. It is one file, with the loader of Go programs in
// it, and knows the address of the page's program.
import { startBridge, whenReady } from './webmcp.js';

export { registerWebMcpTools } from './webmcp.js';

export function startTools() {
  return whenReady(async () => {
    await import('wasm_exec');
    await startBridge({
      wasm: fetch(new URL(__PAGE_WASM__, import.meta.url)),
      callTool: async () => JSON.stringify({ ok: false, error: 'The Sandbox is not on this page: open /en/sandbox.' }),
      onExit(error) {
        console.error("postext: the page's program ended; reload the page to have its tools back", error ?? '');
      },
    });
  });
}
