export { registerWebMcpTools } from "./webmcp.js";
export type { HostTool, ListedTool, PostextBridge, PostextWebMcp } from "./webmcp.js";

/**
 * Starts Postext's program in a page that has none, so that `window.postextWebMcp`
 * is there, with the site's tools. Postext's own pages have it already: there, and
 * when it is called again, nothing is started twice. Rejects when the program
 * cannot be fetched or started.
 */
export function startTools(): Promise<void>;
