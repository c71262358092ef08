import { type AuditTask, prepareAudit } from "../../audit/audit-one.js";
import { RunHalted } from "../../audit/calls/budget.js";
import { askFor, wantedFor } from "../../audit/draw-answers.js";
import { inPrefixOrder } from "../../audit/rules-in-force.js";
import { answerId, promptKey } from "../../auditors/answers/answer-line.js";
import type { Ask, Intake, IntakeCounts, Wanted } from "../../auditors/auditor.js";
import { seedNumber } from "../../auditors/openai/build-request.js";
import { jsonSchema } from "../../auditors/output-format.js";
import { ERASED, NO_RULES } from "../../core/names.js";
import type { PromptLine } from "../../core/records/prompt-line.js";
import { tasksInOrder } from "./plan.js";
import type { Prepared } from "./prepare.js";

/** Candidates of a token that signals can use. */
const TOP_LOGPROBS = 20;
/** Audits between two looks at the event loop. */
const TURN = 64;

/** One audit of a run, and what is asked for it. */
interface PlannedAudit {
  task: AuditTask;
  replicate: number;
  /** One for each draw; empty where nothing is asked. */
  asks: Ask[];
  /** Why nothing is asked. */
  problem: unknown;
}

export interface PromptCounts {
  /** Audits that the prompts are for. */
  audits: number;
  written: number;
  /** The same prompt and draw as one that is written: its answer serves both. */
  shared: number;
  /** Answered already. */
  answered: number;
  /** Audits under no rule, about which nothing is asked. */
  noRules: number;
  /** Audits whose rules do not fit the model, and why, of the first. */
  tooLong: number;
  example: string | null;
}

/** Gives what a run has to ask, without asking. What the auditor has an answer to is left out. */
export async function writePrompts(prepared: Prepared, write: (line: PromptLine) => void): Promise<PromptCounts> {
  const { auditor, stop } = prepared.request;
  const counts: PromptCounts = {
    ...{ audits: 0, written: 0, shared: 0, answered: 0, noRules: 0, tooLong: 0 },
    example: null,
  };
  const seen = new Set<string>();
  for await (const audit of plannedAudits(prepared)) {
    if (stop.aborted) throw new RunHalted(null);
    counts.audits++;
    if (audit.problem === NO_RULES) counts.noRules++;
    else if (audit.problem && audit.problem !== ERASED) {
      counts.tooLong++;
      counts.example ??= audit.problem instanceof Error ? audit.problem.message : String(audit.problem);
    }
    for (const [sample, ask] of audit.asks.entries()) {
      const [{ draw = 1 }] = ask.wanted as [Wanted];
      const key = promptKey(ask);
      const id = answerId(key, draw);
      if (seen.has(id)) counts.shared++;
      else if (auditor.intake?.expect(ask) === 0) counts.answered++;
      else {
        write({ key, id, draw, ...questionOf(audit, sample, ask, prepared) });
        counts.written++;
      }
      seen.add(id);
    }
  }
  return counts;
}

function questionOf(
  { task, replicate }: PlannedAudit,
  sample: number,
  ask: Ask,
  { conditions, settings, request }: Prepared,
): Omit<PromptLine, "key" | "id" | "draw"> {
  const prompt = ask.prompt!;
  return {
    messages: [
      { role: "system", content: prompt.system },
      { role: "user", content: `${prompt.shared}${prompt.own}` },
    ],
    response_name: prompt.format.name,
    response_schema: jsonSchema(prompt.format) as Record<string, unknown>,
    settings: {
      temperature: ask.temperature,
      seed: seedNumber(ask.wanted[0]!.seed),
      max_tokens: request.auditor.readsPrompt!.outputTokens,
      ...(ask.logprobs ? { logprobs: true, top_logprobs: TOP_LOGPROBS } : {}),
    },
    prompt_version: prompt.version,
    decision_id: task.decision.id,
    community: task.decision.community,
    action: task.action,
    arm: task.arm,
    tier: conditions.of(task.arm).settings.tier,
    replicate,
    sample: settings.signal === "sampling" ? sample : null,
  };
}

/** Every audit of a run in the order in which it is asked for, whether it is there or not. */
async function* plannedAudits(prepared: Prepared): AsyncGenerator<PlannedAudit> {
  const { request, source, conditions, parts, wanted, plan } = prepared;
  const { auditor, seed } = request;
  const settings = { ...prepared.settings, runId: "" };
  const draws = settings.signal === "sampling" ? settings.samples : 1;
  const unasked = { auditor, settings, prompter: null, ask: () => [], keep: null };
  let count = 0;
  for (const arms of parts) {
    for await (const batch of inPrefixOrder(source, plan.communities, conditions.rules)) {
      for (const task of tasksInOrder(batch, { ...wanted, arms }, { conditions, seed })) {
        const condition = conditions.of(task.arm);
        const tools = condition.tools(unasked);
        const inForce = condition.inForce(task.decision);
        const { question, problem } = prepareAudit(task, inForce, condition.entry(task.decision, inForce), tools);
        for (const replicate of task.replicates) {
          const asks = Array.from({ length: problem ? 0 : draws }, (_, draw) =>
            askFor(question, [wantedFor(task, replicate, draw, tools.settings)], tools.settings),
          );
          // Nothing here waits for anything: signals need a turn of their own.
          if (++count % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
          yield { task, replicate, asks, problem };
        }
      }
    }
  }
}

export interface IntakeOutcome extends IntakeCounts {
  /** Audits that lack an answer. */
  missing: number;
}

/** What became of the answers. Where some were of no use so far, all questions are gone over, also those of audits that are done. */
export async function countIntake(prepared: Prepared, intake: Intake, missing: number): Promise<IntakeOutcome> {
  const { extra, spare } = intake.counts();
  if (extra + spare > 0) {
    for await (const { asks } of plannedAudits(prepared)) for (const ask of asks) intake.expect(ask);
  }
  return { ...intake.counts(), missing };
}
