import { useState } from "react";
import { api } from "./api.ts";
import { Head, Panel, ProblemLine, useAction } from "./parts.tsx";
import { useMeAgain } from "./person.ts";

/** How content is shown to the person, and when they are reminded of a break. */
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
