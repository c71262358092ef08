import { createHash, hash } from "node:crypto";
import { ERASED, FLIP_ARM } from "../../core/names.js";
import { type Audit, auditKey, auditSchema, drawKey } from "../../core/records/audit.js";
import type { Content, Decision } from "../../core/records/decision.js";
import type { Manifest } from "../../core/records/manifest.js";
import { routeRecordSchema } from "../../core/records/route.js";
import { parsedJson } from "../../core/text-checks.js";
import { canonicalJson } from "../../evidence/canonical.js";
import type { ChainSource } from "../../evidence/chain.js";
import type { ErasedRecord } from "../../evidence/tombstone.js";
import type { Quotes, Words } from "../../text/quotes.js";
import type { ChainStore, RunStore } from "../ports.js";
import { isObject } from "./fits.js";
import { RECORD_KINDS, type RecordObject } from "./record-kinds.js";

/** A name or a code of a system: it has no spaces and is not an address. */
const CODE = /^[\p{L}\p{N}][\p{L}\p{N}._#:-]{0,63}$/u;

/** The cited rule, if it is given only by its id. */
const citedCode = (cited: string | null | undefined) => (cited && CODE.test(cited) ? cited : undefined);

/** Threads are counted by name. A name that is an address, which may identify its author, is replaced by a hash. */
function withThreadCode<T extends { thread_id?: string | null }>(record: T): T {
  const { thread_id } = record;
  if (thread_id === null || thread_id === undefined || CODE.test(thread_id)) return record;
  return { ...record, thread_id: `erased-${hash("sha256", thread_id).slice(0, 16)}` };
}

/** A decision without its author and without texts that people wrote: the ids, times and codes that reports count by. */
export function erasedDecision(decision: Decision): Decision & { erased: true } {
  const { id, community, decision: action, human_label, cited_rule, decided_at, ruleset_version, tags } = decision;
  const { appeal, gold, decider } = decision;
  const { thread_id } = withThreadCode(decision);
  const all = {
    ...{ id, community, content: erasedContent(decision.content), decision: action, human_label },
    decider: decider && { kind: decider.kind, id: decider.id, confidence: decider.confidence },
    ...{ cited_rule: citedCode(cited_rule), decided_at, ruleset_version, thread_id },
    appeal: appeal && { filed_at: appeal.filed_at, outcome: appeal.outcome },
    gold: gold && { level: gold.level, inverse: gold.inverse, rule_ids: gold.rule_ids },
    ...{ tags, erased: true as const },
  };
  return JSON.parse(canonicalRecordText(all));
}

/** JSON without absent members, in the given order. */
const canonicalRecordText = (value: object) =>
  JSON.stringify(value, (_, member) => (member === null || isEmptyObject(member) ? undefined : member));

const isEmptyObject = (value: unknown) => isObject(value) && Object.values(value).every((one) => one == null);

function erasedContent(content: Content): Content {
  if (typeof content === "string") return "";
  const { kind, language } = content;
  return kind || language ? { body: "", ...(kind ? { kind } : {}), ...(language ? { language } : {}) } : "";
}

export function isErased(decision: Decision): boolean {
  return decision.erased === true;
}

/** Content fields not written by its author: codes, and text about the content. */
const ABOUT_CONTENT = ["kind", "language", "context"];

/** The texts that people wrote in a decision, except the author's name: all texts that an erasure removes. */
export function wordsOf(decision: Decision): Words {
  const { author: _, content, ...rest } = decision;
  const kept = new Set(stringsIn(erasedDecision(decision)));
  const parts = typeof content === "string" ? [["body", content]] : Object.entries(content);
  const own = parts.filter(([name]) => !ABOUT_CONTENT.includes(name as string)).map(([, value]) => value);
  const { context = null } = typeof content === "string" ? {} : content;
  const { rationale, appeal, gold, ...others } = rest;
  // Fields outside the format also contain codes and dates.
  const prose = stringsIn(others).filter((text) => /\s/.test(text.trim()));
  const written = (value: unknown) => stringsIn(value).filter((text) => text !== "" && !kept.has(text));
  return { own: written([own, appeal?.text]), around: written([context, rationale, gold?.note, prose]) };
}

/** Removes texts of other decisions from the quotations to search for. Their authors may say the same, or quote; texts about them may quote. */
export function exceptDecision(quotes: Quotes, decision: Decision): void {
  const { own, around } = wordsOf(decision);
  for (const text of own) quotes.exceptAuthor(text);
  for (const text of around) quotes.except(text, "around");
}

export function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const AUDIT_FIELDS = Object.keys(auditSchema.shape).filter((key) => key !== "citation_spans");

/** An audit without texts: only its numbers and codes. Traces and errors quote the content. */
export function erasedAudit(audit: Audit): Audit {
  const known = Object.fromEntries(Object.entries(audit).filter(([key]) => AUDIT_FIELDS.includes(key))) as Audit;
  const kept = withThreadCode(known);
  const { trace, prompt, error } = audit;
  return {
    ...kept,
    ...(error ? { error: { code: error.code, message: ERASED } } : {}),
    ...(trace
      ? {
          trace: {
            precedent_weight: trace.precedent_weight,
            inverse_check: trace.inverse_check,
            defensibility_level: trace.defensibility_level,
            level3_reason: trace.level3_reason,
          },
        }
      : {}),
    ...(prompt ? { prompt: { ...prompt, scrubbed: null } } : {}),
    // Anything sent under this id from now on differs from what was audited, and goes to review.
    read: { content: ERASED, rules: ERASED, precedents: ERASED },
  };
}

/** A label or an outcome without notes: only the fields of the format. */
export function erasedRow(kind: "labels" | "outcomes", row: RecordObject): RecordObject {
  return Object.fromEntries(Object.entries(row).filter(([key]) => RECORD_KINDS[kind].fields.byName.has(key)));
}

/** The texts that people wrote in a label or an outcome. */
export function notesOf(kind: "labels" | "outcomes", row: RecordObject): string[] {
  const kept = new Set(stringsIn(erasedRow(kind, row)));
  return stringsIn(row).filter((text) => /\s/.test(text.trim()) && !kept.has(text));
}

/** A route without members outside the format. */
function erasedRoute(row: RecordObject): RecordObject {
  return withThreadCode(
    Object.fromEntries(Object.entries(row).filter(([key]) => Object.hasOwn(routeRecordSchema.shape, key))),
  );
}

/** The form of log records after their decisions are erased. */
export function erasedIn(ids: ReadonlySet<string>): ErasedRecord {
  return (source, text) => {
    const row = source === "gate" ? null : parsedJson(text);
    if (!isObject(row) || typeof row.decision_id !== "string" || !ids.has(row.decision_id)) return null;
    return { decision: row.decision_id, record: restOf(source, text) };
  };
}

/**
 * What remains of a log record after its decision is erased. The chain has its hash, so later versions must leave the same for records that were
 * sealed before. `audit`: how the store keeps an erased audit.
 */
export function restOf(source: string, text: string, audit: (one: Audit) => object = erasedAudit): string {
  const row = source === "gate" ? null : parsedJson(text);
  if (!isObject(row) || typeof row.decision_id !== "string") return text;
  if (source.startsWith("audits:")) return canonicalJson(audit(row as never));
  const kept = source === "outcomes" ? erasedRow("outcomes", row) : erasedRoute(row);
  // A line without anything to remove keeps its spelling.
  const isSame = Object.keys(kept).length === Object.keys(row).length && kept.thread_id === row.thread_id;
  return isSame ? text : JSON.stringify(kept);
}

/** An upper limit: no experiment uses more replicates. */
const MOST_REPLICATES = 64;

/** A question's name at a batch provider, whose names are more restricted than decision ids. */
export function batchId(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 32);
}

