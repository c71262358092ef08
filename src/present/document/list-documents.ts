import type { ListedAudits, ShownDecision, ShowRefusal } from "../../app/find-audits.js";
import { InputError } from "../../core/errors.js";
import { FLIP_ARM, STATED_ARM } from "../../core/names.js";
import type { Audit } from "../../core/records/audit.js";
import { contentParts, type Decision } from "../../core/records/decision.js";
import type { Cohort, Manifest } from "../../core/records/manifest.js";
import { AUDITED_WORDS } from "../../evidence/words.js";
import type { AuditedReason, StatedReason } from "../../measures/metrics/reason-accuracy.js";
import { printable } from "../../text/printable.js";
import { selectionText } from "../report/report-document.js";
import { decimal, percent, plural, whole } from "../words/numbers.js";
import { FLAG_WORDS, type OtherAction } from "../words/words.js";
import { type Block, type Document, table } from "./document.js";

export function runsDocument(runs: readonly Manifest[]): Document {
  return {
    title: "Runs",
    subtitle: "newest first",
    blocks: [
      table(
        ["run", "status", "~auditor", ">verdicts", "~particulars"],
        runs.map((run) => [
          run.run_id,
          run.status,
          printable(run.auditor, 30),
          verdicts(run),
          printable(particulars(run), 300),
        ]),
      ),
    ],
  };
}

/** What distinguishes a run from others of the same auditor. */
function particulars(run: Manifest): string {
  const { unscored, errors } = run.counts;
  const words = [
    `${run.tier}, T = ${run.temperature}`,
    unscored > 0 ? `${whole(unscored)} unscored` : "",
    errors > 0 ? plural(errors, "error") : "",
    run.experiment ? `experiment ${run.experiment.kind}, ${plural(run.experiment.arms.length, "arm")}` : "",
    Object.keys(run.selection).length > 0 ? selectionText(run.selection) : "",
    run.humans ? "humans" : "",
    run.replicates > 1 ? `${run.replicates} replicates` : "",
    run.template === "paper" ? "" : run.template,
    run.signal === "logprobs" ? "" : `signal ${run.signal}`,
    run.parent_run_id ? `after ${run.parent_run_id}` : "",
  ];
  return words.filter(Boolean).join("; ");
}

function verdicts({ counts, status }: Manifest): string {
  // An open run's counts date from its last clean stop.
  const sure = status === "sealed" || counts.verdicts + counts.unscored + counts.errors > 0;
  return `${sure ? whole(counts.verdicts) : "?"} of ${whole(counts.planned)}`;
}

/** All fields of a run, one per line. */
export function runLines(manifest: Manifest, batches: readonly string[]): string[] {
  const fields = Object.entries(manifest).map(
    ([name, value]) => `${name}: ${printable(typeof value === "object" ? JSON.stringify(value) : String(value), 2000)}`,
  );
  return [...fields, ...batches.map((line) => `batch ${printable(line, 500)}`)];
}

export function cohortsDocument(cohorts: readonly Cohort[]): Document {
  return {
    title: "Cohorts",
    subtitle: "named selections of decisions",
    blocks: [
      table(
        ["name", ">decisions", ">of", "chosen"],
        cohorts.map((one) => [
          one.name,
          String(one.decision_ids.length),
          String(one.population),
          printable(selectedBy(one), 60),
        ]),
      ),
    ],
  };
}

export function cohortSentence(cohort: Cohort): string {
  const { name, decision_ids, population } = cohort;
  return `Cohort ${name}: ${decision_ids.length} of ${plural(population, "decision")} (${selectedBy(cohort)}).`;
}

function selectedBy({ selection }: Cohort): string {
  if (selection.kind === "random") return `random, seed ${selection.seed}`;
  if (selection.kind === "balanced") return `balanced, seed ${selection.seed}`;
  if (selection.kind === "filter") return printable(selection.filters.join(" and "));
  return `from ${printable(selection.file)}`;
}

export function listDocument({ run_id, audits, of }: ListedAudits): Document {
  return {
    title: `Decisions of run ${run_id}`,
    subtitle: `least defensible first; ${audits.length} of ${plural(of, "decision")}${audits.length < of ? " (--limit shows more)" : ""}. P is the auditor's own, not calibrated. \`defensible show ID\` shows one`,
    blocks: [
      table(
        ["decision", "community", "decided", "human", ">level", "inverse", ">P, raw", "cites"],
        audits.map((audit) => [
          printable(audit.decision_id, 40),
          printable(audit.community, 24),
          printable(audit.decision, 20),
          printable(audit.human_label ?? "–", 20),
          audit.level ? String(audit.level) : audit.outcome,
          audit.inverse === null || audit.inverse === undefined ? "–" : audit.inverse ? "Yes" : "No",
          decimal(audit.p_defensible ?? null, 3),
          printable(audit.citation?.rule_id ? `${audit.citation.scope} ${audit.citation.rule_id}` : "–", 30),
        ]),
      ),
    ],
  };
}

const REASON_WORDS: Readonly<Record<StatedReason, string>> = {
  right_reason: "it is a rule that the audit rests on",
  other_rule: "the decision follows, and the audit rests on another rule",
  no_rule_supports: "no rule supports the decision",
  unknown_rule: "no such rule was in force",
  undetermined: "the rule that is meant, or the one that the audit rests on, is unclear",
  unstated: "it names no rule",
};

/** The audits' view of the stated reason. */
interface ShownReason {
  stated: StatedReason;
  /** null: it was not audited. */
  audited: AuditedReason | null;
}

