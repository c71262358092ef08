import { lookReasons } from "../../figures/look-reasons.js";
import type { PageAudit, PageDecision } from "../../figures/report-page.js";
import type { AuditSource } from "../../ledger/ledger.js";
import { type ListedDecision, listDecisions } from "../../ledger/listed-decisions.js";
import { readDecisions, readLabels } from "../../workspace/records.js";
import type { Workspace } from "../../workspace/workspace.js";
import { readListedAudits } from "./listed-audits.js";
import { type AuditRow, pageAudit } from "./page-audit.js";
import { type DecisionParts, decisionParts, noRecord } from "./page-decision.js";
import type { PageSubject } from "./page-subject.js";
import type { Writing } from "./writing.js";

/** Labels shown of one decision. */
const MOST_LABELS = 20;

interface Audits {
  own?: { audit: PageAudit; row: Pick<AuditRow, "human_label" | "decided_at" | "language"> };
  human?: PageAudit;
  opposite?: PageAudit;
}

/** The decisions that a page lists, with everything it shows of each. Only theirs is ever held in memory, and no text longer than is shown. */
export async function pageDecisions(
  subject: PageSubject,
  options: { most: number; writing: Writing },
): Promise<PageDecision[]> {
  const listed = await listDecisions(subject.table, options.most);
  const ids = new Set(listed.map((one) => one.decision_id));
  const audits = await auditsOf(subject, ids, options.writing);
  const records = subject.workspace ? await recordsOf(subject.workspace, ids, options.writing) : new Map();
  const labels = subject.workspace ? await labelsOf(subject.workspace, ids, options.writing) : new Map();
  return listed.map((one) => {
    const { own, human = null, opposite = null } = audits.get(one.decision_id) ?? {};
    const record: DecisionParts = records.get(one.decision_id) ?? noRecord();
    const told: Partial<AuditRow> = own?.row ?? {};
    const audit = { ...(own?.audit ?? pageAudit({}, options.writing)), ...verdictOf(one) };
    return {
      ...record,
      id: one.decision_id,
      community: one.community,
      decision: one.decision,
      human_label: one.human_label ?? text(told.human_label) ?? record.human_label,
      decided_at: record.decided_at ?? text(told.decided_at),
      language: record.language ?? word(told.language, options.writing),
      labels: labels.get(one.decision_id) ?? [],
      reasons: lookReasons({ ...one, flags: audit.flags }),
      audit,
      human_audit: human,
      opposite_audit: opposite && opposite.decision !== one.decision ? opposite : null,
    };
  });
}

/** A foreign file may say less, or say it in other words; what the analysis made of it counts. */
function verdictOf({ outcome, decision, level, inverse, level_map }: ListedDecision) {
  return { outcome, decision, level, inverse, level_map };
}

async function auditsOf(
  subject: PageSubject,
  ids: ReadonlySet<string>,
  writing: Writing,
): Promise<Map<string, Audits>> {
  const found = new Map<string, Audits>();
  const read = async (source: AuditSource, take: (row: AuditRow, audits: Audits) => void) => {
    for await (const rows of readListedAudits(subject.table.db, source, ids)) {
      for (const row of rows) {
        const id = String(row.decision_id);
        const audits = found.get(id) ?? {};
        take(row, audits);
        found.set(id, audits);
      }
    }
  };
  await read(subject.source, (row, audits) => {
    if ((row.arm ?? "") === "") {
      const { human_label, decided_at, language } = row;
      audits.own = { audit: pageAudit(row, writing), row: { human_label, decided_at, language } };
    } else if (row.arm === "human") audits.human = pageAudit(row, writing);
  });
  if (subject.opposites) {
    const { source, arm } = subject.opposites;
    await read(source, (row, audits) => {
      if (row.arm === arm) audits.opposite = pageAudit(row, writing);
    });
  }
  return found;
}

async function recordsOf(
  workspace: Workspace,
  ids: ReadonlySet<string>,
  writing: Writing,
): Promise<Map<string, DecisionParts>> {
  const found = new Map<string, DecisionParts>();
  for await (const batch of readDecisions(workspace)) {
    for (const decision of batch) if (ids.has(decision.id)) found.set(decision.id, decisionParts(decision, writing));
  }
  return found;
}

async function labelsOf(
  workspace: Workspace,
  ids: ReadonlySet<string>,
  writing: Writing,
): Promise<Map<string, PageDecision["labels"]>> {
  const found = new Map<string, PageDecision["labels"]>();
  for await (const batch of readLabels(workspace)) {
    for (const { decision_id, level, inverse = null, rater = null, source } of batch) {
      if (!ids.has(decision_id)) continue;
      const known = found.get(decision_id) ?? [];
      if (known.length < MOST_LABELS) known.push({ level, inverse, rater: rater && writing.person(rater), source });
      found.set(decision_id, known);
    }
  }
  return found;
}

function word(value: unknown, writing: Writing): string | null {
  const found = text(value);
  return found && writing.word(found);
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
