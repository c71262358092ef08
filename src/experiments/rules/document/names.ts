import type { RuleReference } from "../../../core/results/paired-change.js";
import { printable } from "../../../text/printable.js";

/**
 * Other people's text in a document that may become a comment on a pull request: printable, and without calling anybody. A zero-width
 * space behind @ keeps a rule's title from notifying whoever is named in it.
 */
export function quiet(text: string, maxLength = 60): string {
  return printable(text, maxLength).replace(/@(?=[\p{L}\p{N}_-])/gu, "@\u200b");
}

/** "platform", or the community's name. */
export function ownerName({ community }: Pick<RuleReference, "community">): string {
  return community === null ? "platform" : quiet(community, 30);
}

/** Id and title of a rule. */
export function ruleName({ rule_id, title }: Pick<RuleReference, "rule_id" | "title">, maxLength = 48): string {
  return quiet(title === null ? rule_id : `${rule_id} ${title}`, maxLength);
}
