import { CheckFailedError, InputError } from "../../../core/errors.js";
import type { Tier } from "../../../core/records/rule-set.js";
import { junitXml } from "../../../present/document/render-markdown.js";
import { printable } from "../../../text/printable.js";
import type { ArmStudy, OptionsOf, SliceOptions } from "../../slice.js";
import { MIN_RULE } from "../experiment.js";
import { type DiffComparison, runDiff } from "../run-diff.js";
import { diffDocument, leftOutLines, missingSetsText } from "./document.js";
import { CHECK_MODES, type RulesDiff } from "./result.js";

const OPTIONS = {
  "--precedents <off>": ["compare with precedents and without, instead of two texts", { choices: ["off"] }],
  "--fail-on-new-indefensible <n>": ["exit 2 when more than n decisions become indefensible", { whole: [0] }],
  "--max-ai-increase <x>": [
    "exit 2 when ambiguity rises by more than this share (0.02 is 2 points); it also counts decisions that become settled the other way",
    { share: [-1, 1] },
  ],
  "--max-ai-pure-increase <x>": ["the same for AI_pure: decisions that can go either way", { share: [-1, 1] }],
  "--max-di-drop <x>": ["exit 2 when DI falls by more than this share", { share: [-1, 1] }],
  "--max-left-out <share>": [
    "exit 2 when more than this share of the decisions is left out, mostly for lack of a verdict under the old or the new text (default where another limit is given: 0.05)",
    { share: [0, 1] },
  ],
  "--judge <by>": [
    "hold changes against their limits by what was measured (point), or by its 95% interval: fail only what is surely beyond (sure), pass only what is surely within, also if every audit without a verdict had gone the worst way (safe)",
    { choices: CHECK_MODES },
    "point",
  ],
  "--junit <file>": ["write the checks as JUnit XML"],
  ...MIN_RULE,
  "--listed <n>": ["decisions listed in the JSON, of each kind", { whole: [0, 100_000] }, 200],
} as const satisfies SliceOptions;

type Options = OptionsOf<typeof OPTIONS> &
  Partial<Record<"run" | "audits" | "jsonFile" | "mdFile" | "html", string>> & {
    tier?: Tier;
    seed?: number;
    json?: boolean;
    md?: boolean;
    rows: number;
  };

/** `rules diff`. */
export const diff: ArmStudy<RulesDiff, Options> = {
  audits: "made",
  arguments: [
    ["[old]", "rules (.yaml, .json, .md, .txt, .html), a folder of rule sets, or precedents (.jsonl)"],
    ["[new]", "the same after the change; a single argument is compared with the workspace's own"],
  ],
  options: OPTIONS,
  examples: [
    "defensible rules diff new-rules.md --dry-run",
    "defensible rules diff old/rules new/rules --md=comment.md --fail-on-new-indefensible 0",
    "defensible rules diff precedents.jsonl more-precedents.jsonl --max-ai-increase 0.02",
    "defensible rules diff --precedents off",
    "defensible rules diff --run 20261115T101530Z-4f2a --judge safe --max-di-drop 0.01",
  ],
  async run({ context, from, selection, say }, options, first, second) {
    return runDiff({
      context,
      from,
      compared: comparison(first, second, options),
      tier: options.tier,
      selection: selection(options.seed ?? context?.config.seed ?? 0),
      limits: {
        newIndefensible: options.failOnNewIndefensible,
        aiIncrease: options.maxAiIncrease,
        aiPureIncrease: options.maxAiPureIncrease,
        diDrop: options.maxDiDrop,
        maxLeftOut: options.maxLeftOut,
        mode: options.judge,
      },
      minDecisions: options.minRule,
      listed: options.listed,
      found: (changes, left) => {
        for (const line of [...leftOutLines(left), missingSetsText(changes) ?? []].flat()) say(line);
      },
    });
  },
  document: diffDocument,
  after({ result, kept }, options, { files, say }) {
    const { results } = result.checks;
    if (options.junit !== undefined) {
      const cases = results.map(({ name, holds, text }) => ({ suite: "checks", name, failure: holds ? null : text }));
      files.write(options.junit, junitXml("defensible rules diff", cases));
      say(`Wrote ${printable(options.junit)}`);
    }
    const failed = results.filter((check) => !check.holds);
    if (failed.length === 0) return;
    throw new CheckFailedError(
      "diff_over_limit",
      `rules diff: ${failed.map(({ text }) => text).join("; ")}`,
      foundWhere(options, kept, result.effect !== null),
    );
  },
};

/** What the arguments compare; null: they say nothing, and audits that are there do. */
function comparison(
  first: string | undefined,
  second: string | undefined,
  { precedents, run, audits }: Options,
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
function foundWhere(options: Options, kept: string | null, audited: boolean): string {
  if (!audited) return "Nothing was audited, since no past decision could come out otherwise: look at the limits.";
  const { json, jsonFile, md, mdFile, html, listed } = options;
  const page = json || jsonFile || mdFile || html ? md && !json : true;
  const files = [jsonFile, mdFile, html, kept].filter((file) => file !== undefined && file !== null);
  const places = [
    ...(json ? ["in the JSON above"] : page ? ["above"] : []),
    ...files.map((file) => `in ${printable(file)}`),
  ];
  if (places.length === 0) return "Repeat it with --json or --md to see the decisions.";
  return `The decisions are listed ${places.join(" and ")}${listed === 0 ? ", once --listed is above 0" : ""}.`;
}
