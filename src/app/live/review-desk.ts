import { randomInt } from "node:crypto";
import type { Database } from "../../store/postgres/database.js";
import { claimItems, type ReviewItem } from "../../store/postgres/reviews.js";
import { addGoldItem, type GoldItem, seenBy } from "../../store/postgres/workbench.js";
import { drawGold } from "./reviewing.js";

export interface ClaimRequest {
  by: string;
  n: number;
  communities: readonly string[] | null;
  /** This item and no other. */
  item: number | null;
}

/** Share of claims that are known items, and where to take them from. */
export interface GoldSource {
  rate: number;
  items: () => Promise<readonly GoldItem[]>;
}

/**
 * Claims items for a person. Now and then an item whose answer is known takes the place of one of them. It looks like any other and is never given
 * to the same person twice. An empty queue gives no such item: it would be noticed.
 */
export async function claimCases(
  database: Database,
  workspace: string,
  { by, n, communities, item }: ClaimRequest,
  gold: GoldSource,
): Promise<(ReviewItem & { claim: string })[]> {
  const claimed = await claimItems(database, workspace, { by, n, communities, item });
  if (claimed.length === 0 || item !== null || gold.rate === 0) return claimed;
  const seen = await seenBy(database, workspace, by);
  const candidates = (await gold.items()).filter(
    (one) => !seen.has(one.decision_id) && (communities === null || communities.includes(one.community)),
  );
  const drawn = drawGold(candidates, gold.rate);
  const replaced = claimed[randomInt(claimed.length)]!;
  const known =
    drawn && (await database.transaction((queries) => addGoldItem(queries, workspace, by, drawn, replaced)));
  if (!known) return claimed;
  return [known, ...claimed.filter((one) => one !== replaced)].sort((a, b) => a.item_id - b.item_id);
}
