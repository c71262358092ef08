import type { RuleSet } from "../../core/records/rule-set.js";
import { canonicalValue, Fault } from "../../store/formats/parse-json.js";
import type { ImportStore, RuleFile } from "../../store/ports.js";
import { ruleSetIdentity, ruleSetName, type WrittenSet } from "../../store/records/parse-rule-set.js";
import type { FileImport } from "./import-report.js";

/** The rule sets that are kept, to add to. */
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

  /** Takes a rule set of a file; says why not where another one with its identity is there. */
  async add({ text, set }: WrittenSet, entry: FileImport): Promise<Fault | null> {
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

  /** Another version that is in force from the same time on; without a date of its own, a set is in doubt next to any other. */
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
