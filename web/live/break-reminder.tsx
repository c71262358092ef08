import { useEffect, useState } from "react";
import { plural } from "../../src/present/words/numbers.js";
import { listen } from "../parts/listen.ts";
import { useMe } from "./person.ts";

const CHECK_MS = 15_000;
/** After so long without a key or a pointer a break was made. */
const REST_MS = 5 * 60_000;

let began = Date.now();
let active = Date.now();

/** Reminds of a break after a stretch of work. It asks for nothing and blocks nothing. */
export function BreakReminder() {
  const { settings, review } = useMe();
  const minutes = settings.break_minutes ?? review.break_minutes;
  const [worked, setWorked] = useState<number | null>(null);
  useEffect(() => {
    const moved = () => {
      const now = Date.now();
      if (now - active > REST_MS) began = now;
      active = now;
    };
    const check = window.setInterval(() => {
      const done = Math.floor((active - began) / 60_000);
      setWorked(minutes > 0 && done >= minutes ? done : null);
    }, CHECK_MS);
    const deaf = listen({ keydown: moved, pointerdown: moved });
    return () => {
      window.clearInterval(check);
      deaf();
    };
  }, [minutes]);
  return (
    <div role="status" className="live-break-place">
      {worked !== null && (
        <div className="live-break">
          <p>
            <b>Time for a break.</b> You have worked for {plural(worked, "minute")}.
          </p>
          <button
            type="button"
            onClick={() => {
              began = Date.now();
              setWorked(null);
            }}
          >
            Dismiss
          </button>
        </div>
      )}
    </div>
  );
}
