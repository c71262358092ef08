import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeAudit } from "../../../test/support/make-audit.js";
import { addDecisions, addRun, newWorkspace } from "../../../test/support/make-gate-workspace.js";
import { PAGE_COLUMNS } from "../../analysis/decision-scores.js";
import { hashesNow, type RunReportOptions, runReport } from "../../app/report/run-report.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import type { ReportPage } from "../../measures/report-page.js";
import { gateWords } from "../../present/gate/gate-words.js";
import { type PageRequest, reportPage } from "../../present/page/build-page.js";
import { withoutDecisions } from "../../present/page/redact-report.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { fileContext } from "../../store/files/stores.js";
import { openWorkspace } from "../../store/files/workspace.js";
import { redactionOf } from "./page.js";

export const folder = mkdtempSync(join(tmpdir(), "report-page-"));

interface Asked extends Omit<PageRequest, "redaction"> {
  redact?: boolean;
}

/** The page of a workspace's newest run. */
export function pageOf(
  root: string,
  asked: Asked = { decisions: 100 },
  options: RunReportOptions = {},
): Promise<ReportPage> {
  return withDuckDB(
    async (db) => {
      const subject = await runReport(db, fileContext(openWorkspace(root)), {
        ...options,
        findings: gateWords(),
        also: PAGE_COLUMNS,
      });
      const redaction = asked.redact ? await redactionOf(subject) : null;
      if (redaction) subject.report = redaction.report;
      if (asked.decisions === null) subject.report = withoutDecisions(subject.report);
      return reportPage(subject, { decisions: asked.decisions, redaction });
    },
    { ordered: false },
  );
}

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

/** In every text that a person or a model may have written; it stands in no rule. */
export const MARK = "Zqxmark";
export const RULE = "Sails only: engines are discussed elsewhere.";

const written: Decision[] = [
  {
    id: "plain",
    community: "boats",
    content: `${MARK} plain text 😀`,
    decision: "remove",
    human_label: "approve",
    decider: { id: `${MARK} Poe` },
    decided_at: "2026-03-01T10:00:00Z",
    rationale: `${MARK} rationale`,
    cited_rule: `because ${MARK}`,
    author: `${MARK} author`,
  },
  {
    id: "parts",
    community: "boats",
    content: {
      title: `${MARK} title`,
      body: `${MARK} body`,
      kind: `a ${MARK} post`,
      context: [`${MARK} above`, `${MARK} below`],
      url: `https://example.org/${MARK}`,
      media: [{ caption: `${MARK} caption` }],
      byline: `${MARK} byline`,
    },
    decision: "approve",
    human_label: "approve",
    decider: { kind: "human", id: `${MARK} Roe`, confidence: 0.5 },
    cited_rule: "R1",
    appeal: { outcome: "pending", text: `${MARK} appeal` },
    gold: { level: 2, inverse: true, rule_ids: ["R1", `${MARK} rule`], note: `${MARK} note` },
    tags: [`${MARK}`],
  },
  { id: "failed", community: "boats", content: `${MARK} failed`, decision: "remove" },
];

const trace = {
  logic_chain: `It says "${MARK} body".`,
  policy_citation: `R1: ${MARK}`,
  precedent_weight: "High",
  inverse_check: "Yes",
  inverse_citation: `as in ${MARK}`,
  defensibility_level: 2,
} as const;
const quoting: Partial<Audit> = {
  community: "boats",
  level: 2,
  level_map: 2,
  inverse: true,
  trace,
  citation_spans: [
    ["R1:", 0.1],
    [` ${MARK}`, 2],
  ],
  citation: { scope: "community", rule_id: "R1", overlap: 0.5, grounded: true },
  inverse_citation: { scope: "precedent", rule_id: `${MARK} p2`, overlap: 1, grounded: true },
  prompt: {
    precedents_used: [`${MARK} p2`, `${MARK} gone`, "p1"],
    precedents_left_out: 4,
    content_cut: 0,
    scrubbed: { PERSON_1: `${MARK} Roe` },
  },
};
const citing: Partial<Audit> = {
  trace: { ...trace, policy_citation: RULE, inverse_citation: null },
  citation: { scope: "community", rule_id: "R1", overlap: 1, grounded: true },
  citation_spans: [
    ["Sails", 0.25],
    [" only", 0.123456789],
  ],
};

const precedents: Precedent[] = [
  {
    id: "p1",
    community: "boats",
    content: { title: `${MARK} earlier`, body: `${MARK} plain text before` },
    decision: "remove",
    rule_id: "R1",
    rationale: MARK,
    decided_at: "2026-01-01T00:00:00Z",
  },
  { id: `${MARK} p2`, community: "boats", content: `${MARK} 2`, decision: "approve", rule_id: `because ${MARK}` },
  { id: "p3", community: "boats", content: `${MARK} not shown`, decision: "remove" },
  { id: "p4", community: "planes", content: `${MARK} elsewhere`, decision: "remove" },
];

/** A workspace in which everything that somebody wrote says so. */
export async function writtenWorkspace(): Promise<string> {
  const root = newWorkspace(folder);
  addDecisions(root, written);
  const rules = { scope: "community", community: "boats", version: "1", rules: [{ id: "R1", title: RULE }] };
  mkdirSync(join(root, "rules"), { recursive: true });
  writeFileSync(join(root, "rules", "boats.json"), JSON.stringify(rules));
  writeFileSync(join(root, "precedents.jsonl"), lines(precedents));
  const label = { decision_id: "parts", level: 3, inverse: false, rater: `${MARK} Doe`, source: "human" };
  writeFileSync(join(root, "labels.jsonl"), lines([{ ...label, comment: `${MARK} comment` }]));
  const failed: Partial<Audit> = { outcome: "error", level: null, inverse: null, trace: null, citation: null };
  await addRun(
    root,
    [
      makeAudit({ ...quoting, decision_id: "plain", human_label: "approve", decided_at: "2026-03-01T10:00:00Z" }),
      makeAudit({ ...quoting, ...citing, decision_id: "plain", arm: "human", decision: "approve", level: 1 }),
      makeAudit({ ...quoting, ...citing, decision_id: "parts", decision: "approve", human_label: "approve" }),
      makeAudit({
        ...quoting,
        ...failed,
        decision_id: "failed",
        human_label: null,
        error: { code: "bad_answer", message: `cannot read "${MARK}"` },
      }),
    ],
    { run_id: "001", hashes: await hashesNow(fileContext(openWorkspace(root)).records) },
  );
  const arms = [{ name: "" }, { name: "opposite", opposite: true }];
  const opposite = { arm: "opposite", decision: "remove", level: 3 } as const;
  await addRun(
    root,
    [makeAudit({ ...quoting, decision_id: "parts" }), makeAudit({ ...quoting, ...opposite, decision_id: "parts" })],
    { run_id: "002", experiment: { kind: "dual", arms } },
  );
  return root;
}
