import { useMemo } from "react";
import { rootCausesFigure } from "../../../src/present/figures/levels.js";
import { byCount } from "../../../src/present/words/numbers.js";
import { CAUSE_WORDS, CAUSES } from "../../../src/present/words/signs.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { EstimateTable } from "../../parts/numbers/estimate-tables.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Term } from "../../parts/text/term.tsx";

/** Why decider and people disagree, and what agreement hides. */
export function DisagreementSection() {
  const page = usePage();
  const { agreement, humans, gap } = page.report;
  const figure = useMemo(() => rootCausesFigure(page), [page]);
  return (
    <section aria-labelledby="disagreements">
      <h2 id="disagreements">Why decider and people disagree</h2>
      {agreement.n_labelled > 0 && (
        <p>
          On <Num at="/report/agreement/n_labelled" as="whole" />{" "}
          {byCount(agreement.n_labelled, "decision", "decisions")} that people labelled, both restrict{" "}
          <Num at="/report/agreement/confusion/tp" as="whole" /> and both allow{" "}
          <Num at="/report/agreement/confusion/tn" as="whole" />; the decider alone restricts{" "}
          <Num at="/report/agreement/confusion/fp" as="whole" />, people alone{" "}
          <Num at="/report/agreement/confusion/fn" as="whole" />.
        </p>
      )}
      <div className="columns">
        <div>
          <Chart figure={figure} />
        </div>
        {agreement.n_labelled > 0 && (
          <dl className="causes">
            {CAUSES.map((cause) => (
              <div key={cause}>
                <dt>{CAUSE_WORDS[cause].name}</dt>
                <dd>
                  {CAUSE_WORDS[cause].meaning} What helps: {CAUSE_WORDS[cause].remedy}.
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {agreement.n_labelled > 0 && (
        <EstimateTable
          id="trap-numbers"
          caption="What agreement shows and hides"
          rows={[
            {
              key: "gap-f1",
              name: <Term symbol="gap, DI − F1">Defensibility − F1</Term>,
              at: "/report/gap/di_minus_f1",
              as: "points",
            },
            {
              key: "gap-accuracy",
              name: <Term symbol="gap, DI − accuracy">Defensibility − accuracy</Term>,
              at: "/report/gap/di_minus_accuracy",
              as: "points",
            },
            ...(gap.labelled
              ? [
                  {
                    key: "labelled-f1",
                    name: "…with the defensibility of the labelled decisions alone − F1",
                    at: "/report/gap/labelled/di_minus_f1",
                    as: "points" as const,
                  },
                  {
                    key: "labelled-accuracy",
                    name: "…with the defensibility of the labelled decisions alone − accuracy",
                    at: "/report/gap/labelled/di_minus_accuracy",
                    as: "points" as const,
                  },
                ]
              : []),
            {
              key: "all",
              name: <Term symbol="P(L1/L2 given disagreement)">Disagreements that are defensible</Term>,
              at: "/report/trap/disagreements_defensible",
            },
            {
              key: "fn",
              name: <Term symbol="P(L1/L2 given FN)">…where people alone restrict (false negatives)</Term>,
              at: "/report/trap/fn_defensible",
            },
            {
              key: "fp",
              name: <Term symbol="P(L1/L2 given FP)">…where the decider alone restricts (false positives)</Term>,
              at: "/report/trap/fp_defensible",
            },
            {
              key: "joint",
              name: <Term symbol="P(agree, L3)">Agreed, yet indefensible: of all labelled</Term>,
              at: "/report/trap/accurate_but_indefensible/joint",
            },
            {
              key: "conditional",
              name: <Term symbol="P(L3 given agree)">Agreed, yet indefensible: of the agreements</Term>,
              at: "/report/trap/accurate_but_indefensible/conditional",
            },
            ...(humans
              ? [
                  {
                    key: "people",
                    name: (
                      <Term symbol="DI_decider − DI_human">
                        Defensibility of the decider − that of people, same decisions
                      </Term>
                    ),
                    at: "/report/humans/difference",
                    as: "points" as const,
                  },
                ]
              : []),
            { key: "precision", name: <Term symbol="precision">Precision</Term>, at: "/report/agreement/precision" },
            { key: "recall", name: <Term symbol="recall">Recall</Term>, at: "/report/agreement/recall" },
            {
              key: "kappa",
              name: <Term symbol="κ (Cohen)">Agreement beyond chance (Cohen's κ)</Term>,
              at: "/report/agreement/kappa",
              as: "decimal",
            },
          ]}
        />
      )}
    </section>
  );
}
