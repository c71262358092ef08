import type { AuditTable } from "../../analysis/audit-table.js";
import { absentFields, loadDecisionFields } from "../../analysis/decision-fields.js";
import { countGateCohorts, countSlices } from "../../analysis/gate-counts.js";
import type { GateKey } from "../../core/gate.js";
import { type SliceCounts, type SliceReport, type SliceTotals, sliceReport } from "../../measures/gate/slices.js";
import type { DecisionFiles } from "../../store/ports.js";
import { refuse } from "./gate-codes.js";

export interface SliceInputs {
  /** `language`, or fields of decisions; `kind` stands for content.kind. */
  names: readonly string[];
  /** Null: there are only the audits. */
  decisions: DecisionFiles | null;
  by: readonly GateKey[];
  passes: ReadonlySet<string>;
}

type Cohorts = Pick<SliceInputs, "by" | "passes">;

/** Rates by language, tag, kind or any other field of decisions, with what the gate would automate of each. */
export async function buildSlices(table: AuditTable, inputs: SliceInputs): Promise<SliceReport> {
  const fields = inputs.names.filter((name) => name !== "language").map(fieldOf);
  if (fields.length > 0 && inputs.decisions) {
    await loadDecisionFields(table, inputs.decisions, fields);
    const [absent] = await absentFields(table, fields);
    if (absent !== undefined) {
      refuse({ code: "no_such_field", slice: inputs.names.find((name) => fieldOf(name) === absent)! });
    }
  }
  return sliceReport(await sliceCounts(table, inputs));
}

/** Counts of every value of the named properties. Fields of decisions must have been loaded. */
export async function sliceCounts(table: AuditTable, inputs: Omit<SliceInputs, "decisions">): Promise<SliceCounts[]> {
  const all = await totals(table, inputs);
  const counts: SliceCounts[] = [];
  for (const slice of inputs.names) counts.push(...withRest(await countsOf(table, slice, inputs), all));
  return counts;
}

async function totals(table: AuditTable, { by, passes }: Cohorts): Promise<SliceTotals> {
  const all = { n: 0, indefensible: 0, automated: 0, automated_indefensible: 0 };
  for (const { key, n, indefensible } of await countGateCohorts(table, { by })) {
    all.n += n;
    all.indefensible += indefensible;
    if (!passes.has(key)) continue;
    all.automated += n;
    all.automated_indefensible += indefensible;
  }
  return all;
}

/** All decisions without the value: where a decision has several, or rare ones are left out, that is not the sum of the other rows. */
function withRest(counts: SliceCounts[], all: SliceTotals): SliceCounts[] {
  return counts.map((one) => ({
    ...one,
    rest: {
      n: all.n - one.n,
      indefensible: all.indefensible - one.indefensible,
      automated: all.automated - one.automated,
      automated_indefensible: all.automated_indefensible - one.automated_indefensible,
    },
  }));
}

/** The field of decisions that a slice is about. */
export function fieldOf(name: string): string {
  return name === "kind" ? "content.kind" : name;
}

async function countsOf(table: AuditTable, slice: string, { by, passes }: Cohorts): Promise<SliceCounts[]> {
  const values = new Map<string, SliceCounts>();
  for (const row of await countSlices(table, { by, field: fieldOf(slice) })) {
    const known = values.get(row.value);
    const counts = known ?? emptyCounts(slice, row.value);
    if (!known) values.set(row.value, counts);
    counts.n += row.n;
    counts.indefensible += row.indefensible;
    counts.inverse_yes += row.inverse_yes;
    if (!passes.has(row.cohort)) continue;
    counts.automated += row.n;
    counts.automated_indefensible += row.indefensible;
  }
  return [...values.values()].sort((a, b) => b.n - a.n || (a.value < b.value ? -1 : 1));
}

function emptyCounts(slice: string, value: string): SliceCounts {
  return { slice, value, n: 0, indefensible: 0, inverse_yes: 0, automated: 0, automated_indefensible: 0 };
}
