import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditKey } from "../../core/records/audit.js";
import type { CaseFrame, CaseRule } from "../../core/records/case.js";
import type { Truth } from "../../core/records/label.js";
import type { Ask } from "../auditor.js";

const VERDICTS = [
  { level: 1, inverse: false },
  { level: 2, inverse: true },
  { level: 2, inverse: false },
  { level: 3, inverse: true },
  { level: 3, inverse: false },
] as const;

/** The truth of decision `d<i>`; its verdict, rule and contest go round with i. */
export function truthNumber(i: number, changes: Partial<Truth> = {}): Truth {
  const verdict = VERDICTS[i % VERDICTS.length]!;
  return {
    decision_id: `d${i}`,
    community: "harbour",
    cohort: "random",
    decision: i % 2 === 0 ? "remove" : "approve",
    decider: i % 3 === 0 ? "simulated-decider" : "other-1",
    ...verdict,
    rule: i % 7 === 0 ? null : { scope: i % 4 === 0 ? "platform" : "community", rule_id: `R${i % 4}` },
    settled_by: "wiki",
    ambiguity_scope: i % 5 === 1 ? "platform" : null,
    cause: "none",
    tiers: { title: { level: 2, inverse: true }, sidebar: verdict, wiki: verdict },
    scopes: { platform: { level: 3, inverse: false }, community: verdict },
    contest: (i % 11) / 10,
    ...changes,
  };
}

/** A folder with the truths of so many decisions, and settings for its auditor. */
export function worldFolder(truths: readonly Truth[], auditor: Record<string, unknown> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "simulated-world-"));
  mkdirSync(join(folder, "truth"));
  writeFileSync(join(folder, "truth", "truth.jsonl"), truths.map((truth) => `${JSON.stringify(truth)}\n`).join(""));
  writeFileSync(join(folder, "simulation.json"), JSON.stringify({ format: 1, auditor }));
  return folder;
}

const TEXTS = [
  'No advertising\nLinks to your own shop are "advertising", and so are codes that pay you.\nOne link a week is fine in the weekly thread.',
  "Keep to the topic\nPosts must be about the harbour, its boats or its people.",
  "Behave\nInsults, slurs and threats are removed; déjà vu \\ 漁港 🚢 is not.",
  "No reposts\nWhat was posted within a month is a repost.",
];

export function frameWith(changes: Partial<CaseFrame> = {}): CaseFrame {
  const rule = (scope: CaseRule["scope"], i: number): CaseRule => ({
    scope,
    id: `R${i}`,
    title: TEXTS[i]!.split("\n")[0]!,
    text: TEXTS[i]!,
    kind: null,
  });
  return {
    community: "harbour",
    rulesetVersion: "1+1",
    tier: "wiki",
    rules: [0, 1, 2, 3].map((i) => rule("community", i)).concat([0, 1].map((i) => rule("platform", i))),
    precedents: [{ id: "p1", text: "An old case.", decision: "remove", ruleId: null, rationale: null }],
    actions: { positive: "remove", negative: "approve" },
    ...changes,
  };
}

/** A question about decision `d<i>`. */
export function askAbout(
  i: number,
  frame: CaseFrame,
  changes: Partial<Ask> & {
    template?: "paper" | "extended";
    decision?: string;
    replicates?: number;
    arm?: string;
  } = {},
): Ask {
  const {
    template = "paper",
    decision = i % 2 === 0 ? "remove" : "approve",
    replicates = 1,
    arm = "",
    ...rest
  } = changes;
  const content = { title: null, body: "A post.", language: "en", hasMedia: false } as unknown as NonNullable<
    Ask["case"]
  >["content"];
  return {
    case: { frame, content, decision, template },
    prompt: null,
    temperature: 0.7,
    logprobs: true,
    wanted: Array.from({ length: replicates }, (_, k) => ({
      key: auditKey(`d${i}`, arm, k),
      seed: `1:d${i}:${arm}:${k}`,
    })),
    ...rest,
  };
}
