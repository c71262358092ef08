import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { InputError } from "../../core/errors.js";
import type { Precedent } from "../../core/records/decision.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import { fileError } from "../../io/files.js";
import type { UnreadText } from "../../text/guidelines/draft.js";
import { type RuleFileContent, readRuleFile } from "../formats/rule-file.js";
import { sniffFile } from "../formats/sniff-file.js";
import type { RuleFile } from "../ports.js";
import { ruleSetIdentity, ruleSetName } from "../records/parse-rule-set.js";
import { CONFIG_FILE } from "./config-file.js";
import { readPrecedents } from "./records.js";
import type { Workspace } from "./workspace.js";

/** Rule sets, and pages of rules as people write them. A README is excluded, because it describes the files next to it. */
const RULE_FILE = /^(?!\.|readme\.).*\.(?:ya?ml|json|md|markdown|txt|html?)$/i;

/** Cache of parsed files, by name and text: a command of several steps, or a long-running program, reads the same rules repeatedly. */
const read = new Map<string, RuleFileContent>();
const MOST_KEPT = 500;

/** The rules of one file in a folder of rules. */
function ruleSetsIn(path: string, file = path): RuleFileContent {
  const text = readText(path, file);
  const key = `${file}\n${text}`;
  const known = read.get(key);
  if (known) return known;
  try {
    const content = frozen(readRuleFile(text, file));
    if (read.size >= MOST_KEPT) read.clear();
    read.set(key, content);
    return content;
  } catch (cause) {
    if (!(cause instanceof InputError) || cause.code !== "no_rules") throw cause;
    throw new InputError(cause.code, cause.message, `${cause.remedy} Keep other files elsewhere, or name them README.`);
  }
}

/** Shared by all readers, so frozen against changes. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

export { parseRuleSet } from "../records/parse-rule-set.js";

/** Every rule set of a workspace, in the order of file names. The scope of a set depends on its content, never on its file's name. */
export function loadRuleSets(workspace: Workspace): RuleFile[] {
  const reading = ruleSetsByFile(workspace);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

/** The same, yielding between files so that other work can run: a report starts the engine in the meantime. */
export async function readRuleSets(workspace: Workspace): Promise<RuleFile[]> {
  const reading = ruleSetsByFile(workspace);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
    await setImmediate();
  }
}

function* ruleSetsByFile(workspace: Workspace): Generator<undefined, RuleFile[]> {
  const sets: RuleFile[] = [];
  const owner = new Map<string, string>();
  for (const name of ruleFileNames(workspace)) {
    const file = `rules/${name}`;
    for (const { set } of ruleSetsIn(join(workspace.paths.rules, name), file).sets) {
      const identity = ruleSetIdentity(set);
      const other = owner.get(identity);
      if (other) {
        throw new InputError(
          "rule_set_twice",
          other === file
            ? `${file}: holds ${ruleSetName(set)} twice`
            : `rules: ${other} and ${file} are both ${ruleSetName(set)}`,
          "Give one of them another version, or remove it.",
        );
      }
      owner.set(identity, file);
      sets.push({ file, set });
    }
    yield;
  }
  return sets;
}

function ruleFileNames(workspace: Workspace): string[] {
  const { rules } = workspace.paths;
  if (!existsSync(rules)) return [];
  try {
    return readdirSync(rules, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && RULE_FILE.test(entry.name))
      .map((entry) => entry.name)
      .sort();
  } catch (cause) {
    throw fileError(cause, rules);
  }
}

/** A value that changes when a rule file, the precedents or the key of audits is edited, added or removed. */
export function rulesMark(workspace: Workspace): string {
  const { rules, precedents, contentKey } = workspace.paths;
  return [...ruleFileNames(workspace).map((name) => join(rules, name)), precedents, contentKey]
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return `${path}:${stat?.ino}:${stat?.size}:${stat?.mtimeMs}`;
    })
    .join("\n");
}

/** @param file name of the file in messages */
export function readText(path: string, file = path): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw fileError(cause, file);
  }
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new InputError(
    "not_utf8",
    `${file}: is not UTF-8 text`,
    "Convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW",
  );
}

/** One side of a comparison: rules, precedents, or both; null: this side does not have them. */
export interface BookSide {
  name: string;
  sets: RuleSet[] | null;
  precedents: Precedent[] | null;
  /** Whether it is a single file, which only covers what it names. */
  single: boolean;
  /** Text of rule pages outside any rule. */
  left?: LeftOut[];
}

/** A passage of a page outside any rule. */
export interface LeftOut extends UnreadText {
  file: string;
}

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
  return { name, ...sidesOf([[path, readRuleFile(readText(path), path)]]), precedents: null, single: true };
}

function sidesOf(files: readonly [file: string, RuleFileContent][]): { sets: RuleSet[]; left: LeftOut[] } {
  return {
    sets: files.flatMap(([, { sets }]) => sets.map(({ set }) => set)),
    left: files.flatMap(([file, { draft }]) => draft?.unread.map((one) => ({ file, ...one })) ?? []),
  };
}

async function readFolder(path: string, workspace: Workspace): Promise<Pick<BookSide, "sets" | "precedents" | "left">> {
  const rules = existsSync(join(path, "rules")) ? join(path, "rules") : path;
  const files = readdirSync(rules, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && RULE_FILE.test(entry.name) && entry.name !== CONFIG_FILE)
    .map((entry) => join(rules, entry.name))
    .sort();
  const precedents = join(path, "precedents.jsonl");
  const { sets, left } = sidesOf(files.map((file) => [file, ruleSetsIn(file)]));
  refuseTwice(sets, path);
  const found = existsSync(precedents) ? await precedentsIn(precedents, workspace) : null;
  if (sets.length === 0 && !found) {
    throw new InputError("no_rules", `${path}: holds neither rule sets nor precedents.jsonl`, "Name another folder.");
  }
  return { sets: sets.length === 0 ? null : sets, precedents: found, left };
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
  // Uses the workspace's own reader on another file, so that it accepts the same input and gives the same errors.
  const there = { ...workspace, paths: { ...workspace.paths, precedents: path } };
  for await (const batch of readPrecedents(there)) for (const one of batch) found.push(one);
  return found;
}
