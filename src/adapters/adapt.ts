import type { Decision } from "../core/records/decision.js";
import type { ReviewOutcome } from "../core/records/label.js";
import type { RuleSet } from "../core/records/rule-set.js";
import {
  type Adapted,
  type Adapter,
  type AdapterOptions,
  Collector,
  findKinds,
  type LeftOut,
  type Rejected,
  type ReviewItem,
  type Source,
} from "./adapter.js";
import { coop } from "./coop.js";
import { discourse } from "./discourse.js";
import { inspect } from "./inspect.js";
import { lemmy } from "./lemmy.js";
import { mastodon } from "./mastodon.js";
import { openaiModeration } from "./openai-moderation.js";
import { ozone } from "./ozone.js";
import { promptfoo } from "./promptfoo.js";
import { reddit } from "./reddit.js";
import { safeguard } from "./safeguard.js";

export const ADAPTERS: readonly Adapter[] = [
  ...[coop, ozone, reddit, mastodon, lemmy, discourse, safeguard, openaiModeration, promptfoo, inspect],
];

export const ADAPTER_NAMES: readonly string[] = ADAPTERS.map(({ name }) => name);

/** The records made from the objects of a system. */
export interface AdaptedInput {
  decisions: { record: Decision; source: Source }[];
  rule_sets: { record: RuleSet; source: Source }[];
  outcomes: { record: ReviewOutcome; source: Source }[];
  review_items: { record: ReviewItem; source: Source }[];
  /** Objects that should be records but are invalid. */
  rejected: Rejected[];
  /** Everything else that is missing from the result. */
  left_out: LeftOut[];
  /** Files without any object of a known kind. */
  unknown_files: string[];
}

/** Converts the objects of a system into records. Everything omitted is listed in `rejected` or `left_out`. */
export function adaptSources(adapter: Adapter, sources: readonly Source[], options: AdapterOptions): AdaptedInput {
  const { found, rest, knownFiles } = findKinds(adapter, sources);
  const none: Adapted<never> = { records: [], rejected: [], left_out: [] };
  const decisions = adapter.toDecisions?.(found, options) ?? none;
  const ruleSets = adapter.toRuleSets?.(found, options) ?? none;
  const outcomes = adapter.toOutcomes?.(found, options) ?? none;
  const items = adapter.toReviewItems?.(found, options) ?? none;
  const taken = new Set(decisions.records.map(({ record }) => record.id));
  const orphans = new Collector<never>();
  for (const { record, source } of outcomes.records)
    if (!taken.has(record.decision_id)) orphans.leave("no_decision", record.outcome, source);
  const all = [rest, decisions, ruleSets, outcomes, items, orphans.result()];
  return {
    decisions: decisions.records,
    rule_sets: ruleSets.records,
    outcomes: outcomes.records.filter(({ record }) => taken.has(record.decision_id)),
    review_items: items.records,
    rejected: all.flatMap(({ rejected }) => rejected),
    left_out: all.flatMap(({ left_out }) => left_out),
    unknown_files: [...new Set(sources.map(({ file }) => file))].filter((file) => !knownFiles.has(file)),
  };
}
