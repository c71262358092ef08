import { InputError } from "../../core/errors.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import { foldName, nearestName } from "../../core/text-checks.js";
import { FileProblem } from "../../io/files.js";
import type { ForeignFile } from "../../store/formats/foreign-rows.js";
import { canonicalValue, Fault } from "../../store/formats/parse-json.js";
import type { RuleFileOptions } from "../../store/formats/rule-file.js";
import type { ImportStore, RecordStore, RuleFile } from "../../store/ports.js";
import { ruleSetIdentity, ruleSetName, type WrittenSet } from "../../store/records/parse-rule-set.js";
import type { Draft } from "../../text/guidelines/draft.js";
import type { FileImport } from "./import-report.js";

/** Rules of a community that has no decisions, probably meant for another one. */
export interface UnusedRules {
  community: string;
  rules: number;
  /** The community of decisions that was probably meant; null: unknown. */
  meant: string | null;
}

const MOST_NAMED = 5;

/**
 * Rules of communities without decisions that were probably meant for another community: either some community with decisions has no rules of
 * its own, or one has the same name apart from case and punctuation. If every community has its own rules, rules without decisions are not a
 * mistake. `known`: communities known to have decisions; all decisions are read only if a community is not among them.
 */
export async function findUnusedRules(
  records: RecordStore,
  sets: readonly RuleSet[],
  known: Iterable<string>,
): Promise<UnusedRules[]> {
  const communities = new Set(known);
  const rules = new Map<string, number>();
  for (const { scope, community, rules: own } of sets) {
    if (scope === "community") rules.set(community!, Math.max(rules.get(community!) ?? 0, own.length));
  }
  const missing = () => [...rules].filter(([community]) => !communities.has(community));
  if (missing().length === 0) return [];
  for await (const batch of records.decisions()) for (const { community } of batch) communities.add(community);
  const bare = [...communities].filter((community) => !rules.has(community));
  const byFold = new Map([...communities].map((community) => [foldName(community), community]));
  return missing()
    .filter(([community]) => bare.length > 0 || byFold.has(foldName(community)))
    .map(([community, count], i) => ({
      community,
      rules: count,
      // Comparing names letter by letter is limited to those shown in the message.
      meant: (i < MOST_NAMED ? nearestName(community, bare) : null) ?? byFold.get(foldName(community)) ?? null,
    }));
}

/** "marketplace (3 rules) matches no decision; did you mean "Marketplace"?" */
export function unusedRulesText(unused: readonly UnusedRules[]): string {
  const one = ({ community, rules }: UnusedRules) => `${community} (${rules} ${rules === 1 ? "rule" : "rules"})`;
  const [first] = unused;
  if (unused.length === 1) {
    return `${one(first!)} matches no decision${first!.meant === null ? "" : `; did you mean "${first!.meant}"?`}`;
  }
  const named = unused
    .slice(0, MOST_NAMED)
    .map((set) => (set.meant === null ? one(set) : `${one(set)}, did you mean "${set.meant}"?`));
  const more = unused.length - named.length;
  return `the rules of ${unused.length} communities match no decision: ${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** The level of a page's headings that match communities of decisions although none was read as one; null: no such level. */
function communityLevelOf(
  { headings = [] }: Draft,
  names: ReadonlySet<string>,
): { level: number; names: string[] } | null {
  const known = new Set([...names].map((name) => name.toLowerCase()));
  const byLevel = new Map<number, string[]>();
  for (const { level, name } of headings)
    if (known.has(name.toLowerCase())) byLevel.set(level, [...(byLevel.get(level) ?? []), name]);
  const [best] = [...byLevel].sort((a, b) => b[1].length - a[1].length || a[0] - b[0]);
  return best ? { level: best[0], names: best[1] } : null;
}

function headingsAreCommunities(file: string, { level, names }: { level: number; names: string[] }): FileProblem {
  const shown =
    names.slice(0, MOST_NAMED).join(", ") + (names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "");
  return new FileProblem(
    "headings_are_communities",
    `${file}: headings of level ${level} are communities of the decisions (${shown}), and the rules below them would be the platform's`,
    "Say that headings of this level name communities, or that all rules are the platform's.",
  );
}

/** What was understood of a page, for the report. */
function draftedPage(draft: Draft, level: number | null): FileImport["drafted"] {
  const books = draft.books.map(({ community, rules }) => {
    const sections = rules.map(({ rule }) => (typeof rule.x_section === "string" ? rule.x_section : rule.title));
    return { community, rules: rules.length, sections: [...new Set(sections)] };
  });
  return { format: draft.format, not_placed: draft.unread.length, books, community_level: level };
}

