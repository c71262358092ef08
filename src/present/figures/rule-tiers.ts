import type { RuleGain } from "../../experiments/rules/tiers/result.js";
import type { ReportPage } from "../../measures/report-page.js";
import { percent, pText } from "../words/numbers.js";
import { type RuleReference, referenceKey } from "../words/rule-texts.js";
import { isOfCohort, leftOutText, wordsOf } from "../words/vocabulary.js";
import { TIER_WORDS } from "../words/words.js";
import type { MaybeFigure } from "./missing.js";

const COMMAND = "defensible rules tiers";

/** AI of the decisions that cite a rule when the auditor reads its title, its description too, and its detail too. */
export function ruleTiersFigure({ report }: ReportPage, rule: RuleReference): MaybeFigure {
  const tiers = report.experiments?.tiers;
  if (!tiers && isOfCohort(report)) return { missing: leftOutText("Experiments are") };
  if (!tiers) {
    return {
      missing: "The workspace has not audited its decisions under shorter and longer rule texts.",
      command: COMMAND,
    };
  }
  const { by_finest, min_decisions } = tiers.rules;
  const gain = by_finest.rules.find((one) => referenceKey(one) === referenceKey(rule));
  if (!gain) {
    const rare = by_finest.too_few.find((one) => referenceKey(one) === referenceKey(rule));
    const why = rare ? `only ${rare.n} did` : "none did";
    return {
      missing: `In the experiment with shorter and longer rule texts at least ${min_decisions} decisions must cite a rule; ${why}.`,
    };
  }
  const names = tiers.tiers.map(({ tier }) => wordsOf(TIER_WORDS, tier).name.toLowerCase());
  return {
    id: "rule-tiers",
    title: title(gain),
    mark: "line",
    x: { field: "text", label: "The auditor reads up to the rule's", order: names },
    y: { field: "share", label: "Ambiguity Index", format: "percent", domain: [0, 1] },
    series: "index",
    interval: "y",
    caption: `The same decisions under each text; 95% intervals of each share. Ambiguity also counts decisions that the rules contradict, whose opposite alone can be derived. ${chance(gain)}`,
    rows: gain.ambiguity.flatMap((share, i) =>
      share.estimate === null
        ? []
        : [
            {
              text: names[i]!,
              index: "AI",
              share: share.estimate,
              lower: share.lower,
              upper: share.upper,
              k: share.k ?? null,
              n: share.n,
            },
          ],
    ),
  };
}

function title({ ambiguity, n }: RuleGain): string {
  const [first, last] = [ambiguity[0]?.estimate ?? null, ambiguity.at(-1)?.estimate ?? null];
  if (first === null || last === null) return `What the text settles is undefined for the ${n} decisions that cite it`;
  const change = `${percent(first, 0)} to ${percent(last, 0)} of ${n} decisions`;
  if (first > last) return `With more of the text, the share whose opposite could be derived falls from ${change}`;
  return first === last
    ? `With more of the text, the share whose opposite could be derived stays at ${percent(first, 0)} of ${n} decisions`
    : `With more of the text, the share whose opposite could be derived rises from ${change}`;
}

/** Many rules are looked at, so some would move by chance. */
function chance({ adjusted_p: p }: RuleGain): string {
  if (p === null) return "No decision changed.";
  return p < 0.05
    ? `The change is beyond chance, also among all rules that were looked at (${pText(p)}, after Holm's correction).`
    : `Among all rules that were looked at such a change may come by chance (${pText(p)}, after Holm's correction).`;
}
