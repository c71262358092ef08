import { namesOf } from "../../store/postgres/access.js";
import { parties } from "../../store/postgres/appeals.js";
import { decisionsById } from "../../store/postgres/live.js";
import { noteAuditsSeen, noteReport } from "../../store/postgres/reviews.js";
import { claimsOf, holdsDecision } from "../../store/postgres/workbench.js";
import type { Actor } from "../auth.js";
import { Problem } from "../problems.js";
import type { Service } from "../service.js";
import { noted } from "./endpoint.js";
import { readsContent } from "./shown.js";

/**
 * What makes an answer an independent label: the reviewer was given the content, answered before seeing what the audit says, and had no
 * part in the decision.
 */

/** A person who has claimed a case must answer before seeing its audit, whichever way they ask for it. */
export async function refuseHeld(service: Service, actor: Actor, decision: string): Promise<void> {
  if (!(await holdsDecision(service.database, actor.workspace, actor.name, decision))) return;
  throw new Problem(403, "answer_first", "You have claimed this case. Answer it first.");
}

/** Anything that may show the audit of any case, such as a report file, is refused while the person holds a claim. */
export async function refuseHolding(service: Service, actor: Actor, what: string): Promise<void> {
  if ((await heldBy(service, actor)).size === 0) return;
  const detail = `You have claimed a case. Answer it or give it back first: ${what} shows what its audit says.`;
  throw new Problem(403, "answer_first", detail);
}

/**
 * A route reveals what the audit found. People may not ask for one while they hold a case: the same content could be sent under another id.
 * In the meantime a key may route what arrives, one by one.
 */
export async function refuseRouting(service: Service, actor: Actor, decision?: unknown): Promise<void> {
  if (!answers(actor)) return;
  const { id } = (decision ?? {}) as { id?: unknown };
  if (actor.by === "session" || decision === undefined) await refuseHolding(service, actor, "a route");
  else if (typeof id === "string") await refuseHeld(service, actor, id);
}

/** Decisions that a person has claimed. Until they answer, they must see neither the answers of others nor what the audit says. */
export async function heldBy({ database }: Service, { workspace, name }: Actor): Promise<Set<string>> {
  return new Set((await claimsOf(database, workspace, name)).map((one) => one.decision_id));
}

/** Once an audit has been seen, an answer is not an independent label. Keys that never answer leave no note. */
const answers = ({ by, scopes }: Actor) => by === "session" || scopes.has("reviews:write");

/** Notes that the caller is shown the audits of these decisions. */
export async function noteSeen({ database }: Service, actor: Actor, decisions: readonly string[]): Promise<void> {
  if (decisions.length > 0 && answers(actor)) await noteAuditsSeen(database, actor.workspace, actor.name, decisions);
}

/** Notes that the caller is given a whole report: of a run, or the live one. */
export async function noteReportSeen(service: Service, actor: Actor, run: string | null): Promise<void> {
  if (answers(actor)) await noteReport(service.database, actor.workspace, actor.name, run);
  await noted({ service, actor }, "report.view", run ?? "live");
}

/** Contents read without a claim are logged: once an hour for each decision. */
export async function noteContentSeen(service: Service, actor: Actor, decisions: readonly string[]): Promise<void> {
  if (!readsContent(actor)) return;
  const fresh = decisions.filter((one) => service.isNewView(actor.workspace, actor.name, one));
  await noted({ service, actor }, "content.view", fresh);
}

/**
 * Whether a person or one of their keys made a decision, reviewed it, or filed or decided an appeal against it. `but`: a review that does
 * not count.
 */
export async function hadPart(
  { database }: Service,
  { workspace, name }: Actor,
  decisionId: string,
  but: number | null = null,
): Promise<boolean> {
  const names = await namesOf(database, workspace, name);
  const involved = await parties(database, workspace, decisionId, but);
  if (names.some((one) => involved.has(one))) return true;
  const [decision] = await decisionsById(database, workspace, [decisionId]);
  return names.some((one) => decision?.decider?.id === one);
}

/** Whether a person or one of their keys has claimed the case of a decision. */
export async function holdsCase({ database }: Service, { workspace, name }: Actor, decision: string): Promise<boolean> {
  for (const one of await namesOf(database, workspace, name))
    if (await holdsDecision(database, workspace, one, decision)) return true;
  return false;
}

export function sameReviewer(): Problem {
  const detail =
    "You made or reviewed this decision, or filed an appeal against it: another person decides the appeal.";
  return new Problem(403, "same_reviewer", detail);
}

/** A reviewer answers only content they were given. Callers who may not read content here see it elsewhere, which the server cannot check. */
export function refuseUnread(actor: Actor, where: string): void {
  if (!readsContent(actor)) return;
  throw new Problem(403, "read_first", `The content was not given to you: read it by \`${where}\` before you answer.`);
}
