import { Command, Option } from "commander";
import { listArms } from "../../analysis/arm-pairs.js";
import { CheckFailedError, InputError } from "../../core/errors.js";
import { CHECK_MODES, type CheckMode, type RulesDiff } from "../../core/results/rules-diff.js";
import { buildDiff, DIFF_ARMS, type DiffParts } from "../../experiments/rules/build-diff.js";
import { diffEffect } from "../../experiments/rules/diff-effect.js";
import { diffDocument, missingSetsText } from "../../experiments/rules/document/diff-document.js";
import { KnownRules } from "../../experiments/rules/rule-gains.js";
import { writeFileAtomic } from "../../io/files.js";
import { junitXml } from "../../present/document/junit.js";
import { readDecisions } from "../../store/files/records.js";
import { printable } from "../../text/printable.js";
import {
  type ArmAudits,
  type ArmFlags,
  armAudits,
  armSource,
  keepResult,
  withArmOptions,
  withArmTable,
} from "../arm-audits.js";
import { auditForExperiment } from "../experiment-run.js";
import { writeFigureData } from "../figure-data.js";
import { examples, integer, number, workspaceOf } from "../options.js";
import { printJson, say } from "../output.js";
import { printPage } from "../page.js";
import { type DiffSubject, keptSubject, onlyDiffering, subjectOf } from "../rules-diff-subject.js";

export interface DiffFlags extends ArmFlags {
  precedents?: "off";
  failOnNewIndefensible?: number;
  maxAiIncrease?: number;
  maxAiPureIncrease?: number;
  maxDiDrop?: number;
  maxLeftOut?: number;
  judge: CheckMode;
  junit?: string;
  minRule: number;
  listed: number;
}

export function rulesDiffCommand(): Command {
  return withArmOptions(new Command("diff"))
    .description("audit past decisions under old and new rules or precedents: what would a rewrite do to them?")
    .argument("[old]", "rule set (.yaml, .json), folder of rule sets, or precedents (.jsonl)")
    .argument("[new]", "the same after the change; a single argument is compared with the workspace's own")
    .addOption(
      new Option("--precedents <off>", "compare with precedents and without, instead of two texts").choices(["off"]),
    )
    .option("--fail-on-new-indefensible <n>", "exit 2 when more than n decisions become indefensible", integer(0))
    .option(
      "--max-ai-increase <x>",
      "exit 2 when AI rises by more than this share (0.02 is 2 points); it also counts decisions that become settled the other way",
      number(-1, 1),
    )
    .option("--max-ai-pure-increase <x>", "the same for AI_pure: decisions that can go either way", number(-1, 1))
    .option("--max-di-drop <x>", "exit 2 when DI falls by more than this share", number(-1, 1))
    .option(
      "--max-left-out <share>",
      "exit 2 when more than this share of the decisions is left out, mostly for lack of a verdict under the old or the new text (default where another limit is given: 0.05)",
      number(0, 1),
    )
    .addOption(
      new Option(
        "--judge <by>",
        "hold changes against their limits by what was measured (point), or by its 95 % interval: fail only what is surely beyond (sure), pass only what is surely within, also if every audit without a verdict had gone the worst way (safe)",
      )
        .choices(CHECK_MODES)
        .default("point"),
    )
    .option("--junit <file>", "write the checks as JUnit XML")
    .option("--min-rule <n>", "decisions that a rule's figures need at least", integer(1), 10)
    .option("--listed <n>", "decisions listed in the JSON, of each kind", integer(0, 100_000), 200)
    .addHelpText(
      "after",
      examples(
        "defensible rules diff new-rules.yaml --dry-run",
        "defensible rules diff old/rules new/rules --md=comment.md --fail-on-new-indefensible 0",
        "defensible rules diff precedents.jsonl more-precedents.jsonl --max-ai-increase 0.02",
        "defensible rules diff --precedents off",
        "defensible rules diff --run 20261115T101530Z-4f2a --judge safe --max-di-drop 0.01",
      ),
    )
    .action(diff);
}

