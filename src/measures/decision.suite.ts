import type { PageAudit, PageDecision, PageRuleSet, PageText, ReportPage } from "./report-page.js";

export const written = (text: string): PageText => ({ text, length: text.length });

/** A settled verdict that a test changes in the parts it is about. */
export function makeAudit(parts: Partial<PageAudit> = {}): PageAudit {
  return {
    outcome: "verdict",
    decision: "remove",
    tier: "wiki",
    temperature: 0.2,
    signal: "logprobs",
    ruleset_version: "1+2",
    level: 1,
    inverse: false,
    level_probs: [0.8, 0.15, 0.05],
    level_map: 1,
    lambda_nats: Math.log(0.8),
    h_weight_bits: 0.9,
    h_citation_bits: 0.3,
    h_citation_sampled_bits: null,
    citation_tokens: 4,
    inverse_log_odds: -2,
    inverse_yes_prob: 0.12,
    pds: null,
    p_defensible: 0.95,
    p_calibrated: null,
    tail_mass: null,
    samples: null,
    flags: [],
    logic_chain: written("The post links to a shop."),
    policy_citation: written("R3: links to a shop"),
    precedent_weight: "High",
    inverse_citation_text: null,
    level3_reason: null,
    citation: { scope: "community", rule_id: "R3", overlap: 1, grounded: true },
    inverse_citation: null,
    spans: [],
    error: null,
    ...parts,
  };
}

export function makeDecision(parts: Partial<PageDecision> = {}): PageDecision {
  return {
    id: "d1",
    community: "pottery",
    decision: "remove",
    human_label: "remove",
    decided_at: "2026-01-02T03:04:00Z",
    decider: { kind: "model", id: null, confidence: null },
    title: null,
    body: written("Come to my shop"),
    context: [],
    context_of: 0,
    url: null,
    kind: null,
    language: null,
    media: 0,
    rationale: null,
    cited_rule: null,
    appeal: null,
    gold: null,
    labels: [],
    reasons: ["settled"],
    precedents: { shown: 0, left_out: 0, gone: 0, places: [], cited: [] },
    audit: makeAudit(),
    human_audit: null,
    opposite_audit: null,
    ...parts,
  };
}

const RULE_SETS: PageRuleSet[] = [
  {
    scope: "platform",
    community: null,
    version: "1",
    effective_from: null,
    rules: [
      { id: "P2", title: "No private information", description: "No phone numbers.", detail: "Nor street addresses." },
      { id: "R3", title: "Platform-wide rule", description: "Shared id." },
    ],
  },
  {
    scope: "community",
    community: "pottery",
    version: "1",
    effective_from: null,
    rules: [{ id: "R3", title: "No links" }],
  },
  {
    scope: "community",
    community: "pottery",
    version: "2",
    effective_from: null,
    rules: [{ id: "R3", title: "No links to shops", description: " Links to a shop are removed. ", detail: "  " }],
  },
];

/** What the builders of one decision read of a page. */
export function makePage(parts: Partial<ReportPage> = {}): ReportPage {
  const report = { run: { run_id: "r1" } } as ReportPage["report"];
  const precedents = { precedents: [], changed_since_run: [] };
  const decisions = { decisions: [], decisions_of: 0 };
  return {
    rule_sets: RULE_SETS,
    ...precedents,
    ...decisions,
    redacted: false,
    report,
    ...parts,
  } as unknown as ReportPage;
}
