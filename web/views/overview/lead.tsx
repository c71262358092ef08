import type { ReactNode } from "react";
import { countOf } from "../../../src/core/estimate.js";
import { actionNames, isModeration, MODERATION_ACTIONS } from "../../../src/core/records/actions.js";
import { auditorKind } from "../../../src/present/words/meaning.js";
import { byCount } from "../../../src/present/words/numbers.js";
import { pointerPart } from "../../../src/present/words/sentence.js";
import { liveDay } from "../../../src/present/words/vocabulary.js";
import { gateName } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { useGateEvaluation } from "../../data/use-gate.ts";
import { Est } from "../../parts/numbers/est.tsx";
import { Num, Shown } from "../../parts/numbers/num.tsx";
import { Fact } from "../../parts/text/prose.tsx";
import { Term } from "../../parts/text/term.tsx";
import { UserText } from "../../parts/text/written.tsx";

/** Names the source of the verdicts if it cannot judge real policy. */
const SAYS = {
  baseline: ", says the built-in baseline, which reads words and not meaning",
  simulated: ", says a simulated auditor",
  model: "",
  unknown: "",
} as const;

/** The main finding. */
export function SummaryLead() {
  const { report } = usePage();
  const { run, defensibility_index: index } = report;
  if (index.estimate === null) return <p className="lead">Not known yet: {index.reason}.</p>;
  const at = "/report/defensibility_index";
  const day = liveDay(run);
  return (
    <p className="lead">
      Yes for <Num at={`${at}/k`} as="whole" /> of <Num at={`${at}/n`} as="whole" />{" "}
      {byCount(index.n, "decision", "decisions")} (
      <Num at={`${at}/estimate`} as="rounded" />){SAYS[auditorKind(report)]}.
      {day && ` These are the audits of ${day} (UTC)${run.status === "open" ? " so far" : ""}.`}
      {run.status === "open" && !day && (
        <>
          {" "}
          This run is not finished: <Num at="/report/counts/attempted" as="whole" />
          {typeof run.planned === "number" && (
            <>
              {" "}
              of <Num at="/report/run/planned" as="whole" />
            </>
          )}{" "}
          audits so far, which are not a random sample of them.
        </>
      )}
    </p>
  );
}

export function OverviewNumbers() {
  const { report } = usePage();
  const { ambiguity } = report;
  const day = liveDay(report.run);
  const { evaluation } = useGateEvaluation();
  const { counts } = evaluation.fleet;
  return (
    <dl className="overview-numbers">
      <Rate at="/report/defensibility_index">
        <Term symbol="DI">follow from the rules</Term>
      </Rate>
      <Rate at="/report/ambiguity_index" counted={report.ambiguity_index.estimate !== null}>
        <Term symbol="AI">{report.several_actions ? "another action" : "opposite"} holds</Term>
        {ambiguity.pure.estimate !== null && (
          <>
            : <Num at="/report/ambiguity/pure/k" as="whole" /> too,{" "}
            <Num at="/report/ambiguity/contradiction/k" as="whole" /> alone
          </>
        )}
      </Rate>
      <Rate at="/report/agreement/f1">
        <Term symbol="F1">agreement with {isModeration(report.run.actions) ? "moderators" : "human labels"} (F1)</Term>
      </Rate>
      <Fact name={`communities pass the ${gateName(evaluation.mode)}${day === null ? "" : ` by the audits of ${day}`}`}>
        <Shown value={counts.passing_communities} as="whole" mark="/gate/fleet/counts/passing_communities" /> of{" "}
        <Shown value={counts.communities} as="whole" mark="/gate/fleet/counts/communities" />
      </Fact>
    </dl>
  );
}

/** `counted`: with its counts, which the sentences above do not have. */
function Rate({ at, counted = false, children }: { at: string; counted?: boolean; children: ReactNode }) {
  return (
    <Fact name={children}>
      <Est at={at} as="rounded" with="interval" />
      {counted && (
        <span className="overview-count">
          {" "}
          <Num at={`${at}/k`} as="whole" /> of <Num at={`${at}/n`} as="whole" />
        </span>
      )}
    </Fact>
  );
}

/** The direction of indefensible decisions: the two mistakes differ in cost. */
export function Harm() {
  const { report } = usePage();
  const { actions = MODERATION_ACTIONS } = report.run;
  const { positive } = actions;
  const moderation = isModeration(actions);
  const sides = actionNames(actions).filter((action) => report.by_decision[action]);
  if (sides.length === 0) return null;
  return (
    <p className="harm">
      {moderation ? null : "No rule supports "}
      {sides.map((action, place) => {
        const at = `/report/by_decision/${pointerPart(action)}/defensibility_index`;
        const { n } = report.by_decision[action]!.defensibility_index;
        return (
          <span key={action}>
            {place > 0 && " · "}
            {moderation && (action === positive ? "Wrongly removed: " : "Wrongly left up: ")}
            <b>
              <Shown value={n - countOf(report.by_decision[action]!.defensibility_index)} as="whole" />
            </b>{" "}
            of <Num at={`${at}/n`} as="whole" />
            {!moderation && (
              <>
                {" "}
                <UserText text={action} max={30} />
              </>
            )}
          </span>
        );
      })}
    </p>
  );
}
