// What the window itself remembers: how it is arranged on this screen. The book
// and its view are the worker's.

const prefix = "postext-sandbox-";

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(prefix + key, value);
  } catch {
    // Storage is full or forbidden: the arrangement lasts as long as the page.
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(prefix + key);
  } catch {
    return null; // forbidden: start with the defaults
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(prefix + key);
  } catch {
    // Forbidden: then nothing was remembered either.
  }
}

/** The keys that begin with start, without it. */
export function remembered(start: string): string[] {
  try {
    return Object.keys(localStorage).filter((k) => k.startsWith(prefix + start)).map((k) => k.slice(prefix.length + start.length));
  } catch {
    return []; // forbidden
  }
}

export type Theme = "light" | "dark" | "system";

export function theme(): Theme {
  const t = recall("theme");
  return t === "light" || t === "dark" ? t : "system";
}

/** Puts the theme on the document; "system" leaves it to the media query. */
export function setTheme(t: Theme): void {
  remember("theme", t);
  applyTheme();
}

const dark = matchMedia("(prefers-color-scheme: dark)");

export function isDark(): boolean {
  const t = theme();
  return t === "dark" || (t === "system" && dark.matches);
}

function applyTheme(): void {
  document.documentElement.dataset["theme"] = isDark() ? "dark" : "light";
  document.dispatchEvent(new Event("themechange"));
}

export function followTheme(): void {
  applyTheme();
  dark.addEventListener("change", applyTheme);
}
