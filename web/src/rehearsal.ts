// A rehearsal of the page's program (wasm/page), in a worker. The browser
// translates a function of a module when it is first called, and keeps what it
// translated with the module. So the program runs here once, out of the window's
// way; the window then gets the module and starts in a fraction of the time,
// without a long task.
import "wasm_exec";

const scope = globalThis as unknown as { postextHost: unknown; postextWebMcp: PostextWebMcp };

interface PostextWebMcp {
  listTools(): unknown[];
  executeTool(name: string, args: unknown): Promise<unknown>;
}

async function rehearse(): Promise<void> {
  const module = await WebAssembly.compileStreaming(fetch(__PAGE_WASM__));
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  scope.postextHost = { mounted: true, callTool: async () => '{"ok":true}' };
  void go.run(instance);
  scope.postextWebMcp.listTools();
  await scope.postextWebMcp.executeTool("sandbox_get_state", {});
  postMessage(module);
}

rehearse()
  .catch((e: unknown) => postMessage(String(e)))
  .finally(() => close());
