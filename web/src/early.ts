// What must not wait for the page's large script: the tools' door (door.ts) and the
// rehearsal of the page's program (rehearsal.ts).
import "./door";

const worker = new Worker(__REHEARSAL_JS__, { name: "postext-rehearsal" });
(globalThis as { postextRehearsed?: Promise<WebAssembly.Module> }).postextRehearsed = new Promise((resolve, reject) => {
  worker.onmessage = (e) => (e.data instanceof WebAssembly.Module ? resolve(e.data) : reject(new Error(String(e.data))));
  worker.onerror = (e) => {
    e.preventDefault();
    reject(new Error(e.message || "the worker could not be started"));
  };
});
