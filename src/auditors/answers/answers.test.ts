import { mkdtempSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOf, promptOf } from "../../../test/served-model.suite.js";
import { answerLineSchema } from "../../core/records/prompt-line.js";
import { AnswerPending } from "../auditor.js";
import { TRACE_FORMATS } from "../output-format.js";
import { AnswerFile } from "./answer-file.js";
import { answerId, parseKey, promptKey, readAnswer, readHead } from "./answer-line.js";
import { createAnswersAuditor } from "./auditor.js";

const folder = mkdtempSync(join(tmpdir(), "answers-test-"));
let count = 0;
const KEY = promptKey(askOf());
const OTHER = promptKey(askOf({ prompt: promptOf({ own: "Another content." }) }));

function fileOf(content: string | Buffer): string {
  const path = join(folder, `${count++}.jsonl`);
  writeFileSync(path, content);
  return path;
}

const line = (members: object) => JSON.stringify({ key: KEY, text: "{}", ...members });
const lines = (...all: (object | string)[]) =>
  `${all.map((one) => (typeof one === "string" ? one : line(one))).join("\n")}\n`;

async function textsOf(content: string | Buffer, ...ids: string[]): Promise<(string | null)[]> {
  const file = await AnswerFile.open(fileOf(content));
  const texts = await Promise.all(
    ids.map(async (id) => {
      const bytes = await file.line(id);
      if (!Buffer.isBuffer(bytes)) return bytes;
      return readAnswer(bytes, parseKey(id)!.key, { temperature: 1, model: "m" })?.text ?? null;
    }),
  );
  await file.close();
  return texts;
}

describe("the key of a prompt", () => {
  it("stays the same over versions: answers of today must be found tomorrow", () => {
    const format = { name: "x", fields: [{ name: "level", kind: "digit" as const, values: [1, 2], about: "how far" }] };
    expect(promptKey(askOf({ prompt: promptOf({ format, own: "naïve 🏴" }) }))).toBe(
      "p12077cf775c9ed07c568a38a3757fba37",
    );
  });

  it("is the same for other settings, and where the user turn is cut elsewhere", () => {
    const { shared, own } = promptOf();
    const cut = promptOf({ shared: shared.slice(0, 5), own: `${shared.slice(5)}${own}` });
    for (const ask of [
      askOf({ temperature: 0 }),
      askOf({ logprobs: false }),
      askOf({ wanted: [{ key: "x", seed: "9", draw: 7 }] }),
      askOf({ prompt: cut }),
      askOf({ prompt: promptOf({ version: "other-9#0" }) }),
    ]) {
      expect(promptKey(ask)).toBe(KEY);
    }
  });

  it("is another for every other message, schema, or arm that varies the temperature", () => {
    const keys = [
      askOf(),
      askOf({ prompt: promptOf({ system: "You audit." }) }),
      askOf({ prompt: promptOf({ own: "Content:\nBuy there." }) }),
      askOf({ prompt: promptOf({ format: TRACE_FORMATS.extended }) }),
      askOf({ variant: "pilot 0.3" }),
      askOf({ variant: "t=0.3 0.3" }),
    ].map(promptKey);
    expect(new Set(keys).size).toBe(6);
    for (const key of keys) expect(answerId(key, 1_000_000)).toMatch(/^[A-Za-z0-9]{1,64}$/);
  });
});