async function diff(first: string | undefined, second: string | undefined, flags: DiffFlags): Promise<void> {
  let subject: DiffSubject | null = null;
  const named = flags.precedents !== undefined || first !== undefined;
  if (!named && flags.run === undefined && flags.audits === undefined) {
    throw new InputError(
      "nothing_to_compare",
      "rules diff: got no rules",
      "Name NEW, or OLD and NEW, or give --precedents off.",
    );
  }
  // A file alone needs no workspace; with one, what was changed can be told.
  const workspaced = flags.audits === undefined || flags.workspace !== undefined;
  if (named && workspaced) subject = await subjectOf(await workspaceOf(flags), first, second, flags);
  const missing = missingSetsText(subject?.changes ?? null);
  if (missing) say(missing);
  if (subject?.arms === null && flags.run === undefined && flags.audits === undefined)
    return finish(null, subject, null, flags);
  if (flags.run === undefined && flags.audits === undefined && (await nothingFalls(subject!, flags)))
    return finish(null, subject!, null, flags);
  const audits = await armAudits("diff", flags, (workspace) =>
    auditForExperiment(workspace, onlyDiffering(flags, subject!), { kind: "diff", arms: subject!.arms! }),
  );
  if (!audits) return;
  subject ??= await keptSubject(audits);
  const effect = await withArmTable(audits.place, async (table) => {
    const found = new Set((await listArms(table)).map(({ arm }) => arm));
    const arms = DIFF_ARMS.find(([, old, now]) => found.has(old) && found.has(now)) ?? DIFF_ARMS[0];
    subject!.what ??= arms[0];
    return diffEffect(table, {
      source: armSource(audits.place),
      arms: [arms[1], arms[2]],
      changes: subject!.changes,
      known: new KnownRules(subject!.sets),
      minDecisions: flags.minRule,
      listed: flags.listed,
    });
  });
  finish(audits, subject, effect, flags);
}

/** Whether no past decision is of a community that differs: new rules of a new community, say. */
async function nothingFalls({ changes }: DiffSubject, flags: DiffFlags): Promise<boolean> {
  const differing = changes?.communities;
  if (!differing) return false;
  let some = false;
  for await (const batch of readDecisions(await workspaceOf(flags))) {
    if (batch.some(({ community }) => differing.includes(community))) return false;
    some ||= batch.length > 0;
  }
  return some;
}

function finish(audits: ArmAudits | null, subject: DiffSubject, effect: DiffParts["effect"], flags: DiffFlags): void {
  const result = buildDiff({
    what: subject.what ?? "rules",
    old: subject.old,
    new: subject.new,
    tier: subject.tier,
    changes: subject.changes,
    effect,
    limits: {
      ...(flags.failOnNewIndefensible === undefined ? {} : { newIndefensible: flags.failOnNewIndefensible }),
      ...(flags.maxAiIncrease === undefined ? {} : { aiIncrease: flags.maxAiIncrease }),
      ...(flags.maxAiPureIncrease === undefined ? {} : { aiPureIncrease: flags.maxAiPureIncrease }),
      ...(flags.maxDiDrop === undefined ? {} : { diDrop: flags.maxDiDrop }),
      ...(flags.maxLeftOut === undefined ? {} : { maxLeftOut: flags.maxLeftOut }),
      mode: flags.judge,
    },
  });
  const kept = audits && keepResult(audits, result);
  writeFigureData(result.figures, flags);
  writeJunit(result, flags);
  printPage(() => diffDocument(result, { rows: flags.rows }), flags, printJson(result, flags));
  const failed = result.checks.results.filter((check) => !check.holds);
  if (failed.length === 0) return;
  throw new CheckFailedError(
    "diff_over_limit",
    `rules diff: ${failed.map(({ text }) => text).join("; ")}`,
    foundWhere(flags, kept, effect !== null),
  );
}

/** Where the decisions behind a failure can be read: only what was really printed or written. */
function foundWhere(flags: DiffFlags, kept: string | null, audited: boolean): string {
  if (!audited) return "Nothing was audited, since no past decision could come out otherwise: look at the limits.";
  const page = flags.json || flags.jsonFile || flags.mdFile ? flags.md && !flags.json : true;
  const files = [flags.jsonFile, flags.mdFile, kept].filter((file) => file !== undefined && file !== null);
  const places = [
    ...(flags.json ? ["in the JSON above"] : page ? ["above"] : []),
    ...files.map((file) => `in ${printable(file!)}`),
  ];
  if (places.length === 0) return "Repeat it with --json or --md to see the decisions.";
  return `The decisions are listed ${places.join(" and ")}${flags.listed === 0 ? ", once --listed is above 0" : ""}.`;
}

function writeJunit({ checks: { results } }: RulesDiff, { junit }: DiffFlags): void {
  if (junit === undefined) return;
  const cases = results.map(({ name, holds, text }) => ({ suite: "checks", name, failure: holds ? null : text }));
  writeFileAtomic(junit, junitXml("defensible rules diff", cases));
  say(`Wrote ${printable(junit)}`);
}
