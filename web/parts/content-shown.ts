import { useSyncExternalStore } from "react";

const KEY = "defensible-content";
const CHANGED = "content-shown-changed";

let shown: boolean | null = null;

/** Whether audited content is shown without being asked for. One setting for all views, hidden until somebody chooses otherwise. */
function isShown(): boolean {
  shown ??= remembered();
  return shown;
}

function setShown(next: boolean): void {
  shown = next;
  try {
    localStorage.setItem(KEY, next ? "shown" : "hidden");
  } catch {
    // A page opened from disk may have no storage; the setting then lasts as long as the page.
  }
  window.dispatchEvent(new Event(CHANGED));
}

function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) === "shown";
  } catch {
    return false;
  }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
}

export function useContentShown(): [boolean, (next: boolean) => void] {
  return [useSyncExternalStore(subscribe, isShown), setShown];
}
