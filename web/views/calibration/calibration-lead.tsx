import type { DetailedCalibration } from "../../../src/measures/calibration/candidate-result.js";
import { tellsNothing } from "../../../src/present/figures/reliability.js";
import { METHOD_WORDS, TARGET_WORDS } from "../../../src/present/words/calibration-words.js";
import { wordsOf } from "../../../src/present/words/word-table.js";
import { Num } from "../../parts/numbers/num.tsx";
import { Term } from "../../parts/text/term.tsx";
import { capitalised } from "../../parts/text/words.ts";
import { UserText } from "../../parts/text/written.tsx";
import { CALIBRATION } from "./use-calibration.ts";

/** How far the score can be trusted, on what that rests, and against whose word. */
export function CalibrationLead({ calibration }: { calibration: DetailedCalibration }) {
  return (
    <>
      <p className="lead">
        <Trust calibration={calibration} />
      </p>
      <p>
        <Measured calibration={calibration} />
      </p>
      {calibration.method === "paper" && (
        <p>
          These are weights of S and no more: S is a score, so nothing here says how probable it is that a decision is
          defensible. A calibration that does is made with <code>defensible calibrate</code> from labels by people, gold
          annotations or another auditor's verdicts.
        </p>
      )}
    </>
  );
}

function Trust({ calibration: { ece, evaluation, method } }: { calibration: DetailedCalibration }) {
  const name = method === "paper" ? "the score S" : "the calibrated probability";
  const named = capitalised(name);
  if (ece.equal_frequency === null || evaluation?.n === 0) {
    return `Nobody can say how far ${name} is to be trusted: no decision has both a score and a word on whether it is defensible.`;
  }
  const error = (
    <>
      what it says and what is found lie <Num at={`${CALIBRATION}/ece/equal_frequency`} as="risk" /> apart on average (
      <Term symbol="ECE" />)
    </>
  );
  if (ece.null_95 === null)
    return (
      <>
        {named}: {error}.
      </>
    );
  const rows = evaluation && (
    <>
      {" "}
      with <Num at={`${CALIBRATION}/evaluation/n`} as="whole" /> decisions
    </>
  );
  const limit = <Num at={`${CALIBRATION}/ece/null_95`} as="risk" />;
  if (ece.equal_frequency > ece.null_95) {
    return (
      <>
        {named} cannot be taken at its word: {error}, and a perfect one would show {limit} at most{rows}, 95 times in
        100.
      </>
    );
  }
  return evaluation && tellsNothing(evaluation) ? (
    <>
      {named} is right on average and of no use for single decisions: {error}, no more than chance explains{rows}, but
      it tells defensible from indefensible ones no better than the share of all of them does
      {evaluation.auroc.estimate !== null && (
        <>
          {" "}
          (<Term symbol="AUROC" /> <Num at={`${CALIBRATION}/evaluation/auroc/estimate`} as="decimal" />, a coin: 0.50)
        </>
      )}
      .
    </>
  ) : (
    <>
      {named} can be taken at its word, as far as these data can tell: {error}, no more than chance explains. A perfect
      one would show up to {limit}
      {rows}.
    </>
  );
}

function Measured({ calibration }: { calibration: DetailedCalibration }) {
  const { method, asked, target, choice } = calibration;
  const own = method !== "paper";
  const by = wordsOf(METHOD_WORDS, method);
  return (
    <>
      {own ? (
        <>
          It was made by {by.name}
          {asked === "auto" && choice && <>, the best of the methods tried</>}, fitted on{" "}
          <Num at={`${CALIBRATION}/n`} as="whole" /> decisions, and measured on <MeasuredOn calibration={calibration} />
          .
        </>
      ) : (
        <>
          Its weights were fitted on <Num at={`${CALIBRATION}/n`} as="whole" /> decisions, and it was measured on{" "}
          <MeasuredOn calibration={calibration} />.
        </>
      )}{" "}
      {target && (
        <>
          What is defensible is said by <b>{wordsOf(TARGET_WORDS, target.kind).name}</b>
          {target.source && (
            <>
              {" "}
              (<UserText text={target.source} max={80} />)
            </>
          )}
          : <Num at={`${CALIBRATION}/target/n`} as="whole" /> decisions,{" "}
          <Num at={`${CALIBRATION}/target/indefensible`} as="whole" /> of them indefensible.{" "}
          {wordsOf(TARGET_WORDS, target.kind).meaning}
        </>
      )}
    </>
  );
}

function MeasuredOn({ calibration }: { calibration: DetailedCalibration }) {
  const { evaluated_on: on, choice, method, holdout } = calibration;
  if (on?.kind === "other") {
    return (
      <>
        <UserText text={on.label} max={80} />
        {on.overlap ? (
          <>
            , where <Num at={`${CALIBRATION}/evaluated_on/overlap`} as="whole" /> decisions had been fitted on too
          </>
        ) : null}
      </>
    );
  }
  if (on?.kind === "holdout") {
    return holdout == null ? (
      <>decisions that were held out</>
    ) : (
      <>
        the <Num at={`${CALIBRATION}/holdout`} as="limit" /> of the decisions that were held out
      </>
    );
  }
  if (method === "paper") return <>the same decisions</>;
  if (!choice) return <>decisions that the model had not seen</>;
  const folds = `${CALIBRATION}/choice/folds`;
  return (
    <>
      decisions that the model had not seen (<Num at={`${folds}/count`} as="whole" /> parts of{" "}
      {choice.folds.by === "community" ? (
        <>
          whole communities, of which there are <Num at={`${folds}/communities`} as="whole" />
        </>
      ) : (
        <>single decisions</>
      )}
      )
    </>
  );
}
