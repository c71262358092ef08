import { InputError } from "../../core/errors.js";
import { ACTION_ARM, FLIP_ARM } from "../../core/names.js";
import { type Actions, actionChoice, isAction } from "../../core/records/actions.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { ReviewOutcome } from "../../core/records/label.js";
import { type RouteRecord, routeRecordSchema } from "../../core/records/route.js";
import { parsedJson } from "../../core/text-checks.js";
import { draftStatement, refusalOf, restricts } from "../../evidence/statements/draft.js";
import {
  STATEMENT_NOTES,
  STATEMENT_REFUSALS,
  type StatementDraft,
  type StatementNote,
  type StatementRefusal,
} from "../../evidence/statements/draft-schema.js";
import { AsideFile } from "../../io/files.js";
import { chosenRun, runThatAudited } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import type { RouteStore } from "../../store/ports.js";
import { checkedOut } from "../export/export-decisions.js";
import { Framing } from "./framing.js";

export interface StatementsRequest {
  /** Default: the newest. */
  run?: string;
  out: string;
  include: Include;
}

interface Include {
  indefensible?: boolean;
  ambiguous?: boolean;
}

export interface StatementsResult {
  run_id: string;
  drafts: number;
  /** Drafts with every required field, and with nothing left for a person to decide. */
  ready: number;
  /** Incomplete drafts, by missing field. */
  missing: Record<string, number>;
  notes: Partial<Record<StatementNote, number>>;
  /** Drafts whose text a person must check for personal data. */
  personal_data_check: number;
  /** Decisions without a draft, by reason. */
  refused: Record<StatementRefusal, number>;
  refusals: { decision_id: string; code: StatementRefusal }[];
  /** Another run that audited a decision this one did not; absent: no run did. */
  audited_in?: string;
}

/** What routing and reviewers did with a decision. */
export interface Handling {
  route: "automate" | "review" | null;
  /** Time of its first routing without shadow mode. */
  routed_at: string | null;
  outcome: "uphold" | "overturn" | null;
  /** Whether a person reviewed it, other than on appeal. */
  reviewed: boolean;
  /** Whether it has the outcome of an appeal. */
  appealed: boolean;
  /** Whether an appeal is open that was filed separately from the decision's record. */
  appealOpen?: boolean;
}

/** Decisions held in memory: the run's audits are read once for each such batch. */
const HELD = 20_000;

/** Writes a draft for every restriction that the run found derivable, as JSON lines. All other decisions are refused, with a reason. */
export async function exportStatements(context: Context, request: StatementsRequest): Promise<StatementsResult> {
  const out = await checkedOut(context, request.out);
  const { run_id } = await chosenRun(context.runs, request.run);
  const { actions, statements } = context.config;
  const unknown = Object.keys(statements?.actions ?? {}).find((name) => !isAction(actions, name));
  if (unknown !== undefined) {
    throw new InputError(
      "bad_statements",
      `statements.actions: got "${unknown}", expected ${actionChoice(actions)}`,
      "Name the workspace's own actions under `statements` in defensible.yaml.",
    );
  }
  const result: StatementsResult = {
    run_id,
    ...{ drafts: 0, ready: 0, missing: {}, notes: {}, personal_data_check: 0 },
    refused: Object.fromEntries(STATEMENT_REFUSALS.map((code) => [code, 0])) as Record<StatementRefusal, number>,
    refusals: [],
  };
  const refuse = (decision_id: string, code: StatementRefusal) => {
    result.refused[code]++;
    result.refusals.push({ decision_id, code });
  };
  const framing = await Framing.open(context);
  const handled = await handlings(context.routes);
  const file = new AsideFile(out);
  const work = async (held: Map<string, Decision>) => {
    const audits = await auditsByDecision(context, run_id, held);
    for (const decision of held.values()) {
      const made = stateReasons(context, {
        framing,
        decision,
        ...runVerdict(decision, audits.get(decision.id) ?? [], actions),
        ...handled(decision.id),
        include: request.include,
      });
      if (typeof made === "string") refuse(decision.id, made);
      else {
        file.write(`${JSON.stringify(made)}\n`);
        count(result, made);
      }
    }
    held.clear();
  };
  try {
    const held = new Map<string, Decision>();
    for await (const batch of context.records.decisions()) {
      for (const decision of batch) {
        if (restricts(decision, actions)) held.set(decision.id, decision);
        else refuse(decision.id, "not_a_restriction");
      }
      if (held.size >= HELD) await work(held);
    }
    await work(held);
    file.commit();
    const unaudited = result.refusals.filter(({ code }) => code === "not_audited");
    if (unaudited.length > 0) {
      const ids = new Set(unaudited.map(({ decision_id }) => decision_id));
      const other = await runThatAudited(context.runs, ids, [run_id]);
      if (other !== null) result.audited_in = other;
    }
  } finally {
    file.discard();
  }
  return result;
}

