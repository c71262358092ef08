import { readFileSync, statSync } from "node:fs";
import { isMap, stringify } from "yaml";
import { z } from "zod";
import { type Config, configSchema, type ImportProfile } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import { type ActionStep, type Actions, MODERATION_ACTIONS } from "../../core/records/actions.js";
import { NEW_TEMPLATE } from "../../core/records/audit.js";
import { nearestName } from "../../core/text-checks.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { readYaml } from "../formats/yaml-text.js";
import { explainIssue } from "../records/fits.js";

export const CONFIG_FILE = "defensible.yaml";

/** The text of existing settings. */
export const configText = (config: Config): string => stringify(config);

/** The lines for actions in a new file. */
function actionLines({ positive, negative, all }: Actions): string {
  const two = `  positive: ${JSON.stringify(positive)}\n  negative: ${JSON.stringify(negative)}`;
  if (!all) return `# The two actions a decision can be; \`positive\` is the one that restricts.\nactions:\n${two}`;
  return `# The actions a decision can be, mildest first; \`positive\` is the mildest that restricts, \`negative\` the mildest of all.\nactions:\n${two}\n  all: ${JSON.stringify(steps(all))}`;
}

/** Only names, if severities are implied by the order. */
function steps(all: readonly ActionStep[]): (string | ActionStep)[] {
  return all.every(({ severity }, place) => severity === place) ? all.map(({ name }) => name) : [...all];
}

export function newConfig(actions: Actions = MODERATION_ACTIONS): string {
  return `# Settings of this workspace. The flags of a command override them.
version: 1

# Name of the platform, for the head of reports.
# platform: My platform

${actionLines(actions)}

# Who audits: baseline, openai:<model>, openai-compatible:<model>, vertex:<model>, gemini:<model>, gguf:<file>, answers:<file> or replay:<file>.
auditor: baseline

# Address of the server, for openai-compatible:… (vLLM, llama.cpp, Ollama, SGLang, LM Studio, OpenRouter, Together and others).
# Keys are never written here: they come from the environment (OPENAI_API_KEY, GEMINI_API_KEY, …).
# base_url: http://127.0.0.1:11434/v1

# Whose habits that server has, if it does not tell: vllm, sglang, llamacpp, ollama, lmstudio, openrouter, together, fireworks, …
# dialect: vllm

# Tokens that prompt and answer may have together, for a model whose limit is not known.
# context_tokens: 8192

# Largest answer of a server, in MB; a larger one is unscored.
# max_answer_mb: 8

# Minutes of "too many requests" or "overloaded" without any answer after which a run stops; the same command continues it.
# give_up_minutes: 10

# What all workers of the live service together may spend on audits in a day (UTC), in USD.
# usd_per_day: 20

# What drafts of statements of reasons (EU DSA) say that no record knows; docs/statements.md.
# statements: {territorial_scope: EU, source_type: SOURCE_VOLUNTARY, complaint: https://example.org/complaints}

# USD per million tokens of models whose price is not known, or is another for you.
# prices:
#   my-model: {input: 0.4, cached_input: 0.1, output: 1.6}

# How much of a rule the auditor is given: title, sidebar (title + description) or wiki (title + description + detail).
tier: wiki

# What the auditor is asked: guided (the paper's five fields, with instructions for cases that are often open), paper (as in the paper) or extended (two more fields).
template: ${NEW_TEMPLATE}

# Sampling temperature of the auditor, 0 to 2.
temperature: 0.2

# Seed of everything that is drawn at random.
seed: 1

# How many opposites each run audits, to see whether the auditor notices an inverted decision; 0: none.
# flip: 50

# Nearest alternatives of each decision that each run audits too, where there are more than two actions: 0, 1 or 2.
# alternatives: 0

# A label that is not among the listed tokens: floor (an estimate, flagged) or paper (its probability is 0).
# missing: floor

# How much harm an indefensible decision does, by action, for \`gate.harm\`; 1 where none is named.
# harm: {actions: {remove: 3}}

# Which communities may be automated (\`defensible gate\`); these are the defaults.
# gate: {mode: shrunk, di: 0.9, ai: 0.15, min_decisions: 25, variable: ai, by: [community], risk: 0.1, delta: 0.05, q: 0.05, review_share: 0.02}

# How files of one origin are read (\`defensible import --profile NAME\`); \`--save-profile NAME\` writes it.
# import: {NAME: {map: {text: content, mod: decider}, set: {community: plants}, id_from: hash, value: {removelink: remove}}}
`;
}

