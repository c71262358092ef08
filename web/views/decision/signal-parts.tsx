import type { ReactNode } from "react";
import type { PageAudit } from "../../../src/measures/report-page.js";
import type { NumberForm } from "../../../src/present/words/numbers.js";
import { Num } from "../../parts/num.tsx";
import { PlainTable } from "../../parts/plain-table.tsx";
import { Term } from "../../parts/term.tsx";

interface Row {
  field: keyof PageAudit;
  name: ReactNode;
  unit: string;
  as: NumberForm;
  says: string;
}

const ROWS: readonly Row[] = [
  {
    field: "pds",
    name: <Term symbol="S" />,
    unit: "",
    as: "fine",
    says: "one number for how settled the audit is; it is no probability of being defensible",
  },
  {
    field: "p_defensible",
    name: <Term symbol="p_defensible">P(defensible), raw</Term>,
    unit: "",
    as: "percent",
    says: "probability of level 1 or 2, as the auditor gave it",
  },
  {
    field: "p_calibrated",
    name: <Term symbol="P(defensible)">P(defensible), calibrated</Term>,
    unit: "",
    as: "percent",
    says: "the same, corrected by the workspace's calibration",
  },
  {
    field: "lambda_nats",
    name: <Term symbol="ξ*, λ_ξ">λ</Term>,
    unit: "nats",
    as: "fine",
    says: "how far it was committed to one level; 0 is wholly",
  },
  {
    field: "h_weight_bits",
    name: <Term symbol="H[w]" />,
    unit: "bits",
    as: "fine",
    says: "doubt about how much precedents weigh; 0 is none",
  },
  {
    field: "h_citation_bits",
    name: <Term symbol="H[κ]" />,
    unit: "bits per token",
    as: "fine",
    says: "how freely it chose the words of its citation; 0 is not at all",
  },
  {
    field: "h_citation_sampled_bits",
    name: <Term symbol="Ĥ[κ]" />,
    unit: "bits per citation",
    as: "fine",
    says: "how much the citations of repeated answers differ; 0 is not at all",
  },
  {
    field: "inverse_log_odds",
    name: <Term symbol="ρ, σ(ρ)">ρ</Term>,
    unit: "nats",
    as: "fine",
    says: "log-odds that the opposite could be derived; below 0 is rather not",
  },
  {
    field: "inverse_yes_prob",
    name: <Term symbol="ρ, σ(ρ)">σ(ρ)</Term>,
    unit: "",
    as: "percent",
    says: "the same as a probability",
  },
  {
    field: "tail_mass",
    name: "Unseen mass",
    unit: "",
    as: "percent",
    says: "probability outside the listed candidates of the citation's tokens, on average",
  },
];

const HEADS = [
  { key: "signal", name: "Signal" },
  { key: "value", name: "Value", align: "right" },
  { key: "unit", name: "Unit" },
  { key: "says", name: "What it says" },
] as const;

/** Every signal of an audit that it has, with what it says. */
export function SignalParts({ audit, at }: { audit: PageAudit; at: string }) {
  const rows = ROWS.filter(({ field }) => typeof audit[field] === "number");
  return (
    <PlainTable
      caption="The signals of this audit"
      heads={HEADS}
      rows={rows.map(({ field, name, unit, as, says }) => ({
        key: field,
        cells: [
          name,
          <Num key="value" at={`${at}/${field}`} as={as} />,
          <span key="unit" className="muted">
            {unit}
          </span>,
          says,
        ],
      }))}
    />
  );
}