export function decisionDocument(
  { run_id, decision, audits }: ShownDecision,
  reason: ShownReason | null = null,
  other: OtherAction = "the opposite",
): Document {
  const [first] = audits;
  return {
    title: `Decision ${printable(first!.decision_id)}`,
    subtitle: `${printable(first!.community)} · run ${run_id}`,
    blocks: [
      ...contentBlocks(decision, reason),
      ...audits.flatMap((audit) => auditBlocks(audit, other, decision?.erased === true)),
    ],
  };
}

function contentBlocks(decision: Decision | null, reason: ShownReason | null): Block[] {
  if (!decision) return [];
  const { title, body } = contentParts(decision.content);
  if (decision.erased) {
    return [
      { kind: "heading", text: "Content" },
      { kind: "text", text: "Erased: what people wrote in this decision, and what its audits quoted." },
      { kind: "text", text: actionText(decision) },
    ];
  }
  return [
    { kind: "heading", text: "Content" },
    ...(title ? [{ kind: "text" as const, text: printable(title, 500) }] : []),
    ...postedBlocks(body),
    { kind: "text", text: actionText(decision) },
    ...(reason && reason.stated !== "unstated"
      ? [{ kind: "text" as const, text: `Stated reason, ${reason.stated}: ${REASON_WORDS[reason.stated]}.` }]
      : []),
    ...(reason?.audited
      ? [{ kind: "text" as const, text: `Audited reason, ${reason.audited}: ${AUDITED_WORDS[reason.audited]}.` }]
      : []),
  ];
}

/** Most letters and lines of a post that are shown. */
const MOST_LETTERS = 2000;
const MOST_LINES = 40;

/** The post with its own line breaks; only the beginning of a long one. */
function postedBlocks(text: string): Block[] {
  const lines = text.slice(0, MOST_LETTERS).split(/\r\n|[\n\r\u2028\u2029]/);
  const shown = lines.slice(0, MOST_LINES).map((line) => printable(line, MOST_LETTERS));
  const isCut = text.length > MOST_LETTERS || lines.length > MOST_LINES;
  return [
    { kind: "text", as: "quote", text: shown.join("\n").trimEnd() },
    ...(isCut
      ? [
          {
            kind: "text" as const,
            text: `Cut here: it has ${plural(text.length, "character")}. --json shows all of it.`,
          },
        ]
      : []),
  ];
}

/** What was decided and why, as stated at the time. */
function actionText({ decision, human_label, rationale, cited_rule }: Decision): string {
  const label = human_label ? `; moderator ${printable(human_label, 40)}` : "";
  const reason = rationale ? `. Reason given: ${printable(rationale, 500)}` : "";
  const rule = cited_rule ? `. Rule cited: ${printable(cited_rule, 100)}` : "";
  return `Decided ${printable(decision, 40)}${label}${rule}${reason}`;
}

function oppositeWords(level: 1 | 2 | 3, inverse: boolean, other: OtherAction): string {
  const named = other === "the opposite" ? "The opposite" : "Another action";
  if (!inverse) return other === "the opposite" ? `${named} cannot be derived.` : "No other action can be derived.";
  return level === 3 ? `Only ${other} can be derived.` : `${named} can be derived too.`;
}

const LEVEL_WORDS = { 1: "robustly defensible", 2: "plausibly defensible", 3: "indefensible" };

/** What was audited, by arm. */
const WHOSE = new Map([
  ["human", "the human's decision"],
  [FLIP_ARM, "the opposite"],
  ["action", "an alternative"],
  [STATED_ARM, "the decision by the stated rules alone"],
]);

function auditBlocks(audit: Audit, other: OtherAction, isErased: boolean): Block[] {
  const whose = WHOSE.get(audit.arm.split("=")[0]!) ?? "the decision";
  const heading: Block = { kind: "heading", text: `Audit of ${whose}: ${printable(audit.decision, 40)}` };
  if (audit.outcome !== "verdict" || !audit.level) {
    return [
      heading,
      { kind: "text", text: `${audit.outcome}: ${printable(audit.error?.message ?? "no verdict", 1000)}` },
    ];
  }
  const [p1 = 0, p2 = 0, p3 = 0] = audit.level_probs ?? [];
  return [
    heading,
    { kind: "text", text: isErased ? "Reasoning: erased." : printable(audit.trace?.logic_chain ?? "", 4000) },
    {
      kind: "text",
      text: `Level ${audit.level}, ${LEVEL_WORDS[audit.level]}. ${oppositeWords(audit.level, audit.inverse === true, other)} Cites: ${citationText(audit, isErased)}`,
    },
    ...(audit.flags.includes("injection_suspected")
      ? [
          {
            kind: "text" as const,
            text: `Flag: injection_suspected. ${FLAG_WORDS.injection_suspected.meaning}`,
          },
        ]
      : []),
    ...(audit.level_probs
      ? [
          {
            kind: "text" as const,
            text: `Probabilities (raw): level 1 ${percent(p1)}, level 2 ${percent(p2)}, level 3 ${percent(p3)}; inverse Yes ${percent(audit.inverse_yes_prob ?? 0)}; S ${decimal(audit.pds ?? null, 3)}.`,
          },
        ]
      : []),
  ];
}

/** For an erased audit only the matched rule remains. */
function citationText({ trace, citation }: Audit, isErased: boolean): string {
  if (!isErased) return printable(trace?.policy_citation ?? "–", 1000);
  return citation?.rule_id ? printable(`${citation.scope} ${citation.rule_id}`, 100) : "erased";
}

export function showRefusal({ code, id, run, isKnown, audited }: ShowRefusal): InputError {
  const elsewhere = audited === null ? null : `Run ${audited} has one: add --run ${audited}.`;
  return new InputError(
    code,
    `decision: run ${run} has no audit of "${id}"`,
    elsewhere ?? (isKnown ? "Audit it first." : "`defensible show` lists the decisions of a run."),
  );
}
