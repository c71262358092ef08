import { IMPERATIVE } from "../../grounding/clause-role.js";

/** The verb with which a clause begins to demand or to order; what stands before it says whom it concerns. */
const DEMAND_VERB =
  /(?<!\b(?:that|who|which|whatever|whoever|it) )\b(?:must|has to|have to|needs?|requires?|is required when|are required when|starts?|begins?|shows|names (?:its?|the|an?|their|what|where)|says|carry|carries|puts|quotes|gives|states|includes|lists (?:all|the|every|its|each)|has at least|is moved|are moved|is locked|are locked|belongs?|is sent|are sent|goes to|go to|is removed|are removed|is written|stands (?:between|at|in|before|after)|lleva|llevan|dice|van en|va en|se retira)\b/;
const CONDITION = /\b(?:when|if|cuando|si)\b(.*)$/;

const LACKING =
  /^(.*?)\b(?:without|lacking|that lacks?|with no|sin)\b(.*?)\b(?:is|are|will be|se) (?:removed|retiran?)/;

export interface ClauseParts {
  /** Whom or what the clause concerns, lower case. */
  subject: string;
  /** What it demands of them. */
  demand: string;
}

/** Cuts a demanding clause at its verb. "The tag is required when a wound is shown" concerns what follows the "when". */
export function clauseParts(lower: string): ClauseParts {
  if (IMPERATIVE.test(lower)) return { subject: "", demand: lower };
  const lacking = LACKING.exec(lower);
  if (lacking) return { subject: lacking[1]!, demand: lacking[2]! };
  const match = DEMAND_VERB.exec(lower);
  if (!match) return { subject: lower, demand: lower };
  const before = lower.slice(0, match.index);
  const after = lower.slice(match.index);
  if (match[0].endsWith("when")) return { subject: after.slice(match[0].length), demand: before };
  const condition = CONDITION.exec(after);
  return { subject: condition ? `${before} ${condition[1]}` : before, demand: after };
}

/** The condition under which a demand holds, where the clause states one, or null. */
export function clauseCondition(lower: string): string | null {
  return CONDITION.exec(lower)?.[1] ?? null;
}
