import { Command, Option } from "commander";
import { worded } from "../../../app/refusal.js";
import { CheckFailedError, InputError } from "../../../core/errors.js";
import { refusalWords } from "../../../experiments/refusals.js";
import { CHECK_MODES, type CheckMode, type RulesDiff } from "../../../experiments/rules/diff/result.js";
import { diffDocument, leftOutLines, missingSetsText } from "../../../experiments/rules/document/diff-document.js";
import { type DiffComparison, type DiffRequest, runDiff } from "../../../experiments/rules/run-diff.js";
import { writeFileAtomic } from "../../../io/files.js";
import { junitXml } from "../../../present/document/render-markdown.js";
import { printable } from "../../../text/printable.js";
import { selectionFrom } from "../../audit/options.js";
import { type ArmFlags, armsFrom, withArmOptions } from "../../experiment/flags.js";
import { examples, integer, share } from "../../options.js";
import { say } from "../../output.js";
import { showExperiment } from "../../page.js";

interface DiffFlags extends ArmFlags {
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
    .argument("[old]", "rules (.yaml, .json, .md, .txt, .html), a folder of rule sets, or precedents (.jsonl)")
    .argument("[new]", "the same after the change; a single argument is compared with the workspace's own")
    .addOption(
      new Option("--precedents <off>", "compare with precedents and without, instead of two texts").choices(["off"]),
    )
    .option("--fail-on-new-indefensible <n>", "exit 2 when more than n decisions become indefensible", integer(0))
    .option(
      "--max-ai-increase <x>",
      "exit 2 when AI rises by more than this share (0.02 is 2 points); it also counts decisions that become settled the other way",
      share(-1, 1),
    )
    .option("--max-ai-pure-increase <x>", "the same for AI_pure: decisions that can go either way", share(-1, 1))
    .option("--max-di-drop <x>", "exit 2 when DI falls by more than this share", share(-1, 1))
    .option(
      "--max-left-out <share>",
      "exit 2 when more than this share of the decisions is left out, mostly for lack of a verdict under the old or the new text (default where another limit is given: 0.05)",
      share(0, 1),
    )
    .addOption(
      new Option(
        "--judge <by>",
        "hold changes against their limits by what was measured (point), or by its 95% interval: fail only what is surely beyond (sure), pass only what is surely within, also if every audit without a verdict had gone the worst way (safe)",
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
        "defensible rules diff new-rules.md --dry-run",
        "defensible rules diff old/rules new/rules --md=comment.md --fail-on-new-indefensible 0",
        "defensible rules diff precedents.jsonl more-precedents.jsonl --max-ai-increase 0.02",
        "defensible rules diff --precedents off",
        "defensible rules diff --run 20261115T101530Z-4f2a --judge safe --max-di-drop 0.01",
      ),
    )
    .action(diff);
}

async function diff(first: string | undefined, second: string | undefined, flags: DiffFlags): Promise<void> {
  const compared = comparison(first, second, flags);
  const audits = await armsFrom(flags);
  const request: DiffRequest = {
    ...audits,
    compared,
    tier: flags.tier,
    selection: selectionFrom(flags, flags.seed ?? audits.context?.config.seed ?? 0),
    limits: {
      newIndefensible: flags.failOnNewIndefensible,
      aiIncrease: flags.maxAiIncrease,
      aiPureIncrease: flags.maxAiPureIncrease,
      diDrop: flags.maxDiDrop,
      maxLeftOut: flags.maxLeftOut,
      mode: flags.judge,
    },
    minDecisions: flags.minRule,
    listed: flags.listed,
    found: (changes, left) => {
      for (const line of [...leftOutLines(left), missingSetsText(changes) ?? []].flat()) say(line);
    },
  };
  const made = await worded(refusalWords, () => runDiff(request));
  if (!made) return;
  showExperiment(made, flags, diffDocument);
  const { result, kept } = made;
  writeJunit(result, flags);
  const failed = result.checks.results.filter((check) => !check.holds);
  if (failed.length === 0) return;
  throw new CheckFailedError(
    "diff_over_limit",
    `rules diff: ${failed.map(({ text }) => text).join("; ")}`,
    foundWhere(flags, kept, result.effect !== null),
  );
}

/** What the arguments compare; null: they say nothing, and audits that are there do. */
function comparison(
  first: string | undefined,
  second: string | undefined,
  { precedents, run, audits }: DiffFlags,
): DiffComparison | null {
  if (precedents !== undefined) {
    if (first === undefined) return "precedents_off";
    throw new InputError("two_comparisons", `--precedents off: got ${first} too`, "Compare one thing at a time.");
  }
  if (first !== undefined) return second === undefined ? { old: null, new: first } : { old: first, new: second };
  if (run !== undefined || audits !== undefined) return null;
  throw new InputError(
    "nothing_to_compare",
    "rules diff: got no rules",
    "Name NEW, or OLD and NEW, or give --precedents off.",
  );
}

/** Where the decisions behind a failure can be read: only what was really printed or written. */
function foundWhere(flags: DiffFlags, kept: string | null, audited: boolean): string {
  if (!audited) return "Nothing was audited, since no past decision could come out otherwise: look at the limits.";
  const page = flags.json || flags.jsonFile || flags.mdFile || flags.html ? flags.md && !flags.json : true;
  const files = [flags.jsonFile, flags.mdFile, flags.html, kept].filter((file) => file !== undefined && file !== null);
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
