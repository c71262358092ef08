import type { Validate } from "../../../src/experiments/validate/result.js";
import { pointerPart } from "../../../src/present/words/sentence.js";
import { printable } from "../../../src/text/printable.js";
import { usePage } from "../../data/page-context.ts";
import { useExperiment } from "../../data/use-experiment.ts";
import { KeptFigures } from "../../parts/experiment.tsx";
import { Est, EstInText } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { UserText } from "../../parts/text/written.tsx";
import type { LeadProps } from "./lead-props.ts";
import { quantityName } from "./quantity-name.ts";
import { ScoreTable } from "./score-table.tsx";
import { WorldSections } from "./worlds.tsx";

/** Measured against true, of the run or of simulated worlds. */
export function ValidateLead({ className }: LeadProps) {
  const { result, at } = useExperiment("validate")!;
  const { run, worlds } = result;
  const { report } = usePage();
  return (
    <p className={className}>
      {run ? (
        <>
          Where the truth is planted, the measured Defensibility Index of{" "}
          {run.run_id === report.run.run_id ? (
            "this run"
          ) : (
            <>
              another run (<UserText text={run.run_id} max={60} />)
            </>
          )}{" "}
          is <Num at={`${at}/run/quantities/0/error`} as="points" /> off: measured{" "}
          <EstInText at={`${at}/run/quantities/0/measured`} />, true <Num at={`${at}/run/quantities/0/truth`} />. The
          auditor names the true level in <EstInText at={`${at}/run/same_level`} counts />.{" "}
        </>
      ) : (
        worlds && (
          <>
            The instruments were tried in <Num at={`${at}/worlds/count`} as="whole" /> simulated worlds of{" "}
            <Num at={`${at}/worlds/decisions`} as="whole" /> decisions.{" "}
          </>
        )
      )}
      All of it is simulated: it shows whether the instruments measure what they claim where the truth is known by
      construction, not how good an auditor is on your decisions.
    </p>
  );
}

export function ValidateBody() {
  const { result, at } = useExperiment("validate")!;
  return (
    <>
      {result.worlds && (
        <Section id="errors" title="Errors in simulated worlds">
          <KeptFigures of={result} ids={["same-backbone-bias", "estimator-errors"]} />
        </Section>
      )}
      {result.run && <RunSection run={result.run} at={`${at}/run`} />}
      {result.worlds && <WorldSections worlds={result.worlds} at={`${at}/worlds`} />}
    </>
  );
}

const yesNo = (value: boolean | null) => (value === null ? "–" : value ? "yes" : "no");

function RunSection({ run, at }: { run: NonNullable<Validate["run"]>; at: string }) {
  const isThis = run.run_id === usePage().report.run.run_id;
  return (
    <Section
      id="run"
      title={isThis ? "This run against the truth" : `Run ${printable(run.run_id, 60)} against the truth`}
    >
      <PlainTable
        caption="Covers: whether the 95 % interval holds the true share of these decisions"
        heads={[
          { key: "index", name: "Index" },
          { key: "true", name: "True", align: "right" },
          { key: "measured", name: "Measured", align: "right" },
          { key: "error", name: "Error", align: "right" },
          { key: "covers", name: "Covers" },
          { key: "clustered", name: "With communities as clusters" },
        ]}
        rows={run.quantities.map((one, i) => ({
          key: one.quantity,
          cells: [
            quantityName(one.quantity),
            <Num key="true" at={`${at}/quantities/${i}/truth`} />,
            <Est key="measured" at={`${at}/quantities/${i}/measured`} with="interval" />,
            <Num key="error" at={`${at}/quantities/${i}/error`} as="points" />,
            yesNo(one.covered),
            yesNo(one.covered_clustered),
          ],
        }))}
      />
      <PlainTable
        caption="Levels: rows by the truth, columns by the auditor"
        heads={[
          { key: "true", name: "True level" },
          ...[1, 2, 3].map((level) => ({ key: String(level), name: `Audited ${level}`, align: "right" as const })),
        ]}
        rows={run.levels.map((_, i) => ({
          key: `level ${i + 1}`,
          cells: [
            `Level ${i + 1}`,
            ...[1, 2, 3].map((level) => <Num key={level} at={`${at}/levels/${i}/${level - 1}`} as="whole" />),
          ],
        }))}
      />
      <PlainTable
        caption="Gates: communities that passed and should not"
        heads={[
          { key: "mode", name: "Mode" },
          { key: "passing", name: "Passing", align: "right" },
          { key: "false", name: "Should not", align: "right" },
          { key: "recall", name: "Found of those that should", align: "right" },
        ]}
        rows={Object.entries(run.gate).map(([mode, one]) => {
          const place = `${at}/gate/${pointerPart(mode)}`;
          return {
            key: mode,
            cells: [
              printable(mode, 30),
              <Num key="passing" at={`${place}/passing`} as="whole" />,
              one.passing === 0 ? "none passed" : <Est key="false" at={`${place}/false_openings`} with="interval" />,
              one.recall.estimate === null ? (
                "none should"
              ) : (
                <Est key="recall" at={`${place}/recall`} with="interval" />
              ),
            ],
          };
        })}
      />
      <ScoreTable caption="Scores of the run against the truth" scores={run.scores} at={`${at}/scores`} />
    </Section>
  );
}