/** The provider's names of every question that a run may have asked about decisions. */
export function questionIds(manifest: Partial<Manifest> | null, ids: Iterable<string>): Set<string> {
  const names = new Set<string>();
  const own = manifest?.experiment?.arms.map(({ name }) => name) ?? [];
  const replicates = Math.max(MOST_REPLICATES, manifest?.replicates ?? 1);
  for (const id of ids) {
    for (const arm of new Set(["", "human", FLIP_ARM, ...own])) {
      for (let replicate = 0; replicate < replicates; replicate++) {
        for (let draw = 0; draw < (manifest?.samples ?? 1); draw++) {
          names.add(batchId(drawKey(auditKey(id, arm, replicate), draw)));
        }
      }
    }
  }
  return names;
}

/** Everything that the chain covers: finished runs, oldest first, then the logs. The audits of an open run may still change. */
export async function chainSources(runs: RunStore, chain: Pick<ChainStore, "logs" | "rest">): Promise<ChainSource[]> {
  const sources: ChainSource[] = [];
  for (const { run_id, status } of (await runs.list()).reverse()) {
    if (status !== "sealed") continue;
    const records: string[] = [];
    try {
      for await (const batch of runs.audits(run_id)) records.push(...batch.map(canonicalJson));
    } catch {
      // The records of an unreadable file count as lost.
      records.length = 0;
    }
    sources.push({ source: `audits:${run_id}`, records, complete: true });
  }
  return [...sources, ...(await chain.logs())].map((one) => ({
    ...one,
    rest: (record) => chain.rest(one.source, record),
  }));
}
