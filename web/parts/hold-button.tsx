import { type KeyboardEvent, type PointerEvent, useEffect } from "react";

interface HoldButtonProps {
  held: boolean;
  onHold: (held: boolean) => void;
  children: string;
}

/** A button that acts while it is held down, by a pointer, Space or Enter. It lets go when it is left, whatever happens. */
export function HoldButton({ held, onHold, children }: HoldButtonProps) {
  useEffect(() => {
    if (!held) return;
    const letGo = () => onHold(false);
    // The pointer may be let go outside the button, and the window may be left while a key is down.
    window.addEventListener("pointerup", letGo);
    window.addEventListener("pointercancel", letGo);
    window.addEventListener("blur", letGo);
    return () => {
      window.removeEventListener("pointerup", letGo);
      window.removeEventListener("pointercancel", letGo);
      window.removeEventListener("blur", letGo);
    };
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
      // Holding a finger down would open a menu.
      onContextMenu={(event) => event.preventDefault()}
    >
      {children}
    </button>
  );
}
