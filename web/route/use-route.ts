import { useCallback, useSyncExternalStore } from "react";
import { replaceAddress } from "./kept-place.ts";
import { parseRoute, placeOf, type Route, routeHash } from "./route.ts";

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

/** After following a link, Back leads to the place as it was. */
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
    // The reader went elsewhere: filters of the place that was left do not follow.
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

/** Where the reader is, whatever the filters: a view is not made anew because one of them changes. */
export function usePlace(): { view: string; place: string } {
  const view = useSyncExternalStore(subscribe, () => currentRoute().view);
  const place = useSyncExternalStore(subscribe, () => placeOf(currentRoute()));
  return { view, place };
}

/** Changes several filters of the address at once; "" takes one out. */
export function changeQuery(changes: Readonly<Record<string, string>>): void {
  // Read anew: several filters may change between two renders.
  const { view, about, query } = parseRoute(currentHash());
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  writeSoon(routeHash(view, about, query));
}

/** Some filters of the address as one text: a reader of these does not hear of others. */
export function useQueryText(names: readonly string[]): string {
  return useSyncExternalStore(subscribe, () => {
    const { query } = currentRoute();
    const set = names.flatMap((name) => (query.has(name) ? [[name, query.get(name)!]] : []));
    return new URLSearchParams(set).toString();
  });
}

/**
 * One filter of the view that lives in the address. Setting it to its default, or to "", takes it out again. `table`: the table whose rows it
 * chooses or orders, which goes back to its first page.
 */
export function useQuery(name: string, fallback = "", table?: string): [string, (value: string) => void] {
  // Only its own value: a table must not be made anew because a slider next to it moves.
  const value = useSyncExternalStore(subscribe, () => currentRoute().query.get(name)) ?? fallback;
  const set = useCallback(
    (next: string) =>
      changeQuery({ [name]: next === fallback ? "" : next, ...(table === undefined ? {} : { [`${table}.page`]: "" }) }),
    [name, fallback, table],
  );
  return [value, set];
}
