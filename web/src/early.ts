// What must not wait for the page's large script: the rehearsal of its program
// (rehearsal.ts).
const worker = new Worker(__REHEARSAL_JS__, { name: "postext-rehearsal" });
(globalThis as { postextRehearsed?: Promise<WebAssembly.Module> }).postextRehearsed = new Promise((resolve, reject) => {
  worker.onmessage = (e) => (e.data instanceof WebAssembly.Module ? resolve(e.data) : reject(new Error(String(e.data))));
  worker.onerror = (e) => {
    e.preventDefault();
    reject(new Error(e.message || "the worker could not be started"));
  };
});
