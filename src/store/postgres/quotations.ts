import { createHash } from "node:crypto";
import { ERASED } from "../../core/names.js";
import type { Decision } from "../../core/records/decision.js";
import type { Quotes } from "../../text/quotes.js";
import { exceptDecision, stringsIn } from "../records/erased.js";
import type { Queries } from "./database.js";

/** Rows read at a time. */
const BATCH = 2000;

/**
 * Erases quotations of decisions elsewhere in the database: in results of experiments, sheets and previews, rejected rows, precedents, and in what
 * was written about other decisions. Phrases that other decisions or the rules contain too do not count as quotations; they are removed from `quotes`
 * only once something matches, because finding them reads all decisions.
 */
export async function scrubQuotations(
  queries: Queries,
  workspace: string,
  quotes: Quotes,
  ids: ReadonlySet<string>,
): Promise<void> {
  const isOther = ({ id }: Pick<Decision, "id">) => !ids.has(id);
  const documents = await queries.rows<{ kind: string; name: string; text: string }>(
    "select kind, name, doc::text as text from defensible.document where workspace_id = $1 and kind <> 'weights'",
    [workspace],
  );
  const rejects = await queries.rows<{ name: string; rows: string }>(
    "select name, rows from defensible.reject where workspace_id = $1",
    [workspace],
  );
  const quoting = documents.filter(({ text }) => withoutQuotes(quotes, text) !== text);
  const rejected = rejects.filter(({ rows }) =>
    rows.split("\n").some((line) => line !== "" && withoutQuotes(quotes, line) !== line),
  );
  const others: Other[] = [];
  for await (const one of recordsOf(queries, workspace, WITH_QUOTATIONS)) {
    const record = JSON.parse(one.line) as Decision;
    if ((one.kind === "precedents" || isOther(record)) && quotes.quotedBy(record)) others.push(one);
  }
  if (quoting.length + rejected.length + others.length === 0) return;
  for await (const { line } of recordsOf(queries, workspace, "kind = 'decisions'")) {
    const decision = JSON.parse(line) as Decision;
    if (isOther(decision)) exceptDecision(quotes, decision);
  }
  const rules = await queries.rows<{ doc: object }>("select doc from defensible.rule_set where workspace_id = $1", [
    workspace,
  ]);
  for (const text of rules.flatMap(({ doc }) => stringsIn(doc))) quotes.except(text);
  await scrubDocuments(queries, workspace, quotes, quoting);
  await dropRejects(queries, workspace, quotes, rejected);
  for (const other of others) await scrubRecord(queries, workspace, quotes, other);
}

interface Other {
  kind: string;
  identity: Buffer;
  seq: number;
  line: string;
}

/** Precedents, and decisions about which something was written. The content of other decisions is their own. */
const WITH_QUOTATIONS = `(kind = 'precedents' or kind = 'decisions' and record::text ~ '"(context|rationale|note)":')`;

async function* recordsOf(queries: Queries, workspace: string, where: string): AsyncGenerator<Other> {
  for (let after = 0; ; ) {
    const rows = await queries.rows<Other>(
      `select kind, identity, seq, record::text as line from defensible.record
        where workspace_id = $1 and seq > $2 and ${where} order by seq limit ${BATCH}`,
      [workspace, after],
    );
    if (rows.length === 0) return;
    after = rows.at(-1)!.seq;
    yield* rows;
  }
}

function withoutQuotes(quotes: Quotes, text: string): string {
  const value: unknown = JSON.parse(text);
  const next = quotes.without(value, ERASED);
  return next === value ? text : JSON.stringify(next);
}

async function scrubDocuments(
  queries: Queries,
  workspace: string,
  quotes: Quotes,
  documents: readonly { kind: string; name: string; text: string }[],
): Promise<void> {
  for (const { kind, name, text } of documents) {
    const next = withoutQuotes(quotes, text);
    if (next === text) continue;
    await queries.rows(
      "update defensible.document set doc = $4::json where workspace_id = $1 and kind = $2 and name = $3",
      [workspace, kind, name, next],
    );
  }
}

async function dropRejects(
  queries: Queries,
  workspace: string,
  quotes: Quotes,
  rejects: readonly { name: string; rows: string }[],
): Promise<void> {
  for (const { name, rows } of rejects) {
    const kept = rows.split("\n").filter((line) => line !== "" && withoutQuotes(quotes, line) === line);
    await queries.rows("update defensible.reject set rows = $3 where workspace_id = $1 and name = $2", [
      workspace,
      name,
      kept.map((line) => `${line}\n`).join(""),
    ]);
  }
}

/** Deletes a precedent. A decision keeps its own words and gets a new hash, since what is sent under its id later is compared with its record. */
async function scrubRecord(queries: Queries, workspace: string, quotes: Quotes, other: Other): Promise<void> {
  const { kind, identity, line } = other;
  const record: unknown = JSON.parse(line);
  if (!quotes.quotedBy(record)) return;
  const place = [workspace, kind, identity];
  if (kind === "precedents") {
    await queries.rows("delete from defensible.record where workspace_id = $1 and kind = $2 and identity = $3", place);
    return;
  }
  const next = quotes.without(record, ERASED, "long");
  if (next === record) return;
  const text = JSON.stringify(next);
  await queries.rows(
    "update defensible.record set record = $4::json, record_hash = $5, salt = null where workspace_id = $1 and kind = $2 and identity = $3",
    [...place, text, createHash("sha256").update(text).digest()],
  );
}
