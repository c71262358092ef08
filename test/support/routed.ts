import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DAY = 86_400_000;

/**
 * A log of routes with everything in it that the realised risk has to tell apart (two shares, threads, repeated, shadow and old lines), and outcomes of
 * the reviews: some pending, some without a level, some by reviewers who saw the audit, and appeals. Returns the file of outcomes.
 */
export function writeRoutesAndOutcomes(workspace: string, now = Date.now()): string {
  const routes: object[] = [];
  const outcomes: object[] = [];
  for (let i = 0; i < 400; i += 1) {
    const at = new Date(now - (40 - i / 10) * DAY).toISOString();
    const line = {
      at,
      decision_id: `routed-${i}`,
      route: i % 2 ? "review" : "automate",
      community: `c${i % 3}`,
      decision: i % 5 ? "approve" : "remove",
      would_automate: i % 11 !== 0,
      review_share: i < 200 ? 0.02 : 0.1,
      ...(i % 2 ? { sampled: true } : {}),
      ...(i % 4 === 1 ? { thread_id: `t${Math.floor(i / 12)}` } : {}),
      ...(i % 7 ? { language: i % 3 ? "en" : "de" } : {}),
    };
    const { would_automate: _, review_share: __, ...old } = line;
    routes.push(i % 50 === 3 ? old : i % 50 === 5 ? { ...line, shadow: true } : line);
    if (i % 40 === 7) routes.push({ ...line, at, review_share: 0.5 });
    if (i % 2 === 0 || i % 23 === 0) continue;
    const bad = i % 17 === 0;
    const outcome = { decision_id: line.decision_id, outcome: bad ? "overturn" : "uphold", at, reviewer: `r${i % 4}` };
    outcomes.push({
      ...outcome,
      ...(i % 19 ? { level: bad ? 3 : 1 + (i % 2) } : {}),
      ...(i % 9 === 0 ? { saw_audit: true } : {}),
    });
    if (i % 15 === 0) outcomes.push({ ...outcome, reviewer: "second", outcome: "overturn", level: 3 });
    if (i % 31 === 0) outcomes.push({ ...outcome, source: "appeal", outcome: "overturn", level: 3 });
  }
  outcomes.push({ decision_id: "unknown", outcome: "uphold", level: 1, at: new Date(now).toISOString() });
  mkdirSync(join(workspace, "gate"), { recursive: true });
  const log = join(workspace, "gate", "routes.jsonl");
  writeFileSync(log, "");
  for (const line of routes) appendFileSync(log, `${JSON.stringify(line)}\n`);
  const file = join(workspace, "reviews.jsonl");
  writeFileSync(file, outcomes.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return file;
}
