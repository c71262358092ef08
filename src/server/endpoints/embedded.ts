import { keepSentAudits, receiveRecords } from "../../app/live/intake.js";
import type { Actor } from "../auth.js";
import { Problem } from "../problems.js";
import type { Service } from "../service.js";

/** Keeps audits of another tool, with their sender. */
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
 * Decisions without their embedded audits, which are kept first, with their sender. A sender of audits can have anything automated, so this
 * needs a scope of its own. A decision whose audit is refused is returned together with the problem.
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
  // No job is ordered: the audit is already there.
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
      // A fault of the decision itself is reported by its route.
      if (outcome?.status !== "rejected") return [value, plain[i]];
      return [value, new Problem(422, "bad_audit", `audit: ${outcome.detail}`)];
    }),
  );
  return values.map((value) => (answers.has(value) ? answers.get(value) : value));
}

/** The audit, if it belongs to this decision. */
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
