import { isFileFault } from "../../analysis/json-lines-table.js";
import {
  type AuditRow,
  type ListedDecision,
  listDecisions,
  readListedAudits,
} from "../../analysis/listed-decisions.js";
import { contentText } from "../../core/records/decision.js";
import { lookReasons } from "../../measures/metrics/agreement.js";
import type { PageAudit, PageDecision, PageRuleSet, ReportPage } from "../../measures/report-page.js";
import type { AuditSource, LabelStore } from "../../store/ports.js";
import { plural, whole } from "../words/numbers.js";
import type { PageSubject } from "./build-page.js";
import { shortenAudit } from "./fit-page.js";
import { type DecisionParts, decisionParts, noRecord, pageAudit } from "./page-decision.js";
import { noTrail, PagePrecedents, type PrecedentTrail, shownIn } from "./page-precedents.js";
import type { Writing } from "./writing.js";

/** Most labels shown of one decision. */
const MOST_LABELS = 20;

interface Audits {
  own?: { audit: PageAudit; row: Pick<AuditRow, "human_label" | "decided_at" | "language"> };
  human?: PageAudit;
  opposite?: PageAudit;
  trail: PrecedentTrail;
}

/** What a page shows of individual decisions. */
interface Listed extends Pick<ReportPage, "precedents" | "decisions"> {
  /** What was left out, one sentence each. */
  notes: string[];
}

/**
 * The most characters of the reasoning of a flip control's opposite in a page: they support the decision's own audit and are many. `show` has them
 * whole.
 */
const OPPOSITE_CHAIN = 160;

export const NONE_LISTED: Listed = { precedents: [], decisions: [], notes: [] };

const UNREAD_OPPOSITES =
  "The audits of opposite decisions are left out: the file of the run that has them cannot be read. To have them anew: defensible experiment dual";

interface Options {
  most: number;
  ruleSets: readonly PageRuleSet[];
  writing: Writing;
}

/** The decisions that a page lists, with everything shown. Only their records and audits are held in memory, and no text longer than shown. */
export async function pageDecisions(subject: PageSubject, options: Options): Promise<Listed> {
  const { writing } = options;
  const listed = await listDecisions(subject.table, options.most);
  const ids = new Set(listed.map((one) => one.decision_id));
  const communities = new Set(listed.map((one) => one.community));
  const precedents = await PagePrecedents.read(subject, communities, options);
  const { found: audits, notes } = await auditsOf(subject, ids, { writing, precedents });
  const trailOf = (id: string) => audits.get(id)?.trail ?? noTrail();
  const records = new Map<string, DecisionParts>();
  const shown = new Map<string, ReturnType<PagePrecedents["shownTo"]>>();
  if (subject.context) {
    for await (const batch of subject.context.records.decisions()) {
      for (const decision of batch.filter(({ id }) => ids.has(id))) {
        const { id, community, content } = decision;
        records.set(id, decisionParts(decision, writing));
        shown.set(id, precedents.shownTo(community, contentText(content), trailOf(id)));
      }
    }
  }
  const labels = subject.context ? await labelsOf(subject.context.labels, ids, writing) : new Map();
  const decisions = listed.map((one) => {
    const { own, human = null, opposite: other = null } = audits.get(one.decision_id) ?? {};
    const opposite = other && other.decision !== one.decision ? other : null;
    const record = records.get(one.decision_id) ?? noRecord();
    const trail = trailOf(one.decision_id);
    const known = shown.get(one.decision_id) ?? precedents.shownTo(one.community, null, trail);
    const row: Partial<AuditRow> = own?.row ?? {};
    const audit = { ...(own?.audit ?? pageAudit({}, writing)), ...verdictOf(one) };
    return {
      ...record,
      id: one.decision_id,
      community: one.community,
      decision: one.decision,
      human_label: one.human_label ?? text(row.human_label) ?? record.human_label,
      decided_at: record.decided_at ?? shownAs(row.decided_at, (date) => writing.code(date, "date")),
      language: record.language ?? shownAs(row.language, (name) => writing.name(name, "language")),
      labels: labels.get(one.decision_id) ?? [],
      reasons: lookReasons({ ...one, flags: audit.flags }),
      precedents: precedents.of(one.community, known, opposite ? trail.cited : { ...trail.cited, opposite_audit: [] }),
      audit,
      human_audit: human,
      opposite_audit: opposite,
    };
  });
  const lost = subject.context ? listed.length - records.size : 0;
  return {
    precedents: precedents.list,
    decisions,
    notes: lost > 0 ? [...notes, lostNote(lost, listed.length)] : notes,
  };
}

