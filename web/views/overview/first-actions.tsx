import { useMemo } from "react";
import { scoredSentence } from "../../../src/present/gate/score-document.js";
import type { FirstAction } from "../../../src/present/words/first-actions/findings.js";
import { firstActions } from "../../../src/present/words/first-actions/first-actions.js";
import { FEW_VERDICTS } from "../../../src/present/words/meaning.js";
import { plural, whole } from "../../../src/present/words/numbers.js";
import { isOfCohort, liveDay } from "../../../src/present/words/vocabulary.js";
import { usePage } from "../../data/page-context.ts";
import { Num } from "../../parts/numbers/num.tsx";
import { Section, SentenceText } from "../../parts/text/prose.tsx";
import { routeHash } from "../../route/route.ts";
import { STORED, useStoredGate } from "../automation/gate/use-stored-gate.ts";

const SHOWN = 3;

/** Recommended actions, in order. */
export function FirstActions() {
  const page = usePage();
  const { verdicts } = page.report.counts;
  const actions = useMemo(() => firstActions(page), [page]);
  return (
    <Section id="first" title="What to do first">
      {actions.length === 0 ? (
        <p>
          No finding is large enough for this list
          {verdicts < FEW_VERDICTS && `: the run has only ${plural(verdicts, "verdict")}`}. That does not mean that the
          auditor can be trusted.
        </p>
      ) : (
        <>
          <Actions of={actions.slice(0, SHOWN)} />
          {actions.length > SHOWN && (
            <details>
              <summary>{whole(actions.length - SHOWN)} more</summary>
              <Actions of={actions.slice(SHOWN)} />
            </details>
          )}
        </>
      )}
    </Section>
  );
}

function Actions({ of: actions }: { of: readonly FirstAction[] }) {
  return (
    <ol className="first-actions">
      {actions.map((action) => (
        <li key={action.id}>
          <Action action={action} />
        </li>
      ))}
    </ol>
  );
}

function Action({ action: { title, why, link, command } }: { action: FirstAction }) {
  return (
    <details>
      <summary>
        <h3>
          <bdi>{title}</bdi>
        </h3>
      </summary>
      <p>
        <SentenceText of={why} />
      </p>
      {(link || command) && (
        <p className="ways">
          {link && <a href={routeHash(link.view, link.about, link.query)}>See {link.text}</a>}
          {command && <code>{command}</code>}
        </p>
      )}
    </details>
  );
}

/** Whether anything may run on its own. */
export function GateLine() {
  const { report } = usePage();
  // A file of audits has no workspace with an active gate, and a gate over a whole run says nothing of a cohort.
  // The gate of a live service rests on earlier days; its own view shows it.
  if (report.run.run_id === null || isOfCohort(report) || liveDay(report.run)) return null;
  return (
    <p>
      <Answer />{" "}
      <a className="unbroken" href={routeHash("automation")}>
        See Automation
      </a>
    </p>
  );
}

function Answer() {
  const gate = useStoredGate();
  // A gate may divide decisions differently, for example by language.
  const [one, many] =
    usePage().gate_input.by.join() === "community" ? ["community", "communities"] : ["group", "groups"];
  if (!gate) return <>No gate is active for these verdicts, so nothing runs on its own.</>;
  if (gate.closed) return <>Every gate is closed: nothing may run on its own.</>;
  if (gate.fleet.passing === 0) return <>Nothing runs on its own: no {one} passes the active gate.</>;
  const suspended = gate.communities.filter(({ suspended: alarm, passes }) => alarm && passes[gate.mode]).length;
  return (
    <>
      <Num at={`${STORED}/fleet/passing`} as="whole" /> of {whole(gate.communities.length)}{" "}
      {gate.communities.length === 1 ? one : many} {gate.fleet.passing === 1 ? "passes" : "pass"} the active gate, which
      takes the auditor's verdicts for true
      {suspended > 0 && <>; {suspended} suspended after an alarm</>}.
      {gate.mode !== "paper" && gate.selective?.counts && (
        <>
          {" "}
          <SentenceText of={scoredSentence(`${STORED}/selective/counts`)} />
        </>
      )}
    </>
  );
}
