import { useMemo } from "react";
import { levelsFigure } from "../../../src/present/figures/levels.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { EstimateTable } from "../../parts/numbers/estimate-tables.tsx";
import { MetricsTable } from "../../parts/numbers/metrics-table.tsx";
import { Term } from "../../parts/text/term.tsx";
import { routeHash } from "../../route/route.ts";

/** The levels behind the Defensibility Index, and where the ambiguity is. */
export function LevelsSection() {
  const page = usePage();
  const figure = useMemo(() => levelsFigure(page), [page]);
  return (
    <section aria-labelledby="levels">
      <h2 id="levels">Levels and ambiguity</h2>
      <div className="narrow-chart">
        <Chart figure={figure} />
      </div>
      <EstimateTable
        id="level-numbers"
        caption="Levels, as the auditor wrote them and by its probabilities"
        rows={[
          { key: "1", name: <Term symbol="L1, L2, L3">Level 1, robustly defensible</Term>, at: "/report/levels/1" },
          { key: "2", name: "Level 2, plausibly defensible", at: "/report/levels/2" },
          { key: "3", name: "Level 3, indefensible", at: "/report/levels/3" },
          {
            key: "soft",
            name: <Term symbol="DI_soft, AI_soft">Defensibility from probabilities</Term>,
            at: "/report/defensibility_index_soft",
          },
          { key: "ai-soft", name: "Ambiguity from probabilities", at: "/report/ambiguity_index_soft" },
        ]}
      />
      <EstimateTable
        id="ambiguity-numbers"
        caption="Where the ambiguity is: the first two rows add up to the Ambiguity Index, and so do the last four"
        rows={[
          {
            key: "pure",
            name: <Term symbol="AI_pure">Open both ways (pure ambiguity)</Term>,
            at: "/report/ambiguity/pure",
          },
          {
            key: "contradiction",
            name: <Term symbol="AI_contra">Indefensible, only the opposite holds</Term>,
            at: "/report/ambiguity/contradiction",
          },
          {
            key: "platform",
            name: <Term symbol="AI_G, AI_C">Citing platform rules</Term>,
            at: "/report/ambiguity/platform",
          },
          { key: "community", name: "Citing community rules or precedents", at: "/report/ambiguity/community" },
          { key: "mixed", name: "Citing both", at: "/report/ambiguity/mixed" },
          { key: "none", name: "Citing no known rule", at: "/report/ambiguity/none" },
        ]}
      />
      <p className="muted">
        Only pure ambiguity is a property of the rules: where only the opposite holds, the decision was wrong and the
        rule not unclear.
      </p>
    </section>
  );
}

/** Rates of fewer verdicts say little. */
const FEWEST = 10;

/** The headline numbers by action, language and cohort, where there is more than one of them. */
export function BreakdownSection() {
  const { by_decision, by_language, by_cohort, run } = usePage().report;
  const parts = [
    // Within one action F1 is an artefact: approvals have no true positives.
    { id: "by-decision", name: "By action", part: "Action", of: by_decision, agreement: "accuracy" as const },
    {
      id: "by-language",
      name: "By language of the content",
      part: "Language",
      of: by_language,
      agreement: "f1" as const,
    },
    // Within one cohort the others are only overlaps with it.
    { id: "by-cohort", name: "By cohort", part: "Cohort", of: run.cohort ? {} : by_cohort, agreement: "f1" as const },
  ].filter(({ id, of }) => Object.keys(of).length > (id === "by-cohort" ? 0 : 1));
  const small = parts.some(({ of }) => Object.values(of).some(({ counts }) => counts.verdicts < FEWEST));
  if (parts.length === 0) return null;
  return (
    <section aria-labelledby="breakdowns">
      <h2 id="breakdowns">Breakdown</h2>
      {parts.map(({ id, name, part, of, agreement }) => (
        <MetricsTable
          part={part}
          key={id}
          id={id}
          caption={name}
          at={`/report/${id.replace("-", "_")}`}
          keys={Object.keys(of).filter((key) => of[key]!.counts.verdicts >= FEWEST)}
          agreement={agreement}
        />
      ))}
      <p className="muted">
        {small && `Parts with fewer than ${FEWEST} verdicts are left out. `}By community:{" "}
        <a href={routeHash("automation")}>Automation</a>. By rule: <a href={routeHash("rules")}>Rules</a>.
      </p>
    </section>
  );
}