/** The workspace's file of decisions was moved, cut off or replaced after the audits. */
function lostNote(lost: number, listed: number): string {
  return `Of ${whole(lost)} of ${plural(listed, "decision")} listed here the workspace no longer has the record: content, reasons and reference annotations are missing there.`;
}

/** A foreign file may say less or use other words, so the analysis's values are used. */
function verdictOf({ outcome, decision, level, inverse, level_map }: ListedDecision) {
  return { outcome, decision, level, inverse, level_map };
}

async function auditsOf(
  subject: PageSubject,
  ids: ReadonlySet<string>,
  { writing, precedents }: { writing: Writing; precedents: PagePrecedents },
): Promise<{ found: Map<string, Audits>; notes: string[] }> {
  const found = new Map<string, Audits>();
  const read = async (source: AuditSource, take: (row: AuditRow, audits: Audits) => void) => {
    for await (const rows of readListedAudits(subject.table.db, source, ids)) {
      for (const row of rows) {
        const id = String(row.decision_id);
        const audits = found.get(id) ?? { trail: noTrail() };
        take(row, audits);
        found.set(id, audits);
      }
    }
  };
  await read(subject.source, (row, audits) => {
    const { cited } = audits.trail;
    if ((row.arm ?? "") === "") {
      const { human_label, decided_at, language } = row;
      audits.own = { audit: pageAudit(row, writing), row: { human_label, decided_at, language } };
      Object.assign(audits.trail, shownIn(row));
      cited.audit = precedents.citedIn(row);
      cited.inverse = precedents.citedIn(row, true);
    } else if (row.arm === "human") {
      audits.human = pageAudit(row, writing);
      cited.human_audit = precedents.citedIn(row);
    } else if (row.arm === "opposite") {
      audits.opposite = shortenAudit(pageAudit(row, writing), OPPOSITE_CHAIN);
      cited.opposite_audit = precedents.citedIn(row);
    }
  });
  // If this run's flip control drew a decision, an experiment's audit of the opposite adds nothing.
  const own = new Set([...found].flatMap(([id, { opposite }]) => (opposite ? [id] : [])));
  return (await readOpposites()) ? { found, notes: [] } : { found, notes: [UNREAD_OPPOSITES] };

  /** False if the file is damaged. */
  async function readOpposites(): Promise<boolean> {
    if (!subject.opposites) return true;
    const { source, arm } = subject.opposites;
    try {
      await read(source, (row, audits) => {
        if (row.arm !== arm || own.has(String(row.decision_id))) return;
        audits.opposite = pageAudit(row, writing);
        audits.trail.cited.opposite_audit = precedents.citedIn(row);
      });
      return true;
    } catch (cause) {
      if (!isFileFault(cause)) throw cause;
      // Incomplete opposites are dropped: the rest would look as if they had not been audited.
      for (const [id, audits] of found) {
        if (own.has(id)) continue;
        delete audits.opposite;
        delete audits.trail.cited.opposite_audit;
      }
      return false;
    }
  }
}

async function labelsOf(
  store: LabelStore,
  ids: ReadonlySet<string>,
  writing: Writing,
): Promise<Map<string, PageDecision["labels"]>> {
  const found = new Map<string, PageDecision["labels"]>();
  for await (const batch of store.labels()) {
    for (const { decision_id, level, inverse = null, rater = null, source } of batch) {
      if (!ids.has(decision_id)) continue;
      const known = found.get(decision_id) ?? [];
      if (known.length < MOST_LABELS)
        known.push({ level, inverse, rater: rater && writing.name(rater, "person"), source });
      found.set(decision_id, known);
    }
  }
  return found;
}

function shownAs(value: unknown, shown: (text: string) => string | null): string | null {
  const found = text(value);
  return found && shown(found);
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
