import { keepSentAudits, receiveRecords } from "../../app/live/intake.js";
import type { Actor } from "../auth.js";
import { Problem } from "../problems.js";
import type { Service } from "../service.js";

/** Keeps audits of another tool, with who sent them. */
export async function keepAudits(service: Service, { workspace, name: sender }: Actor, values: readonly unknown[]) {
  const { database } = service;
  return keepSentAudits(await service.context(workspace), { database, workspace, sender }, values);
}

interface Embedding {
  audit: unknown;
}

const hasAudit = (value: unknown): value is Embedding =>
  typeof value === "object" && value !== null && "audit" in value;

/**
 * Decisions without the audits that are embedded in them: those are kept first, with who sent them. Whoever may send an audit can have anything automated,
 * so it needs a scope of its own. A decision whose audit is refused comes as the problem with it.
 */
export async function unembedded(service: Service, actor: Actor, values: readonly unknown[]): Promise<unknown[]> {
  const embedding = values.filter(hasAudit);
  if (embedding.length === 0) return [...values];
  if (!actor.scopes.has("audits:write")) return values.map((value) => (hasAudit(value) ? notTrusted() : value));
  const { workspace } = actor;
  const { database, queue } = service;
  const records = await service.decisions(workspace);
  const { actions } = (await service.context(workspace)).config;
  const plain = embedding.map(({ audit: _, ...decision }) => decision);
  // No job is ordered: the audit is there.
  const taken = await receiveRecords({ database, records, actions, queue, jobs: () => [] }, plain);
  const isKept = taken.map(({ status }) => status === "accepted" || status === "duplicate");
  const outcomes = await keepAudits(
    service,
    actor,
    embedding.flatMap(({ audit }, i) => (isKept[i] ? [ofDecision(audit, taken[i]!.id)] : [])),
  );
  const answers = new Map<unknown, unknown>(
    embedding.map((value, i) => {
      const outcome = isKept[i] ? outcomes.shift()! : null;
      // What is wrong with the decision itself, its route says.
      if (outcome?.status !== "rejected") return [value, plain[i]];
      return [value, new Problem(422, "bad_audit", `audit: ${outcome.detail}`)];
    }),
  );
  return values.map((value) => (answers.has(value) ? answers.get(value) : value));
}

/** The audit, if it is of this decision. */
function ofDecision(audit: unknown, id: string | null): unknown {
  return (audit as { decision_id?: unknown } | null)?.decision_id === id ? audit : null;
}

function notTrusted(): Problem {
  return new Problem(
    422,
    "embedded_audit",
    "An audit inside of a decision needs the scope audits:write. Leave out `audit`, or use a key that has the scope.",
    { required_scope: "audits:write" },
  );
}
