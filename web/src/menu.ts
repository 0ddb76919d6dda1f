// A list that opens under a button: chapters, actions. It hangs on the body,
// closes on Escape, on a click elsewhere and when focus leaves it.
import { h, roving } from "./dom";

export interface MenuOptions {
  label: string;
  /** Fills the box; called each time it opens. */
  fill(box: HTMLElement, close: () => void): void;
  wide?: boolean;
}

let open: (() => void) | undefined;

export function attachMenu(button: HTMLButtonElement, options: MenuOptions): void {
  button.setAttribute("aria-haspopup", "true");
  button.setAttribute("aria-expanded", "false");
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-expanded") === "true") open?.();
    else show(button, options);
  });
  button.addEventListener("keydown", (e) => {
    if (e.key === "ArrowDown" && button.getAttribute("aria-expanded") === "false") {
      e.preventDefault();
      e.stopPropagation();
      show(button, options);
    }
  });
}

function show(button: HTMLButtonElement, options: MenuOptions): void {
  open?.();
  const box = h("div", {
    class: options.wide ? "menu menu-wide" : "menu",
    attr: { role: "dialog", "aria-label": options.label },
  });
  const close = (refocus = true) => {
    if (open !== shut) return;
    open = undefined;
    box.remove();
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    if (refocus) button.focus();
  };
  const shut = () => close();
  const outside = (e: Event) => {
    const path = e.composedPath();
    if (!path.includes(box) && !path.includes(button)) close(false);
  };
  open = shut;
  options.fill(box, () => close());
  document.body.append(box);
  button.setAttribute("aria-expanded", "true");
  place(box, button);
  roving(box, { vertical: true, selector: "button" });
  const first = box.querySelector<HTMLElement>("input") ?? box.querySelector<HTMLElement>("[data-stop]") ?? box.querySelector<HTMLElement>("button");
  box.querySelector<HTMLElement>("[data-stop]")?.scrollIntoView({ block: "center" });
  first?.focus({ preventScroll: true });
  box.addEventListener("keydown", (e) => {
    if (e.key === "Escape") {
      e.preventDefault();
      e.stopPropagation();
      close();
    }
    if (e.key === "ArrowDown" && e.target instanceof HTMLInputElement) {
      e.preventDefault();
      box.querySelector<HTMLElement>("button:not([hidden])")?.focus();
    }
  });
  box.addEventListener("focusout", (e) => {
    const to = e.relatedTarget as Node | null;
    if (to && !box.contains(to) && to !== button) close(false);
  });
  document.addEventListener("pointerdown", outside, true);
}

function place(box: HTMLElement, button: HTMLElement): void {
  const b = button.getBoundingClientRect();
  const width = box.offsetWidth;
  const height = box.offsetHeight;
  const left = Math.max(8, Math.min(b.left, innerWidth - width - 8));
  const below = innerHeight - b.bottom - 12;
  const above = b.top - 12;
  box.style.left = `${left}px`;
  if (below >= Math.min(height, 240) || below >= above) {
    box.style.top = `${b.bottom + 4}px`;
    box.style.maxHeight = `${below}px`;
  } else {
    box.style.bottom = `${innerHeight - b.top + 4}px`;
    box.style.maxHeight = `${above}px`;
  }
}
