import { countOf } from "../../../../src/core/estimate.js";
import type { CommunityEvaluation } from "../../../../src/measures/gate/gate-evaluation.js";
import { contradicted } from "../../../../src/present/figures/rule-ambiguity.js";
import { otherAction } from "../../../../src/present/words/audit-words.js";
import { byCount, plural, whole } from "../../../../src/present/words/numbers.js";
import { STATE_WORDS } from "../../../../src/present/words/words.js";
import { usePage } from "../../../data/page-context.ts";
import { Num } from "../../../parts/numbers/num.tsx";
import { Term } from "../../../parts/text/term.tsx";

/** What there is to say about a community, in two sentences. */
export function CommunityLead({ place, gate }: { place: number; gate: CommunityEvaluation | undefined }) {
  const { report } = usePage();
  const { counts, defensibility_index, ambiguity_pure } = report.communities[place]!;
  const at = `/report/communities/${place}`;
  const open = countOf(ambiguity_pure);
  const wrong = contradicted(report.communities[place]!);
  const other = otherAction(report);
  const missing = counts.attempted - counts.verdicts;
  if (counts.attempted === 0 && counts.no_rules > 0) {
    return (
      <p className="lead">
        No rule is in force for its <Num at={`${at}/counts/no_rules`} as="whole" />{" "}
        {byCount(counts.no_rules, "decision", "decisions")}, so nothing can be derived and nothing was audited.
      </p>
    );
  }
  if (defensibility_index.estimate === null || ambiguity_pure.estimate === null) {
    return (
      <p className="lead">
        {counts.attempted === 1 ? "Its one decision has no" : `None of its ${whole(counts.attempted)} decisions has a`}{" "}
        verdict, so nothing can be said about it.
      </p>
    );
  }
  return (
    <p className="lead">
      {gate && (
        <>
          <Term symbol="state">{STATE_WORDS[gate.state].name}</Term>. {STATE_WORDS[gate.state].meaning}{" "}
        </>
      )}
      Of <Num at={`${at}/counts/verdicts`} as="whole" /> {byCount(counts.verdicts, "decision", "decisions")}{" "}
      <Num at={`${at}/defensibility_index/k`} as="whole" /> {byCount(countOf(defensibility_index), "follows", "follow")}{" "}
      from the rules
      {open > 0 && (
        <>
          , but for <Num at={`${at}/ambiguity_pure/k`} as="whole" /> of{" "}
          {byCount(countOf(defensibility_index), "it", "them")} {other} would follow just as well
        </>
      )}
      .{wrong > 0 && ` In ${whole(wrong)} of the others the rules support only ${other}.`}
      {missing > 0 && ` ${plural(missing, "decision")} could not be scored.`}
    </p>
  );
}
