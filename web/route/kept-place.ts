/** The scroll position is kept in the browser's history entry, so that Back returns to it. */
interface Entry {
  y?: number;
}

const SETTLED_MS = 150;
/** Charts are drawn after their view: how long the page may grow until the old position exists again. */
const GROWS_MS = 1_500;

let coming = 0;
/** The place shown. After a link is followed, the address is ahead of it until its target is drawn. */
let here: string | null = null;
let settling = 0;

function entry(): Entry {
  const state: unknown = window.history.state;
  return typeof state === "object" && state !== null ? (state as Entry) : {};
}

const pathOf = (hash: string) => hash.replace(/\?.*/s, "");

/** Changes the entry's address; its scroll position stays. */
export function replaceAddress(hash: string): void {
  window.history.replaceState(window.history.state, "", hash);
}

function remember(): void {
  window.clearTimeout(settling);
  if (coming !== 0 || here !== pathOf(window.location.hash) || (entry().y ?? 0) === window.scrollY) return;
  window.history.replaceState({ ...entry(), y: window.scrollY }, "");
}

/** Starts remembering. A link may be followed before the last scroll has settled, so a click remembers too. */
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

/** Scrolls to where this history entry was left; a new one begins at its top. Returns whether it existed before. */
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
