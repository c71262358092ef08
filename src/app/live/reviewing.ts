import { randomInt } from "node:crypto";
import type { ReviewOutcome } from "../../core/records/label.js";
import type { Level } from "../../core/records/level.js";
import { groupBy } from "../../core/text-checks.js";
import type { Queue } from "../../queue/queue.js";
import { wilsonInterval } from "../../stats/intervals/proportion.js";
import type { Database, Queries } from "../../store/postgres/database.js";
import type { PostgresRecords } from "../../store/postgres/records.js";
import { addGoldItems, type GoldItem, takeUnmixed, withdrawGoldItems } from "../../store/postgres/workbench.js";

/** Review settings of a workspace. */
export interface ReviewSettings {
  /** Share of items with a known answer; reviewers cannot tell which they are. */
  gold_rate: number;
  /** Minutes after which a reviewer is reminded to take a break; 0: never. */
  break_minutes: number;
}

export const REVIEW_DEFAULTS: ReviewSettings = { gold_rate: 0.05, break_minutes: 50 };

/** Settings that reviewers choose for themselves. */
export interface PersonalSettings {
  /** Content is blurred until it is held or shown. */
  blur: boolean;
  greyscale: boolean;
  /** null: the workspace's setting. */
  break_minutes: number | null;
}

export const PERSONAL_DEFAULTS: PersonalSettings = { blur: true, greyscale: true, break_minutes: null };

export interface Answer {
  reviewer: string;
  decision_id: string;
  outcome: string;
  level: Level | null;
  /** Level of a known item; null: the answer is not known. */
  gold_level: Level | null;
}

/** A share with its 95% interval; `share` is null if nothing was compared. */
export interface Share {
  k: number;
  n: number;
  share: number | null;
  lower: number | null;
  upper: number | null;
}

export interface ReviewerAgreement {
  reviewer: string;
  reviews: number;
  overturned: number;
  /** Known items on which the reviewer upheld a supported decision or overturned an unsupported one. */
  gold: Share;
  /** Known items for which the reviewer gave the same level. */
  gold_level: Share;
  /** Pairs with another reviewer of the same decision that have the same outcome. */
  peers: Share;
}

function shareOf(k: number, n: number): Share {
  if (n === 0) return { k, n, share: null, lower: null, upper: null };
  return { k, n, share: k / n, ...wilsonInterval(k, n) };
}

const isSupported = (level: Level) => level !== 3;

/** How far each reviewer agrees with known answers and with other reviewers, sorted by name. Speed is not measured. */
export function agreementByReviewer(answers: readonly Answer[]): ReviewerAgreement[] {
  const byDecision = groupBy(
    answers.filter(({ gold_level }) => gold_level === null),
    ({ decision_id }) => decision_id,
  );
  const names = [...new Set(answers.map(({ reviewer }) => reviewer))].sort();
  return names.map((reviewer) => {
    const own = answers.filter((answer) => answer.reviewer === reviewer);
    const real = own.filter(({ gold_level }) => gold_level === null);
    const known = own.flatMap((answer) => (answer.gold_level === null ? [] : [{ ...answer, gold: answer.gold_level }]));
    const levelled = known.filter(({ level }) => level !== null);
    const pairs = real.flatMap((answer) =>
      byDecision
        .get(answer.decision_id)!
        .filter((other) => other.reviewer !== reviewer)
        .map((other) => other.outcome === answer.outcome),
    );
    return {
      reviewer,
      reviews: real.length,
      overturned: real.filter(({ outcome }) => outcome === "overturn").length,
      gold: shareOf(
        known.filter(({ outcome, gold }) => (outcome === "uphold") === isSupported(gold)).length,
        known.length,
      ),
      gold_level: shareOf(levelled.filter(({ level, gold }) => level === gold).length, levelled.length),
      peers: shareOf(pairs.filter(Boolean).length, pairs.length),
    };
  });
}

/** Share of known items, and where to take them from. */
export interface GoldSource {
  rate: number;
  items: () => Promise<readonly GoldItem[]>;
}

/**
 * Draws known items for the items added to the queue. Called before the queue is shown or an item is assigned, so that a known item is listed,
 * counted and claimed like any other. An empty queue gets none, because a known item would be noticed.
 */
export async function mixGold(database: Database, workspace: string, { rate, items }: GoldSource): Promise<void> {
  await withdrawGoldItems(database, workspace);
  if (rate === 0) return;
  await database.transaction(async (queries) => {
    const unmixed = await takeUnmixed(queries, workspace);
    // With this many per ordinary item, known items have the given share of all.
    const drawn = unmixed.filter(() => randomInt(1_000_000) < (rate / (1 - rate)) * 1_000_000);
    if (drawn.length === 0) return;
    const known = shuffled(await items());
    const added = drawn.slice(0, known.length).map((before, i) => ({ ...known[i]!, before }));
    if (added.length > 0) await addGoldItems(queries, workspace, added);
  });
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, at: randomInt(2 ** 47) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** A reviewer's answer. */
export interface Judgement {
  outcome: "uphold" | "overturn";
  level?: 1 | 2 | 3 | undefined;
  inverse?: boolean | undefined;
  saw_audit: boolean;
}

/** Stores the result of a review or an appeal as an outcome, in the caller's transaction. A job makes its label. */
export async function keepOutcome(
  queries: Queries,
  workspace: string,
  { outcomes, queue }: { outcomes: PostgresRecords<ReviewOutcome>; queue: Queue },
  { outcome, level, inverse, saw_audit }: Judgement,
  about: { decision_id: string; reviewer: string; at: string; source: "review" | "appeal" },
): Promise<void> {
  const kept: ReviewOutcome = {
    decision_id: about.decision_id,
    outcome,
    ...(level === undefined ? {} : { level }),
    ...(inverse === undefined ? {} : { inverse }),
    reviewer: about.reviewer,
    saw_audit,
    at: about.at,
    source: about.source,
  };
  await outcomes.insert([outcomes.rowOf(outcomes.canonical(kept))], queries);
  await queue.add([{ task: "labels", payload: { workspace }, key: `labels ${workspace}`, delay: 5 }], queries);
}
