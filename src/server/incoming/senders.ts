import type { FastifyRequest } from "fastify";
import { lockChannel } from "../../store/postgres/foreign.js";
import { findSecret, keepSecret } from "../../store/postgres/secrets.js";
import type { Actor, Scope } from "../auth.js";
import { Problem } from "../problems.js";
import type { Service } from "../service.js";
import { signatureProblem } from "./signature.js";

/** What the sender of webhooks may be allowed to do. */
export const SENDER_SCOPES = ["decisions:write", "labels:write", "appeals:write", "rules:write"] as const;

/** A system that sends webhooks to a workspace, as stored, encrypted. */
export interface Sender {
  /** Newest first; an older secret is valid until its time. */
  secrets: { secret: string; until: string | null }[];
  /** Calls with an API key need no signature. */
  unsigned_keys: boolean;
  scopes: Scope[];
  set_at: string;
  /** Fixed parameters of a signed call, in place of those in its address: signatures cover only bodies. */
  fixed?: FixedQuery | null;
}

export interface FixedQuery {
  community: string | null;
  value: string[];
}

const nameOf = (system: string) => `in ${system}`;

export async function senderOf(
  { database, vault }: Pick<Service, "database" | "vault">,
  workspace: string,
  system: string,
): Promise<Sender | null> {
  const kept = await findSecret(database, vault, workspace, nameOf(system));
  return kept === null ? null : (JSON.parse(kept.toString()) as Sender);
}

/** If two callers set a secret at once, the second finds that of the first. Lasts until the transaction ends. */
export async function lockSender({ database }: Pick<Service, "database">, workspace: string, system: string) {
  await lockChannel(database, workspace, nameOf(system));
}

/** null: nothing that the system signs is accepted from now on. */
export async function keepSender(
  { database, vault }: Pick<Service, "database" | "vault">,
  workspace: string,
  system: string,
  sender: Sender | null,
): Promise<boolean> {
  const sealed = sender === null ? null : Buffer.from(JSON.stringify(sender));
  return keepSecret(database, vault, workspace, nameOf(system), sealed);
}

/** Whether a call has neither a key nor a session, and names the workspace that its signature is for. */
export function comesSigned({ headers, query }: FastifyRequest, hasSession: boolean): boolean {
  return headers.authorization === undefined && !hasSession && typeof (query as Query).workspace === "string";
}

interface Query {
  workspace?: unknown;
}

/**
 * The sender of a webhook: the owner of the key, or else the system itself. If a system has a secret, its calls must be signed, also those
 * with a key, unless `unsigned_keys` is set. An unknown workspace is answered like a wrong signature.
 */
export async function signedBy(
  service: Service,
  request: FastifyRequest & { fixed?: FixedQuery | null },
  body: string,
  actor: Actor | undefined,
): Promise<Actor> {
  const { system } = request.params as { system: string };
  const workspace = actor?.workspace ?? String((request.query as Query).workspace);
  const sender = await senderOf(service, workspace, system);
  if (actor && (sender === null || sender.unsigned_keys)) return actor;
  const now = new Date();
  const secrets = (sender?.secrets ?? []).filter(({ until }) => until === null || Date.parse(until) > now.getTime());
  const problem = signatureProblem(
    { system, headers: request.headers, body, now },
    secrets.map(({ secret }) => secret),
  );
  if (problem === "late") throw new Problem(401, "late_signature", "The call was signed more than five minutes ago.");
  if (problem !== null)
    throw new Problem(401, "bad_signature", "The call is not signed with the secret that this system has here.");
  if (!actor) request.fixed = sender!.fixed ?? null;
  const name = `sender ${system}`;
  return actor ?? { workspace, id: name, name, by: "key", scopes: new Set<Scope>(sender!.scopes) };
}
