import { type Arm, hashText } from "../../audit/arms.js";
import { InputError } from "../../core/errors.js";
import type { Precedent } from "../../core/records/decision.js";
import { type Rule, type RuleSet, ruleText, type Tier } from "../../core/records/rule-set.js";
import type { BookSide } from "../../store/files/rule-files.js";
import { type DiffChanges, RULE_FIELDS, type RuleChange, type RulesDiff } from "./diff/result.js";
import { wordDiff } from "./document/change-blocks.js";

const LISTED = 50;

function precedentChanges(
  before: readonly Precedent[],
  after: readonly Precedent[],
): { changes: NonNullable<DiffChanges["precedents"]>; communities: string[] } {
  const old = new Map(before.map((one) => [one.id, one]));
  const now = new Map(after.map((one) => [one.id, one]));
  const changes = { added: 0, removed: 0, changed: 0 };
  const ids: NonNullable<DiffChanges["precedents"]>["ids"] = [];
  const communities = new Set<string>();
  const note = (change: keyof typeof changes, { id, community }: Precedent) => {
    changes[change]++;
    communities.add(community);
    if (ids.length < LISTED) ids.push({ id, community, change });
  };
  for (const one of now.values()) {
    const known = old.get(one.id);
    if (!known) note("added", one);
    else if (JSON.stringify(known) !== JSON.stringify(one)) {
      note("changed", one);
      communities.add(known.community);
    }
  }
  for (const one of old.values()) if (!now.has(one.id)) note("removed", one);
  return { changes: { ...changes, ids }, communities: [...communities].sort() };
}

/** What to audit to see the effect of a rewrite. */
export interface DiffPlan {
  what: RulesDiff["what"];
  changes: DiffChanges;
  /** Old and new; null: the auditor reads nothing that differs. */
  arms: [Arm, Arm] | null;
}

export interface DiffInputs {
  old: BookSide;
  new: BookSide;
  /** The workspace's other texts, which are the same on both sides. */
  rules: readonly RuleSet[];
  tier: Tier;
  /** The old side is the workspace: anything the new side does not name stays as it is. */
  oneSided: boolean;
}

/** Compares two sides and makes an arm of each: the workspace's rules, with those of the side in their place. */
export function planDiff(inputs: DiffInputs): DiffPlan {
  const { old, new: now } = inputs;
  if ((old.sets === null) !== (now.sets === null) && (old.precedents === null) !== (now.precedents === null)) {
    throw new InputError(
      "rules_and_precedents",
      `rules diff: ${old.name} and ${now.name} are not of one kind; got ${old.sets ? "rules" : "precedents"} and ${now.sets ? "rules" : "precedents"}`,
      "Compare rules with rules, or precedents with precedents.",
    );
  }
  const rules = old.sets && now.sets ? compareRules(inputs, old.sets, now.sets) : null;
  const precedents = old.precedents && now.precedents ? precedentChanges(old.precedents, now.precedents) : null;
  const communities =
    rules?.communities === null ? null : [...(rules?.communities ?? []), ...(precedents?.communities ?? [])];
  const changes: DiffChanges = {
    rules: rules?.changes ?? [],
    ...(rules ? { sets: rules.sets } : {}),
    precedents: precedents?.changes ?? null,
    communities: communities && [...new Set(communities)].sort(),
  };
  const rulesDiffer = rules !== null && rules.communities?.length !== 0;
  const precedentsDiffer = precedents !== null && precedents.communities.length > 0;
  const what =
    rulesDiffer && precedentsDiffer ? "rules_and_precedents" : precedentsDiffer || !rules ? "precedents" : "rules";
  if (!rulesDiffer && !precedentsDiffer) return { what, changes, arms: null };
  const name = what === "precedents" ? "precedents" : "rules";
  const arm = (side: "old" | "new"): Arm => ({
    name: `${name}=${side}`,
    draws: "",
    book: book(rules?.[side] ?? null, precedents ? inputs[side].precedents : null),
  });
  return { what, changes, arms: [arm("old"), arm("new")] };
}

