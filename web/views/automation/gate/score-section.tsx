import { useMemo } from "react";
import { scoreFrontierFigure } from "../../../../src/present/figures/score-frontier.js";
import { TARGET_WORDS } from "../../../../src/present/words/calibration-words.js";
import { isOfCohort, leftOutText, wordsOf } from "../../../../src/present/words/word-table.js";
import { usePage } from "../../../data/page-context.ts";
import { Chart } from "../../../parts/chart/chart.tsx";
import { Num } from "../../../parts/numbers/num.tsx";
import { Term } from "../../../parts/text/term.tsx";
import { UserText } from "../../../parts/text/written.tsx";
import { SelectionDetails } from "./selection-details.tsx";
import { ThresholdTable } from "./threshold-table.tsx";
import { STORED, type StoredGate, useStoredGate } from "./use-stored-gate.ts";

/** Automation of single decisions by a score: inside communities that pass, and by S alone. */
export function ScoreSection() {
  const page = usePage();
  const gate = useStoredGate();
  const figure = useMemo(() => scoreFrontierFigure(page), [page]);
  return (
    <section aria-labelledby="score">
      <h2 id="score">Automating by score</h2>
      {gate?.selective ? (
        <Selective selective={gate.selective} />
      ) : (
        <p>
          Inside a community that passes, the active gate can also require a minimum score of each decision.{" "}
          {isOfCohort(page.report) ? leftOutText("Such scores are") : "None was computed from this run."}
        </p>
      )}
      {gate?.selection && <SelectionDetails selection={gate.selection} />}
      <p>
        The paper's frontier goes by <Term symbol="S">S</Term> alone, whatever the community:
      </p>
      <Chart figure={figure} />
    </section>
  );
}

type Selective = NonNullable<StoredGate["selective"]>;

function Selective({ selective }: { selective: Selective }) {
  const at = `${STORED}/selective`;
  const labels = selective.labels as { kind?: string } | undefined;
  const score =
    selective.score === "p_calibrated" ? "the calibrated probability" : "the auditor's own probability, 1 − p(L3)";
  const promise = typeof selective.promise === "string" ? selective.promise : null;
  if (selective.n === 0) {
    return (
      <p>
        Inside communities that pass, decisions would be automated by {score} where it is high enough that at most{" "}
        <Num at={`${at}/risk`} as="limit" /> of them are indefensible. There is no such threshold:{" "}
        <UserText text={selective.reason ?? "no decision has a score and a label"} max={300} />.
      </p>
    );
  }
  return (
    <>
      <p>
        Inside communities that pass, a decision is automated when {score} reaches a threshold that keeps the share of
        indefensible ones among the automated at <Num at={`${at}/risk`} as="limit" /> or below. It rests on{" "}
        <Num at={`${at}/n`} as="whole" /> decisions
        {labels?.kind && <>; what is indefensible is said by {wordsOf(TARGET_WORDS, labels.kind).name}</>}.
        {labels?.kind === "self" && " That is a circle: the auditor is held against itself."}
      </p>
      {promise && (
        <p className="muted">
          What is promised: <UserText text={promise} max={500} />.
        </p>
      )}
      <ThresholdTable selective={selective} />
    </>
  );
}
