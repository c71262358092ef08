import type { Arm } from "../../audit/arms.js";
import { InputError } from "../../core/errors.js";
import type { RecordStore, RuleFile } from "../../store/ports.js";
import { checkVersions, findUnusedRules, unusedRulesText } from "../import/check-rule-sets.js";
import type { Notice } from "../notices.js";
import type { Plan } from "./plan.js";

/** Refuses what no rule is in force for: of all decisions, or in one of the conditions that are to be compared. */
export function checkAnyRules(plan: Plan, arms: readonly Arm[]): void {
  if (plan.underRules === 0) {
    throw new InputError(
      "no_rules",
      `rules: none is in force for ${plan.decisions === 1 ? "the decision" : `any of the ${plan.decisions} decisions`} selected, so nothing can be derived`,
      "Import the rules with `defensible import rules.yaml`; a community's rule set names its community as the decisions do.",
    );
  }
  const bare = arms.find(({ name }) => plan.questions.get(name)?.size === 0);
  if (!bare) return;
  const shown = bare.scope ? `${bare.scope} rule is in force for` : `rule is shown under "${bare.name}" of`;
  throw new InputError(
    "no_rules",
    `rules: no ${shown} any of the decisions selected, so there is nothing to compare`,
    `Import the missing rules with \`defensible import rules.yaml\`, or select decisions that have some.`,
  );
}

/** Refuses rules that apply to no decision, and versions of which nothing says which is in force. */
export async function checkRuleSets(
  records: RecordStore,
  files: readonly RuleFile[],
  known: Iterable<string>,
  allowUnused: boolean,
): Promise<void> {
  checkVersions(files);
  if (allowUnused) return;
  const unused = await findUnusedRules(
    records,
    files.map(({ set }) => set),
    known,
  );
  if (unused.length === 0) return;
  throw new InputError(
    "unused_rules",
    `rules: ${unusedRulesText(unused)}`,
    "Write `community:` as the decisions do, import the decisions that are missing, or allow unused rules.",
  );
}

/** What should be known before anything is paid for: which communities have only the platform's rules, and which decisions are under none. */
export function rulesNotices({ decisions, underRules, withoutRules, withoutAnyRules }: Plan): Notice[] {
  const bare = new Set(withoutAnyRules);
  const platformOnly = withoutRules.filter((community) => !bare.has(community));
  const notices: Notice[] = [];
  if (platformOnly.length > 0) notices.push({ code: "platform_rules_only", communities: platformOnly });
  const none = decisions - underRules;
  if (none > 0) notices.push({ code: "no_rules", decisions: none, of: decisions, communities: withoutAnyRules });
  return notices;
}
