import type { Cohort, Manifest } from "../../core/records/manifest.js";
import type { Lint } from "../../core/results/lint.js";
import { printable } from "../../text/printable.js";
import { selectionText } from "../report/report-document.js";
import { plural, whole } from "../words/numbers.js";
import { type Block, type Document, table } from "./document.js";

interface LintDocumentOptions {
  /** Rules shown. */
  rows: number;
}

type Finding = Lint["findings"][number];

/** Findings of which the words found say enough in a row: their meaning is explained once, below. */
const QUOTED = new Set(["catch_all", "undefined_term", "hedge", "elsewhere"]);

/** What was found, a row a rule, worst first; the meaning of each check is explained once, below. */
export function lintDocument(lint: Lint, { rows }: LintDocumentOptions): Document {
  const { counts, findings } = lint;
  const rules = byRule(findings);
  const shown = rules.slice(0, rows);
  const more = rules.length - shown.length;
  const found = `${plural(counts.error, "error")}, ${plural(counts.warning, "warning")}, ${plural(counts.note, "note")}`;
  const on = `on ${rules.length} of ${plural(lint.rules, "rule")}`;
  const blocks: Block[] = [{ kind: "text", text: findings.length === 0 ? "Nothing was found." : `${found}, ${on}.` }];
  if (shown.length > 0) {
    blocks.push(
      table(
        ["", "rule", "~findings"],
        shown.map((own) => [own[0]!.severity, printable(ruleName(own[0]!), 40), printable(findingsText(own), 1000)]),
      ),
      ...(more > 0
        ? [{ kind: "text" as const, text: `${plural(more, "rule")} more with --rows, all with --json.` }]
        : []),
      { kind: "heading", text: "What to do" },
      table(["check", "~meaning", "~what to do"], meanings(shown.flat())),
    );
  }
  blocks.push({
    kind: "text",
    text: `${lint.run_id === null ? "No run was looked at: which rules are never cited, or leave decisions open, is shown with --run. " : `Citations are those of run ${printable(lint.run_id, 60)}. `}No model read the rules: wordings are found by their form, in English, so a finding is a question to the author. What a change would do to past decisions is shown by \`defensible rules diff\`.`,
  });
  return {
    title: "Rules, read for what they leave open",
    subtitle: `${plural(lint.rules, "rule")} in ${plural(lint.rule_sets, "rule set")}`,
    blocks,
  };
}

function ruleName({ scope, community, rule_id }: Finding): string {
  return `${scope === "platform" ? "platform" : community} ${rule_id}`;
}

/** Findings come worst first, and so do the rules they are about. */
function byRule(findings: readonly Finding[]): Finding[][] {
  const rules = new Map<string, Finding[]>();
  for (const one of findings) {
    const key = JSON.stringify([one.scope, one.community, one.rule_id]);
    const own = rules.get(key);
    if (own) own.push(one);
    else rules.set(key, [one]);
  }
  return [...rules.values()];
}

/** "undefined_term: "Be kind" (title) · empty_tier: has no detail". */
function findingsText(own: readonly Finding[]): string {
  const checks = new Map<string, string[]>();
  for (const one of own) {
    const list = checks.get(one.check) ?? [];
    list.push(findingText(one));
    checks.set(one.check, list);
  }
  return [...checks].map(([check, list]) => `${check}: ${list.join("; ")}`).join(" · ");
}

function findingText({ check, quote, part, message }: Finding): string {
  if (QUOTED.has(check)) return `"${quote}" (${part})`;
  return quote === null ? message : `"${quote}" (${part ?? "title"}) ${message}`;
}

const MEANINGS: Record<string, string> = {
  catch_all: "gives the decision, or cases of doubt, to whoever decides: they can be derived either way",
  undefined_term: "a word of judgement that the rule nowhere explains",
  elsewhere: "sends the reader to a text that is not in the rule",
  contradiction: "a rule grants what another that holds at the same time forbids",
  duplicate: "two rules say the same: a decision can cite either",
  dangling_reference: "refers to a rule that does not exist",
  often_open: "many decisions that cite the rule could have gone either way; the bracket is the 95% interval",
  never_cited: "no audit of the run cites it",
  empty_tier: "a tier adds nothing: an audit at it sees no more than at the one before",
  language_not_read: "written in a language whose wordings are not looked at",
};

/** Each check that found something: what it means and what to do, once. */
function meanings(findings: readonly Finding[]): string[][] {
  const first = new Map<string, Finding>();
  for (const one of findings) if (!first.has(one.check)) first.set(one.check, one);
  return [...first.values()].map(({ check, message, remedy }) => [
    check,
    MEANINGS[check] ?? printable(message, 300),
    printable(remedy, 300),
  ]);
}

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

/** What separates a run from others of the same auditor. */
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
  // Counts of an open run are those of its last orderly stop.
  const sure = status === "sealed" || counts.verdicts + counts.unscored + counts.errors > 0;
  return `${sure ? whole(counts.verdicts) : "?"} of ${whole(counts.planned)}`;
}

/** Everything about a run, a line for each field. */
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
