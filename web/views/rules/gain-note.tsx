import { plural, whole } from "../../../src/present/words/numbers.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { Num } from "../../parts/num.tsx";

/** How to read the column of gains: of which rules there is one, and what remains of it when many rules are looked at. */
export function GainNote() {
  const tiers = useExperiment("tiers")?.result;
  if (!tiers || tiers.rules.by_finest.rules.length === 0) return null;
  const { rules } = tiers.rules.by_finest;
  const sure = rules.filter(
    ({ adjusted_p, gain }) => adjusted_p !== null && adjusted_p < 0.05 && (gain.estimate ?? 0) > 0,
  );
  return (
    <p>
      Ambiguity settled by more text: how far it falls when the auditor reads the rule's description and detail too, for
      the {plural(rules.length, "rule")} that at least{" "}
      <Num at="/report/experiments/tiers/rules/min_decisions" as="whole" /> decisions cite. Each interval is for its
      rule alone; of {whole(rules.length)} some would look clear by chance, and corrected for that{" "}
      {sure.length === 0 ? "none gains" : `${whole(sure.length)} ${sure.length === 1 ? "gains" : "gain"}`} beyond
      chance.
    </p>
  );
}
