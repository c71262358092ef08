import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type Auditor,
  type BatchClient,
  type BatchHandle,
  type BatchItem,
  type BatchResult,
  CallError,
} from "../src/auditors/auditor.js";
import { expectSound } from "./auditor-contract.suite.js";
import {
  type FakeServer,
  type FakeServerOptions,
  googleServerError,
  planAnswer,
  type Question,
  serverError,
  traceText,
} from "./fake-models/index.js";
import { askOf, promptOf, type ServedModel, serve, stubKeys } from "./served-model.suite.js";

const rest = { trueBytes: true, cachedTokens: null, faults: [] };
const MODELS: readonly ServedModel[] = [
  { ...rest, dialect: "openai", auditor: "openai:gpt-4.1-mini", keys: ["OPENAI_API_KEY"] },
  { ...rest, dialect: "gemini", auditor: "gemini:gemini-2.0-flash", keys: ["GEMINI_API_KEY"] },
];

const IDS = Array.from({ length: 12 }, (_, i) => `d${i}`);

async function* itemsOf(ids: readonly string[]): AsyncIterable<BatchItem> {
  for (const id of ids) yield { id, ask: askOf({ prompt: promptOf({ own: `Content ${id}.` }) }) };
}

/** Each content has its own answer, so that an answer on the wrong decision shows. */
const idOf = ({ user }: Question): string => /Content (\w+)\./.exec(user)![1]!;
const answerTo = (question: Question) => planAnswer(traceText({ logic_chain: `About ${idOf(question)}.` }));

async function collect<T>(from: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of from) all.push(one);
  return all;
}

async function untilDone(batch: BatchClient, handle: BatchHandle): Promise<string> {
  for (let look = 0; look < 10; look++) {
    const { state } = await batch.status(handle);
    if (state !== "running") return state;
  }
  return "running";
}

const logicOf = ({ answer }: BatchResult): string =>
  "error" in answer ? answer.error.fault : JSON.parse(answer.generations[0]!.text).logic_chain;

describe.each(MODELS)("batches of $auditor", (model) => {
  const open: { server: FakeServer; auditor: Auditor }[] = [];
  async function start(options: Partial<FakeServerOptions> = {}): Promise<{ server: FakeServer; batch: BatchClient }> {
    stubKeys(model.keys);
    const one = await serve(model, { answer: answerTo, ...options });
    open.push(one);
    return { server: one.server, batch: one.auditor.batch! };
  }
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const { auditor, server } of open.splice(0)) {
      await auditor.close?.();
      await server.close();
    }
  });

  it("give each question its own answer, in whatever order they come, once", async () => {
    const { server, batch } = await start();
    const handles = await collect(batch.submit(itemsOf(IDS), "run-1"));
    expect(handles.reduce((sum, { items }) => sum + items, 0)).toBe(IDS.length);
    const results: BatchResult[] = [];
    for (const handle of handles) {
      expect(JSON.parse(JSON.stringify(handle))).toEqual(handle);
      expect(await untilDone(batch, handle)).toBe("finished");
      results.push(...(await collect(batch.results(handle))));
    }
    expect(results.map(({ id }) => id).sort()).toEqual([...IDS].sort());
    for (const result of results) {
      expect(logicOf(result)).toBe(`About ${result.id}.`);
      if ("error" in result.answer) throw result.answer.error;
      const [generation] = result.answer.generations;
      expectSound(generation!);
      expect(generation).toMatchObject({ temperature: 0.7, finish: "stop" });
      expect(generation!.tokens!.length).toBeGreaterThan(20);
      expect(generation!.usage.input_tokens).toBe(1200);
    }
    expect(server.paid).toBe(IDS.length);
  });

  it("are found again by their label, and only those", async () => {
    const { batch } = await start();
    const handles = await collect(batch.submit(itemsOf(IDS), "run-1"));
    await collect(batch.submit(itemsOf(["x"]), "run-10"));
    const found = await batch.find("run-1");
    expect(found.map(({ id, items }) => ({ id, items }))).toEqual(handles.map(({ id, items }) => ({ id, items })));
    expect(await batch.find("run-2")).toEqual([]);
  });

  it("tell what failed as a CallError of that question", async () => {
    const fault = model.dialect === "openai" ? serverError() : googleServerError();
    const { batch } = await start({ answer: (question) => (idOf(question) === "d3" ? fault : answerTo(question)) });
    const [handle] = await collect(batch.submit(itemsOf(IDS), "run-1"));
    await untilDone(batch, handle!);
    const results = await collect(batch.results(handle!));
    const failed = results.filter(({ answer }) => "error" in answer);
    expect(failed.map(({ id }) => id)).toEqual(["d3"]);
    const { error } = failed[0]!.answer as { error: CallError };
    expect(error).toBeInstanceOf(CallError);
    expect(error.fault).toBe("server");
    expect(results).toHaveLength(IDS.length);
  });

  it("that expire say so, and give what they finished and no more", async () => {
    const { server, batch } = await start({ batchEnds: "expired", batchAnswers: 5 });
    const [handle] = await collect(batch.submit(itemsOf(IDS), "run-1"));
    expect(await untilDone(batch, handle!)).toBe("expired");
    const results = await collect(batch.results(handle!));
    const answered = results.filter(({ answer }) => "generations" in answer);
    expect(answered).toHaveLength(server.paid);
    // What was not reached may be asked again: it is absent, or an error after which one may.
    for (const { answer } of results) if ("error" in answer) expect(answer.error.again).toBe(true);
  });

  it("that fail or are cancelled say so", async () => {
    for (const batchEnds of ["failed", "cancelled"] as const) {
      const { batch } = await start({ batchEnds });
      const [handle] = await collect(batch.submit(itemsOf(IDS), "run-1"));
      expect(await untilDone(batch, handle!)).toBe(batchEnds);
    }
  });
});
