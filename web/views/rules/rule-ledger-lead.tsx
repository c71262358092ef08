import { useMemo } from "react";
import { contradicted, openBothWays } from "../../../src/present/figures/rule-ambiguity.js";
import { byCount, plural, whole } from "../../../src/present/words/numbers.js";
import { usePage } from "../../data/page-context.ts";

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
      {`${whole(cited)} of ${plural(rules, "rule")} ${cited === 1 ? "is" : "are"} cited by verdicts. `}
      {all > 0
        ? `${plural(all, "verdict")} could have gone either way under the rule that ${all === 1 ? "it cites" : "they cite"}${all === 1 ? "" : `; half of them fall to ${plural(half, "rule")}`}: the place to begin with clearer words.`
        : "Under none of them could a verdict have gone either way."}
      {wrong > 0 &&
        ` In ${whole(wrong)} ${all > 0 ? "more" : byCount(wrong, "verdict", "verdicts")} only the opposite follows: there the decider is wrong, and the rule not unclear.`}
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
