import type { PageDecision, PageRuleSet } from "../../../src/measures/report-page.js";
import { api } from "../api.ts";

export interface Item {
  item_id: number;
  decision_id: string;
  community: string;
  reasons: string[];
  created_at: string;
  state: string;
  claim: string | null;
  claim_by: string | null;
  claim_seconds: number | null;
}

/** The reason to show for a case, an appeal before others; null: it must stay unknown. */
export function mainReason({ reasons }: Pick<Item, "reasons">): string | null {
  return reasons.includes("appeal") ? "appeal" : (reasons[0] ?? null);
}

export interface CaseData {
  item: Item;
  audited: boolean;
  decision: PageDecision;
  rule_sets: PageRuleSet[];
}

export interface OwnReview {
  review_id: number;
  item_id: number;
  decision_id: string;
  outcome: "uphold" | "overturn";
  level: 1 | 2 | 3 | null;
  inverse: string | null;
  note: string | null;
  rule_ids: string[];
  saw_audit: boolean;
  at: string;
  replaces: number | null;
}

/** Claims a case or the next one; null: another reviewer has it, or nothing waits. */
export async function claim(item_id?: number): Promise<Item | null> {
  const { body } = await api.post<{ items: Item[] }>("/v1/queue/claim", item_id === undefined ? {} : { item_id });
  return body.items[0] ?? null;
}

export function openCase(item: Pick<Item, "item_id"> | null): void {
  window.location.hash = item ? `#/case/${item.item_id}` : "#/case";
}

/** Own answers that were not replaced. */
export function standing(reviews: readonly OwnReview[]): OwnReview[] {
  const replaced = new Set(reviews.map(({ replaces }) => replaces));
  return reviews.filter(({ review_id }) => !replaced.has(review_id));
}

export interface Draft {
  outcome: "uphold" | "overturn" | null;
  level: 1 | 2 | 3 | null;
  inverse: boolean | null;
  rule_ids: string[];
  note: string;
  /** The reviewer chose the outcome, so a level no longer sets it. */
  own_outcome: boolean;
}

export const EMPTY: Draft = {
  ...{ outcome: null, level: null, inverse: null },
  ...{ rule_ids: [], note: "", own_outcome: false },
};

const usualOutcome = (level: Draft["level"]) => (level === 3 ? "overturn" : "uphold");

/** A level also sets the outcome, unless the reviewer chose it. */
export function withLevel({ outcome, own_outcome }: Draft, level: 1 | 2 | 3): Partial<Draft> {
  return { level, outcome: own_outcome ? outcome : usualOutcome(level) };
}

export function draftOf({ outcome, level, inverse, rule_ids, note }: OwnReview): Draft {
  const answer = { outcome, level, inverse: inverse === null ? null : inverse === "true", rule_ids, note: note ?? "" };
  return { ...answer, own_outcome: level === null || outcome !== usualOutcome(level) };
}

/** An answer in the server's format. The server itself knows whether it has shown the audit. */
export function answerBody(draft: Draft, sawAudit: boolean) {
  return {
    outcome: draft.outcome!,
    ...(draft.level === null ? {} : { level: draft.level }),
    ...(draft.inverse === null ? {} : { inverse: draft.inverse }),
    rule_ids: draft.rule_ids,
    ...(draft.note.trim() === "" ? {} : { note: draft.note.trim() }),
    saw_audit: sawAudit,
  };
}

/** Contradictory choices in words; null: no contradiction. */
export function contradictionIn({ outcome, level }: Draft): string | null {
  if (outcome !== "uphold" || level !== 3) return null;
  return "“No rule supports it” and “Upheld” contradict each other. Choose another level, or overturn the decision.";
}

/** Why an answer cannot be sent yet; null: it can. */
export function missingIn(draft: Draft, seen: boolean, maySkip: boolean): string | null {
  const { outcome, level, rule_ids, note } = draft;
  if (!seen) {
    const instead = maySkip ? ", or skip the case (S)" : "";
    return `The content is still blurred. Hold the space bar or “Hold to reveal” to read it${instead}.`;
  }
  if (level === null) return "Choose how far the rules support the decision.";
  if (outcome === null) return "Choose whether the decision is upheld.";
  if (outcome === "overturn" && level !== 3 && rule_ids.length === 0 && note.trim() === "") {
    return "Name the rule that speaks against it, or write a note.";
  }
  return contradictionIn(draft);
}

/** Kept as long as the tab, without content. */
const KEY = (item: number) => `defensible-draft-${item}`;

export function keptDraft(item: number): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(sessionStorage.getItem(KEY(item)) ?? "{}") as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
}

export function keepDraft(item: number, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(KEY(item));
    else sessionStorage.setItem(KEY(item), JSON.stringify(draft));
  } catch {
    // Without storage the draft lasts as long as the view.
  }
}
