import { RuleBook } from "../../audit/rules-in-force.js";
import { contentParts } from "../../domain/content.js";
import type { Decision } from "../../domain/decision.js";
import type { RatingKey } from "../../domain/humans.js";
import { type RuleSet, ruleText } from "../../domain/rule-set.js";
import { InputError } from "../../errors.js";
import type { Scrub } from "../../prompt/scrub.js";
import { readDecisions } from "../../workspace/records.js";
import { loadRuleSets } from "../../workspace/rule-files.js";
import type { Workspace } from "../../workspace/workspace.js";

/** What a rater sees of a case: content, rules and the decision. Nothing of the auditor, the decider or anybody's label. */
export interface SheetCase {
  case: string;
  community: string;
  decision: string;
  title: string;
  content: string;
  context: string[];
  /** There is a picture, a film or a sound that the sheet does not show. */
  media: boolean;
  rules: { scope: "platform" | "community"; id: string; title: string; text: string }[];
}

/** The cases of a key, in its order. */
export async function sheetCases(workspace: Workspace, key: RatingKey, scrub: Scrub | null): Promise<SheetCase[]> {
  const book = new RuleBook(loadRuleSets(workspace).map(({ set }) => set));
  const wanted = new Map(key.cases.map((one) => [one.decision_id, one.case]));
  const found = new Map<string, SheetCase>();
  for await (const batch of readDecisions(workspace)) {
    for (const decision of batch) {
      const name = wanted.get(decision.id);
      if (name !== undefined) found.set(name, sheetCase(name, decision, book, scrub));
    }
    if (found.size === wanted.size) break;
  }
  return key.cases.map((one) => {
    const sheet = found.get(one.case);
    if (sheet) return sheet;
    throw new InputError(
      "no_decision",
      `decision ${one.decision_id}: the run has it, the workspace's decisions do not`,
      "Draw the sheet where the run was made.",
    );
  });
}

function sheetCase(name: string, decision: Decision, book: RuleBook, scrub: Scrub | null): SheetCase {
  const { title, body, context, hasMedia } = contentParts(decision.content);
  const { community, platform } = book.inForce(decision);
  const hide = scrub?.begin();
  const shown = (text: string) => (hide ? hide.text(text) : text);
  return {
    case: name,
    community: decision.community,
    decision: decision.decision,
    title: shown(title),
    content: shown(body),
    context: context.map(shown),
    media: hasMedia,
    rules: [...rulesOf(community), ...rulesOf(platform)],
  };
}

function rulesOf(set: RuleSet | null): SheetCase["rules"] {
  if (!set) return [];
  return set.rules.map((rule) => ({
    scope: set.scope,
    id: rule.id,
    title: rule.title,
    text: ruleText(rule, "wiki").slice(rule.title.length).trim(),
  }));
}
