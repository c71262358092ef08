import type { DetailedCalibration } from "../../../src/measures/calibration/candidate-result.js";
import { METHOD_WORDS } from "../../../src/present/words/calibration-words.js";
import { wordsOf } from "../../../src/present/words/word-table.js";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Term } from "../../parts/text/term.tsx";
import { UserText } from "../../parts/text/written.tsx";
import { CALIBRATION } from "./use-calibration.ts";

/** Every method on decisions it was not fitted on, the best first, the two baselines among them. */
export function MethodsSection({ calibration: { choice, method } }: { calibration: DetailedCalibration }) {
  if (!choice) return null;
  const candidates = choice.candidates.map((candidate, i) => ({
    candidate,
    i,
    at: `${CALIBRATION}/choice/candidates/${i}`,
  }));
  const tried = candidates.filter(({ candidate }) => candidate.log_loss !== null);
  tried.sort((a, b) => a.candidate.log_loss! - b.candidate.log_loss!);
  const left = candidates.filter(({ candidate }) => candidate.log_loss === null);
  return (
    <section aria-labelledby="methods">
      <h2 id="methods">Methods on decisions they had not seen</h2>
      <p>
        Each decision is scored by a model that was fitted without{" "}
        {choice.folds.by === "community" ? "its community" : "it"}. The auditor's own probability and S are what a
        method has to beat.
      </p>
      <PlainTable
        caption="Held-out measures, the best first; a negative difference is better than the auditor's own probability"
        heads={[
          { key: "method", name: "Method" },
          { key: "loss", name: <Term symbol="log-loss">Log-loss</Term>, align: "right" },
          { key: "se", name: "± se", align: "right" },
          { key: "brier", name: <Term symbol="REL, RES, UNC, WBV, WBC">Brier</Term>, align: "right" },
          { key: "auroc", name: <Term symbol="AUROC">AUROC</Term>, align: "right" },
          { key: "against", name: "Log-loss against 1 − p(L3)", align: "right" },
        ]}
        rows={tried.map(({ candidate, at }) => ({
          key: candidate.method,
          chosen: candidate.method === method,
          cells: [
            <span key="method" title={wordsOf(METHOD_WORDS, candidate.method).meaning}>
              {wordsOf(METHOD_WORDS, candidate.method).name}
              {candidate.method === method && <span className="muted"> (chosen)</span>}
            </span>,
            <Num key="loss" at={`${at}/log_loss`} as="finer" />,
            <Num key="se" at={`${at}/log_loss_se`} as="finer" />,
            <Num key="brier" at={`${at}/brier`} as="finer" />,
            <span key="auroc">
              <Num at={`${at}/auroc/estimate`} as="fine" />
              {candidate.auroc.estimate !== null && (
                <span className="interval">
                  {" "}
                  <Num at={`${at}/auroc/lower`} as="fine" /> to <Num at={`${at}/auroc/upper`} as="fine" />
                </span>
              )}
            </span>,
            candidate.against.raw?.estimate == null ? (
              <span key="against" className="undefined">
                –
              </span>
            ) : (
              <span key="against">
                <Num at={`${at}/against/raw/estimate`} as="finer" />
                <span className="interval">
                  {" "}
                  <Num at={`${at}/against/raw/lower`} as="finer" /> to <Num at={`${at}/against/raw/upper`} as="finer" />
                </span>
              </span>
            ),
          ],
        }))}
      />
      {left.length > 0 && (
        <ul className="remarks" aria-label="Methods that were not tried">
          {left.map(({ candidate }) => (
            <li key={candidate.method}>
              Not tried: {wordsOf(METHOD_WORDS, candidate.method).name},{" "}
              <UserText text={candidate.reason ?? ""} max={300} />
            </li>
          ))}
        </ul>
      )}
      {choice.features.dropped.length > 0 && (
        <p className="muted small">
          Left out of the multinomial model:{" "}
          {choice.features.dropped.map(({ feature, reason }, i) => (
            <span key={feature}>
              {i > 0 && ", "}
              <UserText text={`${feature} (${reason})`} max={120} />
            </span>
          ))}
          .
        </p>
      )}
    </section>
  );
}

/** The score beside the two it has to beat, on the same decisions. */
export function BaselinesSection({ calibration }: { calibration: DetailedCalibration }) {
  const { evaluation, baselines, method } = calibration;
  if (!evaluation || !baselines || evaluation.n === 0) return null;
  const rows = [
    ...(method === "paper"
      ? []
      : [{ key: "own", name: `calibrated probability, ${wordsOf(METHOD_WORDS, method).name}`, at: "evaluation" }]),
    { key: "raw", name: "1 − p(L3), as the auditor gives it", at: "baselines/p_defensible" },
    { key: "pds", name: "S", at: "baselines/pds" },
  ];
  return (
    <section aria-labelledby="baselines">
      <h2 id="baselines">Beside what was there before</h2>
      <PlainTable
        caption="Three scores on the same decisions"
        heads={[
          { key: "score", name: "Score" },
          { key: "n", name: "Decisions", align: "right" },
          { key: "loss", name: "Log-loss", align: "right" },
          { key: "brier", name: "Brier", align: "right" },
          { key: "auroc", name: "AUROC", align: "right" },
          { key: "ece", name: "ECE", align: "right" },
          { key: "limit", name: "By chance up to", align: "right" },
        ]}
        rows={rows.map(({ key, name, at }) => ({
          key,
          chosen: at === "evaluation",
          cells: [
            name,
            <Num key="n" at={`${CALIBRATION}/${at}/n`} as="whole" />,
            <Num key="loss" at={`${CALIBRATION}/${at}/log_loss/value`} as="finer" />,
            <Num key="brier" at={`${CALIBRATION}/${at}/brier/value`} as="finer" />,
            <Num key="auroc" at={`${CALIBRATION}/${at}/auroc/estimate`} as="fine" />,
            <Num key="ece" at={`${CALIBRATION}/${at}/ece/equal_frequency/value`} as="risk" />,
            <Num key="limit" at={`${CALIBRATION}/${at}/ece/equal_frequency/null_95`} as="risk" />,
          ],
        }))}
      />
      <p className="muted small">
        The base rate alone has a log-loss of <Num at={`${CALIBRATION}/evaluation/log_loss/base_rate`} as="finer" />.
      </p>
    </section>
  );
}
