import { useMemo } from "react";
import { plural } from "../../../src/figures/numbers.js";
import { usePage } from "../../data/page-context.ts";

/** What the ledger says as a whole. */
export function RuleLedgerLead() {
  const { report } = usePage();
  const counts = useMemo(() => {
    const cited = report.rules.filter((rule) => rule.cited > 0);
    const open = cited
      .map((rule) => rule.ambiguity_index)
      .map((index) => (index.estimate === null ? 0 : (index.k ?? 0)));
    const all = open.reduce((sum, k) => sum + k, 0);
    return { rules: report.rules.length, cited: cited.length, all, half: leastForHalf(open, all) };
  }, [report]);
  const { rules, cited, all, half } = counts;
  return (
    <p className="lead">
      {`${plural(cited, "rule")} of ${rules.toLocaleString("en")} ${cited === 1 ? "is" : "are"} cited by verdicts. `}
      {all > 0
        ? `${plural(all, "citing verdict")} could have gone the other way under the rules; half of them fall to ${plural(half, "rule")}: the place to begin with clearer words.`
        : "Under none of them could a verdict have gone the other way."}
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
