// The permalink: the fragment says where the reader is, always.
// #preset=<id>&lang=<tag>&view=canvas&chapter=<n>&page=<printed number>

export interface Place {
  preset?: string;
  project?: string;
  lang?: string;
  view?: string;
  chapter?: number;
  page?: string;
}

const id = /^[^&#=\s]{1,128}$/;

/** Reads a fragment; unknown and malformed parts are ignored, a project wins. */
export function readPlace(hash: string): Place {
  const p: Place = {};
  for (const part of hash.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at < 0) continue;
    let value: string;
    try {
      value = decodeURIComponent(part.slice(at + 1));
    } catch {
      continue; // malformed
    }
    switch (part.slice(0, at)) {
      case "preset":
        if (id.test(value)) p.preset = value;
        break;
      case "project":
        if (id.test(value)) p.project = value;
        break;
      case "lang":
        if (/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(value)) p.lang = value;
        break;
      case "view":
        if (["canvas", "pdf", "folio", "html", "epub"].includes(value)) p.view = value;
        break;
      case "chapter":
        if (/^[1-9]\d{0,5}$/.test(value)) p.chapter = Number(value);
        break;
      case "page":
        if (/^[0-9A-Za-z.-]{1,16}$/.test(value)) p.page = value;
        break;
    }
  }
  if (p.project) delete p.preset;
  return p;
}

export function writePlace(p: Place): string {
  const parts: string[] = [];
  for (const key of ["preset", "project", "lang", "view", "chapter", "page"] as const) {
    const v = p[key];
    if (v !== undefined && v !== "") parts.push(`${key}=${encodeURIComponent(String(v))}`);
  }
  return "#" + parts.join("&");
}
