import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { fileError } from "../../io/files.js";
import type { RuleFile } from "../ports.js";
import { parseRuleSets, ruleSetIdentity, ruleSetName } from "../records/parse-rule-set.js";
import type { Workspace } from "./workspace.js";

export { parseRuleSet } from "../records/parse-rule-set.js";

/** Every rule set of a workspace, in the order of file names. What a set is for is told by its content, never by its file's name. */
export function loadRuleSets(workspace: Workspace): RuleFile[] {
  const sets: RuleFile[] = [];
  const owner = new Map<string, string>();
  for (const name of ruleFileNames(workspace)) {
    const file = `rules/${name}`;
    for (const { set } of parseRuleSets(readText(join(workspace.paths.rules, name), file), file)) {
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
  }
  return sets;
}

function ruleFileNames(workspace: Workspace): string[] {
  const { rules } = workspace.paths;
  if (!existsSync(rules)) return [];
  try {
    return readdirSync(rules, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && /^[^.].*\.(ya?ml|json)$/i.test(entry.name))
      .map((entry) => entry.name)
      .sort();
  } catch (cause) {
    throw fileError(cause, rules);
  }
}

/** What changes when a rule file, the precedents or the key of audits is edited, added or removed. */
export function rulesMark(workspace: Workspace): string {
  const { rules, precedents, contentKey } = workspace.paths;
  return [...ruleFileNames(workspace).map((name) => join(rules, name)), precedents, contentKey]
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return `${path}:${stat?.ino}:${stat?.size}:${stat?.mtimeMs}`;
    })
    .join("\n");
}

/** @param file how the file is called in messages */
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
