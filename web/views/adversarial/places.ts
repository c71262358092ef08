import type { AttackResult, AttackTarget } from "../../../src/experiments/attack/result.js";

/** Where the share that a layer noticed of a kind of attack stands; null where it is not there. */
export function detectedAt({ detection }: AttackResult, at: string, target: AttackTarget, kind: string, layer: string) {
  const place = detection.findIndex((row) => row.target === target && row.kind === kind && row.layer === layer);
  return place < 0 ? null : `${at}/detection/${place}/detected`;
}

/** Where the share of clean cases that a layer flagged stands. */
export function flaggedAt({ false_positives }: AttackResult, at: string, layer: string, decision = "all") {
  const place = false_positives.findIndex((row) => row.layer === layer && row.decision === decision);
  return place < 0 ? null : `${at}/false_positives/${place}/flagged`;
}
