import { columnText, type Queries } from "./database.js";
import type { Vault } from "./secrets.js";

/** Hours for which the answer to a request is kept. */
const KEPT_HOURS = 24;

/** Identifies a request. The key is chosen by the caller; other owners may use the same. */
export interface RequestKey {
  workspace: string;
  owner: string;
  key: string;
}

export interface KeptAnswer {
  status: number;
  answer: unknown;
}

/** Whether no other request with this key is running. If so, none can start until the transaction ends. */
export async function takeRequest(queries: Queries, { workspace, owner, key }: RequestKey): Promise<boolean> {
  const [row] = await queries.rows<{ taken: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken",
    [JSON.stringify(["request", workspace, owner, key])],
  );
  return row!.taken;
}

/** The answer that the request was given; "other": the key belongs to another request; null: the request is new. */
export async function answerKept(
  queries: Queries,
  { workspace, owner, key }: RequestKey,
  hash: Buffer,
  vault: Vault,
): Promise<KeptAnswer | "other" | null> {
  const [row] = await queries.rows<{ request_hash: Buffer; status: number; answer: Buffer }>(
    `select request_hash, status, answer from defensible.idempotency
      where workspace_id = $1 and owner = $2 and key = $3 and made_at > now() - make_interval(hours => ${KEPT_HOURS})`,
    [workspace, columnText(owner), columnText(key)],
  );
  if (!row) return null;
  if (!row.request_hash.equals(hash)) return "other";
  return { status: row.status, answer: JSON.parse(vault.open(row.answer).toString()) };
}

/** Stores an answer encrypted, because it may hold a key that is shown only once. Old answers of the workspace are deleted. */
export async function keepAnswer(
  queries: Queries,
  { workspace, owner, key }: RequestKey,
  hash: Buffer,
  { status, answer }: KeptAnswer,
  vault: Vault,
): Promise<void> {
  await queries.rows(
    `delete from defensible.idempotency where workspace_id = $1 and made_at <= now() - make_interval(hours => ${KEPT_HOURS})`,
    [workspace],
  );
  await queries.rows(
    `insert into defensible.idempotency (workspace_id, owner, key, request_hash, status, answer) values ($1, $2, $3, $4, $5, $6)`,
    [workspace, columnText(owner), columnText(key), hash, status, vault.seal(Buffer.from(JSON.stringify(answer)))],
  );
}
