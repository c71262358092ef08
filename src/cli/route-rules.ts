import { statSync } from "node:fs";
import { join } from "node:path";
import type { CaseFrame, CaseRule } from "../domain/case.js";
import type { RuleSet } from "../domain/rule-set.js";
import { markedRules, type NeverAutomate } from "../gate/never-automate.js";
import { findReferences } from "../grounding/find-references.js";
import { type FrameIndex, frameIndex } from "../grounding/frame-index.js";
import { foldText, tokenise } from "../grounding/words.js";
import { loadRuleSets, ruleFileNames } from "../workspace/rule-files.js";
import type { Workspace } from "../workspace/workspace.js";

const REMEMBERED = 1000;

/** The rules of a workspace that must never be applied without a person; null: none is marked. */
export function loadNeverAutomate(workspace: Workspace): NeverAutomate | null {
  const sets = loadRuleSets(workspace).map(({ set }) => set);
  return markedRules(sets, namesMarkedRule(sets, workspace));
}

/** What changes when somebody edits, adds or removes a rule file. */
export function rulesFingerprint(workspace: Workspace): string {
  return ruleFileNames(workspace)
    .map((name) => {
      const stat = statSync(join(workspace.paths.rules, name), { throwIfNoEntry: false });
      return `${name}:${stat?.ino}:${stat?.size}:${stat?.mtimeMs}`;
    })
    .join("\n");
}

/**
 * Whether a text names a marked rule by id or by its whole title. An audit records only the first rule it cites, and the decider's
 * `cited_rule` is free text; both are read here as grounding reads citations.
 */
function namesMarkedRule(sets: readonly RuleSet[], workspace: Workspace): NeverAutomate["names"] {
  const known = new Map<string, { index: FrameIndex; answers: Map<string, boolean> }>();
  return (community, text) => {
    let entry = known.get(community);
    if (!entry) {
      entry = { index: frameIndex(markedFrame(sets, community, workspace)), answers: new Map() };
      if (known.size >= REMEMBERED) known.clear();
      known.set(community, entry);
    }
    let answer = entry.answers.get(text);
    if (answer === undefined) {
      answer = namesAny(text, entry.index);
      if (entry.answers.size >= REMEMBERED) entry.answers.clear();
      entry.answers.set(text, answer);
    }
    return answer;
  };
}

function namesAny(text: string, index: FrameIndex): boolean {
  if (findReferences(foldText(text), index).length > 0) return true;
  const phrase = ` ${tokenise(text).join(" ")} `;
  return index.sources.some(({ title }) => title !== "" && phrase.includes(title));
}

/** The marked rules of the platform and of one community, of every version. */
function markedFrame(sets: readonly RuleSet[], community: string, { config }: Workspace): CaseFrame {
  const rules = sets
    .filter((set) => set.scope === "platform" || set.community === community)
    .flatMap((set) =>
      set.rules
        .filter((rule) => rule.never_automate)
        .map(({ id, title }): CaseRule => ({ scope: set.scope, id, title, text: title, kind: null })),
    );
  return { community, rulesetVersion: "", tier: "title", rules, precedents: [], actions: config.actions };
}
