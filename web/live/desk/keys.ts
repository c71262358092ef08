import { useEffect, useRef } from "react";

/** Whether a key belongs to a field or to the browser. */
function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const field =
    target instanceof HTMLElement &&
    target.closest("input:not([type=radio]):not([type=checkbox]), select, textarea") !== null;
  return field || ctrlKey || metaKey || altKey;
}

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
      if (isTyping(event) || event.repeat) return;
      const act = current.current[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
