import { useMemo } from "react";
import { ruleTiersFigure } from "../../../src/present/figures/rule-tiers.js";
import { pText } from "../../../src/present/words/numbers.js";
import { type RuleReference, referenceKey } from "../../../src/present/words/rule-texts.js";
import { wordsOf } from "../../../src/present/words/word-table.js";
import { TIER_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { useTierGains } from "../../data/use-tier-gains.ts";
import { Chart } from "../../parts/chart.tsx";
import { EstInText } from "../../parts/est-in-text.tsx";

/** What happens to the decisions that cite it when the auditor reads more of its text. */
export function RuleTiers({ rule }: { rule: RuleReference }) {
  const page = usePage();
  const gain = useTierGains().get(referenceKey(rule));
  const figure = useMemo(() => ruleTiersFigure(page, rule), [page, rule]);
  return (
    <section aria-labelledby="tiers-head">
      <h2 id="tiers-head">What more of its text settles</h2>
      <Chart figure={figure} />
      {gain && (
        <ul className="plain">
          {gain.gains.map((step, i) => (
            <li key={`${step.from} ${step.to}`}>
              {`${wordsOf(TIER_WORDS, step.from).name} → ${wordsOf(TIER_WORDS, step.to).name.toLowerCase()}: settles `}
              <EstInText at={`${gain.at}/gains/${i}/gain`} as="points" /> of ambiguity
              {step.text_differs === false && ", though the text is the same: the auditor's own wavering"}
            </li>
          ))}
          <li>
            In all: <EstInText at={`${gain.at}/gain`} as="points" />, {pText(gain.mid_p)}
            {gain.adjusted_p !== null && `, ${pText(gain.adjusted_p)} corrected for the number of rules`}
          </li>
        </ul>
      )}
    </section>
  );
}