describe("a line of answers", () => {
  const answer = (members: object) =>
    readAnswer(Buffer.from(line(members)), KEY, { temperature: 0.4, model: "asked" })!;

  it("gives text, model, usage and finish", () => {
    expect(answer({ text: "hé\n", model: "m", usage: { prompt_tokens: 5, completion_tokens: 2, cost: 0.1 } })).toEqual({
      ...{
        text: "hé\n",
        tokens: null,
        finish: "stop",
        space: "unknown",
        temperature: 0.4,
        support: "top_k",
        model: "m",
      },
      usage: { input_tokens: 5, cached_input_tokens: null, output_tokens: 2, cost_usd: 0.1 },
    });
    expect(answer({ usage: { input_tokens: 7, output_tokens: 3 }, temperature: 0.9 })).toMatchObject({
      ...{ temperature: 0.9, model: "asked" },
      usage: { input_tokens: 7, output_tokens: 3 },
    });
    expect(answer({ finish_reason: "length" }).finish).toBe("length");
    expect(answer({ finish_reason: "content_filter", text: "" }).finish).toBe("filter");
    expect(answer({ finish_reason: "end_turn" }).finish).toBe("stop");
    expect(answer({ text: null, refusal: "I will not." })).toMatchObject({ text: "I will not.", finish: "refusal" });
  });

  it("takes an object for its text", () => {
    const text = answer({ text: undefined, answer: { a: "}", b: [1, { c: null }] } }).text;
    expect(JSON.parse(text)).toEqual({ a: "}", b: [1, { c: null }] });
  });

  it("reads token probabilities, and spells an object as its tokens do", () => {
    const content = ['{"a"', ": ", "1}"].map((token) => ({
      token,
      logprob: -0.5,
      top_logprobs: [{ token, logprob: -0.5 }],
    }));
    const read = answer({ text: undefined, answer: { a: 1 }, logprobs: { content }, logprob_space: "raw" });
    expect(read).toMatchObject({ text: '{"a": 1}', joined: true, space: "raw" });
    expect(read.tokens!.map(({ text, logprob, top }) => [text, logprob, top.length])).toEqual([
      ['{"a"', -0.5, 1],
      [": ", -0.5, 1],
      ["1}", -0.5, 1],
    ]);
  });

  it("is malformed or foreign, or says that the call failed", () => {
    const head = (text: string | Buffer) => readHead(Buffer.from(text as string));
    for (const text of [
      "",
      "[]",
      "null",
      "{",
      `{"key":"${KEY}"}`,
      `{"key":"${KEY}","text":5}`,
      '{"text":"x"}',
      `${line({})} x`,
    ]) {
      expect(head(text), text).toBe("malformed");
    }
    for (const draw of [0, -1, 1.5, 2_000_000]) expect(head(line({ draw }))).toBe("malformed");
    expect(head(Buffer.concat([Buffer.from(line({})), Buffer.from([0xff])]))).toBe("malformed");
    for (const key of ["", "d1", `${KEY}0`, KEY.toUpperCase(), `${KEY}n0`, "__proto__"]) {
      expect(head(line({ key })), key).toBe("foreign");
    }
    expect(head(line({ text: undefined, error: { code: 429 } }))).toMatchObject({ failed: '{"code":429}' });
    expect(head(line({ error: "late" }))).toMatchObject({ failed: null });
  });

  it("is taken wherever its schema holds and its key is ours", () => {
    const members = fc.record(
      {
        draw: fc.option(fc.integer({ min: 1, max: 1_000_000 })),
        model: fc.option(fc.string()),
        answer: fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
        finish_reason: fc.option(fc.string()),
        logprobs: fc.jsonValue(),
        other: fc.jsonValue(),
        usage: fc.option(fc.record({ prompt_tokens: fc.option(fc.nat()) })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(members, fc.string({ unit: "binary" }), (more, text) => {
        const value = { key: KEY, ...more, text };
        expect(answerLineSchema.safeParse(value).success).toBe(true);
        const bytes = Buffer.from(JSON.stringify(value));
        expect(readHead(bytes)).toMatchObject({ key: KEY, draw: more.draw ?? null });
        const read = readAnswer(bytes, KEY, { temperature: 1, model: "m" })!;
        expect(read.text).toBe(Buffer.from(text).toString("utf8"));
      }),
    );
  });
});

describe("a line of a provider's batch output", () => {
  const read = (value: object) =>
    readAnswer(Buffer.from(JSON.stringify(value)), KEY, { temperature: 0.4, model: "asked" });
  const head = (value: object) => readHead(Buffer.from(JSON.stringify(value)));
  const id = answerId(KEY, 3);

  it("of OpenAI is read as its body", () => {
    const token = { token: "{}", logprob: -0.1, bytes: [123, 125], top_logprobs: [{ token: "{}", logprob: -0.1 }] };
    const line = (choice: object, status_code = 200) => ({
      ...{ id: "batch_req_1", custom_id: id, error: null },
      response: {
        ...{ status_code, request_id: "r" },
        body: {
          ...{ id: "chatcmpl-1", object: "chat.completion", model: "gpt-4.1-mini-2025-04-14" },
          choices: [{ index: 0, message: { role: "assistant", content: "{}", refusal: null }, ...choice }],
          usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 8 } },
        },
      },
    });
    const logprobs = { content: [token] };
    expect(head(line({ logprobs }))).toEqual({
      ...{ key: KEY, draw: 3, model: "gpt-4.1-mini-2025-04-14", logprobs: true, failed: null },
    });
    expect(read(line({ logprobs, finish_reason: "stop" }))).toMatchObject({
      ...{ text: "{}", joined: true, finish: "stop", model: "gpt-4.1-mini-2025-04-14" },
      usage: { input_tokens: 9, cached_input_tokens: 8, output_tokens: 4, cost_usd: null },
    });
    expect(read(line({ finish_reason: "length" }))).toMatchObject({ tokens: null, finish: "length" });
    expect(read(line({ message: { content: null, refusal: "No." } }))).toMatchObject({
      text: "No.",
      finish: "refusal",
    });
    const failed = { custom_id: id, response: { status_code: 429, body: { error: { message: "slow down" } } } };
    expect(head(failed)).toMatchObject({ failed: "status 429" });
    expect(head({ custom_id: id, response: null, error: { code: "batch_expired" } })).toMatchObject({
      failed: '{"code":"batch_expired"}',
    });
  });

  it("of Anthropic is read as its message, without thoughts, or as the input of a tool", () => {
    const line = (message: object) => ({
      custom_id: id,
      result: {
        type: "succeeded",
        message: { id: "msg_1", type: "message", model: "claude-x", role: "assistant", ...message },
      },
    });
    const usage = { input_tokens: 10, cache_read_input_tokens: 90, cache_creation_input_tokens: 0, output_tokens: 7 };
    const content = [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: '{"a"' },
      { type: "text", text: ":1}" },
    ];
    expect(read(line({ content, stop_reason: "end_turn", usage }))).toMatchObject({
      ...{ text: '{"a":1}', tokens: null, finish: "stop", model: "claude-x" },
      usage: { input_tokens: 100, cached_input_tokens: 90, output_tokens: 7 },
    });
    const called = [
      { type: "text", text: "I call it." },
      { type: "tool_use", id: "t", name: "trace", input: { a: 1 } },
    ];
    expect(read(line({ content: called, stop_reason: "tool_use" }))).toMatchObject({ text: '{"a":1}', finish: "stop" });
    expect(read(line({ content: [], stop_reason: "refusal" }))).toMatchObject({ text: "", finish: "refusal" });
    expect(read(line({ content, stop_reason: "max_tokens" }))).toMatchObject({ finish: "length" });
    for (const type of ["errored", "expired", "canceled"]) {
      expect(
        head({ custom_id: id, result: { type, ...(type === "errored" ? { error: { type: "error" } } : {}) } }),
      ).toMatchObject({
        failed: expect.stringMatching(/err|expired|canceled/),
      });
    }
  });

  it("of Bedrock is read in both of its forms, and never what was asked", () => {
    const modelInput = {
      system: "text",
      messages: [{ role: "user", content: [{ text: "not this" }] }],
      text: "nor this",
    };
    const message = { model: "claude-x", content: [{ type: "text", text: "{}" }], stop_reason: "end_turn" };
    expect(read({ modelInput, modelOutput: message, recordId: id })).toMatchObject({ text: "{}", model: "claude-x" });
    expect(read({ model: "ours", modelOutput: message, recordId: id })).toMatchObject({ model: "ours" });
    expect(read({ recordId: id, modelOutput: message, model: "ours" })).toMatchObject({ model: "ours" });
    const converse = {
      output: { message: { role: "assistant", content: [{ text: "{}" }] } },
      stopReason: "guardrail_intervened",
      usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
    };
    expect(read({ recordId: id, modelInput, modelOutput: converse })).toMatchObject({
      ...{ text: "{}", finish: "filter", model: "asked" },
      usage: { input_tokens: 5, output_tokens: 2 },
    });
    const error = { errorCode: 400, errorMessage: "bad request" };
    expect(head({ recordId: id, modelInput, error })).toMatchObject({ failed: JSON.stringify(error) });
  });
});