export function stateReasons(
  context: Pick<Context, "config" | "now">,
  {
    framing,
    decision,
    audit,
    include,
    withReasoning = true,
    ...handling
  }: Handling & {
    framing: Framing;
    decision: Decision;
    audit: Audit | null;
    include?: Include;
    withReasoning?: boolean;
    verdictsDiffer?: boolean;
  },
): StatementDraft | StatementRefusal {
  const { actions, statements = {} } = context.config;
  if (restricts(decision, actions) && audit !== null) {
    if (audit.decision !== decision.decision) return "decision_changed";
    if (audit.outcome !== "verdict") return "no_verdict";
  }
  if (decision.erased && restricts(decision, actions)) return "erased";
  const refusal = refusalOf({ decision, actions }, audit, include);
  if (refusal || !audit) return refusal ?? "not_audited";
  const { rules, frame, changed } = framing.of(decision, audit);
  if (changed) return changed;
  const today = context.now().toISOString().slice(0, 10);
  const basis = { decision, audit, frame, rules, actions, settings: statements, withReasoning, today };
  return draftStatement({ ...basis, ...handling });
}

/** A run's result for a decision. */
export interface RunVerdict {
  audit: Audit | null;
  /** Another replicate would lead to another result: no refusal, a refusal, or one for another reason. */
  verdictsDiffer: boolean;
}

/** A decision's result in a run: its first verdict as decided, else an audit without one. A derivable alternative makes the verdict ambiguous. */
export function runVerdict(decision: Decision, audits: readonly Audit[], actions: Actions): RunVerdict {
  const asDecided = audits.filter(({ arm }) => arm === "");
  if (asDecided.length === 0) return { audit: null, verdictsDiffer: false };
  const audit = asDecided.reduce((first, one) => (rank(one) < rank(first) ? one : first));
  const ends = new Set(
    asDecided.filter(({ outcome }) => outcome === "verdict").map((one) => refusalOf({ decision, actions }, one)),
  );
  return {
    audit: audits.some(isDerivableAlternative) ? { ...audit, inverse: true } : audit,
    verdictsDiffer: ends.size > 1,
  };
}

async function auditsByDecision(
  { runs }: Pick<Context, "runs">,
  run: string,
  decisions: ReadonlyMap<string, Decision>,
): Promise<Map<string, Audit[]>> {
  const found = new Map<string, Audit[]>();
  for await (const batch of runs.audits(run)) {
    for (const audit of batch) {
      if (!decisions.has(audit.decision_id) || !(audit.arm === "" || isDerivableAlternative(audit))) continue;
      const known = found.get(audit.decision_id);
      if (known) known.push(audit);
      else found.set(audit.decision_id, [audit]);
    }
  }
  return found;
}

/** Whether an audit of the opposite or an alternative found that it follows from the rules. */
function isDerivableAlternative({ arm, outcome, level }: Audit): boolean {
  return (arm === FLIP_ARM || arm.startsWith(ACTION_ARM)) && outcome === "verdict" && (level === 1 || level === 2);
}

const rank = ({ outcome, replicate }: Audit) => (outcome === "verdict" ? 0 : 1e9) + replicate;

async function handlings(routes: RouteStore): Promise<(id: string) => Handling> {
  const routed = new Map<string, Routed>();
  for await (const lines of routes.lines()) {
    for (const line of lines) {
      const read = routeRecordSchema.safeParse(parsedJson(line));
      if (!read.success || read.data.decision_id === null) continue;
      routed.set(read.data.decision_id, routedBy([read.data], routed.get(read.data.decision_id)));
    }
  }
  const outcomes = new Map<string, Handled>();
  for await (const batch of routes.outcomes())
    for (const one of batch) outcomes.set(one.decision_id, handledBy([one], outcomes.get(one.decision_id)));
  const open = await routes.openAppeals();
  return (id) => ({
    ...(routed.get(id) ?? routedBy([])),
    ...(outcomes.get(id) ?? handledBy([])),
    appealOpen: open.has(id),
  });
}

type Handled = Pick<Handling, "outcome" | "reviewed" | "appealed">;

/**
 * The combined outcome of a decision, from outcomes in order of arrival. Once an appeal is decided, only another appeal changes it, not a later
 * review, which may have been drawn at random.
 */
export function handledBy(
  outcomes: readonly Pick<ReviewOutcome, "outcome" | "source">[],
  before: Handled = { outcome: null, reviewed: false, appealed: false },
): Handled {
  const appeals = outcomes.filter(({ source }) => source === "appeal");
  const last = appeals.at(-1) ?? (before.appealed ? before : (outcomes.at(-1) ?? before));
  return {
    outcome: last.outcome,
    reviewed: before.reviewed || appeals.length < outcomes.length,
    appealed: before.appealed || appeals.length > 0,
  };
}

type Routed = Pick<Handling, "route" | "routed_at">;

/** A decision's last route and the time of its first, from its routes in log order; in shadow mode nothing is routed. */
export function routedBy(
  routes: readonly Pick<RouteRecord, "route" | "shadow" | "at">[],
  before: Routed = { route: null, routed_at: null },
): Routed {
  const last = routes.at(-1);
  return {
    route: last ? (last.shadow ? null : last.route) : before.route,
    routed_at: before.routed_at ?? routes.find(({ shadow }) => !shadow)?.at ?? null,
  };
}

function count(result: StatementsResult, { ready, missing, notes, personal_data }: StatementDraft): void {
  result.drafts++;
  if (personal_data === "check") result.personal_data_check++;
  if (ready) result.ready++;
  for (const { field } of missing) result.missing[field] = (result.missing[field] ?? 0) + 1;
  for (const note of STATEMENT_NOTES) if (notes.includes(note)) result.notes[note] = (result.notes[note] ?? 0) + 1;
}
