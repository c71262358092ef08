import { type Rule, type RuleSet, ruleText, type Tier } from "../../core/records/rule-set.js";
import { RULE_FIELDS, type RuleChange } from "../../core/results/rules-diff.js";
import { wordDiff } from "./word-diff.js";

/** What was added, removed, reworded or renumbered between two sets of the same scope and community. */
export function ruleChanges(before: RuleSet | null, after: RuleSet | null, tier: Tier): RuleChange[] {
  const owner = before ?? after;
  if (!owner) return [];
  const { scope } = owner;
  const community = scope === "platform" ? null : owner.community!;
  const old = new Map((before?.rules ?? []).map((rule) => [rule.id, rule]));
  const now = new Map((after?.rules ?? []).map((rule) => [rule.id, rule]));
  const gone = [...old.values()].filter((rule) => !now.has(rule.id));
  const changes: RuleChange[] = [];
  for (const rule of now.values()) {
    const reference = { scope, community, rule_id: rule.id, title: rule.title };
    const known = old.get(rule.id);
    if (known) {
      const fields = changedFields(known, rule);
      const shown = readText(known, tier) !== readText(rule, tier);
      if (fields.length > 0) changes.push({ ...reference, change: "reworded", shown, fields });
      continue;
    }
    const moved = gone.findIndex((other) => changedFields(other, rule).length === 0);
    if (moved < 0) changes.push({ ...reference, change: "added", shown: true, fields: changedFields(null, rule) });
    else {
      const [other] = gone.splice(moved, 1);
      changes.push({ ...reference, change: "renumbered", old_rule_id: other!.id, shown: true, fields: [] });
    }
  }
  for (const rule of gone) {
    const reference = { scope, community, rule_id: rule.id, title: rule.title };
    changes.push({ ...reference, change: "removed", shown: true, fields: changedFields(rule, null) });
  }
  return changes;
}

function changedFields(before: Rule | null, after: Rule | null): RuleChange["fields"] {
  return RULE_FIELDS.flatMap((field) => {
    const [a, b] = [textOf(before, field), textOf(after, field)];
    return a === b ? [] : [{ field, before: a, after: b, words: wordDiff(a ?? "", b ?? "") }];
  });
}

function textOf(rule: Rule | null, field: (typeof RULE_FIELDS)[number]): string | null {
  const value = rule?.[field];
  if (field === "never_automate") return value === true ? "true" : null;
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? null : text;
}

/** Whether the auditor reads the same under both sets: ids, kinds, texts and their order. */
export function readsAlike(before: RuleSet | null, after: RuleSet | null, tier: Tier): boolean {
  const read = (set: RuleSet | null) =>
    JSON.stringify(set?.rules.map((rule) => [rule.id, readText(rule, tier)]) ?? null);
  return read(before) === read(after);
}

function readText(rule: Rule, tier: Tier): string {
  return JSON.stringify([rule.kind ?? null, ruleText(rule, tier)]);
}
