import type { AuditsPlace } from "../../app/find-audits.js";
import { hashList, PLAIN_ARM, scopeArm, tierArm } from "../../audit/arms.js";
import { readTiers, TIERS, type Tier } from "../../core/records/rule-set.js";
import type { Context } from "../../store/context.js";
import { armSource, experimentAudits, keepResult, withArmTable } from "../audits.js";
import type { ArmStudy, OptionsOf, SliceOptions } from "../slice.js";
import type { Step } from "../study/run/step.js";
import { buildScopes } from "./build-scopes.js";
import { buildTiers, type RulesShown } from "./build-tiers.js";
import { scopesDocument } from "./scopes/document.js";
import type { Scopes } from "./scopes/result.js";
import { tiersDocument } from "./tiers/document.js";
import type { Tiers } from "./tiers/result.js";

/** Decisions that the figures of a rule need. */
const MIN_DECISIONS = 10;

export const MIN_RULE = {
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

/** `rules tiers`. */
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

/** `rules scopes`. */
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

/** What more text of the rules settles. Without a context nothing is known of the rules. */
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

/** The rules that the auditor was shown, if they are still those that are kept. */
async function rulesShown(context: Context | null, { manifest }: AuditsPlace): Promise<RulesShown> {
  if (!context) return { reason: "an audits file does not hold the rules; --workspace DIR says where they are" };
  const sets = (await context.records.rules()).map(({ set }) => set);
  if (manifest && manifest.hashes.rules !== hashList(sets)) {
    return { reason: "the rules of the workspace are no longer those of the run" };
  }
  return { sets };
}
