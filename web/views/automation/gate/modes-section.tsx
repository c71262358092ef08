import { useMemo } from "react";
import { GATE_MODES } from "../../../../src/core/names.js";
import type { CommunityEvaluation, GateEvaluation } from "../../../../src/measures/gate/gate-evaluation.js";
import { gateModesOf } from "../../../../src/present/figures/gate-modes.js";
import { byCount } from "../../../../src/present/words/numbers.js";
import { MODE_WORDS } from "../../../../src/present/words/words.js";
import { Chart } from "../../../parts/chart/chart.tsx";
import { ShownEst } from "../../../parts/numbers/est.tsx";
import { Shown } from "../../../parts/numbers/num.tsx";
import { PlainTable } from "../../../parts/tables/plain-table.tsx";
import { Term } from "../../../parts/text/term.tsx";

/** Which communities pass by the observed rates, and for which of them that is proven. */
export function ModesSection({ evaluation }: { evaluation: GateEvaluation }) {
  const figure = useMemo(() => gateModesOf(evaluation), [evaluation]);
  const { communities, by_mode, methods, mode: used } = evaluation;
  if (communities.length === 0) return null;
  const paper = communities.filter((one) => one.passes.paper);
  const unproven = paper.filter((one) => !one.passes.certified);
  return (
    <section aria-labelledby="modes">
      <h2 id="modes">Proven against observed</h2>
      <p>
        {paper.length === 0 ? (
          "By the observed rates no community passes."
        ) : (
          <>
            By the observed rates, as in the paper,{" "}
            <Shown value={by_mode.paper.passing} as="whole" mark="/gate/by_mode/paper/passing" />{" "}
            {byCount(paper.length, "passes", "pass")}. Small communities can pass by luck:{" "}
            {unproven.length === 0 && `that ${byCount(paper.length, "it keeps", "they keep")} the limits is proven`}
            {unproven.length === paper.length &&
              `that ${byCount(paper.length, "it keeps", "any of them keeps")} the limits is not proven`}
            {unproven.length > 0 && unproven.length < paper.length && (
              <>
                for <Shown value={unproven.length} as="whole" /> of them the limits are not proven
              </>
            )}
            . Of those that pass, up to <FalsePasses of={paper} /> would break a limit on average.
          </>
        )}
      </p>
      <PlainTable
        caption="The same limits in three modes"
        heads={[
          { key: "mode", name: "Mode" },
          { key: "passing", name: "Communities", align: "right" },
          { key: "coverage", name: "Decisions, of those judged", align: "right" },
          { key: "rate", name: "Indefensible among them", align: "right" },
          { key: "false", name: <Term symbol="f_c, q">Expected false passes</Term>, align: "right" },
          { key: "promise", name: "What it promises" },
        ]}
        rows={GATE_MODES.map((mode) => ({
          key: mode,
          chosen: mode === used,
          cells: [
            <span key="mode" title={MODE_WORDS[mode].meaning}>
              {MODE_WORDS[mode].name}
              {mode === used && <span className="muted"> (in use)</span>}
            </span>,
            <Shown key="passing" value={by_mode[mode].passing} as="whole" mark={`/gate/by_mode/${mode}/passing`} />,
            <ShownEst
              key="coverage"
              of={by_mode[mode].estimates.decision_coverage_eligible}
              mark={`/gate/by_mode/${mode}/estimates/decision_coverage_eligible`}
              with="interval"
            />,
            <ShownEst
              key="rate"
              of={by_mode[mode].estimates.automated_indefensible_rate}
              mark={`/gate/by_mode/${mode}/estimates/automated_indefensible_rate`}
              with="interval"
            />,
            <FalsePasses key="false" of={communities.filter((one) => one.passes[mode])} />,
            <span key="promise" className="muted">
              {methods[mode]}
            </span>,
          ],
        }))}
      />
      <p className="muted small">
        Expected false passes: the sum, over those that pass, of the probability that a limit is really broken, if each
        community is like the others of the fleet; at most that many on average.
      </p>
      <Chart figure={figure} />
    </section>
  );
}

function FalsePasses({ of }: { of: readonly CommunityEvaluation[] }) {
  if (of.some((one) => one.shrunk.f_c === null)) return <span className="undefined">–</span>;
  const sum = of.reduce((total, one) => total + one.shrunk.f_c!, 0);
  return <Shown value={sum} as="decimal" />;
}