function book(rules: RuleSet[] | null, precedents: Precedent[] | null): NonNullable<Arm["book"]> {
  return {
    id: hashText(JSON.stringify([rules, precedents])),
    ...(rules ? { rules } : {}),
    ...(precedents ? { precedents } : {}),
  };
}

interface ComparedRules {
  changes: DiffChanges["rules"];
  sets: NonNullable<DiffChanges["sets"]>;
  /** null: every community, since the platform's rules differ. */
  communities: string[] | null;
  old: RuleSet[];
  new: RuleSet[];
}

function compareRules(inputs: DiffInputs, oldSets: RuleSet[], newSets: RuleSet[]): ComparedRules {
  const old = newestOf(oldSets);
  const now = newestOf(newSets);
  const keys = comparedKeys(inputs, [...old.keys()], [...now.keys()]);
  if (inputs.old.single && inputs.new.single && old.keys().next().value !== now.keys().next().value) {
    throw new InputError(
      "different_owners",
      `rules diff: ${inputs.old.name} and ${inputs.new.name} are about different rules; got ${[...old.keys(), ...now.keys()].map(ownerWords).join(" and ")}`,
      "Compare two versions of the rules of one community, or of the platform.",
    );
  }
  const changes: DiffChanges["rules"] = [];
  const differing: string[] = [];
  for (const key of keys.sort()) {
    const [before, after] = [old.get(key) ?? null, now.get(key) ?? null];
    changes.push(...ruleChanges(before, after, inputs.tier));
    if (!readsAlike(before, after, inputs.tier)) differing.push(key);
  }
  const replaced = new Set(keys);
  // One set per scope, community and side, so that every past decision is audited under it.
  const others = inputs.rules.filter((set) => !replaced.has(ownerKey(set)));
  const side = (sets: Map<string, RuleSet>) => [...others, ...keys.flatMap((key) => sets.get(key) ?? [])];
  return {
    changes,
    sets: {
      added: keys.filter((key) => !old.has(key)).map(owner),
      removed: keys.filter((key) => !now.has(key)).map(owner),
    },
    communities: differing.includes(PLATFORM) ? null : differing.map((key) => JSON.parse(key) as string),
    old: side(old),
    new: side(now),
  };
}

/** A single file concerns only its own rules; between two folders, a missing set was added or removed. */
function comparedKeys({ old, new: now, oneSided }: DiffInputs, inOld: string[], inNew: string[]): string[] {
  if (oneSided || now.single) return inNew;
  return old.single ? inOld : [...new Set([...inOld, ...inNew])];
}

const PLATFORM = "null";

function ownerKey(set: RuleSet): string {
  return set.scope === "platform" ? PLATFORM : JSON.stringify(set.community);
}

function owner(key: string): string | null {
  return JSON.parse(key) as string | null;
}

function ownerWords(key: string): string {
  return key === PLATFORM ? "those of the platform" : `those of ${JSON.parse(key)}`;
}

/** The newest set of each scope and community: the last by date, then by position. */
function newestOf(sets: readonly RuleSet[]): Map<string, RuleSet> {
  const newest = new Map<string, RuleSet>();
  for (const set of sets) {
    const known = newest.get(ownerKey(set));
    if (!known || (set.effective_from ?? "") >= (known.effective_from ?? "")) newest.set(ownerKey(set), set);
  }
  return newest;
}

/** What was added, removed, reworded or renumbered between two sets of the same scope and community. */
function ruleChanges(before: RuleSet | null, after: RuleSet | null, tier: Tier): RuleChange[] {
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
function readsAlike(before: RuleSet | null, after: RuleSet | null, tier: Tier): boolean {
  const read = (set: RuleSet | null) =>
    JSON.stringify(set?.rules.map((rule) => [rule.id, readText(rule, tier)]) ?? null);
  return read(before) === read(after);
}

function readText(rule: Rule, tier: Tier): string {
  return JSON.stringify([rule.kind ?? null, ruleText(rule, tier)]);
}
