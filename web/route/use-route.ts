import { useCallback, useMemo, useSyncExternalStore } from "react";
import { parseRoute, type Route, routeHash } from "./route.ts";

const CHANGED = "route-changed";

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener("hashchange", listener);
    window.removeEventListener(CHANGED, listener);
  };
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => window.location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

/** One filter of the view that lives in the address. Setting it to its default, or to "", takes it out again. */
export function useQuery(name: string, fallback = ""): [string, (value: string) => void] {
  const value = useRoute().query.get(name) ?? fallback;
  const set = useCallback(
    (next: string) => {
      // Read anew: several filters may change between two renders.
      const { view, about, query } = parseRoute(window.location.hash);
      if (next === fallback || next === "") query.delete(name);
      else query.set(name, next);
      window.history.replaceState(null, "", routeHash(view, about, query));
      window.dispatchEvent(new Event(CHANGED));
    },
    [name, fallback],
  );
  return [value, set];
}
