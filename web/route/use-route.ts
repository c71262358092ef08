import { useCallback, useSyncExternalStore } from "react";
import { replaceAddress } from "./kept-place.ts";
import { parseRoute, type Route, routeHash } from "./route.ts";

const CHANGED = "route-changed";

/** A slider changes faster than browsers let an address change (some 200 times in ten seconds), so the address follows at a distance. */
const WRITE_AFTER_MS = 150;
let unwritten: { hash: string; timer: number } | null = null;

function currentHash(): string {
  return unwritten?.hash ?? window.location.hash;
}

function forget(): void {
  if (unwritten) window.clearTimeout(unwritten.timer);
  unwritten = null;
}

function writeNow(): void {
  const hash = unwritten?.hash;
  forget();
  if (hash !== undefined) replaceAddress(hash);
}

/** Whoever follows a link finds the place as it was when they come back. */
export function keepAddress(): void {
  document.addEventListener("click", writeNow, true);
}

function writeSoon(hash: string): void {
  forget();
  const timer = window.setTimeout(writeNow, WRITE_AFTER_MS);
  unwritten = { hash, timer };
  window.dispatchEvent(new Event(CHANGED));
}

function subscribe(listener: () => void): () => void {
  const navigated = () => {
    // Somebody went elsewhere: filters of the place that was left do not follow.
    forget();
    listener();
  };
  window.addEventListener("hashchange", navigated);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener("hashchange", navigated);
    window.removeEventListener(CHANGED, listener);
  };
}

let parsed = { hash: "", route: parseRoute("") };

/** The address is read once for all that ask for parts of it. */
function currentRoute(): Route {
  const hash = currentHash();
  if (parsed.hash !== hash) parsed = { hash, route: parseRoute(hash) };
  return parsed.route;
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, currentRoute);
}

/** One filter of the view that lives in the address. Setting it to its default, or to "", takes it out again. */
export function useQuery(name: string, fallback = ""): [string, (value: string) => void] {
  // Only its own value: a table must not be made anew because a slider beside it moves.
  const value = useSyncExternalStore(subscribe, () => currentRoute().query.get(name)) ?? fallback;
  const set = useCallback(
    (next: string) => {
      // Read anew: several filters may change between two renders.
      const { view, about, query } = parseRoute(currentHash());
      if (next === fallback || next === "") query.delete(name);
      else query.set(name, next);
      writeSoon(routeHash(view, about, query));
    },
    [name, fallback],
  );
  return [value, set];
}
