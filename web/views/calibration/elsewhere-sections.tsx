import type { DetailedCalibration } from "../../../src/measures/calibration/candidate-result.js";
import { COMPONENT_WORDS, SKIP_REASONS, SKIP_WORDS } from "../../../src/present/words/calibration-words.js";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { UserText } from "../../parts/text/written.tsx";
import { CALIBRATION } from "./use-calibration.ts";

interface Props {
  calibration: DetailedCalibration;
}

/** Another mix of levels than where the calibration was fitted, before and after it is corrected for. */
export function PriorShiftSection({ calibration: { prior_shift: shift, evaluated_on } }: Props) {
  if (!shift) return null;
  const at = `${CALIBRATION}/prior_shift`;
  const last = shift.fitted.length - 1;
  const row = (key: "before" | "after", name: string) => ({
    key,
    chosen: (key === "after") === shift.kept,
    cells: [
      name,
      <Num key="loss" at={`${at}/${key}/log_loss/value`} as="finer" />,
      <Num key="brier" at={`${at}/${key}/brier/value`} as="finer" />,
      <Num key="ece" at={`${at}/${key}/ece/equal_frequency/value`} as="risk" />,
      <Num key="limit" at={`${at}/${key}/ece/equal_frequency/null_95`} as="risk" />,
    ],
  });
  return (
    <section aria-labelledby="prior-shift">
      <h2 id="prior-shift">Another mix of levels</h2>
      <p>
        Level 3 is <Num at={`${at}/fitted/${last}`} /> where it was fitted and <Num at={`${at}/deployed/${last}`} /> in{" "}
        <UserText text={evaluated_on?.label ?? "the other audits"} max={80} />,{" "}
        {shift.method === "estimated"
          ? "as estimated from the scores there, without their labels"
          : "as the labels there show"}
        .{" "}
        {shift.kept
          ? "The correction lowers the log-loss, so the calibration is kept with it and its numbers are those after it."
          : shift.method === "labels"
            ? "S itself stays as it is; its numbers are those before."
            : "The correction does not lower the log-loss, so the calibration is kept without it."}
      </p>
      <PlainTable
        caption="The same score before and after the correction for the other mix"
        heads={[
          { key: "when", name: "" },
          { key: "loss", name: "Log-loss", align: "right" },
          { key: "brier", name: "Brier", align: "right" },
          { key: "ece", name: "ECE", align: "right" },
          { key: "limit", name: "By chance up to", align: "right" },
        ]}
        rows={[row("before", "before the correction"), row("after", "after it")]}
      />
    </section>
  );
}

/** Held-out calibration, one row a temperature. */
export function TemperaturesSection({ calibration: { temperatures = [] } }: Props) {
  if (temperatures.length === 0) return null;
  const own = temperatures.some((row) => row.calibrated);
  return (
    <section aria-labelledby="temperatures">
      <h2 id="temperatures">By temperature</h2>
      <PlainTable
        caption="Calibration of S at each temperature of the auditor"
        heads={[
          { key: "t", name: "Temperature" },
          { key: "n", name: "Decisions", align: "right" },
          { key: "skipped", name: "Without S", align: "right" },
          { key: "extracted", name: "With S", align: "right" },
          { key: "ece", name: "ECE of S", align: "right" },
          { key: "limit", name: "By chance up to", align: "right" },
          { key: "mean", name: "Mean S", align: "right" },
          { key: "def", name: "Of defensible", align: "right" },
          { key: "indef", name: "Of indefensible", align: "right" },
          { key: "rate", name: "Defensible", align: "right" },
          ...(own ? [{ key: "own", name: "ECE of the calibrated", align: "right" as const }] : []),
        ]}
        rows={temperatures.map((row, i) => {
          const at = `${CALIBRATION}/temperatures/${i}`;
          return {
            key: `${row.arm} ${row.temperature}`,
            cells: [
              row.temperature === null ? (
                <UserText key="t" text={row.arm || "main"} max={40} />
              ) : (
                <span key="t">{String(row.temperature)}</span>
              ),
              <Num key="n" at={`${at}/n`} as="whole" />,
              <Num key="skipped" at={`${at}/skipped`} as="whole" />,
              <Num key="extracted" at={`${at}/extraction_rate`} />,
              <Num key="ece" at={`${at}/ece`} as="risk" />,
              <Num key="limit" at={`${at}/ece_null_95`} as="risk" />,
              <Num key="mean" at={`${at}/mean_pds/all`} as="fine" />,
              <Num key="def" at={`${at}/mean_pds/defensible`} as="fine" />,
              <Num key="indef" at={`${at}/mean_pds/indefensible`} as="fine" />,
              <Num key="rate" at={`${at}/defensible_rate`} />,
              <Num key="own" at={`${at}/calibrated/ece`} as="risk" />,
            ],
          };
        })}
      />
    </section>
  );
}

/** How many verdicts gave what S needs, and whether those that did not are like the others. */
export function ExtractionSection({ calibration: { extraction } }: Props) {
  if (!extraction || extraction.n === 0) return null;
  const at = `${CALIBRATION}/extraction`;
  const reasons = SKIP_REASONS.filter((key) => extraction.skipped[key] > 0);
  const difference = extraction.level3_difference;
  return (
    <section aria-labelledby="extraction">
      <h2 id="extraction">Verdicts with a full signal</h2>
      <p>
        <Est at={`${at}/extracted`} /> verdicts have all parts of S (with{" "}
        {COMPONENT_WORDS[extraction.component].meaning}){reasons.length > 0 && "; the others: "}
        {reasons.map((key, i) => (
          <span key={key}>
            {i > 0 && ", "}
            <Num at={`${at}/skipped/${key}`} as="whole" /> {SKIP_WORDS[key]}
          </span>
        ))}
        . <UserText text={extraction.statement} max={400} />
      </p>
      {extraction.test.p !== null && difference.estimate !== null && (
        <>
          <PlainTable
            caption="Levels that the auditor gave, with and without a full signal"
            heads={[
              { key: "verdicts", name: "Verdicts" },
              ...[1, 2, 3].map((level) => ({ key: `${level}`, name: `Level ${level}`, align: "right" as const })),
            ]}
            rows={(["extracted", "skipped"] as const).map((key) => ({
              key,
              cells: [
                key === "extracted" ? "with S" : "without",
                ...[0, 1, 2].map((i) => <Num key={i} at={`${at}/levels/${key}/${i}`} as="whole" />),
              ],
            }))}
          />
          <p className="muted small">
            Whether skipping depends on the level: p <Num at={`${at}/test/p`} as="probability" /> (
            {extraction.test.method === "exact" ? "exact" : "chi-square"}). The share of level 3 among the skipped
            differs by <Num at={`${at}/level3_difference/estimate`} as="points" />
            {difference.interval && (
              <>
                {" "}
                (<Num at={`${at}/level3_difference/interval/lower`} as="points" /> to{" "}
                <Num at={`${at}/level3_difference/interval/upper`} as="points" />)
              </>
            )}
            .
          </p>
        </>
      )}
    </section>
  );
}
