import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { findKey, findSession, keyName, secretHash } from "../store/postgres/access.js";
import type { Database } from "../store/postgres/database.js";
import { Problem } from "./problems.js";

export const SCOPES = [
  "route:ask",
  "decisions:write",
  "decisions:read",
  "content:read",
  "audits:read",
  "audits:write",
  "gate:read",
  "gate:close",
  "gate:write",
  "reviews:read",
  "reviews:write",
  "labels:read",
  "labels:write",
  "appeals:read",
  "appeals:write",
  "rules:read",
  "rules:write",
  "reports:read",
  "jobs:read",
  "erase",
  "admin",
] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ["viewer", "reviewer", "policy", "admin"] as const;
export type Role = (typeof ROLES)[number];

const VIEWER: Scope[] = [
  "decisions:read",
  "audits:read",
  "gate:read",
  "gate:close",
  "reports:read",
  "reviews:read",
  "labels:read",
  "appeals:read",
  "rules:read",
  "jobs:read",
];
const REVIEWER: Scope[] = [...VIEWER, "content:read", "reviews:write", "appeals:write"];
const POLICY: Scope[] = [...REVIEWER, "gate:write", "rules:write", "labels:write", "decisions:write"];

/** Scopes of each role. Everyone may close the gates. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: VIEWER,
  reviewer: REVIEWER,
  policy: POLICY,
  admin: SCOPES,
};

export interface Actor {
  workspace: string;
  /** Of the key or the person. */
  id: string;
  /** In the activity log: the name of the key or the person. */
  name: string;
  scopes: ReadonlySet<Scope>;
  by: "key" | "session";
  /** Of a person; keys have scopes only. */
  role?: Role;
}

const KEY = /^dfk_([0-9a-z]{8,16})_([\w-]{20,100})$/;
const KNOWN_MS = 2000;

/** Browsers accept a `__Host-` cookie only encrypted and from this very host, so no neighbouring site can set it. */
export const sessionCookie = (secure: boolean) => (secure ? "__Host-defensible_session" : "defensible_session");

/** Identifies the caller. Secrets are stored only as hashes; a revoked key is refused within two seconds on every node. */
export class Doorkeeper {
  private readonly known = new Map<string, { actor: Actor; secret: Buffer; until: number }>();

  constructor(
    private readonly database: Database,
    private readonly isSecure: (request: FastifyRequest) => boolean,
  ) {}

  async actorOf(request: FastifyRequest): Promise<Actor> {
    const { authorization } = request.headers;
    if (authorization !== undefined) return this.byKey(authorization);
    const cookie = this.cookieOf(request);
    if (cookie !== undefined) {
      refuseOtherSites(request);
      return this.bySession(cookie);
    }
    throw new Problem(401, "no_key", "Send `Authorization: Bearer <key>`.");
  }

  hasSession(request: FastifyRequest): boolean {
    return this.cookieOf(request) !== undefined;
  }

  private cookieOf(request: FastifyRequest): string | undefined {
    return (request as { cookies?: Record<string, string | undefined> }).cookies?.[
      sessionCookie(this.isSecure(request))
    ];
  }

  /** The owner of a key that was looked up a moment ago. null: the key may belong to anyone, or be wrong. */
  knownActor({ headers: { authorization } }: FastifyRequest): Actor | null {
    const key = authorization === undefined ? null : readKey(authorization);
    const known = key && this.known.get(key.id);
    if (!known || known.until <= Date.now() || !timingSafeEqual(known.secret, key.given)) return null;
    return known.actor;
  }

  private async byKey(authorization: string): Promise<Actor> {
    const key = readKey(authorization);
    const row = key && (await findKey(this.database, key.id));
    if (!row || !timingSafeEqual(row.secret_hash, key.given)) throw unknownKey();
    const { id } = key;
    const actor: Actor = {
      workspace: row.workspace_id,
      id,
      name: keyName(row.name),
      scopes: new Set(row.scopes as Scope[]),
      by: "key",
    };
    if (this.known.size > 10_000) this.known.clear();
    this.known.set(id, { actor, secret: row.secret_hash, until: Date.now() + KNOWN_MS });
    return actor;
  }

  private async bySession(id: string): Promise<Actor> {
    const row = await findSession(this.database, id);
    if (!row) throw new Problem(401, "no_session", "The session has ended. Sign in again.");
    return {
      workspace: row.workspace_id,
      id: row.person,
      name: row.person,
      scopes: new Set(ROLE_SCOPES[row.role as Role] ?? []),
      by: "session",
      role: row.role as Role,
    };
  }
}

function readKey(authorization: string): { id: string; given: Buffer } | null {
  const [, id, secret] = KEY.exec(authorization.replace(/^Bearer\s+/i, "")) ?? [];
  if (id === undefined || secret === undefined) return null;
  return { id, given: secretHash(secret) };
}

/** A page of another site must not act with a person's cookie. Browsers report where a request comes from. */
export function refuseOtherSites({ method, headers }: FastifyRequest): void {
  if (method === "GET" || method === "HEAD") return;
  const site = headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return;
  const origin = headers.origin;
  const from = origin !== undefined && URL.canParse(origin) ? new URL(origin).host : null;
  if (site === undefined && from !== null && from === headers.host) return;
  throw new Problem(403, "other_site", "The request comes from another site.");
}

export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.scopes.has(scope)) return;
  throw new Problem(403, "scope_missing", `This needs the scope ${scope}.`, { required_scope: scope });
}

function unknownKey(): Problem {
  return new Problem(401, "unknown_key", "The key is not known, or was revoked.");
}
