// Files the typesetter wrote, given to the browser as downloads.

/** Saves bytes as a file. The address lives until the browser has taken it. */
export function saveFile(name: string, mime: string, bytes: ArrayBuffer): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: mime }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
