import { memo, useMemo } from "react";
import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import type { ReportPage } from "../../../src/measures/report-page.js";
import { BY_SCORE } from "../../../src/present/gate/score-document.js";
import { gateVerdict } from "../../../src/present/gate/verdict-document.js";
import { plural, weeksText } from "../../../src/present/words/numbers.js";
import { usePage } from "../../data/page-context.ts";
import { isCommunity } from "../../parts/links.tsx";
import { ShownEst } from "../../parts/numbers/est.tsx";
import { Num, Shown } from "../../parts/numbers/num.tsx";
import { Fact, TextParts } from "../../parts/text/prose.tsx";
import { Term } from "../../parts/text/term.tsx";
import { STORED, useScoreCounts } from "./gate/use-stored-gate.ts";

const SCORED = `${STORED}/selective/counts`;

const DAY_MS = 86_400_000;

/**
 * Reviews per week that the gate saves: dated decisions of passing communities over the weeks of the run; `byScore`: those that reach their
 * threshold. Null without dates.
 */
function savedPerWeek(
  page: ReportPage,
  gate: GateEvaluation,
  byScore: number | undefined,
): { decisions: number; weeks: number } | null {
  const { timeline } = page;
  const passing = gate.communities.filter((one) => one.passes[gate.mode]).map(({ community }) => community);
  if (!timeline || !passing.every((name) => isCommunity(page, name))) return null;
  const names = new Set(passing);
  const dated = timeline.rows.reduce((sum, row) => sum + (names.has(row.community) ? row.n : 0), 0);
  const decisions = Math.min(dated, byScore ?? dated);
  // Days from the first to the last decision, inclusive.
  const days = (Date.parse(timeline.last) - Date.parse(timeline.first)) / DAY_MS + 1;
  return { decisions, weeks: days / 7 };
}

export const AutomationNumbers = memo(function AutomationNumbers({ gate }: { gate: GateEvaluation }) {
  const page = usePage();
  const { fleet } = gate;
  const { estimates } = fleet;
  const byScore = useScoreCounts(gate);
  const saved = useMemo(() => savedPerWeek(page, gate, byScore?.automated), [page, gate, byScore]);
  return (
    <dl className="key-figures">
      <Fact name="Decisions automated">
        {byScore ? (
          <>
            <span className="est">
              <Num at={`${SCORED}/automated`} as="whole" /> of <Num at={`${SCORED}/verdicts`} as="whole" />
            </span>
            <span className="note">{BY_SCORE}</span>
          </>
        ) : (
          <ShownEst of={estimates.decision_coverage_all} mark="/gate/fleet/estimates/decision_coverage_all" />
        )}
        {byScore ||
        fleet.decision_coverage_eligible === null ||
        fleet.decision_coverage_eligible === fleet.decision_coverage_all ? null : (
          <span className="note">
            <Shown value={fleet.decision_coverage_eligible} mark="/gate/fleet/decision_coverage_eligible" /> of those in
            communities large enough to judge
          </span>
        )}
      </Fact>
      <Fact name={saved && saved.weeks < 1 ? "Reviews saved" : "Reviews saved per week"}>
        {saved ? (
          <>
            <span className="est">
              <Shown value={saved.weeks < 1 ? saved.decisions : Math.round(saved.decisions / saved.weeks)} as="whole" />
            </span>
            <span className="note">
              {saved.weeks < 1
                ? `within ${weeksText(saved.weeks)}, too short for a rate per week`
                : `${plural(saved.decisions, "decision")} in ${weeksText(saved.weeks)}`}
            </span>
          </>
        ) : (
          <span className="undefined">The decisions have no dates.</span>
        )}
      </Fact>
      <Fact name="Automated without rule support">
        {byScore ? (
          <span className="est">
            <Num at={`${SCORED}/automated_indefensible`} as="whole" /> of <Num at={`${SCORED}/automated`} as="whole" />
          </span>
        ) : (
          <ShownEst
            of={estimates.automated_indefensible_rate}
            mark="/gate/fleet/estimates/automated_indefensible_rate"
          />
        )}
      </Fact>
      {!byScore && <ErrorReduction gate={gate} />}
    </dl>
  );
});

/** How much choosing communities lowers the share of unsupported decisions. Scores are not included. */
function ErrorReduction({ gate: { fleet } }: { gate: GateEvaluation }) {
  const { counts, reasons } = fleet;
  return (
    <Fact name={<Term symbol="1 − r_auto / r_base">Error reduction vs no gate</Term>}>
      {fleet.conditional_risk_reduction === null ? (
        <span className="undefined">undefined: {reasons.conditional_risk_reduction ?? "no reason given"}</span>
      ) : (
        <span className="est">
          <Shown value={fleet.conditional_risk_reduction} mark="/gate/fleet/conditional_risk_reduction" />
        </span>
      )}
      <span className="note">
        {fleet.base_indefensible_rate !== null && fleet.automated_indefensible_rate !== null && (
          <>
            <Shown value={fleet.automated_indefensible_rate} mark="/gate/fleet/automated_indefensible_rate" />{" "}
            unsupported among the automated, against{" "}
            <Shown value={fleet.base_indefensible_rate} mark="/gate/fleet/base_indefensible_rate" /> without a gate.{" "}
          </>
        )}
        <Shown value={counts.automated_indefensible} as="whole" mark="/gate/fleet/counts/automated_indefensible" /> of
        the <Shown value={counts.eligible_indefensible} as="whole" mark="/gate/fleet/counts/eligible_indefensible" />{" "}
        unsupported decisions in communities large enough to judge are automated.
      </span>
    </Fact>
  );
}

/** The gate's effect under these settings, in two sentences. */
export const AutomationLead = memo(function AutomationLead({ evaluation }: { evaluation: GateEvaluation }) {
  const { by } = usePage().gate_input;
  return (
    <p className="lead" aria-live="polite">
      <TextParts of={gateVerdict({ ...evaluation, by })} source={{ data: evaluation, at: "/gate" }} />
    </p>
  );
});
