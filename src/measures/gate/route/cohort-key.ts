import type { GateKey } from "../../../core/gate.js";

/** What a gate may divide decisions by. */
export interface CohortFields {
  community?: string | null;
  decision?: string | null;
  language?: string | null;
  citation?: { scope: string | null; rule_id: string | null } | null;
}

const JOINED_BY = " × ";

/**
 * Name of the cohort a decision belongs to. One key is taken as it is, so that a community keeps its name; in several, a × inside a part is
 * doubled, so that no name can pretend to be two.
 * @example cohortKey(["community", "decision"], { community: "plants", decision: "remove" }) // => "plants × remove"
 */
export function cohortKey(by: readonly GateKey[], fields: CohortFields): string {
  return joinKey(by.map((key) => part(key, by, fields)));
}

/** The name of a cohort from its parts. */
export function joinKey(parts: readonly string[]): string {
  if (parts.length === 1) return parts[0]!;
  return parts.map((text) => text.replaceAll("×", "××")).join(JOINED_BY);
}

/** The parts of a cohort's name, one for each key; null where it is the name of a cohort by other keys. */
export function splitKey(by: readonly GateKey[], key: string): string[] | null {
  if (by.length === 1) return [key];
  // In a part every × is doubled, so that a single one is a joint.
  const parts = key.split(JOINED_BY).map((text) => text.replaceAll("××", "×"));
  return parts.length === by.length ? parts : null;
}

function part(key: GateKey, by: readonly GateKey[], fields: CohortFields): string {
  if (key === "rule") return rulePart(by, fields);
  return fields[key] ?? "unknown";
}

/** A community's rule ids are its own, so they carry its name unless the key says it already. */
function rulePart(by: readonly GateKey[], { community, citation }: CohortFields): string {
  const ruleId = citation?.rule_id ?? null;
  if (ruleId === null || citation?.scope === "none" || citation?.scope === "precedent") return "no rule";
  if (citation?.scope === "platform") return `platform ${ruleId}`;
  return by.includes("community") ? ruleId : `${community ?? "unknown"} ${ruleId}`;
}

/** The community that a cohort's name begins with; null where the gate does not divide by community. */
export function communityInKey(by: readonly GateKey[], key: string): string | null {
  if (by[0] !== "community") return null;
  if (by.length === 1) return key;
  // In a name every × is doubled, so that the first single one is the joint.
  const joint = key.indexOf(JOINED_BY);
  return (joint < 0 ? key : key.slice(0, joint)).replaceAll("××", "×");
}
