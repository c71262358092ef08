import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { VARIABLE_WORDS } from "../../../src/present/words/words.js";
import { Shown } from "../../parts/num.tsx";
import { PlainTable } from "../../parts/plain-table.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";

/** The fleet by state, with means over communities as the paper prints them. */
export function StatesSection({ evaluation: { states, variable, communities } }: { evaluation: GateEvaluation }) {
  if (communities.length === 0) return null;
  const ambiguity = VARIABLE_WORDS[variable].name.toLowerCase();
  return (
    <section aria-labelledby="states">
      <h2 id="states">States of the fleet</h2>
      <PlainTable
        caption="States follow the rates as seen; whether a rate can be relied on is what the modes differ in"
        heads={[
          { key: "state", name: "State" },
          { key: "communities", name: "Communities", align: "right" },
          { key: "decisions", name: "Verdicts", align: "right" },
          { key: "mean_di", name: "Mean defensibility", align: "right" },
          { key: "mean_ai", name: `Mean ${ambiguity}`, align: "right" },
          { key: "pooled_di", name: "Defensibility", align: "right" },
          { key: "pooled_ai", name: VARIABLE_WORDS[variable].name, align: "right" },
        ]}
        rows={states.map((row, i) => ({
          key: row.state,
          cells: [
            <StateBadge key="state" state={row.state} />,
            <Shown key="communities" value={row.communities} as="whole" mark={`/gate/states/${i}/communities`} />,
            <Shown key="decisions" value={row.decisions} as="whole" mark={`/gate/states/${i}/decisions`} />,
            ...(["mean_di", "mean_ai", "pooled_di", "pooled_ai"] as const).map((field) => (
              <Shown key={field} value={row[field]} mark={`/gate/states/${i}/${field}`} />
            )),
          ],
        }))}
      />
      <p className="muted small">
        Means count each community once; defensibility and {ambiguity} beside them count each verdict.
      </p>
    </section>
  );
}
