import { PLAIN_ARM, scopeArm, tierArm } from "../../audit/arms.js";
import type { Tier } from "../../core/records/rule-set.js";
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
import { buildScopes } from "./build-scopes.js";
import { buildTiers } from "./build-tiers.js";
import type { Scopes } from "./scopes/result.js";
import type { Tiers } from "./tiers/result.js";

export interface ArmsRequest {
  /** Null: audits of a file, of whose rules nothing is known. */
  context: Context | null;
  from: AuditsFrom;
  /** Decisions that a rule's figures need at least. */
  minDecisions: number;
}

/** What more text of the rules settles; null: there is nothing to analyse. */
export async function runTiers(request: ArmsRequest & { tiers: readonly Tier[] }): Promise<Kept<Tiers> | null> {
  const { context, from, tiers, minDecisions } = request;
  const place = await experimentAudits(context, from, { kind: "tiers", arms: tiers.map(tierArm) });
  if (!place) return null;
  const inputs = { source: armSource(place), tiers, rules: await rulesShown(context, place), minDecisions };
  return keepResult(place.manifest && context, await withArmTable(place, (table) => buildTiers(table, inputs)));
}

/** Whose rules leave decisions open: the platform's, the community's, or both together. */
export async function runScopes({ context, from, minDecisions }: ArmsRequest): Promise<Kept<Scopes> | null> {
  const arms = [PLAIN_ARM, scopeArm("platform"), scopeArm("community")];
  const place = await experimentAudits(context, from, { kind: "scopes", arms });
  if (!place) return null;
  const inputs = { source: armSource(place), rules: await rulesShown(context, place), minDecisions };
  return keepResult(place.manifest && context, await withArmTable(place, (table) => buildScopes(table, inputs)));
}
