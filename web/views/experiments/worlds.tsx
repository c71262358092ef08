import type { Validate } from "../../../src/experiments/validate/result.js";
import { pointerPart } from "../../../src/present/words/sentence.js";
import { printable } from "../../../src/text/printable.js";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { quantityName } from "./quantity-name.ts";
import { ScoreTable } from "./score-table.tsx";

type Worlds = NonNullable<Validate["worlds"]>;

/** Many worlds, the same instruments: how far estimates, corrections and gates are right. */
export function WorldSections({ worlds, at }: { worlds: Worlds; at: string }) {
  return (
    <>
      <Section id="estimators" title="Estimators in simulated worlds">
        <EstimatorTable worlds={worlds} at={at} />
        <p className="small muted">
          Over <Num at={`${at}/count`} as="whole" /> worlds of <Num at={`${at}/decisions`} as="whole" /> decisions.
          "Faultless" reads and answers without error; "as set" has the errors of its settings; "bias 0.3" takes 30 % of
          its own family's indefensible decisions for derivable. Covers: share of worlds whose 95 % interval holds the
          true rate. With the faultless auditor that should be near 95 %; what is missing with another is the auditor's
          error, which no interval of its own verdicts can show.
        </p>
      </Section>
      <Section id="corrected" title="Corrected by labels">
        <PlainTable
          caption="Error of the Defensibility Index after a correction by labels"
          heads={[
            { key: "auditor", name: "Auditor" },
            { key: "labels", name: "Labels", align: "right" },
            { key: "error", name: "Mean error of defensibility", align: "right" },
            { key: "covers", name: "Covers", align: "right" },
          ]}
          rows={worlds.conditions.flatMap(({ name, corrected }, i) =>
            corrected
              ? [
                  {
                    key: name,
                    cells: [
                      printable(name, 40),
                      <Num key="labels" at={`${at}/conditions/${i}/corrected/labels`} as="whole" />,
                      <Est key="error" at={`${at}/conditions/${i}/corrected/error`} as="points" with="interval" />,
                      <Est key="covers" at={`${at}/conditions/${i}/corrected/coverage`} with="interval" />,
                    ],
                  },
                ]
              : [],
          )}
        />
      </Section>
      <Section id="gates" title="Gates: communities that passed and should not">
        <GateTable worlds={worlds} at={at} />
        <p className="small muted">
          {promises(worlds)} The promises are about the auditor's verdicts: they hold for the truth only as far as the
          auditor is right.
        </p>
        <ScoreTable caption="Scores judged by the truth of other worlds" scores={worlds.scores} at={`${at}/scores`} />
      </Section>
    </>
  );
}

function EstimatorTable({ worlds, at }: { worlds: Worlds; at: string }) {
  return (
    <PlainTable
      caption="Mean error of each index, and how often its interval covers the truth"
      heads={[
        { key: "auditor", name: "Auditor and index" },
        { key: "true", name: "True", align: "right" },
        { key: "measured", name: "Measured", align: "right" },
        { key: "error", name: "Mean error", align: "right" },
        { key: "covers", name: "Covers", align: "right" },
        { key: "clustered", name: "With communities as clusters", align: "right" },
      ]}
      rows={worlds.conditions.flatMap(({ name, estimators }, i) =>
        estimators.map(({ quantity, error, coverage }, j) => {
          const place = `${at}/conditions/${i}/estimators/${j}`;
          return {
            key: `${name} ${quantity}`,
            cells: [
              `${printable(name, 40)}: ${quantityName(quantity)}`,
              <Num key="true" at={`${place}/truth`} />,
              <Num key="measured" at={`${place}/measured`} />,
              error.estimate === null ? null : <Est key="error" at={`${place}/error`} as="points" with="interval" />,
              coverage.independent.estimate === null ? null : (
                <Est key="covers" at={`${place}/coverage/independent`} with="value" />
              ),
              coverage.clustered.estimate === null ? null : (
                <Est key="clustered" at={`${place}/coverage/clustered`} with="value" />
              ),
            ],
          };
        }),
      )}
    />
  );
}

function GateTable({ worlds, at }: { worlds: Worlds; at: string }) {
  return (
    <PlainTable
      caption="A community should pass if its true rates in the long run keep the limits (defensibility 90 %, ambiguity 15 %)"
      heads={[
        { key: "auditor", name: "Auditor and mode" },
        { key: "worlds", name: "Worlds with one", align: "right" },
        { key: "passing", name: "Of those passing", align: "right" },
        { key: "recall", name: "Found of those that should", align: "right" },
      ]}
      rows={worlds.conditions.flatMap(({ name, gate }, i) =>
        Object.entries(gate).map(([mode, one]) => {
          const place = `${at}/conditions/${i}/gate/${pointerPart(mode)}`;
          return {
            key: `${name} ${mode}`,
            cells: [
              `${printable(name, 40)}: ${printable(mode, 20)}`,
              <Est key="worlds" at={`${place}/worlds_with_false_opening`} with="interval" />,
              one.false_openings.estimate === null ? (
                "none passed"
              ) : (
                <Est key="passing" at={`${place}/false_openings`} with="interval" />
              ),
              one.recall.estimate === null ? (
                "none should"
              ) : (
                <Est key="recall" at={`${place}/recall`} with="interval" />
              ),
            ],
          };
        }),
      )}
    />
  );
}

function promises({ conditions }: Worlds): string {
  const told = Object.entries(conditions[0]?.gate ?? {}).map(([mode, { promise }]) => `${mode}: ${promise}`);
  return told.length === 0 ? "" : `Promises: ${printable(told.join("; "), 400)}.`;
}
