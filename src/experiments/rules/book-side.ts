import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Precedent } from "../../core/records/decision.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import { readPrecedents } from "../../store/files/records.js";
import { loadRuleSets, readText } from "../../store/files/rule-files.js";
import type { Workspace } from "../../store/files/workspace.js";
import { readRuleFile } from "../../store/formats/rule-file.js";
import { sniffFile } from "../../store/formats/sniff-file.js";
import { parseRuleSets, ruleSetIdentity, ruleSetName } from "../../store/records/parse-rule-set.js";

/** One side of a comparison: rules, precedents, or both; null: this side says nothing of them. */
export interface BookSide {
  name: string;
  sets: RuleSet[] | null;
  precedents: Precedent[] | null;
  /** A single file: it is about what it names and nothing else. */
  single: boolean;
}

const RULE_FILE = /^[^.].*\.(ya?ml|json)$/i;

/** A file of rule sets, a page of rules, a precedents file, or a folder of rule sets (or of a workspace, with `rules/` and `precedents.jsonl`). */
export async function readSide(path: string, workspace: Workspace): Promise<BookSide> {
  if (!existsSync(path)) {
    throw new InputError(
      "no_file",
      `rules: there is no ${path}`,
      "Name a rule set, a folder of them, or precedents (.jsonl).",
    );
  }
  const name = basename(path) || path;
  if (statSync(path).isDirectory()) return { name, ...(await readFolder(path, workspace)), single: false };
  if (sniffFile(path).format !== "ruleset" && /\.(jsonl|ndjson)$/i.test(path)) {
    return { name, sets: null, precedents: await precedentsIn(path, workspace), single: true };
  }
  const { sets } = readRuleFile(readText(path), path);
  return { name, sets: sets.map(({ set }) => set), precedents: null, single: true };
}

async function readFolder(path: string, workspace: Workspace): Promise<Pick<BookSide, "sets" | "precedents">> {
  const rules = existsSync(join(path, "rules")) ? join(path, "rules") : path;
  const files = readdirSync(rules, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && RULE_FILE.test(entry.name) && entry.name !== "defensible.yaml")
    .map((entry) => join(rules, entry.name))
    .sort();
  const precedents = join(path, "precedents.jsonl");
  const sets = files.flatMap((file) => parseRuleSets(readText(file), file).map(({ set }) => set));
  refuseTwice(sets, path);
  const found = existsSync(precedents) ? await precedentsIn(precedents, workspace) : null;
  if (sets.length === 0 && !found) {
    throw new InputError("no_rules", `${path}: holds neither rule sets nor precedents.jsonl`, "Name another folder.");
  }
  return { sets: sets.length === 0 ? null : sets, precedents: found };
}

function refuseTwice(sets: readonly RuleSet[], path: string): void {
  const seen = new Set<string>();
  for (const set of sets) {
    const identity = ruleSetIdentity(set);
    if (seen.has(identity)) {
      throw new InputError("rule_set_twice", `${path}: it holds twice ${ruleSetName(set)}`, "Remove one of them.");
    }
    seen.add(identity);
  }
}

async function precedentsIn(path: string, workspace: Workspace): Promise<Precedent[]> {
  const found: Precedent[] = [];
  // The workspace's own reader, of another file: what it accepts and how it complains are the same.
  const there = { ...workspace, paths: { ...workspace.paths, precedents: path } };
  for await (const batch of readPrecedents(there)) for (const one of batch) found.push(one);
  return found;
}

/** The rules and precedents of the workspace itself, as far as the other side speaks of them. */
export async function ownSide(workspace: Workspace, other: BookSide): Promise<BookSide> {
  const { paths } = workspace;
  return {
    name: "the workspace's own",
    sets: other.sets && loadRuleSets(workspace).map(({ set }) => set),
    precedents: other.precedents && (await precedentsIn(paths.precedents, workspace)),
    single: false,
  };
}
