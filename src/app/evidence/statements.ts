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
  /** Drafts that have every required field and nothing that a person must decide first. */
  ready: number;
  /** Drafts that lack a field, by field. */
  missing: Record<string, number>;
  notes: Partial<Record<StatementNote, number>>;
  /** Drafts whose text a person must look through for personal data. */
  personal_data_check: number;
  /** Decisions without a draft, by reason. */
  refused: Record<StatementRefusal, number>;
  refusals: { decision_id: string; code: StatementRefusal }[];
  /** Another run that audited a decision which this one did not; absent: none did. */
  audited_in?: string;
}

/** What routing and reviewers made of a decision. */
export interface Handling {
  route: "automate" | "review" | null;
  /** When it was first sent anywhere. */
  routed_at: string | null;
  outcome: "uphold" | "overturn" | null;
  /** Whether a person reviewed it, other than after an appeal. */
  reviewed: boolean;
  /** Whether the outcomes have that of an appeal. */
  appealed: boolean;
  /** Whether an appeal waits that was filed apart from the decision's own record. */
  appealOpen?: boolean;
}

/** Decisions that wait for their audits at once: the audits of a run are read once for so many. */
const HELD = 20_000;

/** Writes a draft for every restriction that the run found derivable, as JSON lines. Every other decision is refused, with a reason. */
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

/** The draft of one decision, or why it is refused. */
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

/** What a run says of a decision. */
export interface RunVerdict {
  audit: Audit | null;
  /** Another replicate would be refused where this one is not, or for another reason. */
  verdictsDiffer: boolean;
}

/** Of the audits of one decision in a run: its first verdict as it was made, else an audit without one. A derivable alternative makes it ambiguous. */
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

/** Audits of decisions in a run, by decision. */
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

/** Whether the run found that the opposite or an alternative of the decision, audited in an arm of its own, follows from the rules. */
function isDerivableAlternative({ arm, outcome, level }: Audit): boolean {
  return (arm === FLIP_ARM || arm.startsWith(ACTION_ARM)) && outcome === "verdict" && (level === 1 || level === 2);
}

const rank = ({ outcome, replicate }: Audit) => (outcome === "verdict" ? 0 : 1e9) + replicate;

/** The last route and the outcomes of every decision. */
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

/** What outcomes of a decision say, in the order in which they came. Once an appeal is decided, only another appeal changes it: not a later review, which may have been drawn at random. */
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

/** Where a decision was sent last, and when first, by its routes in the order of the log; in shadow mode nothing is sent. */
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
