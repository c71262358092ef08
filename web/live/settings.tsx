import { useEffect, useState } from "react";
import { plural } from "../../src/present/words/numbers.js";
import { listen } from "../parts/listen.ts";
import { api } from "./api.ts";
import { Head, Panel, ProblemLine, useAction } from "./parts.tsx";
import { useMe, useMeAgain } from "./person.ts";

/** How content is shown, and when to be reminded of a break. */
export function SettingsView() {
  const { me, again } = useMeAgain();
  const [settings, setSettings] = useState(me.settings);
  const [saved, setSaved] = useState(false);
  const { problem, run } = useAction();
  const save = (next: typeof settings) => {
    setSettings(next);
    void run(async () => {
      await api.put("/v1/me/settings", next);
      again();
    }).then(setSaved);
  };
  const own = settings.break_minutes;
  const check = (of: "blur" | "greyscale", name: string, note: string) => (
    <label className="live-check">
      <input
        type="checkbox"
        checked={settings[of]}
        onChange={(event) => save({ ...settings, [of]: event.target.checked })}
      />
      <span>
        {name}
        <span className="muted small live-sub">{note}</span>
      </span>
    </label>
  );
  return (
    <div className="view">
      <Head title="Settings" lead="For you alone. They follow you to every browser." />
      <Panel title="Difficult content">
        <div className="live-form">
          {check(
            "blur",
            "Blur content until I reveal it",
            "Hold the button or the space bar, or clear “Blur content” on a view.",
          )}
          {check("greyscale", "Show content in grey", "Pictures and recordings are never loaded.")}
        </div>
      </Panel>
      <Panel title="Breaks">
        <div className="live-form">
          <label>
            Remind me of a break
            <select
              value={own === null ? "" : String(own)}
              onChange={(event) =>
                save({ ...settings, break_minutes: event.target.value === "" ? null : Number(event.target.value) })
              }
            >
              <option value="">
                as the team has it ({me.review.break_minutes === 0 ? "never" : `${me.review.break_minutes} minutes`})
              </option>
              {[20, 30, 45, 60, 90].map((minutes) => (
                <option key={minutes} value={minutes}>
                  after {minutes} minutes
                </option>
              ))}
              <option value="0">never</option>
            </select>
          </label>
        </div>
      </Panel>
      <p role="status" className="muted">
        {saved && "Saved."}
      </p>
      <ProblemLine of={problem} />
    </div>
  );
}

const CHECK_MS = 15_000;
/** Time without a key or pointer that counts as a break. */
const REST_MS = 5 * 60_000;

let began = Date.now();
let active = Date.now();

/** Suggests a break after a stretch of work; it blocks nothing. */
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
