import { type ReactNode, useId, useState } from "react";
import { whole } from "../../../src/present/words/numbers.js";
import { MODE_WORDS, VARIABLE_WORDS } from "../../../src/present/words/words.js";
import { type GateSettings, useGateSettings } from "../../data/gate-settings.ts";
import { Term } from "../text/term.tsx";

const SHARE = { min: 0.01, max: 0.99, step: 0.01, unit: "percent" } as const;

/** Limits and mode of the gate, kept in the address for every view that uses the gate. */
export function GateControls() {
  const { settings, changed, set, reset } = useGateSettings();
  return (
    <form
      className="controls gate-controls"
      onSubmit={(event) => event.preventDefault()}
      aria-label="Settings of the gate"
    >
      <LimitSlider
        name="Defensibility at least"
        head={
          <>
            <Term symbol="DI">Defensibility</Term> at least
          </>
        }
        value={settings.di}
        {...SHARE}
        onChange={(di) => set({ di })}
      />
      <LimitSlider
        name="Ambiguity at most"
        head={
          <>
            <Term symbol={settings.variable === "ai" ? "AI" : "AI_pure"}>{VARIABLE_WORDS[settings.variable].name}</Term>{" "}
            at most
          </>
        }
        value={settings.ai}
        {...SHARE}
        onChange={(ai) => set({ ai })}
      />
      <LimitSlider
        name="Fewest decisions"
        value={settings.min_decisions}
        min={1}
        max={200}
        step={1}
        unit="count"
        onChange={(min_decisions) => set({ min_decisions })}
      />
      <label>
        Gate mode
        <select value={settings.mode} onChange={(event) => set({ mode: event.target.value as GateSettings["mode"] })}>
          {Object.entries(MODE_WORDS).map(([mode, { name }]) => (
            <option key={mode} value={mode}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Which ambiguity counts
        <select
          value={settings.variable}
          onChange={(event) => set({ variable: event.target.value as GateSettings["variable"] })}
        >
          <option value="ai">all of it</option>
          <option value="ai_pure">pure, without contradictions</option>
        </select>
      </label>
      {/* Not disabled: the button that was just used would lose the focus. */}
      <button type="button" onClick={reset} aria-disabled={!changed}>
        Reset
      </button>
    </form>
  );
}

interface LimitSliderProps {
  /** Plain name of the slider. */
  name: string;
  /** Shown in place of the plain name, for example a term with its definition. */
  head?: ReactNode;
  value: number;
  /** Ends of the slider; a typed value beyond them, or one from the address, widens it. */
  min: number;
  max: number;
  step: number;
  /** A share, between 0 and 1 as in `defensible gate`, is shown and typed in percent; a count is at least 1. */
  unit: "percent" | "count";
  onChange: (value: number) => void;
}

function LimitSlider({ name, head, value, min, max, step, unit, onChange }: LimitSliderProps) {
  const id = useId();
  const scale = unit === "percent" ? 100 : 1;
  // Without the rounding error of 100 × 0.29.
  const shown = Math.round(scale * value * 1e6) / 1e6;
  const words = unit === "percent" ? `${shown}%` : whole(shown);
  const [typed, setTyped] = useState<{ text: string; at: number } | null>(null);
  // A number from elsewhere replaces a half-typed one.
  const field = typed?.at === shown ? typed.text : shown;
  const type = (text: string) => {
    const number = Math.round(Number(text) * 1e6) / 1e6;
    const inside = unit === "percent" ? number > 0 && number < 100 : number >= 1 && Number.isSafeInteger(number);
    const allowed = text.trim() !== "" && inside;
    setTyped({ text, at: allowed ? number : shown });
    if (allowed) onChange(number / scale);
  };
  return (
    <div className="slider">
      <label htmlFor={id}>{head ?? name}</label>
      <span className="slider-number">
        <input
          type="number"
          aria-label={`${name}, as a number${unit === "percent" ? " in percent" : ""}`}
          min={step * scale}
          max={unit === "percent" ? 100 - step * scale : undefined}
          step={step * scale}
          value={field}
          onChange={(event) => type(event.target.value)}
          onBlur={() => setTyped(null)}
        />
        {unit === "percent" && "%"}
      </span>
      <input
        id={id}
        type="range"
        aria-label={name}
        aria-valuetext={words}
        min={Math.min(min, value)}
        max={Math.max(max, value)}
        step={step}
        value={value}
        onChange={(event) => onChange(Math.round(event.target.valueAsNumber * 1e6) / 1e6)}
      />
    </div>
  );
}
