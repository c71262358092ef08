import type { AuditsPlace } from "../../app/find-audits.js";
import { hashList, PLAIN_ARM, scopeArm, tierArm } from "../../audit/arms.js";
import { CheckFailedError, InputError } from "../../core/errors.js";
import { readTiers, TIERS, type Tier } from "../../core/records/rule-set.js";
import { junitXml } from "../../present/document/render.js";
import type { Context } from "../../store/context.js";
import { printable } from "../../text/printable.js";
import { armSource, experimentAudits, keepResult, withArmTable } from "../audits.js";
import type { ArmStudy, OptionsOf, SliceOptions } from "../slice.js";
import type { Step } from "../study/run/step.js";
import { buildScopes } from "./build-scopes.js";
import { buildTiers, type RulesShown } from "./build-tiers.js";
import { diffDocument, leftOutLines, missingSetsText } from "./diff/document.js";
import { CHECK_MODES, type RulesDiff } from "./diff/result.js";
import { type DiffComparison, runDiff } from "./run-diff.js";
import { scopesDocument } from "./scopes/document.js";
import type { Scopes } from "./scopes/result.js";
import { tiersDocument } from "./tiers/document.js";
import type { Tiers } from "./tiers/result.js";

/** Fewest decisions for the figures of a rule. */
const MIN_DECISIONS = 10;

const MIN_RULE = {
  "--min-rule <n>": ["decisions that a rule's figures need at least", { whole: [1] }, MIN_DECISIONS],
} as const satisfies SliceOptions;

type RuleOptions = OptionsOf<typeof MIN_RULE> & { rows: number };

const TIER_OPTIONS = {
  "--tiers <list>": ["tiers to compare, coarsest first", readTiers, [...TIERS]],
  "--cited-under <text>": [
    "show rules by what is cited under the finest or the coarsest text",
    { choices: ["finest", "coarsest"] },
    "finest",
  ],
  ...MIN_RULE,
} as const satisfies SliceOptions;

export const tiers: ArmStudy<Tiers, RuleOptions & OptionsOf<typeof TIER_OPTIONS>> = {
  audits: "made",
  sets: { flag: "tier", instead: "Choose tiers with --tiers." },
  options: TIER_OPTIONS,
  examples: [
    "defensible rules tiers",
    "defensible rules tiers --communities ask-anything --auditor openai:gpt-4.1-mini --dry-run",
    "defensible rules tiers --run 20261115T101530Z-4f2a --md=tiers.md --figure-data figures",
    "defensible rules tiers --audits audits.parquet --json",
  ],
  async run({ context, from }, { tiers: asked, minRule }) {
    const place = await experimentAudits(context, from, { kind: "tiers", arms: asked.map(tierArm) });
    return place && keepResult(place.manifest && context, await tiersOf(context, place, asked, minRule));
  },
  document: (result, { rows, citedUnder }) => tiersDocument(result, { rows, citedUnder }),
};

export const tiersStep: Step = {
  name: "tiers",
  title: "rule text",
  needs: () => ["tiers"],
  run: async ({ runs }) => tiersOf(runs.context, await runs.get("tiers"), TIERS, MIN_DECISIONS),
};

export const scopes: ArmStudy<Scopes, RuleOptions> = {
  audits: "made",
  options: {
    ...MIN_RULE,
  },
  examples: [
    "defensible rules scopes",
    "defensible rules scopes --sample 500 --seed 7 --auditor openai:gpt-4.1-mini --max-cost 5",
    "defensible rules scopes --run 20261115T101530Z-4f2a --json",
    "defensible rules scopes --audits audits.csv --md",
  ],
  async run({ context, from }, { minRule }) {
    const arms = [PLAIN_ARM, scopeArm("platform"), scopeArm("community")];
    const place = await experimentAudits(context, from, { kind: "scopes", arms });
    return place && keepResult(place.manifest && context, await scopesOf(context, place, minRule));
  },
  document: (result, { rows }) => scopesDocument(result, { rows }),
};

export const scopesStep: Step = {
  name: "scopes",
  title: "whose rules leave it open",
  needs: () => ["scopes"],
  run: async ({ runs }) => scopesOf(runs.context, await runs.get("scopes"), MIN_DECISIONS),
};

/** What more text of the rules settles. Without a context the rules are unknown. */
async function tiersOf(
  context: Context | null,
  place: AuditsPlace,
  of: readonly Tier[],
  minDecisions: number,
): Promise<Tiers> {
  const inputs = { source: armSource(place), tiers: of, rules: await rulesShown(context, place), minDecisions };
  return withArmTable(place, (table) => buildTiers(table, inputs));
}

/** Whose rules leave decisions open: the platform's, the community's, or both together. */
async function scopesOf(context: Context | null, place: AuditsPlace, minDecisions: number): Promise<Scopes> {
  const inputs = { source: armSource(place), rules: await rulesShown(context, place), minDecisions };
  return withArmTable(place, (table) => buildScopes(table, inputs));
}

/** The rules that the auditor was shown, if the kept rules are still the same. */
async function rulesShown(context: Context | null, { manifest }: AuditsPlace): Promise<RulesShown> {
  if (!context) return { reason: "an audits file does not hold the rules; --workspace DIR says where they are" };
  const sets = (await context.records.rules()).map(({ set }) => set);
  if (manifest && manifest.hashes.rules !== hashList(sets)) {
    return { reason: "the rules of the workspace are no longer those of the run" };
  }
  return { sets };
}

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

/** What the arguments compare; null: the existing audits determine it. */
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

/** Where to read the decisions behind a failure; names only what was really printed or written. */
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
