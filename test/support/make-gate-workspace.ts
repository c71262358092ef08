import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Audit } from "../../src/core/records/audit.js";
import type { Decision } from "../../src/core/records/decision.js";
import type { Manifest } from "../../src/core/records/manifest.js";
import { fileStores } from "../../src/store/files/stores.js";
import { createWorkspace, openWorkspace } from "../../src/store/files/workspace.js";
import { makeAudit, makeManifest } from "./make-audit.js";

/** Verdicts of one community: how many, and how many of them are indefensible, or open both ways. */
export interface Fleet {
  [community: string]: { n: number; bad?: number; open?: number; from?: string };
}

let ids = 0;

/** Audits of a fleet, one a minute; the indefensible ones are spread evenly. */
export function fleetAudits(fleet: Fleet, changes: Partial<Audit> = {}): Audit[] {
  return Object.entries(fleet).flatMap(([community, { n, bad = 0, open = 0, from = "2026-01-01T00:00:00.000Z" }]) =>
    Array.from({ length: n }, (_, i) => {
      const isBad = Math.floor(((i + 1) * bad) / n) > Math.floor((i * bad) / n);
      const isOpen = !isBad && i < open + (isBad ? 1 : 0);
      const level = isBad ? 3 : isOpen ? 2 : 1;
      const score = isBad ? 0.05 + 0.1 * (i % 3) : 0.9 + 0.001 * (i % 90);
      return makeAudit({
        decision_id: `d${ids++}`,
        community,
        decision: i % 2 ? "remove" : "approve",
        level,
        inverse: isBad || isOpen,
        level_map: level,
        p_defensible: score,
        level_probs: [score * 0.8, score * 0.2, 1 - score],
        decided_at: new Date(Date.parse(from) + 60_000 * i).toISOString(),
        ...changes,
      });
    }),
  );
}

export function newWorkspace(folder: string): string {
  return createWorkspace(join(folder, `ws${ids++}`)).root;
}

/** A finished run of a workspace. */
export async function addRun(
  root: string,
  audits: readonly Audit[],
  changes: Partial<Manifest> & { run_id: string },
  seal = true,
): Promise<void> {
  const ledger = fileStores(openWorkspace(root)).runs;
  const writer = await ledger.create(
    makeManifest({ created_at: `2026-01-01T00:00:00.${changes.run_id}Z`, ...changes }),
  );
  await writer.append(audits.map((audit) => ({ ...audit, run_id: changes.run_id })));
  if (seal) await writer.seal("2026-01-02T00:00:00.000Z");
  await writer.close();
}

export function addDecisions(root: string, decisions: readonly Decision[]): void {
  appendFileSync(join(root, "decisions.jsonl"), decisions.map((one) => `${JSON.stringify(one)}\n`).join(""));
}
