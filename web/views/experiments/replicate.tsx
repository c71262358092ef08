import type { Replicate } from "../../../src/experiments/study/result.js";
import { tellingRows, verdictCounts } from "../../../src/present/words/experiments/estimate-cells.js";
import { printable } from "../../../src/text/printable.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { KeptFigure, KeptFigures } from "../../parts/experiment.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { ComparedTable } from "./compared-table.tsx";
import type { LeadProps } from "./lead-props.ts";

export function ReplicateLead({ className }: LeadProps) {
  const { result } = useExperiment("replicate")!;
  const rows = tellingRows(result);
  const { same, different, undecided } = verdictCounts(rows);
  const missing = result.compared.filter(({ ours }) => ours.value === null).length;
  const { simulation } = result;
  return (
    <p className={className}>
      {same} of {rows.length} printed numbers{simulation?.paper_rates ? " that come out of the simulation" : ""} are the
      same here within a margin, {different} differ and {undecided} are undecided; {missing} of the{" "}
      {result.compared.length} that are compared have no counterpart here.{" "}
      {simulation
        ? simulation.paper_rates
          ? "The world is simulated with the paper's own rates: agreement shows that the instruments give these numbers when the world is as the paper describes it, and nothing about the platform it studied."
          : "The world is simulated with other rates than the paper's, so other numbers are to be expected."
        : "Other decisions and another auditor need not give the paper's numbers: the table says how far they are apart."}
    </p>
  );
}

export function ReplicateBody() {
  const { result, at } = useExperiment("replicate")!;
  return (
    <>
      <Section id="pictures" title="In pictures">
        <KeptFigure of={result} id="replicate-compared" />
        <KeptFigures of={result} ids={["replicate-fleet", "replicate-frontier"]} />
      </Section>
      <Section id="compared" title="Every printed number beside ours">
        <ComparedTable result={result} at={at} />
      </Section>
      <Section id="cohorts" title="Cohorts">
        <Datasets result={result} at={at} />
      </Section>
      {result.findings.length > 0 && (
        <Section id="beyond" title="What the paper has no table for">
          {result.findings.map(({ step, text }) => (
            <p key={step}>{printable(text, 2000)}</p>
          ))}
        </Section>
      )}
      <Section id="steps" title="Steps">
        <Steps result={result} at={at} />
      </Section>
    </>
  );
}

function Datasets({ result, at }: { result: Replicate; at: string }) {
  return (
    <PlainTable
      caption="The paper's table of datasets"
      heads={[
        { key: "dataset", name: "Dataset" },
        { key: "cohort", name: "Cohort here" },
        { key: "decisions", name: "Decisions", align: "right" },
        { key: "paper", name: "The paper's", align: "right" },
        { key: "communities", name: "Communities", align: "right" },
        { key: "valid", name: "Valid audits", align: "right" },
        { key: "role", name: "Role" },
      ]}
      rows={result.datasets.map((row, i) => ({
        key: row.dataset,
        cells: [
          row.dataset,
          row.decisions === null ? "–" : row.cohort === null ? "all decisions" : printable(row.cohort, 40),
          <Num key="decisions" at={`${at}/datasets/${i}/decisions`} as="whole" />,
          <Num key="paper" at={`${at}/datasets/${i}/paper/decisions`} as="whole" />,
          <Num key="communities" at={`${at}/datasets/${i}/communities`} as="whole" />,
          <Num key="valid" at={`${at}/datasets/${i}/valid`} as="whole" />,
          row.role,
        ],
      }))}
    />
  );
}

const STATUS = { done: "done", kept: "done earlier", not_done: "not done", left_out: "left out" } as const;

function Steps({ result, at }: { result: Replicate; at: string }) {
  return (
    <PlainTable
      caption="What was done, and what would make the rest possible"
      heads={[
        { key: "step", name: "Step" },
        { key: "status", name: "Status" },
        { key: "audits", name: "Audits", align: "right" },
        { key: "why", name: "Why not" },
      ]}
      rows={result.steps.map(({ step, status, reason, command }, i) => ({
        key: step,
        cells: [
          step,
          STATUS[status],
          <Num key="audits" at={`${at}/steps/${i}/audits`} as="whole" />,
          status === "not_done" ? printable([reason, command].filter(Boolean).join(". "), 400) : "",
        ],
      }))}
    />
  );
}
