import type { DetailedCalibration } from "../../../src/measures/calibration/candidate-result.js";
import type { ClasswiseError } from "../../../src/measures/calibration/errors/classwise-error.js";
import { valueAt } from "../../../src/present/words/sentence.js";
import { usePage } from "../../data/page-context.ts";
import { Counted, Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Term } from "../../parts/text/term.tsx";
import { CALIBRATION } from "./use-calibration.ts";

const AT = `${CALIBRATION}/evaluation`;

const ERRORS = [
  ["equal_frequency", "bins of equally many decisions (the paper's)"],
  ["tie_averaged", "the same, equal scores averaged"],
  ["equal_width", "bins of equal width"],
  ["debiased_rms", "root mean square, debiased"],
  ["smooth", "smooth, without bins"],
] as const;

/** Every calibration error beside what chance alone would leave, and the other measures. */
export function ErrorsSection({ calibration }: { calibration: DetailedCalibration }) {
  const { evaluation, classwise } = calibration;
  if (!evaluation || evaluation.n === 0) return null;
  const { intervals, left_out, spiegelhalter } = evaluation;
  return (
    <section aria-labelledby="errors">
      <h2 id="errors">Five ways to measure the error</h2>
      <PlainTable
        caption="Calibration errors, each beside what a perfectly calibrated score would show with as many decisions"
        heads={[
          { key: "error", name: "Error" },
          { key: "value", name: "Value", align: "right" },
          { key: "mean", name: "Perfect score, mean", align: "right" },
          { key: "limit", name: "Perfect score, up to (95 %)", align: "right" },
          { key: "p", name: "p", align: "right" },
        ]}
        rows={ERRORS.map(([key, name]) => ({
          key,
          cells: [
            name,
            <Num key="value" at={`${AT}/ece/${key}/value`} as="risk" />,
            <Num key="mean" at={`${AT}/ece/${key}/null_mean`} as="risk" />,
            <Num key="limit" at={`${AT}/ece/${key}/null_95`} as="risk" />,
            <Num key="p" at={`${AT}/ece/${key}/p`} as="probability" />,
          ],
        }))}
      />
      <PlainTable
        caption="Other measures of the same score; intervals draw whole communities anew"
        heads={[
          { key: "measure", name: "Measure" },
          { key: "value", name: "Value", align: "right" },
          { key: "interval", name: "95 % interval over communities", align: "right" },
          { key: "meaning", name: "What it says" },
        ]}
        rows={[
          {
            key: "brier",
            cells: [
              <Term key="brier" symbol="REL, RES, UNC, WBV, WBC">
                Brier
              </Term>,
              <Num key="value" at={`${AT}/brier/value`} as="finer" />,
              intervals?.brier && <Between key="interval" at={`${AT}/intervals/brier`} as="finer" />,
              <span key="meaning">
                mean squared miss = <Num at={`${AT}/brier/reliability`} as="finer" /> unreliability −{" "}
                <Num at={`${AT}/brier/resolution`} as="finer" /> resolution +{" "}
                <Num at={`${AT}/brier/uncertainty`} as="finer" /> uncertainty of the decisions themselves, up to what
                varies within bins
              </span>,
            ],
          },
          {
            key: "loss",
            cells: [
              <Term key="loss" symbol="log-loss">
                log-loss
              </Term>,
              <Num key="value" at={`${AT}/log_loss/value`} as="finer" />,
              null,
              <span key="meaning">
                surprise at what was found, in nats; the base rate alone:{" "}
                <Num at={`${AT}/log_loss/base_rate`} as="finer" />
              </span>,
            ],
          },
          {
            key: "auroc",
            cells: [
              <Term key="auroc" symbol="AUROC">
                AUROC
              </Term>,
              <Num key="value" at={`${AT}/auroc/estimate`} as="fine" />,
              intervals?.auroc && <Between key="interval" at={`${AT}/intervals/auroc`} as="fine" />,
              "how often a defensible decision scores above an indefensible one; 0.5 is chance",
            ],
          },
          {
            key: "ece",
            cells: [
              <Term key="ece" symbol="ECE">
                ECE
              </Term>,
              <Num key="value" at={`${AT}/ece/equal_frequency/value`} as="risk" />,
              intervals?.ece && <Between key="interval" at={`${AT}/intervals/ece`} as="risk" />,
              "drawing anew adds noise, which lifts this error: the interval lies somewhat high",
            ],
          },
          {
            key: "spiegelhalter",
            cells: [
              <Term key="z" symbol="z (Spiegelhalter)">
                Spiegelhalter z
              </Term>,
              <Num key="value" at={`${AT}/spiegelhalter/z`} as="decimal" />,
              null,
              spiegelhalter.z === null ? (
                `undefined: ${spiegelhalter.reason ?? "no variance"}`
              ) : (
                <span key="meaning">
                  test of calibration, p <Num at={`${AT}/spiegelhalter/p`} as="probability" />; positive: too sure of
                  itself
                </span>
              ),
            ],
          },
        ]}
      />
      {left_out.no_score + left_out.no_target > 0 && (
        <p>
          Left out: <Counted at={`${AT}/left_out/no_score`} one="verdict" /> without a score or not drawn,{" "}
          <Num at={`${AT}/left_out/no_target`} as="whole" /> without a word on whether they are defensible.
        </p>
      )}
      <Classwise error={classwise?.raw} at="raw" name="as the auditor gives them" />
      <Classwise error={classwise?.calibrated} at="calibrated" name="as the calibration gives them" />
    </section>
  );
}

function Between({ at, as }: { at: string; as: "fine" | "finer" | "risk" }) {
  const found = valueAt(usePage(), `${at}/lower`);
  if (typeof found !== "number") return <span className="undefined">–</span>;
  return (
    <>
      <Num at={`${at}/lower`} as={as} /> to <Num at={`${at}/upper`} as={as} />
    </>
  );
}

/** Does "30 % level 2" mean level 2 in 30 of 100 cases? */
function Classwise({ error, at, name }: { error: ClasswiseError | null | undefined; at: string; name: string }) {
  if (!error) return null;
  const from = `${CALIBRATION}/classwise/${at}`;
  return (
    <PlainTable
      caption={`Calibration error of the three levels' probabilities, ${name}`}
      heads={[
        { key: "level", name: <Term symbol="cwECE">Level</Term> },
        { key: "value", name: "Error", align: "right" },
        { key: "mean", name: "Perfect score, mean", align: "right" },
        { key: "limit", name: "Perfect score, up to (95 %)", align: "right" },
        { key: "p", name: "p", align: "right" },
      ]}
      rows={[
        ...error.levels.map((_, i) => ({ name: `level ${i + 1}`, at: `levels/${i}` })),
        { name: "their mean", at: "mean" },
      ].map((row) => ({
        key: row.name,
        cells: [
          row.name,
          <Num key="value" at={`${from}/${row.at}/value`} as="finer" />,
          <Num key="mean" at={`${from}/${row.at}/null_mean`} as="finer" />,
          <Num key="limit" at={`${from}/${row.at}/null_95`} as="finer" />,
          <Num key="p" at={`${from}/${row.at}/p`} as="probability" />,
        ],
      }))}
    />
  );
}
