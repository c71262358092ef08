import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import type { RuleSet } from "../../core/records/rule-set.js";
import { fileError, fileProblem, writeFileAtomic } from "../../io/files.js";
import { loadRuleSets, readText } from "../../store/files/rule-files.js";
import type { Workspace } from "../../store/files/workspace.js";
import { canonicalValue, Fault } from "../../store/formats/parse-json.js";
import type { RuleFile } from "../../store/ports.js";
import { parseRuleSet, ruleSetIdentity, ruleSetName } from "../../store/records/parse-rule-set.js";
import type { FileImport } from "./import-report.js";

/** The rule sets of a workspace, to add to. */
export class RuleSetStore {
  /** Identity -> content and file. */
  private readonly known = new Map<string, { content: string; file: string }>();
  /** Scope and community -> versions. */
  private readonly versions = new Map<string, RuleFile[]>();

  constructor(
    private readonly workspace: Workspace,
    private readonly dryRun: boolean,
  ) {
    for (const { file, set } of loadRuleSets(workspace)) this.note(set, contentOf(set), file);
  }

  /** Takes the rule set of a file; says why not where another one with its identity is there. */
  add(path: string, entry: FileImport): Fault | null {
    const { text, set } = readRuleSet(path);
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
      const file = this.dryRun ? "this import" : this.write(set, text);
      this.note(set, content, file);
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

  private write(set: RuleSet, text: string): string {
    const { rules } = this.workspace.paths;
    try {
      mkdirSync(rules, { recursive: true });
    } catch (cause) {
      throw fileError(cause, rules);
    }
    const stem = `${slug(set.scope === "community" ? set.community! : "platform", "community")}-${slug(set.version, "version")}`;
    let name = `${stem}.yaml`;
    for (let n = 2; existsSync(join(rules, name)); n++) name = `${stem}-${n}.yaml`;
    // What people wrote in YAML is kept to the letter, comments and all.
    const json = /^\uFEFF?\s*\{/.test(text);
    writeFileAtomic(join(rules, name), json ? stringify(inOrder(set), { lineWidth: 0 }) : text.replace(/^\uFEFF/, ""));
    return `rules/${name}`;
  }
}

function ownerOf({ scope, community }: RuleSet): string {
  return scope === "community" ? `community ${community}` : scope;
}

function readRuleSet(path: string): { text: string; set: RuleSet } {
  try {
    const text = readText(path);
    return { text, set: parseRuleSet(text, path) };
  } catch (cause) {
    throw fileProblem(cause, path);
  }
}

function contentOf(set: RuleSet): string {
  return JSON.stringify(canonicalValue(set, ""));
}

function inOrder(set: RuleSet): Record<string, unknown> {
  const { scope, community, version, effective_from, rules, ...others } = set;
  return {
    scope,
    ...(scope === "community" && { community }),
    version,
    ...(effective_from && { effective_from }),
    ...others,
    rules: rules.map(({ id, title, kind, description, detail, ...more }) => ({
      id,
      title,
      ...(kind && { kind }),
      ...(description && { description }),
      ...(detail && { detail }),
      ...more,
    })),
  };
}

/** A name that every file system takes; text without a single Latin letter or digit is named by its hash. */
function slug(text: string, what: string): string {
  const ascii = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60);
  return ascii || `${what}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
}
