import type { ReportPage } from "../../src/measures/report-page.js";

/** Every view, by its place in the menu. */
export const MENU = [
  "summary",
  "fleet",
  "rules",
  "decision",
  "calibration",
  "gate",
  "stability",
  "specificity",
  "adversarial",
  "humans",
  "experiments",
  "terms",
] as const;

/** Experiments with a page of their own. The demo has the first four. */
const EXPERIMENTS = ["gap", "signal", "dual", "circularity", "validate", "replicate"] as const;

export interface Place {
  name: string;
  hash: string;
}

/** All views of a report: those of the menu, and an example of each that is about one thing. */
export function places({ decisions, report }: ReportPage): Place[] {
  const hash = (...parts: string[]) => `#/${parts.map(encodeURIComponent).join("/")}`;
  const { scope, community, rule_id } = report.rules[0]!;
  return [
    ...MENU.map((name) => ({ name, hash: hash(name) })),
    ...EXPERIMENTS.map((kind) => ({ name: `experiment ${kind}`, hash: hash("experiments", kind) })),
    { name: "one community", hash: hash("community", report.communities[0]!.community) },
    { name: "one rule", hash: hash("rules", scope, community ?? "-", rule_id) },
    { name: "one decision", hash: hash("decision", decisions[0]!.id) },
  ];
}
