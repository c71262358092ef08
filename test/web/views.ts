import type { ReportPage } from "../../src/measures/report-page.js";

/** Every view, by its place in the menu. */
export const MENU = ["overview", "review", "rules", "automation", "trust", "method"] as const;

/** Screens of the views that have several. */
const SCREENS = {
  overview: ["numbers"],
  rules: ["wording", "scopes", "rewrite"],
  automation: ["proof", "operation"],
  method: ["measures", "verdicts", "gate", "audits", "rules", "symbols"],
  trust: [
    "people",
    "calibration",
    "stability",
    "attacks",
    "gap",
    "signal",
    "dual",
    "circularity",
    "validate",
    "replicate",
    "backbone",
    "more",
  ],
} as const;

export interface Place {
  name: string;
  hash: string;
}

const hash = (...parts: string[]) => `#/${parts.map(encodeURIComponent).join("/")}`;

/** Every screen of the menu's views, as "trust/calibration". */
export function screens(): Place[] {
  return MENU.flatMap((view) => [
    { name: view, hash: hash(view) },
    ...(SCREENS[view as keyof typeof SCREENS] ?? []).map((one) => ({ name: `${view}/${one}`, hash: hash(view, one) })),
  ]);
}

/** All views of a report: their screens, and an example of each that is about one thing. */
export function places({ decisions, report }: ReportPage): Place[] {
  const { scope, community, rule_id } = report.rules[0]!;
  return [
    ...screens(),
    { name: "one community", hash: hash("automation", "community", report.communities[0]!.community) },
    { name: "one rule", hash: hash("rules", scope, community ?? "-", rule_id) },
    { name: "one decision", hash: hash("review", decisions[0]!.id) },
  ];
}
