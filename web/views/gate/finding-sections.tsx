import { limitsInWords } from "../../../src/present/figures/page-gate.js";
import { unbroken } from "../../../src/present/words/numbers.js";
import { useGateSettings } from "../../data/gate-settings.ts";
import { Num } from "../../parts/num.tsx";
import { HoldoutSection } from "./holdout-section.tsx";
import { JudgeSection } from "./judge-section.tsx";
import { SlicesSection } from "./slices-section.tsx";
import { FINDINGS, useFindings } from "./use-stored-gate.ts";
import { WatchSection } from "./watch-section.tsx";

/** What the report's gate finds beyond counts. It takes the decisions themselves, which a browser does not have, and so stays as it is. */
export function FindingSections() {
  const findings = useFindings();
  const { changed } = useGateSettings();
  if (!findings) return null;
  const { settings, in_force, holdout, judge_error, slices, watch } = findings;
  return (
    <>
      <p className="muted findings-note">
        What follows was computed from the decisions when this report was made, with{" "}
        {in_force ? "the settings of the gate in force" : "the workspace's settings"}:{" "}
        {unbroken(limitsInWords(settings, settings.variable))}, at least{" "}
        <Num at={`${FINDINGS}/settings/min_decisions`} as="whole" /> decisions, mode {settings.mode}.
        {changed && " It does not follow the settings that were changed above."}
      </p>
      <HoldoutSection holdout={holdout} />
      {judge_error && <JudgeSection judged={judge_error} />}
      <SlicesSection slices={slices} />
      <WatchSection watch={watch} />
    </>
  );
}
