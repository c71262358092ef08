import type { AttackResult } from "../../../src/experiments/attack/result.js";
import { pText } from "../../../src/present/words/numbers.js";
import { printable } from "../../../src/text/printable.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Nothing } from "../../parts/nothing.tsx";
import { EstInText } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Term } from "../../parts/text/term.tsx";

interface Found {
  reason?: string;
  escaped?: { n: number };
  caught?: { n: number };
  mann_whitney?: { p_value: number | null };
  rank_correlation?: { estimate: number | null; p_value: number | null };
}

/** Whether escapes coincide with ambiguous rules, as the paper says. */
export function AmbiguousRules({ result, at: root }: Kept<AttackResult>) {
  const found = result.ambiguous_rules as Found;
  const at = `${root}/ambiguous_rules`;
  if (!found.escaped || !found.caught || !found.mann_whitney || !found.rank_correlation) {
    return (
      <>
        <h3>Do escapes coincide with ambiguous rules?</h3>
        <Nothing why={`Not known: ${printable(found.reason ?? "no attack has a rule", 200)}.`} />
      </>
    );
  }
  return (
    <>
      <h3>Do escapes coincide with ambiguous rules?</h3>
      <p>
        In the run that the attacks were made from, the rules that <Num at={`${at}/escaped/n`} as="whole" /> escapes
        turn on have a mean <Term symbol="AI">Ambiguity Index</Term> of{" "}
        <EstInText at={`${at}/escaped/ambiguity_index`} />, those of <Num at={`${at}/caught/n`} as="whole" /> attacks
        that were caught <EstInText at={`${at}/caught/ambiguity_index`} />. Rule by rule,{" "}
        <Num at={`${at}/rules`} as="whole" /> of them, index and share escaped have a rank correlation of{" "}
        <EstInText at={`${at}/rank_correlation`} as="decimal" />. {verdict(found)}
      </p>
    </>
  );
}

/** Attacks on one rule are not independent: rules count. */
function verdict({ mann_whitney: test, rank_correlation: rank }: Found): string {
  const p = rank?.p_value == null ? "" : ` (${pText(rank.p_value)})`;
  if (rank?.p_value != null && rank.p_value < 0.05) {
    return (rank.estimate ?? 0) > 0
      ? `Rules under which more escapes are the more ambiguous ones${p}.`
      : `Rules under which more escapes are the less ambiguous ones${p}, against the paper.`;
  }
  return test?.p_value != null && test.p_value < 0.05
    ? `Attack by attack there is a difference, but between rules none that chance does not explain${p}.`
    : `Nothing here that chance does not explain${p}.`;
}
