/** The verb with which a clause begins to demand or to order; what stands before it says whom it concerns. */
const DEMAND_VERB =
  /\b(?:must|has to|have to|needs?|requires?|is required when|are required when|starts?|begins?|shows|names (?:its?|the|an?|their|what|where)|says|carry|carries|puts|quotes|gives|states|includes|lists|has at least|is moved|are moved|is locked|are locked|belongs?|is sent|are sent|goes to|go to|is removed|are removed|is written|stands|lleva|llevan|dice|van en|va en|se retira)\b/;
const CONDITION = /\b(?:when|if|cuando|si)\b(.*)$/;

export interface ClauseParts {
  /** Whom or what the clause concerns, lower case. */
  subject: string;
  /** What it demands of them. */
  demand: string;
}

/** Cuts a demanding clause at its verb. "The tag is required when a wound is shown" concerns what follows the "when". */
export function clauseParts(lower: string): ClauseParts {
  const match = DEMAND_VERB.exec(lower);
  if (!match) return { subject: lower, demand: lower };
  const before = lower.slice(0, match.index);
  const after = lower.slice(match.index);
  if (match[0].endsWith("when")) return { subject: after.slice(match[0].length), demand: before };
  const condition = CONDITION.exec(after);
  return { subject: condition ? `${before} ${condition[1]}` : before, demand: after };
}
