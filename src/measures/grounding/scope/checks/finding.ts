import type { RuleReading } from "../read-frame.js";
import type { ScopeCase } from "../scope-case.js";

/** What a check found. `degree` says how plainly it failed, 0 … 1; it is 0 where it did not. */
export interface Finding {
  passed: boolean | null;
  degree: number;
  note: string;
}

/** One question about the step from citation to verdict, answered from the case alone. */
export type Check = (scope: ScopeCase) => Finding;

/** From this nearness on a content counts as meeting a text; from this one on it does so plainly. */
export const MET = 0.3;
export const PLAINLY = 1.5;

export const pass = (note: string): Finding => ({ passed: true, degree: 0, note });
export const fail = (note: string, degree = 1): Finding => ({
  passed: false,
  degree: Math.min(1, Math.max(0, degree)),
  note,
});
/** The question does not arise. */
export const skip = (note: string): Finding => ({ passed: null, degree: 0, note });

export function nameOf({ rule }: RuleReading): string {
  return `${rule.scope} rule ${rule.id}`;
}

/** A passage short enough for a note. */
export function shortly(text: string, longest = 80): string {
  const plain = text.replace(/\s+/g, " ").trim();
  if (plain.length <= longest) return plain;
  const cut = plain.lastIndexOf(" ", longest);
  return `${plain.slice(0, cut > 20 ? cut : longest)} …`;
}