describe("a file of answers", () => {
  it("numbers draws in the order of the file, beside those that say their number", async () => {
    const content = lines({ text: "a" }, { text: "b", draw: 3 }, { text: "c" }, { text: "d" }, { text: "e", draw: 1 });
    const ids = [1, 2, 3, 4, 5].map((draw) => answerId(KEY, draw));
    // c is the second, d the fourth, since the third is taken; e replaces a.
    expect(await textsOf(content, ...ids)).toEqual(["e", "c", "b", "d", null]);
    const byId = lines({ key: answerId(KEY, 2), text: "two" }, { key: undefined, id: answerId(KEY, 1), text: "one" });
    expect(await textsOf(byId, ...ids.slice(0, 2))).toEqual(["one", "two"]);
  });

  it("reads the same lines with any line end, empty lines, a byte order mark, packed, or as several packed parts", async () => {
    const [a, b] = [line({ text: "a" }), line({ key: OTHER, text: "b" })];
    const ids = [answerId(KEY, 1), answerId(OTHER, 1)];
    for (const content of [
      `${a}\n${b}\n`,
      `${a}\n${b}`,
      `\ufeff${a}\r\n\r\n  \n${b}\r\n`,
      gzipSync(`${a}\n${b}\n`),
      Buffer.concat([gzipSync(`${a}\n`), gzipSync(`${b}\n`)]),
      gzipSync(`\ufeff${a}\r\n${b}`),
    ]) {
      expect(await textsOf(content, ...ids)).toEqual(["a", "b"]);
    }
  });

  it("finds every answer wherever its lines lie", async () => {
    const long = Array.from({ length: 40 }, (_, i) => "x".repeat(i * 4001));
    const content = lines(...long.map((text) => ({ text })));
    const texts = await textsOf(content, ...long.map((_, i) => answerId(KEY, i + 1)));
    expect(texts.map((text) => text?.length)).toEqual(long.map(({ length }) => length));
  });

  it("passes over a last line that is still being written, also of a packed file", async () => {
    const whole = lines({ text: "a" }, { key: OTHER, text: "b" });
    for (const content of [
      whole.slice(0, -9),
      gzipSync(lines({ text: "a" }).repeat(1) + line({ key: OTHER }).slice(0, 30)),
    ]) {
      const file = await AnswerFile.open(fileOf(content));
      expect(file.counts).toMatchObject({ answers: 1, malformed: 0 });
      await file.close();
    }
    const random = lines(...Array.from({ length: 500 }, (_, i) => ({ text: `${Math.sin(i)}`.repeat(9) })));
    const packed = gzipSync(random);
    const file = await AnswerFile.open(fileOf(packed.subarray(0, packed.length / 2)));
    expect(file.counts.answers).toBeGreaterThan(20);
    expect(file.counts.malformed).toBe(0);
    await file.close();
  });

  it("reads of a line that is too long its key alone", async () => {
    const content = lines(
      { text: "x".repeat(5000) },
      { key: OTHER, text: "b" },
      { key: undefined, text: "y".repeat(5000) },
    );
    const file = await AnswerFile.open(fileOf(content), { line: 1000 });
    expect(file.counts).toMatchObject({ answers: 2, tooLong: 1, malformed: 1 });
    expect(await file.line(answerId(KEY, 1))).toBe("tooLong");
    await file.close();
    const auditor = await createAnswersAuditor(fileOf(content), { answerBytes: 1000 });
    const { generations } = await auditor.ask(askOf());
    expect(generations[0]).toMatchObject({ text: "", finish: "too_long" });
    await auditor.close!();
  });

  it("refuses damaged packing and one that never ends, and leaves nothing behind", async () => {
    const packed = gzipSync(lines({ text: "x".repeat(1 << 20) }));
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("defensible-answers-"));
    const damaged = Buffer.from(packed);
    damaged.fill(0xff, 20, 40);
    await expect(AnswerFile.open(fileOf(damaged))).rejects.toMatchObject({ code: "bad_gzip" });
    await expect(AnswerFile.open(fileOf(packed), { spooled: 1000 })).rejects.toMatchObject({ code: "too_large" });
    await expect(AnswerFile.open(folder)).rejects.toMatchObject({ code: "file_eisdir" });
    await expect(AnswerFile.open(join(folder, "absent"))).rejects.toMatchObject({ code: "file_enoent" });
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("defensible-answers-"))).toEqual(before);
  });

  it("never fails on bytes of any kind", async () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constant("\n"),
      fc.constant(line({})),
      fc.constant('{"key":'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.uint8Array(), async (parts, bytes) => {
        const file = await AnswerFile.open(fileOf(Buffer.concat([Buffer.from(parts.join("")), bytes])));
        await file.close();
      }),
      { numRuns: 60 },
    );
  });
});

