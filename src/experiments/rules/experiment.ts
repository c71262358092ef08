import { PLAIN_ARM, scopeArm, tierArm } from "../../audit/arms.js";
import { readTiers, TIERS, type Tier } from "../../core/records/rule-set.js";
import type { Context } from "../../store/context.js";
import {
  type AuditsFrom,
  armSource,
  experimentAudits,
  type Kept,
  keepResult,
  rulesShown,
  withArmTable,
} from "../audits.js";
import type { ArmStudy, SliceOption } from "../slice.js";
import { keepStep, type Step } from "../study/run/step.js";
import { buildScopes } from "./build-scopes.js";
import { buildTiers } from "./build-tiers.js";
import { scopesDocument } from "./document/scopes-document.js";
import { tiersDocument } from "./document/tiers-document.js";
import type { Scopes } from "./scopes/result.js";
import type { Tiers } from "./tiers/result.js";

interface RuleOptions {
  minRule: number;
  rows: number;
}

/** Decisions that the figures of a rule need. */
const MIN_DECISIONS = 10;

const MIN_RULE: SliceOption = {
  flag: "--min-rule <n>",
  does: "decisions that a rule's figures need at least",
  is: { whole: [1] },
  default: MIN_DECISIONS,
};

interface TierOptions extends RuleOptions {
  tiers: Tier[];
  citedUnder: "finest" | "coarsest";
}

/** `rules tiers`. */
export const tiers: ArmStudy<Tiers, TierOptions> = {
  audits: "made",
  sets: { flag: "tier", instead: "Choose tiers with --tiers." },
  options: [
    { flag: "--tiers <list>", does: "tiers to compare, coarsest first", is: readTiers, default: [...TIERS] },
    {
      flag: "--cited-under <text>",
      does: "show rules by what is cited under the finest or the coarsest text",
      choices: ["finest", "coarsest"],
      default: "finest",
    },
    MIN_RULE,
  ],
  examples: [
    "defensible rules tiers",
    "defensible rules tiers --communities ask-anything --auditor openai:gpt-4.1-mini --dry-run",
    "defensible rules tiers --run 20261115T101530Z-4f2a --md=tiers.md --figure-data figures",
    "defensible rules tiers --audits audits.parquet --json",
  ],
  run: ({ context, from }, { tiers: asked, minRule: minDecisions }) =>
    runTiers({ context, from, tiers: asked, minDecisions }),
  document: (result, { rows, citedUnder }) => tiersDocument(result, { rows, citedUnder }),
};

export const tiersStep: Step = {
  name: "tiers",
  title: "rule text",
  needs: () => ["tiers"],
  async run(context) {
    const place = await context.runs.get("tiers");
    const rules = await rulesShown(context.runs.context, place);
    const inputs = { source: armSource(place), tiers: TIERS, rules, minDecisions: MIN_DECISIONS };
    context.results.tiers = await keepStep(context, await withArmTable(place, (table) => buildTiers(table, inputs)));
  },
};

/** `rules scopes`. */
export const scopes: ArmStudy<Scopes, RuleOptions> = {
  audits: "made",
  options: [MIN_RULE],
  examples: [
    "defensible rules scopes",
    "defensible rules scopes --sample 500 --seed 7 --auditor openai:gpt-4.1-mini --max-cost 5",
    "defensible rules scopes --run 20261115T101530Z-4f2a --json",
    "defensible rules scopes --audits audits.csv --md",
  ],
  run: ({ context, from }, { minRule: minDecisions }) => runScopes({ context, from, minDecisions }),
  document: (result, { rows }) => scopesDocument(result, { rows }),
};

export const scopesStep: Step = {
  name: "scopes",
  title: "whose rules leave it open",
  needs: () => ["scopes"],
  async run(context) {
    const place = await context.runs.get("scopes");
    const rules = await rulesShown(context.runs.context, place);
    const inputs = { source: armSource(place), rules, minDecisions: MIN_DECISIONS };
    context.results.scopes = await keepStep(context, await withArmTable(place, (table) => buildScopes(table, inputs)));
  },
};

interface ArmsRequest {
  /** Null: audits of a file, of whose rules nothing is known. */
  context: Context | null;
  from: AuditsFrom;
  /** Decisions that a rule's figures need at least. */
  minDecisions: number;
}

/** What more text of the rules settles; null: there is nothing to analyse. */
async function runTiers(request: ArmsRequest & { tiers: readonly Tier[] }): Promise<Kept<Tiers> | null> {
  const { context, from, tiers, minDecisions } = request;
  const place = await experimentAudits(context, from, { kind: "tiers", arms: tiers.map(tierArm) });
  if (!place) return null;
  const inputs = { source: armSource(place), tiers, rules: await rulesShown(context, place), minDecisions };
  return keepResult(place.manifest && context, await withArmTable(place, (table) => buildTiers(table, inputs)));
}

/** Whose rules leave decisions open: the platform's, the community's, or both together. */
async function runScopes({ context, from, minDecisions }: ArmsRequest): Promise<Kept<Scopes> | null> {
  const arms = [PLAIN_ARM, scopeArm("platform"), scopeArm("community")];
  const place = await experimentAudits(context, from, { kind: "scopes", arms });
  if (!place) return null;
  const inputs = { source: armSource(place), rules: await rulesShown(context, place), minDecisions };
  return keepResult(place.manifest && context, await withArmTable(place, (table) => buildScopes(table, inputs)));
}
