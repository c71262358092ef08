import type { Dual, DualCase } from "../../../src/experiments/dual/result.js";
import { DUAL_WORDS } from "../../../src/present/words/experiments/experiment-words.js";
import { printable } from "../../../src/text/printable.js";
import { usePage } from "../../data/page-context.ts";
import { useExperiment } from "../../data/use-experiment.ts";
import { KeptFigure } from "../../parts/experiment.tsx";
import { NoDecisions } from "../../parts/nothing.tsx";
import { Est, EstInText } from "../../parts/numbers/est.tsx";
import { ComparedEstimates } from "../../parts/numbers/estimate-tables.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { caseColumns } from "../../parts/tables/case-columns.tsx";
import { type Column, DataTable } from "../../parts/tables/data-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { UserText } from "../../parts/text/written.tsx";
import type { LeadProps } from "./lead-props.ts";

/** What the rules settle, by audits of both outcomes. */
export function DualLead({ className }: LeadProps) {
  const { result, at } = useExperiment("dual")!;
  return (
    <p className={className}>
      Audited with their opposites, <EstInText at={`${at}/all/ambiguous`} counts /> of the decisions could have gone
      either way; the rules settle <Est at={`${at}/all/determinate`} with="value" /> as decided, contradict{" "}
      <Est at={`${at}/all/model_error`} with="value" />, and cover <Est at={`${at}/all/void`} with="value" /> not at
      all. The one-token inverse check finds <EstInText at={`${at}/all/inverse_check/sensitivity`} counts /> of the
      defensible opposites and turns down <EstInText at={`${at}/all/inverse_check/specificity`} counts /> of the others.
      {result.justification_prone &&
        " The auditor may be one that justifies whatever it is shown: try it on violations that nobody would dispute."}
      <TwoWays />
    </p>
  );
}

/** The summary and the rules give another share for the same question. */
function TwoWays() {
  const { report } = usePage();
  if (report.ambiguity.pure.estimate === null) return null;
  return (
    <>
      {" "}
      The summary and the rules say <Est at="/report/ambiguity/pure" with="value" />: that is the inverse check, one
      question at the end of an audit, and this is a second audit, of the opposite. They differ where the check errs,
      and where other decisions or another run were looked at.
    </>
  );
}

const CLASSES = [
  { name: "Decisions", field: "n", count: true },
  ...Object.entries(DUAL_WORDS).map(([field, name]) => ({ name, field })),
  { name: "Defensibility of the decisions", field: "defensibility_index" },
  { name: "Defensibility of their opposites", field: "opposite_defensibility_index" },
];

const CHECKS = [
  { name: "Finds: of defensible opposites", field: "sensitivity" },
  { name: "Turns down: of the others", field: "specificity" },
  { name: "Agrees with the audit", field: "agreement" },
];

