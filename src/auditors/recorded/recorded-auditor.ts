import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DefensibleError, InputError } from "../../core/errors.js";
import { auditKey } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import type { Auditor, Capabilities, GivenSettings } from "../auditor.js";
import { CallError } from "../call-error.js";
import type { AuditorOptions } from "../create-auditor.js";
import { RAW_LOG_NAME, type RawSettings } from "./raw-log.js";
import { RawReader } from "./raw-reader.js";

/** How many answers are looked at to say what they hold: the first may be a refusal. */
const PROBED = 20;

/** Nothing was asked: the tokens were those of the run that kept the answers, and were counted there. */
const NO_USAGE = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: 0 };

/**
 * Answers with what a model said before: signals are read again, by this version of the program, without a call. Each audit is looked
 * up by its key, so decisions, arms, replicates and draws must be those of the run that kept the answers.
 * @param file a `raw.jsonl`, or the folder of a run that holds one
 */
export async function createReplayAuditor(name: string, file: string, _options: AuditorOptions = {}): Promise<Auditor> {
  const reader = await RawReader.open(rawFile(file));
  const maker = reader.makers.length === 1 ? reader.makers[0]! : "several";
  return {
    name,
    version: `${maker}#${reader.hash}`,
    signals: ["logprobs", "sampling", "none"],
    inProcess: true,
    readsPrompt: null,
    // One a call, so that one that is missing takes no other with it.
    answersPerCall: 1,
    maxConcurrency: null,
    ask: async ({ wanted }) => ({ generations: await Promise.all(wanted.map(({ key }) => answerOf(reader, key))) }),
    probe: () => probe(reader, maker),
    ...(reader.settings ? { given: givenOf(reader.settings) } : {}),
    knows: (decisionId, arm) =>
      arm === undefined ? reader.hasDecision(decisionId) : reader.has(auditKey(decisionId, arm, 0)),
    close: () => reader.close(),
  };
}

function givenOf({ prompt_version: promptVersion, ...settings }: RawSettings): GivenSettings {
  return promptVersion === undefined ? settings : { ...settings, promptVersion };
}

function rawFile(file: string): string {
  const remedy = `Name the ${RAW_LOG_NAME} of a run that kept its answers, or the run's folder.`;
  if (!existsSync(file)) throw new InputError("no_raw_file", `replay: there is no ${file}`, remedy);
  if (!statSync(file).isDirectory()) return file;
  const path = join(file, RAW_LOG_NAME);
  if (!existsSync(path)) throw new InputError("no_raw_file", `replay: ${file} holds no ${RAW_LOG_NAME}`, remedy);
  return path;
}

async function answerOf(reader: RawReader, key: string): Promise<Generation> {
  let generation: Generation | null;
  try {
    generation = await reader.get(key);
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    throw new CallError("bad_request", `replay: the answer for ${describe(key)} in ${reader.path} is damaged`);
  }
  if (generation === null) {
    const lost = reader.damaged > 0 ? `; ${reader.damaged} of its lines cannot be read` : "";
    throw new CallError("bad_request", `replay: ${describe(key)} is not in ${reader.path}${lost}`);
  }
  return { ...generation, usage: { ...NO_USAGE } };
}

/** An audit's key as words. */
function describe(key: string): string {
  const [id, arm, replicate, draw] = key.split("\u0000");
  const parts = [`decision ${JSON.stringify(id)}`];
  if (arm) parts.push(`arm ${arm}`);
  if (replicate) parts.push(`replicate ${Number(replicate)}`);
  if (draw) parts.push(draw.replace("draw", "draw "));
  return parts.join(", ");
}

async function probe(reader: RawReader, maker: string): Promise<Capabilities> {
  const notes = [`${reader.size} kept answers of ${maker}.`];
  if (reader.damaged > 0) notes.push(`${reader.damaged} lines cannot be read.`);
  const seen: Capabilities = {
    ...{ logprobs: false, topLogprobs: 0, answersPerCall: 1, structuredOutput: true, space: "unknown" },
    ...{ dialect: "replay", model: maker, notes, costUsd: 0 },
  };
  let looked = 0;
  for (const key of reader.keys()) {
    if (looked++ === PROBED) break;
    const generation = await reader.get(key).catch(() => null);
    if (!generation?.tokens) continue;
    seen.logprobs = true;
    seen.space = generation.space;
    for (const token of generation.tokens) seen.topLogprobs = Math.max(seen.topLogprobs, token.top.length);
  }
  return seen;
}
