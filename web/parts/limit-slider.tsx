import { type ReactNode, useId, useState } from "react";
import { whole } from "../../src/present/words/numbers.js";

interface LimitSliderProps {
  /** Name of the slider, in plain words. */
  name: string;
  /** What stands at its head instead of the plain name, for example a term with its definition. */
  head?: ReactNode;
  value: number;
  /** Ends of the slider; a value beyond them, typed or from the address, widens it. */
  min: number;
  max: number;
  step: number;
  /** A share, between 0 and 1 as `defensible gate` takes it, is shown and typed in percent; a count is at least 1. */
  unit: "percent" | "count";
  onChange: (value: number) => void;
}

/** A number that can be slid and typed. */
export function LimitSlider({ name, head, value, min, max, step, unit, onChange }: LimitSliderProps) {
  const id = useId();
  const scale = unit === "percent" ? 100 : 1;
  // Without the last-digit noise of 100 × 0.29.
  const shown = Math.round(scale * value * 1e6) / 1e6;
  const words = unit === "percent" ? `${shown} %` : whole(shown);
  /** What was typed, and the number that stands for it. */
  const [typed, setTyped] = useState<{ text: string; at: number } | null>(null);
  // A number that came from elsewhere takes the place of what stands half typed in the field.
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
        {unit === "percent" && " %"}
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
