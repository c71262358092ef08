import { type KeyboardEvent, type PointerEvent, useEffect, useSyncExternalStore } from "react";
import { listen } from "../listen.ts";

const KEY = "defensible-content";
const CHANGED = "content-shown-changed";

let shown: boolean | null = null;

/** Whether audited content is shown, for all views. Default true. */
function isShown(): boolean {
  shown ??= remembered();
  return shown;
}

function setShown(next: boolean): void {
  shown = next;
  try {
    localStorage.setItem(KEY, next ? "shown" : "hidden");
  } catch {
    // Without storage, as on a page opened from disk, the setting lasts as long as the page.
  }
  window.dispatchEvent(new Event(CHANGED));
}

function remembered(): boolean {
  try {
    return localStorage.getItem(KEY) !== "hidden";
  } catch {
    return true;
  }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
}

export function useContentShown(): [boolean, (next: boolean) => void] {
  return [useSyncExternalStore(subscribe, isShown), setShown];
}

export function BlurContent() {
  const [shown, setShown] = useContentShown();
  return (
    <label className="blur-content">
      <input type="checkbox" checked={!shown} onChange={(event) => setShown(!event.target.checked)} />
      Blur content
    </label>
  );
}

interface HoldProps {
  held: boolean;
  onHold: (held: boolean) => void;
}

/** The switch and, while content is blurred, a button that reveals it as long as it is held. */
export function RevealControls(hold: HoldProps) {
  const [shown] = useContentShown();
  return (
    <div className="content-controls">
      {!shown && <HoldButton {...hold}>Hold to reveal</HoldButton>}
      <BlurContent />
    </div>
  );
}

/** A button active while held by pointer, Space or Enter; leaving it always releases it. */
export function HoldButton({ held, onHold, children }: HoldProps & { children: string }) {
  useEffect(() => {
    if (!held) return;
    const letGo = () => onHold(false);
    // The pointer may be released outside the button, and the window may lose focus while a key is down.
    return listen({ pointerup: letGo, pointercancel: letGo, blur: letGo });
  }, [held, onHold]);
  const isHoldKey = ({ key }: KeyboardEvent) => key === " " || key === "Enter";
  return (
    <button
      type="button"
      className="hold"
      aria-pressed={held}
      onPointerDown={(event: PointerEvent) => event.button === 0 && onHold(true)}
      onKeyDown={(event) => {
        if (!isHoldKey(event)) return;
        event.preventDefault();
        if (!event.repeat) onHold(true);
      }}
      onKeyUp={(event) => {
        if (isHoldKey(event)) onHold(false);
      }}
      onBlur={() => onHold(false)}
      // A long touch would open a menu.
      onContextMenu={(event) => event.preventDefault()}
    >
      {children}
    </button>
  );
}
