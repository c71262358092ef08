import type { JudgeErrorReport } from "../../../../src/measures/metrics/judge/judge-error.js";
import { labelNotes } from "../../../../src/measures/metrics/label-sample.js";
import { formatNumber, whole } from "../../../../src/present/words/numbers.js";
import { CohortName } from "../../../parts/links.tsx";
import { Est } from "../../../parts/numbers/est.tsx";
import { Num } from "../../../parts/numbers/num.tsx";
import { PlainTable } from "../../../parts/tables/plain-table.tsx";
import { Term } from "../../../parts/text/term.tsx";
import { UserText } from "../../../parts/text/written.tsx";
import { FINDINGS } from "./use-stored-gate.ts";

const AT = `${FINDINGS}/judge_error`;

const RATES = [
  ["defensibility_index", "defensibility"],
  ["indefensible_rate", "indefensible"],
  ["ambiguity_index", "ambiguity"],
  ["ambiguity_pure", "pure ambiguity"],
] as const;

const MOST_ROWS = 20;

/** Audited rates next to the rates by people's labels. */
export function JudgeSection({ judged }: { judged: JudgeErrorReport }) {
  const corrected = judged.communities
    .map((community, i) => ({ community, at: `${AT}/communities/${i}` }))
    .filter(({ community }) => community.corrected !== null);
  const { confirmed } = judged.fleet;
  const remarks = new Set([
    ...(judged.sample ? labelNotes(judged.sample) : []),
    ...(["indefensible_rate", "ambiguity_index", "ambiguity_pure"] as const).flatMap(
      (rate) => judged.fleet[rate].warnings,
    ),
  ]);
  return (
    <section aria-labelledby="judge">
      <h2 id="judge">What people's labels make of it</h2>
      <p>
        <Num at={`${AT}/fleet/labels`} as="whole" /> of <Num at={`${AT}/fleet/verdicts`} as="whole" /> verdicts have a
        person's label.{" "}
        {confirmed.estimate !== null && (
          <>
            People confirmed <Num at={`${AT}/fleet/confirmed/k`} as="whole" /> of{" "}
            <Num at={`${AT}/fleet/confirmed/n`} as="whole" /> labelled level-3 verdicts.{" "}
            {2 * (confirmed.k ?? 0) < confirmed.n &&
              "That is fewer than half: the auditor, more than the decisions, seems to be wrong. "}
          </>
        )}
        The auditor finds <Num at={`${AT}/fleet/indefensible_rate/sensitivity/estimate`} /> of what people call
        indefensible, and clears <Num at={`${AT}/fleet/indefensible_rate/specificity/estimate`} /> of what they do not.
      </p>
      <PlainTable
        caption={`Rates as audited, and by people's labels (${judged.design === "by_verdict" ? "each label stands for the decisions with the same verdict" : "labels taken for a random sample"})`}
        heads={[
          { key: "rate", name: "Rate" },
          { key: "audited", name: "Audited", align: "right" },
          { key: "ppi", name: <Term symbol="θ_PP, λ_PP">Corrected by labels</Term>, align: "right" },
          {
            key: "rg",
            name: <Term symbol="(p + Sp − 1)/(Se + Sp − 1)">Corrected by error rates</Term>,
            align: "right",
          },
          { key: "bound", name: `True rate at most (${formatNumber(1 - judged.delta, "limit")})`, align: "right" },
        ]}
        rows={RATES.map(([key, name]) => ({
          key,
          cells: [
            name,
            <Est key="audited" at={`${AT}/fleet/${key}/audited`} with="interval" />,
            <Est key="ppi" at={`${AT}/fleet/${key}/prediction_powered`} with="interval" />,
            <Est key="rg" at={`${AT}/fleet/${key}/rogan_gladen`} with="interval" />,
            key === "defensibility_index" ? null : <Num key="bound" at={`${AT}/fleet/${key}/upper_bound/exact`} />,
          ],
        }))}
      />
      {remarks.size > 0 && (
        <ul className="remarks" aria-label="To keep in mind">
          {[...remarks].map((text) => (
            <li key={text}>
              <UserText text={text} max={400} />
            </li>
          ))}
        </ul>
      )}
      {corrected.length > 0 && (
        <PlainTable
          caption="Communities with enough labels"
          heads={[
            { key: "community", name: "Community" },
            { key: "labels", name: "Labels", align: "right" },
            { key: "audited", name: "Indefensible, audited", align: "right" },
            { key: "ppi", name: "Corrected by labels", align: "right" },
            { key: "bound", name: "True rate at most", align: "right" },
          ]}
          rows={corrected.slice(0, MOST_ROWS).map(({ community, at }) => ({
            key: community.key,
            cells: [
              <CohortName key="community" name={community.key} />,
              <Num key="labels" at={`${at}/labels`} as="whole" />,
              <Est key="audited" at={`${at}/corrected/indefensible_rate/audited`} with="value" />,
              <Est key="ppi" at={`${at}/corrected/indefensible_rate/prediction_powered`} with="interval" />,
              <Num key="bound" at={`${at}/corrected/indefensible_rate/upper_bound/exact`} />,
            ],
          }))}
        />
      )}
      <p className="muted small">
        {whole(corrected.length)} of {whole(judged.communities.length)} communities have the{" "}
        <Num at={`${AT}/least_labels`} as="whole" /> labels that a correction of one community takes.
      </p>
    </section>
  );
}