export function DualBody() {
  const { result, at } = useExperiment("dual")!;
  const { actions, by_human } = result;
  const contradictions = result.contradictions.missed + result.contradictions.false_alarms;
  return (
    <>
      <Section id="classes" title="What the two audits say together">
        <KeptFigure of={result} id="dual-classes" />
        <ComparedEstimates
          caption="Shares of the decisions"
          of="Both audits"
          rows={CLASSES}
          columns={[
            { key: "all", name: "All", at: `${at}/all` },
            { key: "positive", name: printable(actions.positive, 30), at: `${at}/by_action/positive` },
            { key: "negative", name: printable(actions.negative, 30), at: `${at}/by_action/negative` },
            ...(by_human
              ? [
                  { key: "agreed", name: "The person's label agrees", at: `${at}/by_human/agreed` },
                  { key: "overruled", name: "The person's label is the opposite", at: `${at}/by_human/overruled` },
                ]
              : []),
          ]}
        />
        <p className="small muted">
          The two defensibility indices add up to 1 plus the ambiguous less the void share; where the rules settle
          everything they add up to 1.
        </p>
      </Section>
      <Section id="check" title="What the one-token inverse check is worth">
        <KeptFigure of={result} id="dual-inverse-check" />
        <ComparedEstimates
          caption="The check against the audit of the opposite"
          of="The check"
          rows={CHECKS}
          columns={[
            { key: "all", name: "All decisions", at: `${at}/all/inverse_check` },
            { key: "defensible", name: "Defensible ones", at: `${at}/all/inverse_check_defensible` },
            { key: "positive", name: printable(actions.positive, 30), at: `${at}/by_action/positive/inverse_check` },
            { key: "negative", name: printable(actions.negative, 30), at: `${at}/by_action/negative/inverse_check` },
            { key: "opposite", name: "The opposite's check", at: `${at}/all/opposite_inverse_check` },
          ]}
        />
        <p>
          The probability of Yes ranks a defensible opposite above another one with an AUROC of{" "}
          <EstInText at={`${at}/inverse_auroc`} as="decimal" /> (0.50 is chance). Both audits come from the same
          auditor: this shows whether the check does what it stands for, not whether the auditor is right.
        </p>
        <Corrected result={result} at={at} />
      </Section>
      <Section id="contradictions" title="Where check and audit contradict each other">
        <p>
          The check says No and the opposite is defensible: <Num at={`${at}/contradictions/missed`} as="whole" />{" "}
          decisions. It says Yes and the opposite is not: <Num at={`${at}/contradictions/false_alarms`} as="whole" />.
        </p>
        <DataTable
          id="contradictions-table"
          caption="The clearest contradictions"
          columns={COLUMNS}
          rows={result.contradictions.cases.map((one, i) => ({ ...one, at: `${at}/contradictions/cases/${i}` }))}
          rowKey={(row) => row.at}
          first={12}
          empty={contradictions === 0 ? <p>Nowhere.</p> : <NoDecisions of="them" />}
        />
      </Section>
    </>
  );
}

/** AI of a whole run, corrected by the part of it that was audited both ways. */
function Corrected({ result, at }: { result: Dual; at: string }) {
  if (!result.corrected) return null;
  return (
    <>
      <ComparedEstimates
        caption={`Share open both ways of run ${printable(result.corrected.run_id, 60)}, corrected by its dual audits`}
        of="Way of counting"
        rows={[
          { name: "By the inverse check, defensible decisions", field: "audited" },
          { name: "Corrected: prediction-powered", field: "prediction_powered" },
          { name: "Corrected: Rogan and Gladen", field: "rogan_gladen" },
        ]}
        columns={[{ key: "rate", name: "Share", at: `${at}/corrected` }]}
      />
      <p className="small muted">
        What the check gets wrong on <Num at={`${at}/corrected/labels`} as="whole" /> decisions is taken to be what it
        gets wrong elsewhere. That holds if they were drawn at random.
      </p>
    </>
  );
}

type Row = DualCase & { at: string };

const COLUMNS: readonly Column<Row>[] = [
  ...caseColumns<Row>(),
  {
    key: "kind",
    name: "The check",
    value: ({ kind }) => (kind === "missed" ? "says No, the opposite is defensible" : "says Yes, the opposite is not"),
  },
  {
    key: "action",
    name: "Action",
    value: ({ own }) => own.action,
    cell: ({ own }) => <UserText text={own.action} max={20} />,
  },
  {
    key: "level",
    name: "Level",
    value: ({ own }) => own.level,
    cell: ({ at }) => <Num at={`${at}/own/level`} as="whole" />,
    align: "right",
  },
  {
    key: "p",
    name: "p(Yes)",
    value: ({ own }) => own.inverse_yes_prob,
    cell: ({ at }) => <Num at={`${at}/own/inverse_yes_prob`} as="decimal" />,
    align: "right",
  },
  {
    key: "rule",
    name: "Rests on",
    value: ({ own }) => own.rule_id,
    cell: ({ own }) => <UserText text={own.rule_id ?? "–"} max={30} />,
  },
  {
    key: "opposite",
    name: "Opposite's level",
    value: ({ opposite }) => opposite.level,
    cell: ({ at }) => <Num at={`${at}/opposite/level`} as="whole" />,
    align: "right",
  },
  {
    key: "opposite-rule",
    name: "Rests on",
    value: ({ opposite }) => opposite.rule_id,
    cell: ({ opposite }) => <UserText text={opposite.rule_id ?? "–"} max={30} />,
  },
];
