import type { Report } from "../../domain/report.js";
import { auditorKind } from "../auditor-kind.js";
import { numberAt, rateAt, sentence } from "../sentence.js";
import { type FirstAction, linkTo } from "./action.js";

/** Below this share of citations that stand in the rules, the auditor argues from something else. */
export const LEAST_GROUNDED = 0.9;

/** Share of audits without a verdict from which on rates may be moved by them. */
export const MANY_LOST = 0.01;

const WITH_MODEL = "defensible audit --auditor openai:gpt-4.1-mini --dry-run";

/** What has to be mended before the numbers can be relied on. */
export function trustActions(report: Report): FirstAction[] {
  return [auditByModel(report), finishRun(report), retryErrors(report), checkInjections(report), checkCitations(report)]
    .filter((action) => action !== null)
    .slice(0, 2);
}

function auditByModel(report: Report): FirstAction | null {
  const kind = auditorKind(report);
  if (kind === "simulated" && report.counts.verdicts > 0) {
    return {
      id: "real-auditor",
      title: "Take these numbers for an exercise",
      why: sentence`All ${numberAt("/report/counts/verdicts", "whole")} verdicts come from a simulated auditor over a made-up world; only audits of your own decisions say something of your rules.`,
      decisions: report.counts.verdicts,
      command: "defensible import FILE",
    };
  }
  if (kind !== "baseline") return null;
  return {
    id: "real-auditor",
    title: "Audit with a language model before acting on a verdict",
    why: sentence`All ${numberAt("/report/counts/verdicts", "whole")} verdicts come from the built-in baseline, which reads words and not meaning.`,
    decisions: report.counts.verdicts,
    command: WITH_MODEL,
  };
}

function finishRun({ run, counts }: Report): FirstAction | null {
  if (run.status !== "open") return null;
  const planned =
    typeof run.planned === "number" ? sentence` of ${numberAt("/report/run/planned", "whole")} planned` : [];
  return {
    id: "finish-run",
    title: "Finish the run",
    why: sentence`${numberAt("/report/counts/attempted", "whole")} audits${planned} are done, and they are no random part of the decisions.`,
    decisions: counts.attempted,
    command: "defensible audit",
  };
}

/** Audits without a verdict; few of them move nothing, as the worst-case bounds show. */
function retryErrors({ counts }: Report): FirstAction | null {
  const lost = counts.errors + counts.unscored;
  if (lost === 0 || lost < MANY_LOST * counts.attempted) return null;
  const errors = numberAt("/report/counts/errors", "whole");
  const unscored = numberAt("/report/counts/unscored", "whole");
  const attempted = numberAt("/report/counts/attempted", "whole");
  return {
    id: "retry",
    title: counts.errors > 0 ? "Ask again where an audit failed" : "See why audits gave no verdict",
    why: sentence`Of ${attempted} audits ${errors} ended in an error and ${unscored} without a verdict; they count in no rate, only in worst-case bounds.`,
    decisions: lost,
    link: linkTo("decisions that were not scored", "decision", [], { reason: "not_scored" }),
    ...(counts.errors > 0 ? { command: "defensible audit --retry-errors" } : {}),
  };
}

function checkInjections({ flags }: Report): FirstAction | null {
  const count = flags.injection_suspected ?? 0;
  if (count === 0) return null;
  return {
    id: "injections",
    title: "Look at content that speaks to the auditor",
    why: sentence`The content of ${numberAt("/report/flags/injection_suspected", "whole")} decisions seems to give orders to whoever audits it, so their verdicts may have been steered.`,
    decisions: count,
    link: linkTo("these decisions", "decision", [], { reason: "injection_suspected" }),
  };
}

function checkCitations({ signals: { grounded_citations: grounded } }: Report): FirstAction | null {
  if (grounded.estimate === null || grounded.estimate >= LEAST_GROUNDED) return null;
  const at = "/report/signals/grounded_citations";
  return {
    id: "citations",
    title: "Check what the auditor cites",
    why: sentence`Only ${rateAt(at)} of ${numberAt(`${at}/n`, "whole")} citations stand in a rule or precedent that applied: where it cites something else, its verdict rests on nothing.`,
    decisions: grounded.n - (grounded.k ?? 0),
    link: linkTo("decisions with a citation that was not found", "decision", [], { reason: "ungrounded_citation" }),
  };
}
