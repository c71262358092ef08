import { isJson } from "../../core/is-json.js";
import type { ReviewOutcome } from "../../core/records/outcome.js";
import type { RouteRecord } from "../../core/records/route.js";
import type { RealisedRisk } from "../../core/results/realised-risk.js";
import { fingerprint, HashTable } from "../../io/hash-table.js";
import type { RouteStore } from "../../store/ports.js";

/** What the log of routes and the outcomes of reviews say together. */
export interface ReviewLog {
  /** Routes that the random draw sent to review: the first routing of each decision that would have been automated. */
  drawn: Map<string, RouteRecord & { review_share: number }>;
  /** Decisions that would have been automated, at a known share above 0: those that could be drawn. */
  frame: number;
  shares: Set<number>;
  leftOut: RealisedRisk["left_out"];
  /** By decision. */
  outcomes: Map<string, ReviewOutcome[]>;
  /** Decisions with outcomes that are in the log. */
  routed: Set<string>;
}

const DECISION_ID = /"decision_id":("(?:[^"\\]|\\.)*")/;
const SHARE = /"review_share":([\d.eE+-]+)/;

/** null: nothing was drawn and there are no outcomes. */
export async function readReviewLog(routes: RouteStore): Promise<ReviewLog | null> {
  const log: ReviewLog = {
    drawn: new Map(),
    frame: 0,
    shares: new Set(),
    leftOut: { share_unknown: 0, share_zero: 0, shadow: 0, repeated: 0 },
    outcomes: await outcomesByDecision(routes),
    routed: new Set(),
  };
  await readRouteLines(routes, log);
  return log.drawn.size === 0 && log.outcomes.size === 0 ? null : log;
}

async function outcomesByDecision(routes: RouteStore): Promise<ReviewLog["outcomes"]> {
  const outcomes: ReviewLog["outcomes"] = new Map();
  for await (const batch of routes.outcomes()) {
    for (const outcome of batch) {
      const there = outcomes.get(outcome.decision_id);
      if (there) there.push(outcome);
      else outcomes.set(outcome.decision_id, [outcome]);
    }
  }
  return outcomes;
}

/** Only lines that were drawn are parsed: of millions of others an id and two marks are enough. In JSON a mark cannot stand inside a text. */
async function readRouteLines(routes: RouteStore, log: ReviewLog): Promise<void> {
  const seen = new HashTable();
  let place = 0;
  for await (const lines of routes.lines()) {
    for (const text of lines) {
      // What a crash left of a line is passed over.
      const id = text.endsWith("}") ? DECISION_ID.exec(text)?.[1] : undefined;
      if (id === undefined) continue;
      const decision = JSON.parse(id) as string;
      if (log.outcomes.has(decision)) log.routed.add(decision);
      const share = SHARE.exec(text)?.[1];
      const old = share === undefined;
      if (old && !isJson(text)) continue;
      const sampled = text.includes('"sampled":true');
      const would = old ? sampled || text.includes('"route":"automate"') : text.includes('"would_automate":true');
      if (!would) continue;
      if (text.includes('"shadow":true')) log.leftOut.shadow += 1;
      else if (seen.put(fingerprint(decision), [0, place++])) log.leftOut.repeated += 1;
      else if (old) log.leftOut.share_unknown += 1;
      else if (!(Number(share) > 0)) log.leftOut.share_zero += 1;
      else {
        log.frame += 1;
        log.shares.add(Number(share));
        if (sampled) log.drawn.set(decision, JSON.parse(text) as RouteRecord & { review_share: number });
      }
    }
  }
}
