import { useCallback, useSyncExternalStore } from "react";
import { replaceAddress } from "./kept-place.ts";
import { parseRoute, placeOf, type Route, routeHash } from "./route.ts";

const CHANGED = "route-changed";

/** A slider changes faster than browsers let an address change (some 200 times in ten seconds), so the address is updated with a delay. */
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

/** Writes the address before a link is followed, so that Back leads to the latest state. */
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
    // After navigation, filters of the previous place do not follow.
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

/** Parses the address once for all readers. */
function currentRoute(): Route {
  const hash = currentHash();
  if (parsed.hash !== hash) parsed = { hash, route: parseRoute(hash) };
  return parsed.route;
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, currentRoute);
}

/** The location without filters: a change of filters does not render the view again. */
export function usePlace(): { view: string; place: string } {
  const view = useSyncExternalStore(subscribe, () => currentRoute().view);
  const place = useSyncExternalStore(subscribe, () => placeOf(currentRoute()));
  return { view, place };
}

/** Changes several filters of the address at once; "" removes one. */
export function changeQuery(changes: Readonly<Record<string, string>>): void {
  // Read again: several filters may change between two renders.
  const { view, about, query } = parseRoute(currentHash());
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  writeSoon(routeHash(view, about, query));
}

/** Some filters of the address as text; other filters do not trigger a render. */
export function useQueryText(names: readonly string[]): string {
  return useSyncExternalStore(subscribe, () => {
    const { query } = currentRoute();
    const set = names.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : []));
    return new URLSearchParams(set).toString();
  });
}

/** A filter of the view, kept in the address; its default or "" removes it. `table`: the table it filters or sorts, which returns to page one. */
export function useQuery(name: string, fallback = "", table?: string): [string, (value: string) => void] {
  // Only its own value: a table must not be rendered again because a slider next to it moves.
  const value = useSyncExternalStore(subscribe, () => currentRoute().query.get(name)) ?? fallback;
  const set = useCallback(
    (next: string) =>
      changeQuery({ [name]: next === fallback ? "" : next, ...(table === undefined ? {} : { [`${table}.page`]: "" }) }),
    [name, fallback, table],
  );
  return [value, set];
}
