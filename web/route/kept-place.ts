/** How far down a page was read is kept with its entry in the browser's history, so that Back leads to where one was. */
interface Entry {
  y?: number;
}

const SETTLED_MS = 150;
/** Pictures are drawn after their view: so long the page may grow until the old place is there again. */
const GROWS_MS = 1_500;

let coming = 0;
/** The place that is shown. Between following a link and drawing what it leads to, the address is ahead of it. */
let here: string | null = null;
let settling = 0;

function entry(): Entry {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null ? (state as Entry) : {};
}

const pathOf = (hash: string) => hash.replace(/\?.*/s, "");

/** The address of the entry changes; how far down it was read stays. */
export function replaceAddress(hash: string): void {
  window.history.replaceState(window.history.state, "", hash);
}

function remember(): void {
  window.clearTimeout(settling);
  if (coming !== 0 || here !== pathOf(window.location.hash) || (entry().y ?? 0) === window.scrollY) return;
  window.history.replaceState({ ...entry(), y: window.scrollY }, "");
}

/** Begins to remember. A link is followed before the last movement has settled, so a click remembers too. */
export function keepPlace(): void {
  window.history.scrollRestoration = "manual";
  window.addEventListener("scroll", () => {
    window.clearTimeout(settling);
    settling = window.setTimeout(remember, SETTLED_MS);
  });
  document.addEventListener("click", remember, true);
  for (const moved of ["wheel", "touchstart", "keydown", "pointerdown"]) window.addEventListener(moved, stopComing);
}

function stopComing(): void {
  window.cancelAnimationFrame(coming);
  coming = 0;
}

/** To where this entry of the history was left; a new one begins at its top. Says whether it was there before. */
export function goToKeptPlace(): boolean {
  stopComing();
  window.clearTimeout(settling);
  here = pathOf(window.location.hash);
  const { y = 0 } = entry();
  const until = performance.now() + GROWS_MS;
  const come = () => {
    window.scrollTo(0, y);
    const there = Math.abs(window.scrollY - y) < 1;
    coming = there || performance.now() > until ? 0 : window.requestAnimationFrame(come);
  };
  come();
  return y > 0;
}