/** Refuses two versions of one rule set that take effect at the same time, or both without a date: neither is clearly the newer. */
export function checkVersions(files: readonly { file: string; set: RuleSet }[]): void {
  const begun = new Map<string, { file: string; set: RuleSet }>();
  for (const one of files) {
    const { scope, community, effective_from: from } = one.set;
    const key = JSON.stringify([scope, scope === "community" ? community : null, from ?? null]);
    const other = begun.get(key);
    if (other) {
      throw new InputError(
        "rule_versions_undated",
        `rules: ${other.file} and ${one.file} are both in force ${from ? `from ${from}` : "without a date"}: ${ruleSetName(other.set)}, and version ${one.set.version}`,
        "Give the newer one the day it came into force, such as `effective_from: 2026-01-31`, or remove the file that no longer applies.",
      );
    }
    begun.set(key, one);
  }
}

/** Adds rule sets to those already stored. */
export class RuleSetImport {
  /** Identity -> content and file. */
  private readonly known = new Map<string, { content: string; file: string }>();
  /** Scope and community -> versions. */
  private readonly versions = new Map<string, RuleFile[]>();

  constructor(
    private readonly store: ImportStore,
    kept: readonly RuleFile[],
    private readonly dryRun: boolean,
  ) {
    for (const { file, set } of kept) this.note(set, contentOf(set), file);
  }

  /** Adds the rule sets of a file, and reports those refused. `communities`: of all decisions, used to understand a page. */
  async take(
    file: ForeignFile,
    { community, platform, communityLevel }: Pick<RuleFileOptions, "community" | "platform" | "communityLevel">,
    communities: () => Promise<ReadonlySet<string>>,
    entry: FileImport,
  ): Promise<Fault[]> {
    const page = { community, platform, communityLevel };
    let { sets, draft } = file.ruleSets(page);
    if (draft) {
      const names = await communities();
      const isOpen = community === undefined && !platform && communityLevel === undefined;
      const found = isOpen ? communityLevelOf(draft, names) : null;
      entry.drafted = draftedPage(draft, found?.level ?? null);
      if (found) throw headingsAreCommunities(file.name, found);
      // Communities are spelled as the decisions spell them.
      const alike = (name: string) => [...names].filter((one) => one.toLowerCase() === name.toLowerCase());
      const spelled = (name: string) => (names.has(name) || alike(name).length !== 1 ? name : alike(name)[0]!);
      ({ sets, draft } = file.ruleSets({ ...page, spelled }));
      entry.drafted = draftedPage(draft!, null);
    }
    const faults: Fault[] = [];
    for (const set of sets) {
      const fault = await this.add(set, entry);
      if (fault) faults.push(fault);
    }
    return faults;
  }

  /** Adds a rule set; returns a fault if a different one with its identity exists. */
  private async add({ text, set }: WrittenSet, entry: FileImport): Promise<Fault | null> {
    const identity = ruleSetIdentity(set);
    const content = contentOf(set);
    const there = this.known.get(identity);
    const rival = this.rivalOf(set);
    entry.rows++;
    if (there && there.content === content) entry.duplicates++;
    else if (there) {
      entry.rejected++;
      return new Fault(
        "version",
        `different rules under ${ruleSetName(set)}, which is already there (${there.file}); give it another version`,
      );
    } else if (rival) {
      const when = set.effective_from ? `is in force from ${set.effective_from} like` : "has no effective_from next to";
      entry.rejected++;
      return new Fault(
        "effective_from",
        `${ruleSetName(set)} ${when} version ${rival.set.version} (${rival.file}), so nothing says which one is in force; give it the day it came into force, such as effective_from: 2026-01-31, or remove the file that no longer applies`,
      );
    } else {
      this.note(set, content, this.dryRun ? "this import" : await this.store.addRules(set, text));
      entry.accepted++;
    }
    return null;
  }

  /** Another version that takes effect at the same time. A set without a date conflicts with every other version. */
  private rivalOf(set: RuleSet): RuleFile | undefined {
    const { effective_from: from } = set;
    return this.versions.get(ownerOf(set))?.find((other) => !from || other.set.effective_from === from);
  }

  private note(set: RuleSet, content: string, file: string): void {
    this.known.set(ruleSetIdentity(set), { content, file });
    this.versions.set(ownerOf(set), [...(this.versions.get(ownerOf(set)) ?? []), { file, set }]);
  }
}

function ownerOf({ scope, community }: RuleSet): string {
  return scope === "community" ? `community ${community}` : scope;
}

function contentOf(set: RuleSet): string {
  return JSON.stringify(canonicalValue(set, ""));
}
