import { MODE_WORDS, VARIABLE_WORDS } from "../../src/present/words/words.js";
import { type GateSettings, useGateSettings } from "../data/gate-settings.ts";
import { LimitSlider } from "./limit-slider.tsx";
import { Term } from "./term.tsx";

/** Limits and mode of the gate. They live in the address and hold for every view that looks at the gate. */
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
        min={0.01}
        max={0.99}
        step={0.01}
        unit="percent"
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
        min={0.01}
        max={0.99}
        step={0.01}
        unit="percent"
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
