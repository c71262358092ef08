import { type DefensibleError, InputError } from "../../core/errors.js";
import type { Generation } from "../../core/records/case.js";
import { printable } from "../../text/printable.js";
import { plural } from "../../text/words.js";
import {
  AnswerPending,
  type Answers,
  type Ask,
  type Auditor,
  type Capabilities,
  type Intake,
  type IntakeCounts,
  tooLongAnswer,
} from "../auditor.js";
import type { AuditorOptions } from "../create-auditor.js";
import { AnswerFile } from "./answer-file.js";
import { answerId, parseKey, promptKey, readAnswer } from "./answer-line.js";

/** Changes whenever the same file would give other audits. */
const VERSION = "answers-1";
const NO_MODEL = "unnamed";
const LONGEST_NAME = 100;
const CONTEXT_TOKENS = 128_000;
const OUTPUT_TOKENS = 1200;
/** Answers examined to report how many candidates their tokens have. */
const PROBED = 20;

/** What prompts depend on, with and without answers: the same options give the same prompts. */
function auditorBase(options: AuditorOptions) {
  return {
    version: VERSION,
    signals: ["logprobs", "sampling", "none"] as const,
    inProcess: true,
    readsPrompt: {
      tokenizer: "estimated",
      contextTokens: options.contextTokens ?? CONTEXT_TOKENS,
      outputTokens: OUTPUT_TOKENS,
    },
    // One per call, so that a missing answer does not take others with it.
    answersPerCall: 1,
    maxConcurrency: null,
  };
}

/** An auditor for writing prompts; it is never asked. */
export function createPromptWriter(options: AuditorOptions = {}): Auditor {
  return { ...auditorBase(options), name: "answers", ask: ({ wanted }) => Promise.reject(pending(wanted[0]!.key)) };
}

/**
 * Answers given elsewhere to the prompts of `defensible prompts`, looked up by the key of the prompt. A question without an answer is pending, and
 * the run stays open. The auditor is named after the model, not the file, so that calibrations and weights also hold for the next file.
 */
export async function createAnswersAuditor(path: string, options: AuditorOptions = {}): Promise<Auditor> {
  const file = await AnswerFile.open(path, options.answerBytes === undefined ? {} : { line: options.answerBytes });
  try {
    if (file.size === 0) throw empty(file);
    const model = file.model ?? NO_MODEL;
    const intake = new FileIntake(file);
    let turn = Promise.resolve();
    return {
      ...auditorBase(options),
      name: `answers:${printable(model, LONGEST_NAME)}`,
      intake,
      ask: (ask) => {
        const key = promptKey(ask);
        for (const { draw = 1 } of ask.wanted) intake.note(key, draw);
        // One at a time: a batch of large answers must not be in memory at once.
        const answers = turn.then(() => answersTo(file, key, ask, model));
        turn = answers.then(
          () => {},
          () => {},
        );
        return answers;
      },
      probe: () => probe(file, model),
      close: () => file.close(),
    };
  } catch (cause) {
    await file.close();
    throw cause;
  }
}

async function answersTo(file: AnswerFile, key: string, ask: Ask, model: string): Promise<Answers> {
  const generations: Generation[] = [];
  for (const { draw = 1 } of ask.wanted) generations.push(await answerTo(file, key, draw, ask, model));
  return { generations };
}

async function answerTo(
  file: AnswerFile,
  key: string,
  draw: number,
  { temperature, logprobs }: Ask,
  model: string,
): Promise<Generation> {
  const id = answerId(key, draw);
  const line = await file.line(id);
  if (line === null) throw pending(id);
  if (line === "tooLong") return tooLongAnswer({ model, space: "unknown", temperature });
  const generation = readAnswer(line, key, { temperature, model });
  // The file changed while it was being read; another run will find what is there now.
  if (generation === null) throw pending(id);
  return logprobs ? generation : { ...generation, tokens: null, joined: false };
}

/** Counts which answers of a file were asked for. */
class FileIntake implements Intake {
  /** Questions asked that have several draws in the file. */
  private readonly asked = new Set<string>();

  constructor(private readonly file: AnswerFile) {}

  expect(ask: Ask): number {
    const key = promptKey(ask);
    return ask.wanted.filter(({ draw = 1 }) => !this.note(key, draw)).length;
  }

  /** Marks an answer as used; returns whether it exists. */
  note(key: string, draw: number): boolean {
    if (this.file.hasSeveral(key)) this.asked.add(key);
    return this.file.use(answerId(key, draw));
  }

  counts(): IntakeCounts {
    let used = 0;
    let spare = 0;
    let extra = 0;
    for (const [id, isUsed] of this.file.uses()) {
      if (isUsed) used++;
      else if (this.asked.has(parseKey(id)!.key)) spare++;
      else extra++;
    }
    const { counts, first } = this.file;
    const { answers, failed, malformed, foreign, replaced } = counts;
    return { answers, used, extra, spare, failed, malformed, foreign, replaced, first };
  }
}

function pending(id: string): AnswerPending {
  return new AnswerPending(`answers: no answer for ${id} yet`);
}

function empty({ path, counts }: AnswerFile): DefensibleError {
  const { malformed, foreign, failed } = counts;
  const found = [
    malformed > 0 ? `${plural(malformed, "line")} not readable` : "",
    foreign > 0 ? `${plural(foreign, "line")} whose key is not of a prompt` : "",
    failed > 0 ? `${plural(failed, "line")} with an error instead of an answer` : "",
  ].filter(Boolean);
  return new InputError(
    "no_answers",
    `${path}: holds no answers${found.length > 0 ? `; ${found.join(", ")}` : ""}`,
    "Each line is a JSON object with `key`, as `defensible prompts` wrote it, and `text` or `answer`.",
  );
}

async function probe(file: AnswerFile, model: string): Promise<Capabilities> {
  const seen: Capabilities = {
    ...{ logprobs: file.logprobs > 0, topLogprobs: 0, answersPerCall: 1, structuredOutput: true, space: "unknown" },
    ...{ dialect: "answers", model, notes: [], costUsd: 0 },
  };
  if (file.model === null) {
    seen.notes.push(
      "The answers do not name their model (`model`). Name it, so that calibrations and weights of one model are not used for another.",
    );
  }
  if (!seen.logprobs) seen.notes.push("The answers carry no token probabilities (`logprobs`).");
  let looked = 0;
  for (const id of file.ids()) {
    if (looked++ === PROBED || !seen.logprobs) break;
    const line = await file.line(id);
    const answer = Buffer.isBuffer(line) ? readAnswer(line, parseKey(id)!.key, { temperature: 1, model }) : null;
    if (!answer?.tokens) continue;
    seen.space = answer.space;
    for (const token of answer.tokens) seen.topLogprobs = Math.max(seen.topLogprobs, token.top.length);
  }
  return seen;
}