function parseConfig(text: string, file: string): Config {
  const yaml = readYaml(text, file);
  const value = yaml.value ?? {};
  const result = configSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const { path, reason } = explainIssue(issue!, value);
  const keys = issue!.code === "unrecognized_keys" ? issue!.keys : [];
  const field = path.join(".");
  throw new InputError(
    "bad_config",
    `${file}:${keys.length ? yaml.atKey([...path, keys[0]!]) : yaml.at(path)}: ${field ? `${field}: ` : ""}${reason}`,
    keys.length ? knownKeys(path, keys[0]!) : "Fix this line.",
  );
}

/** The known keys at the position of an unknown one. */
function knownKeys(path: readonly PropertyKey[], unknown: string): string {
  let at: z.core.$ZodType | undefined = configSchema;
  for (const step of path) {
    at = at instanceof z.ZodRecord ? at.valueType : at instanceof z.ZodObject ? at.shape[step as string] : undefined;
    while (at instanceof z.ZodOptional || at instanceof z.ZodDefault || at instanceof z.ZodPipe) {
      at = at instanceof z.ZodPipe ? at.out : at.unwrap();
    }
  }
  const keys = at instanceof z.ZodObject ? Object.keys(at.shape) : [];
  const meant = nearestName(unknown, keys);
  return `${meant === null ? "" : `Did you mean ${meant}? `}Known keys: ${keys.join(", ")}.`;
}

export function readConfig(path: string): Config {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw fileError(cause, path);
  }
  return parseConfig(text, path);
}

/** Fails on a file that its owner has made read-only; a rename would replace it whatever its mode. */
export function refuseReadOnly(path: string): void {
  if ((statSync(path).mode & 0o222) !== 0) return;
  throw new InputError(
    "config_read_only",
    `${path}: is read-only, so nothing can be kept in it`,
    "Make it writable (`chmod u+w FILE`), or leave out what is to be kept there.",
  );
}

/** Replaces the text of a configuration, keeping its line endings. */
function writeConfig(path: string, before: string, after: string): void {
  refuseReadOnly(path);
  writeFileAtomic(path, /\r\n/.test(before) ? after.replace(/\r?\n/g, "\r\n") : after);
}

/** Writes new actions into an existing file and keeps its comments. */
export function writeActions(path: string, actions: Actions): void {
  const text = readFileSync(path, "utf8");
  const { document } = readYaml(text, path);
  const { positive, negative, all } = actions;
  // A list is converted to an object, because it cannot hold the names of the two sides.
  if (!isMap(document.get("actions"))) document.set("actions", document.createNode({ positive, negative }));
  document.setIn(["actions", "positive"], positive);
  document.setIn(["actions", "negative"], negative);
  if (all) document.setIn(["actions", "all"], document.createNode(steps(all), { flow: true }));
  else document.deleteIn(["actions", "all"]);
  writeConfig(path, text, document.toString({ lineWidth: 0 }));
}

/** Writes an import profile into an existing file, replacing one of the same name, and keeps its comments. */
export function writeProfile(path: string, name: string, profile: ImportProfile): void {
  const text = readFileSync(path, "utf8");
  const { document } = readYaml(text, path);
  const added = stringify({ import: { [name]: profile } }, { lineWidth: 0 });
  // A new section is appended, so that all lines above stay unchanged.
  const appended = `${text.replace(/\s*$/, "\n")}${added}`;
  const isNew = document.get("import") === undefined && isConfig(appended, path);
  if (!isNew) document.setIn(["import", name], document.createNode(profile));
  writeConfig(path, text, isNew ? appended : document.toString({ lineWidth: 0 }));
}

function isConfig(text: string, file: string): boolean {
  try {
    return parseConfig(text, file).import !== undefined;
  } catch (cause) {
    if (cause instanceof InputError) return false;
    throw cause;
  }
}
