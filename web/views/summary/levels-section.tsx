import { useMemo } from "react";
import { levelsFigure } from "../../../src/present/figures/levels.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart.tsx";
import { EstimateTable } from "../../parts/estimate-table.tsx";
import { Term } from "../../parts/term.tsx";

/** The levels behind DI, and where the ambiguity stands. */
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
        caption="Where the ambiguity stands: the first two rows add up to the Ambiguity Index, and so do the last four"
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
