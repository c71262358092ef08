import { useEffect, useRef, useState } from "react";
import { isTyping, listen } from "../../parts/listen.ts";
import { api, Refused } from "../api.ts";
import type { Item } from "./item.ts";

/** Choices of the answer are not fields: keys select them. */
const FIELDS = "input:not([type=radio]):not([type=checkbox]), select, textarea";

/** Single keys that act while no field has the focus. `ctrl+enter` also acts in fields. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        current.current["ctrl+enter"]?.();
        return;
      }
      if (isTyping(event, FIELDS) || event.repeat) return;
      const act = current.current[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    return listen({ keydown: press });
  }, []);
}

const RENEW_MS = 3 * 60_000;
/** A case that is only left open is not renewed. */
const ACTIVE_MS = 5 * 60_000;

/** Seconds that a claim still holds. It is renewed while the reviewer works. */
export function useClaim(item: Item | null, again: () => void): { left: number | null; lost: boolean } {
  const [left, setLeft] = useState<number | null>(null);
  const [lost, setLost] = useState(false);
  const active = useRef(Date.now());
  const until = useRef(0);
  const id = item?.item_id;
  const claim = item?.claim;
  const seconds = item?.claim_seconds ?? null;
  useEffect(() => {
    if (seconds === null) return;
    until.current = Date.now() + seconds * 1000;
    setLost(false);
  }, [seconds]);
  useEffect(() => {
    if (id === undefined || !claim) return;
    const moved = () => {
      active.current = Date.now();
    };
    const tick = () => {
      const next = Math.max(0, Math.round((until.current - Date.now()) / 1000));
      setLeft(next);
      if (next === 0) setLost(true);
    };
    const renew = () => {
      if (document.visibilityState !== "visible" || Date.now() - active.current > ACTIVE_MS) return;
      api
        .post(`/v1/items/${id}/renew`, { claim })
        .then(again)
        .catch((cause: unknown) => {
          if (cause instanceof Refused && cause.code === "claim_lost") setLost(true);
        });
    };
    tick();
    const ticking = window.setInterval(tick, 1000);
    const renewing = window.setInterval(renew, RENEW_MS);
    const deaf = listen({ keydown: moved, pointerdown: moved });
    return () => {
      window.clearInterval(ticking);
      window.clearInterval(renewing);
      deaf();
    };
  }, [id, claim, again]);
  return { left, lost };
}
