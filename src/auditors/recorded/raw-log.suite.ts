import { join } from "node:path";
import { answerOf, COMPACT } from "../../measures/signals/answer.suite.js";
import { tempFolder } from "../../store/files/in-temp-folder.suite.js";
import { RawLog, type RawRun } from "./raw-log.js";
import { RawReader, readRawLog } from "./raw-reader.js";

export const RUN = {
  ...{ promptVersion: "paper-1#7e0c7cba", template: "paper", tier: "wiki" },
  ...{ temperature: 0.2, signal: "logprobs", samples: 10 },
} as const satisfies RawRun;
const AUDITOR = { name: "openai:gpt", version: "1" };
export const SETTINGS =
  '{"template":"paper","tier":"wiki","temperature":0.2,"signal":"logprobs","prompt_version":"paper-1#7e0c7cba"}';
export const HEADER = `{"format":"defensible-raw","version":1,"settings":${SETTINGS}}\n`;
/** The header of files from before settings were noted. */
export const BARE_HEADER = '{"format":"defensible-raw","version":1}\n';
export const first = answerOf(COMPACT, { model: "first" });
export const second = answerOf(COMPACT, { model: "second" });

export const newPath = () => join(tempFolder(), "raw.jsonl");
export const openLog = (path: string, run: RawRun = RUN) => new RawLog(path, run, AUDITOR);

/** A log of two answers, under keys `a` and `b`. */
export async function twoAnswers(path = newPath()): Promise<string> {
  const log = openLog(path);
  await log.append("a", first);
  await log.append("b", second);
  await log.close();
  return path;
}

export async function settingsOf(path: string) {
  const reader = await RawReader.open(path);
  await reader.close();
  return reader.settings;
}

export async function readAll(path: string): Promise<(string | null)[]> {
  const keys: (string | null)[] = [];
  for await (const { rows } of readRawLog(path)) for (const { answer } of rows) keys.push(answer?.key ?? null);
  return keys;
}
