import { hash, randomBytes } from "node:crypto";
import { InputError } from "../../core/errors.js";
import type { GateEvent } from "../records/gate-event.js";
import { columnText, type Database, type Queries } from "./database.js";

const hashOf = (text: string) => hash("sha256", text, "buffer");
/** Length of a session started with a login token. */
const SESSION_MINUTES = 12 * 60;
/** The actor noted for actions from the command line. */
const OPERATOR = "operator";

export interface KeyRow {
  workspace_id: string;
  name: string;
  scopes: string[];
  secret_hash: Buffer;
}

export interface KeyInfo {
  key_id: string;
  name: string;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
}

/** An active key; null: no active key has that id. */
export async function findKey(database: Database, id: string): Promise<KeyRow | null> {
  const [row] = await database.rows<KeyRow>(
    `select workspace_id, name, scopes, secret_hash from defensible.api_key
      where key_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [id],
  );
  return row ?? null;
}

export const keyName = (name: string) => `key ${name}`;

/** Names that count as one party, since no one may judge what they took part in: the name, the maker of its key, and the keys that they made. */
export async function namesOf(queries: Queries, workspace: string, name: string): Promise<string[]> {
  const rows = await queries.rows<{ name: string }>(
    `with self as (select $2::text as name
       union select made_by from defensible.api_key where workspace_id = $1 and $3 || name = $2 and made_by is not null)
     select name from self
       union select $3 || k.name from defensible.api_key k join self on k.made_by = self.name where k.workspace_id = $1`,
    [workspace, name, keyName("")],
  );
  return rows.map((row) => row.name);
}

export const secretHash = hashOf;

interface NewKey {
  workspace: string;
  name: string;
  scopes: readonly string[];
  days?: number | undefined;
  /** Who makes the key, for the activity log. */
  by?: string;
}

/** Creates a key. It is returned once and cannot be read again. Actions are attributed to the key's name, so no two active keys share one. */
export async function createKey(
  database: Database,
  { workspace, name, scopes, days, by = OPERATOR }: NewKey,
): Promise<{ key_id: string; key: string }> {
  const id = randomBytes(6).toString("hex");
  const secret = randomBytes(24).toString("base64url");
  await database.transaction(async (queries) => {
    // Serialized: two concurrent transactions would not see each other's key.
    await queries.rows("select 1 from defensible.workspace where workspace_id = $1 for no key update", [workspace]);
    const there = await queries.rows(
      `select 1 from defensible.api_key where workspace_id = $1 and name = $2 and revoked_at is null
         and (expires_at is null or expires_at > now())`,
      [workspace, columnText(name)],
    );
    if (there.length > 0) {
      throw new InputError(
        "key_name_taken",
        `key: "${name}" is the name of a key that works`,
        "Revoke that key first, or take another name.",
      );
    }
    await queries.rows(
      `insert into defensible.api_key (key_id, workspace_id, name, scopes, secret_hash, expires_at, made_by)
       values ($1, $2, $3, $4, $5, now() + make_interval(days => $6), $7)`,
      [id, workspace, columnText(name), scopes, hashOf(secret), days ?? null, by === OPERATOR ? null : by],
    );
    await noteActivity(queries, workspace, { actor: by, action: "key.create", subject: id, doc: { name, scopes } });
  });
  return { key_id: id, key: `dfk_${id}_${secret}` };
}

/** False: there is no such active key. */
export function revokeKey(database: Database, workspace: string, keyId: string, by = OPERATOR): Promise<boolean> {
  return database.transaction(async (queries) => {
    const rows = await queries.rows(
      "update defensible.api_key set revoked_at = now() where workspace_id = $1 and key_id = $2 and revoked_at is null returning 1",
      [workspace, keyId],
    );
    if (rows.length === 0) return false;
    await noteActivity(queries, workspace, { actor: by, action: "key.revoke", subject: keyId });
    return true;
  });
}

const time = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;

export function listKeys(
  queries: Queries,
  workspace: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<KeyInfo[]> {
  return queries.rows<KeyInfo>(
    `select key_id, name, scopes, ${time("created_at")}, ${time("expires_at")}, ${time("revoked_at")} from defensible.api_key
      where workspace_id = $1 and ($2::text is null or key_id > $2) order by key_id limit $3`,
    [workspace, after, limit],
  );
}

function refuseKeyName(person: string): void {
  if (!person.startsWith(keyName(""))) return;
  throw new InputError(
    "bad_person",
    `person: got "${person}", but names that begin with "${keyName("")}" are those of keys`,
  );
}

/** A login token: one person can sign in with it once, within an hour. */
export async function createLogin(
  database: Database,
  { workspace, person, role }: { workspace: string; person: string; role: string },
): Promise<string> {
  refuseKeyName(person);
  const token = randomBytes(24).toString("base64url");
  await database.rows(
    `insert into defensible.login (token_hash, workspace_id, person, role, expires_at)
     values ($1, $2, $3, $4, now() + interval '1 hour')`,
    [hashOf(token), workspace, person, role],
  );
  return token;
}

export interface SessionInfo {
  /** The browser keeps the id; the database keeps its hash. */
  id: string;
  minutes: number;
  workspace: string;
  person: string;
  role: string;
}

/** Exchanges a login token for a session; null: the token is unknown, used or expired. */
export function signIn(database: Database, token: string): Promise<SessionInfo | null> {
  return database.transaction(async (queries) => {
    const [login] = await queries.rows<{ workspace_id: string; person: string; role: string }>(
      `update defensible.login set used_at = now() where token_hash = $1 and used_at is null and expires_at > now()
       returning workspace_id, person, role`,
      [hashOf(token)],
    );
    return login ? openSession(queries, { ...login, workspace: login.workspace_id }) : null;
  });
}

export async function openSession(
  queries: Queries,
  {
    workspace,
    person,
    role,
    minutes = SESSION_MINUTES,
  }: { workspace: string; person: string; role: string; minutes?: number },
): Promise<SessionInfo> {
  refuseKeyName(person);
  const id = randomBytes(32).toString("base64url");
  await queries.rows(
    `insert into defensible.session (id_hash, workspace_id, person, role, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(mins => $5))`,
    [hashOf(id), workspace, person, role, minutes],
  );
  return { id, minutes, workspace, person, role };
}

export async function findSession(
  database: Database,
  id: string,
): Promise<{ workspace_id: string; person: string; role: string } | null> {
  const [row] = await database.rows<{ workspace_id: string; person: string; role: string }>(
    "select workspace_id, person, role from defensible.session where id_hash = $1 and expires_at > now()",
    [hashOf(id)],
  );
  return row ?? null;
}

export function signOut(database: Database, id: string): Promise<void> {
  return database.transaction(async (queries) => {
    const [ended] = await queries.rows<{ workspace_id: string; person: string }>(
      "delete from defensible.session where id_hash = $1 returning workspace_id, person",
      [hashOf(id)],
    );
    if (!ended) return;
    const { workspace_id: workspace, person } = ended;
    await noteActivity(queries, workspace, { actor: person, action: "person.sign_out", subject: person });
  });
}

/** Ends all sessions of a person in a workspace and revokes their unused login tokens. Their keys stay. Returns the number of each. */
export function signOutEverywhere(
  database: Database,
  workspace: string,
  person: string,
): Promise<{ sessions: number; tokens: number }> {
  return database.transaction(async (queries) => {
    const of = [workspace, columnText(person)];
    const sessions = await queries.rows(
      "delete from defensible.session where workspace_id = $1 and person = $2 returning 1",
      of,
    );
    const tokens = await queries.rows(
      "delete from defensible.login where workspace_id = $1 and person = $2 and used_at is null returning 1",
      of,
    );
    const ended = { sessions: sessions.length, tokens: tokens.length };
    await noteActivity(queries, workspace, { actor: OPERATOR, action: "person.sign_out", subject: person, doc: ended });
    return ended;
  });
}

/** Logs an action of an actor on one subject or on several. */
export async function noteActivity(
  queries: Queries,
  workspace: string,
  entry: { actor: string; action: string; subject?: string | readonly string[]; doc?: object },
): Promise<void> {
  await queries.rows(
    "insert into defensible.activity (workspace_id, actor, action, subject, doc) select $1, $2, $3, unnest($4::text[]), $5::json",
    [
      workspace,
      columnText(entry.actor),
      entry.action,
      [entry.subject ?? ""].flat().map(columnText),
      entry.doc ? JSON.stringify(entry.doc) : null,
    ],
  );
}

/** The activity-log name of a gate event; null: a check that changed nothing. */
function gateAction({ type, in_force }: GateEvent): string | null {
  if (type === "gate") return in_force ? "gate.apply" : null;
  return {
    suspended: "gate.suspend",
    reinstated: "gate.reinstate",
    closed: "gate.close",
    opened: "gate.open",
    reset: null,
  }[type];
}

/** Logs gate changes that no request made, in the transaction that records them. */
export async function noteGateEvents(queries: Queries, workspace: string, events: readonly GateEvent[]): Promise<void> {
  for (const event of events) {
    const action = gateAction(event);
    if (action === null) continue;
    const { type, by_hand, actor = OPERATOR, reason, community, gate_id } = event;
    await noteActivity(queries, workspace, {
      actor: type === "suspended" && !by_hand ? "watch" : actor,
      action,
      subject: String(community ?? gate_id ?? reason ?? "").slice(0, 500),
      ...(reason ? { doc: { reason } } : {}),
    });
  }
}

export function listActivity(database: Database, workspace: string, before: number, limit: number) {
  return database.rows<{ seq: number; at: string; actor: string; action: string; subject: string; doc: object | null }>(
    `select seq, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, actor, action, subject, doc from defensible.activity
      where workspace_id = $1 and seq < $2 order by seq desc limit $3`,
    [workspace, before, limit],
  );
}
