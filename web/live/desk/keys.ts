import { useEffect, useRef } from "react";
import { isTyping, listen } from "../../parts/listen.ts";

/** Choices of the answer are no fields: the keys choose them. */
const FIELDS = "input:not([type=radio]):not([type=checkbox]), select, textarea";

/** Single keys that act while no field has the focus. `ctrl+enter` acts in fields too. */
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
