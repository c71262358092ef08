import { useCallback, useEffect, useRef, useState } from "react";
import { api, Refused } from "./api.ts";
import { useRefresh } from "./hints.ts";

export interface Fetched<T> {
  /** null: not loaded. The last answer stays while the next is loading or fails. */
  data: T | null;
  etag: string | null;
  failed: Refused | null;
  again: () => void;
}

const NOTHING = { text: "", data: null, etag: null, failed: null };

/** The answer of an address, fetched again when it may have changed. */
export function useFetched<T>(path: string | null, pollMs?: number, steady = false): Fetched<T> {
  const [state, setState] = useState<Omit<Fetched<T>, "again"> & { path: string | null; text: string }>({
    path,
    ...NOTHING,
  });
  const asked = useRef(0);
  const again = useCallback(() => {
    if (path === null) return;
    const number = ++asked.current;
    api
      .get<T>(path)
      .then(({ body, etag }) => {
        if (number !== asked.current) return;
        const text = JSON.stringify(body);
        // An unchanged answer stays the same object, so that nothing is rendered again.
        setState((old) =>
          old.path === path && old.text === text && !old.failed ? old : { path, text, data: body, etag, failed: null },
        );
      })
      .catch((cause: unknown) => {
        if (number !== asked.current) return;
        const failed = cause instanceof Refused ? cause : new Refused(0, "away", String(cause));
        setState((old) => ({ ...(old.path === path ? old : NOTHING), path, failed }));
      });
  }, [path]);
  useEffect(again, [again]);
  useRefresh(again, pollMs, steady);
  const { data, etag, failed } = state.path === path ? state : NOTHING;
  return { data, etag, failed, again };
}
