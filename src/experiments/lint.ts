import { runReport } from "../app/report/run-report.js";
import type { RuleSet } from "../core/records/rule-set.js";
import type { Lint } from "../core/results/lint.js";
import type { Report } from "../core/results/report.js";
import { LINT_CHECKS, type RuleFinding } from "../measures/grounding/lint/finding.js";
import { lintRules } from "../measures/grounding/lint/lint-rules.js";
import type { RuleUse } from "../measures/grounding/lint/wording.js";
import { newestRun } from "../store/choose-run.js";
import type { Context } from "../store/context.js";
import { withDuckDB } from "../store/files/duckdb.js";
import { readText } from "../store/files/rule-files.js";
import { type RuleFileOptions, readRuleFile } from "../store/formats/rule-file.js";
import type { Draft } from "../text/guidelines/draft.js";
import { refusal } from "./audits.js";

const NEEDS_RUN = ["never_cited", "often_open"];

/** For each scope and community the version that took effect last, which applies to today's decisions. */
function newestSets(sets: readonly RuleSet[]): RuleSet[] {
  const newest = new Map<string, RuleSet>();
  for (const set of sets) {
    const key = JSON.stringify([set.scope, set.scope === "community" ? set.community : null]);
    const known = newest.get(key);
    if (!known || (set.effective_from ?? "") >= (known.effective_from ?? "")) newest.set(key, set);
  }
  return [...newest.values()];
}

function ruleUses(report: Pick<Report, "rules" | "communities" | "counts">): Map<string, RuleUse> {
  const verdicts = new Map(report.communities.map(({ community, counts }) => [community, counts.verdicts]));
  return new Map(
    report.rules.map((rule): [string, RuleUse] => [
      JSON.stringify([rule.scope, rule.community, rule.rule_id]),
      {
        cited: rule.cited,
        open: rule.ambiguity_pure,
        verdicts: rule.scope === "platform" ? report.counts.verdicts : (verdicts.get(rule.community ?? "") ?? 0),
      },
    ]),
  );
}

interface LintInputs {
  sets: readonly RuleSet[];
  report: Report | null;
  greatestOpen: number;
}

export function buildLint({ sets, report, greatestOpen }: LintInputs): Lint {
  const findings = lintRules(sets, report ? { use: ruleUses(report), greatestOpen } : {});
  const made = LINT_CHECKS.filter((check) => report !== null || !NEEDS_RUN.includes(check));
  const count = (matches: (one: RuleFinding) => boolean) => findings.filter(matches).length;
  return {
    format: 1,
    run_id: typeof report?.run.run_id === "string" ? report.run.run_id : null,
    rule_sets: sets.length,
    rules: sets.reduce((sum, { rules }) => sum + rules.length, 0),
    counts: {
      error: count(({ severity }) => severity === "error"),
      warning: count(({ severity }) => severity === "warning"),
      note: count(({ severity }) => severity === "note"),
    },
    checks: Object.fromEntries(made.map((check) => [check, count((one) => one.check === check)])),
    findings,
  };
}

/** Reads files of rule sets and pages of rules. `onDraft` receives what was understood of each page. */
export function readRuleTexts(
  files: readonly string[],
  options: RuleFileOptions = {},
  onDraft?: (file: string, draft: Draft) => void,
): RuleText[] {
  return files.map((file) => {
    const text = readText(file);
    const { sets, draft } = readRuleFile(text, file, options);
    if (draft) onDraft?.(file, draft);
    return { file, text, sets: sets.map(({ set }) => set) };
  });
}

export function lintTexts(texts: readonly RuleText[], greatestOpen: number): Lint {
  return lintOf({ sets: newestSets(texts.flatMap(({ sets }) => sets)), report: null, greatestOpen });
}

/**
 * What the kept rules leave open. `run`: the run whose citations are counted, or `newest`, which must exist; undefined: the newest if there
 * is one; null: no run.
 */
export async function lintKept(context: Context, run: string | null | undefined, greatestOpen: number): Promise<Lint> {
  const sets = newestSets((await context.records.rules()).map(({ set }) => set));
  const wanted = run !== null && (run !== undefined || (await newestRun(context.runs)) !== undefined);
  const report = wanted ? await reportOf(context, run === "newest" ? undefined : run) : null;
  return lintOf({ sets, report, greatestOpen });
}

function lintOf(inputs: LintInputs): Lint {
  if (inputs.sets.length > 0) return buildLint(inputs);
  throw refusal({ code: "no_rules" });
}

function reportOf(context: Context, run: string | undefined): Promise<Report> {
  return withDuckDB(async (db) => (await runReport(db, context, run === undefined ? {} : { run })).report, {
    ordered: false,
  });
}

export interface RuleText {
  file: string;
  text: string;
  sets: readonly RuleSet[];
}

type Finding = Lint["findings"][number];

/** The findings of the lint as SARIF 2.1.0, for code scanning. Each has the file and line of its words, or of its rule. */
export function renderSarif({ findings }: Lint, texts: readonly RuleText[], version: string): string {
  const checks = [...new Set(findings.map(({ check }) => check))];
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "defensible", semanticVersion: version, rules: checks.map((id) => ({ id })) } },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => ({
          ruleId: finding.check,
          ruleIndex: checks.indexOf(finding.check),
          level: finding.severity,
          message: { text: `${nameOf(finding)}: ${sentence(finding.message)} ${finding.remedy}`.trim() },
          locations: [{ physicalLocation: placeOf(finding, texts) }],
          partialFingerprints: { "findingWords/v1": fingerprint(finding) },
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const nameOf = ({ community, rule_id }: Finding) => `Rule ${rule_id}${community === null ? "" : ` of ${community}`}`;

/** Depends only on the words, not on their place in the file. */
function fingerprint({ check, scope, community, rule_id, part, quote, other }: Finding): string {
  return JSON.stringify([check, scope, community, rule_id, part, quote, other?.rule_id ?? null]);
}

function placeOf(finding: Finding, texts: readonly RuleText[]) {
  const { scope, community, rule_id, quote } = finding;
  const isSet = (set: RuleSet) => set.scope === scope && (scope === "platform" || set.community === community);
  const ruleIn = ({ sets }: RuleText) =>
    sets.filter(isSet).flatMap(({ rules }) => rules.find(({ id }) => id === rule_id) ?? [])[0];
  const found = texts.find((one) => ruleIn(one) !== undefined) ?? texts[0];
  const lines = found?.text.split(/\r?\n/) ?? [];
  const has = (words: string | null | undefined, from: number) => {
    const [first] = (words ?? "").trim().split("\n", 1);
    return first ? lines.findIndex((line, i) => i >= from && line.includes(first)) : -1;
  };
  const title = has(found && ruleIn(found)?.title, 0);
  const words = has(quote, Math.max(0, title));
  const line = (words >= 0 ? words : Math.max(0, title)) + 1;
  return {
    // In a file name, # and ? begin neither a fragment nor a query.
    artifactLocation: {
      uri: encodeURI((found?.file ?? "rules").replaceAll("\\", "/")).replace(/[#?]/g, encodeURIComponent),
    },
    region: { startLine: line },
  };
}
