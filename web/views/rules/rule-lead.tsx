import { useMemo } from "react";
import { contradicted, openBothWays } from "../../../src/present/figures/rule-ambiguity.js";
import { byCount, plural, whole } from "../../../src/present/words/numbers.js";
import { usePage } from "../../data/page-context.ts";
import { useExperiment } from "../../data/use-experiment.ts";
import { Num } from "../../parts/numbers/num.tsx";

/** What the ledger says as a whole. */
export function RuleLedgerLead() {
  const { report } = usePage();
  const counts = useMemo(() => {
    const cited = report.rules.filter((rule) => rule.cited > 0);
    const open = cited.map(openBothWays);
    const all = open.reduce((sum, k) => sum + k, 0);
    const wrong = cited.reduce((sum, rule) => sum + contradicted(rule), 0);
    return { rules: report.rules.length, cited: cited.length, all, wrong, half: leastForHalf(open, all) };
  }, [report]);
  const { rules, cited, all, wrong, half } = counts;
  return (
    <p className="lead">
      {all > 0
        ? all === 1
          ? "1 decision could go either way under the rule that it cites."
          : `${plural(half, "rule")} of ${whole(rules)} ${byCount(half, "holds", "hold")} half of the ${whole(all)} decisions that could go either way: begin there.`
        : "Under no rule could a decision go either way."}
      {wrong > 0 &&
        ` In ${whole(wrong)} ${all > 0 ? "others" : byCount(wrong, "decision", "decisions")} the rule is clear and the decision breaks it.`}
      {cited < rules && ` ${plural(rules - cited, "rule is", "rules are")} never cited.`}
    </p>
  );
}

/** The fewest rules that hold half of the open verdicts. */
function leastForHalf(open: readonly number[], all: number): number {
  let sum = 0;
  const sorted = [...open].sort((a, b) => b - a);
  const at = sorted.findIndex((k) => {
    sum += k;
    return 2 * sum >= all;
  });
  return at + 1;
}

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
      How much the detailed wording helps: how far ambiguity falls when the auditor reads the rule's description and
      detail too, for the {plural(rules.length, "rule")} that at least{" "}
      <Num at="/report/experiments/tiers/rules/min_decisions" as="whole" /> decisions cite. Each interval is for its
      rule alone; of {whole(rules.length)} some would look clear by chance, and corrected for that{" "}
      {sure.length === 0 ? "none gains" : `${whole(sure.length)} ${sure.length === 1 ? "gains" : "gain"}`} beyond
      chance.
    </p>
  );
}
