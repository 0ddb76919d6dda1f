// Files a person gives a panel: chosen, dropped or pasted.
import { h } from "../dom";

/** Lets the person choose files, or all of a folder; none when they chose none. */
export function chooseFiles(accept: string, multiple: boolean, folder = false): Promise<File[]> {
  const input = h("input", { type: "file", hidden: true, attr: { accept } });
  input.multiple = multiple;
  input.webkitdirectory = folder;
  document.body.append(input);
  return new Promise((resolve) => {
    const end = () => {
      input.remove();
      resolve([...(input.files ?? [])]);
    };
    input.addEventListener("change", end);
    input.addEventListener("cancel", end);
    input.click();
  });
}

/** A file's bytes as the tools take them. */
export async function base64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** Takes files dropped on an element and pasted while the focus is in it, but not
 *  in a field. */
export function takeFiles(element: HTMLElement, take: (files: File[]) => void, text?: (pasted: string) => boolean): void {
  const held = (e: DragEvent) => e.dataTransfer?.types.includes("Files") === true;
  let depth = 0;
  const over = (on: boolean) => element.classList.toggle("dropping", on);
  element.addEventListener("dragenter", (e) => {
    if (!held(e)) return;
    e.preventDefault();
    depth++;
    over(true);
  });
  element.addEventListener("dragover", (e) => {
    if (!held(e)) return;
    e.preventDefault();
    if (e.dataTransfer) e.dataTransfer.dropEffect = "copy";
  });
  element.addEventListener("dragleave", (e) => {
    if (held(e) && --depth <= 0) over(false);
  });
  element.addEventListener("drop", (e) => {
    depth = 0;
    over(false);
    const files = [...(e.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    e.preventDefault();
    take(files);
  });
  document.addEventListener("paste", (e) => {
    if (element.closest("[hidden]") || e.defaultPrevented) return;
    const at = e.composedPath()[0] as Element | undefined;
    // What is pasted elsewhere belongs there; with the focus nowhere it is ours.
    if (at && at !== document.body && !element.contains(at)) return;
    if (at?.matches?.("input, textarea, select")) return;
    const files = [...(e.clipboardData?.files ?? [])];
    if (files.length > 0) {
      e.preventDefault();
      take(files);
    } else if (text?.(e.clipboardData?.getData("text/plain") ?? "")) e.preventDefault();
  });
}
