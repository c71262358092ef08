import { HoldoutSection } from "./holdout-section.tsx";
import { JudgeSection } from "./judge-section.tsx";
import { SlicesSection } from "./slices-section.tsx";
import { useStoredGate } from "./use-stored-gate.ts";
import { ChecksSection, WatchSection } from "./watch-section.tsx";

/** What the gate in force found beyond counts, where it was kept with it. */
export function StoredSections() {
  const gate = useStoredGate();
  if (!gate) return null;
  return (
    <>
      {gate.holdout && <HoldoutSection holdout={gate.holdout} />}
      {gate.judge_error && <JudgeSection judged={gate.judge_error} />}
      {gate.slices && <SlicesSection slices={gate.slices} />}
      {gate.watch && <WatchSection watch={gate.watch} />}
      {gate.checks && gate.checks.length > 0 && <ChecksSection checks={gate.checks} />}
    </>
  );
}