describe("an auditor of answers", () => {
  it("is named by its model and not by its file", async () => {
    const names = await Promise.all(
      [lines({ model: "claude-x" }), gzipSync(lines({}, { model: " claude-x " })), lines({})].map(async (content) => {
        const auditor = await createAnswersAuditor(fileOf(content));
        await auditor.close!();
        return `${auditor.name}@${auditor.version}`;
      }),
    );
    expect(names).toEqual(["answers:claude-x@answers-1", "answers:claude-x@answers-1", "answers:unnamed@answers-1"]);
    const hostile = await createAnswersAuditor(fileOf(lines({ model: "\u001b]0;x\u0007evil\n" })));
    expect(hostile.name).toMatch(/^answers:[^\u0000-\u001f]+$/);
    await hostile.close!();
  });

  it("refuses answers of several models, and a file without answers", async () => {
    const several = lines({ model: "a" }, { model: "b" }, { model: "b" });
    await expect(createAnswersAuditor(fileOf(several))).rejects.toMatchObject({
      code: "several_models",
      message: expect.stringContaining("b (2 answers), a (1 answer)"),
    });
    await expect(createAnswersAuditor(fileOf("nothing\n"))).rejects.toMatchObject({ code: "no_answers" });
  });

  it("says what answers give: probabilities only where there are some", async () => {
    const logprobs = { content: [{ token: "{}", logprob: 0, top_logprobs: [{ token: "{}", logprob: 0 }] }] };
    const probed = await Promise.all(
      [lines({}), lines({ logprobs, logprob_space: "raw" })].map(async (content) => {
        const auditor = await createAnswersAuditor(fileOf(content));
        const capabilities = await auditor.probe!();
        await auditor.close!();
        return capabilities;
      }),
    );
    expect(probed[0]).toMatchObject({ logprobs: false, topLogprobs: 0 });
    expect(probed[1]).toMatchObject({ logprobs: true, topLogprobs: 1, space: "raw" });
  });

  it("keeps what is missing pending, also where the file shrinks while it is read", async () => {
    const path = fileOf(lines({ text: "a" }));
    const auditor = await createAnswersAuditor(path);
    const second = askOf({ wanted: [{ key: "k", seed: "s", draw: 2 }] });
    await expect(auditor.ask(second)).rejects.toBeInstanceOf(AnswerPending);
    expect((await auditor.ask(askOf())).generations[0]!.text).toBe("a");
    truncateSync(path, 10);
    await expect(auditor.ask(askOf())).rejects.toBeInstanceOf(AnswerPending);
    await auditor.close!();
  });

  it("counts answers as used, spare and extra", async () => {
    const auditor = await createAnswersAuditor(fileOf(lines({}, {}, { draw: 2 }, { key: OTHER }, "bad", { key: "x" })));
    expect(auditor.intake!.expect(askOf({ wanted: [1, 3].map((draw) => ({ key: "k", seed: "s", draw })) }))).toBe(1);
    expect(auditor.intake!.counts()).toEqual({
      ...{ answers: 4, used: 1, spare: 1, extra: 1, replaced: 1, failed: 0, malformed: 1, foreign: 1 },
      first: { malformed: { line: 5, words: null }, foreign: { line: 6, words: null } },
    });
    await auditor.close!();
  });
});
