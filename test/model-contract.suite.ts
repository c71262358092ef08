import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Auditor, CallError } from "../src/auditors/auditor.js";
import type { AuditorOptions } from "../src/auditors/create-auditor.js";
import { expectSound, joinedBytes, wanted } from "./auditor-contract.suite.js";
import {
  type FakeServer,
  type FakeServerOptions,
  type Fault,
  garbage,
  gatewayPage,
  type Planned,
  planAnswer,
  traceText,
} from "./fake-models/index.js";
import {
  allWords,
  askOf,
  failure,
  HOSTILE,
  KEY,
  promptOf,
  type ServedModel,
  serve,
  stubKeys,
} from "./served-model.suite.js";

/** What every auditor that asks a server keeps. */
export function modelContract(model: ServedModel): void {
  describe(`${model.auditor} (${model.dialect})`, () => {
    const open: { server: FakeServer; auditor: Auditor }[] = [];
    const start = async (
      ...[options, extra]: [Partial<FakeServerOptions> & Pick<FakeServerOptions, "answer">, AuditorOptions?]
    ) => {
      const one = await serve(model, options, extra);
      open.push(one);
      return one;
    };
    let planned: Planned;

    beforeEach(async () => {
      stubKeys(model.keys);
      planned = await planAnswer(traceText());
    });
    afterEach(async () => {
      vi.unstubAllEnvs();
      for (const { auditor, server } of open.splice(0)) {
        await auditor.close?.();
        await server.close();
      }
    });

    it("sends nothing before its first question", async () => {
      const { auditor, server } = await start({ answer: () => planned });
      void [
        auditor.signals,
        auditor.answersPerCall,
        auditor.readsPrompt,
        auditor.price,
        auditor.requestText?.(askOf()),
      ];
      await new Promise(setImmediate);
      expect(server.requests).toEqual([]);
    });

    it("gives answers in the order wanted, as the server ordered its choices", async () => {
      const texts = ["one", "two", "three"].map((logic_chain) => traceText({ logic_chain }));
      const answers = await Promise.all(texts.map((text) => planAnswer(text)));
      const { auditor } = await start({ answer: () => answers });
      await auditor.probe?.();
      const count = Math.min(3, auditor.answersPerCall);
      const { generations } = await auditor.ask(askOf({ wanted: wanted(count) }));
      expect(generations.map(({ text }) => text)).toEqual(texts.slice(0, count));
      for (const generation of generations) expectSound(generation);
    });

    it("never passes fewer answers off as all that were wanted, where a gateway drops the number", async () => {
      const drops = ["n", "generationConfig.candidateCount"];
      const { auditor } = await start({ answer: () => planned, drops });
      if (auditor.answersPerCall < 2) return expect(auditor.answersPerCall).toBe(1);
      try {
        expect((await auditor.ask(askOf({ wanted: wanted(2) }))).generations).toHaveLength(2);
      } catch (error) {
        expect(error).toBeInstanceOf(CallError);
      }
    });

    it("reads text, tokens, finish and usage", async () => {
      const { auditor } = await start({ answer: () => planned });
      const [generation] = (await auditor.ask(askOf())).generations;
      expectSound(generation!);
      expect(generation).toMatchObject({ text: planned.text, finish: "stop", temperature: 0.7, support: "top_k" });
      expect(generation!.tokens).toHaveLength(planned.tokens.length);
      expect(generation!.tokens!.map(({ text }) => text).join("")).toBe(planned.text);
      expect(generation!.usage).toMatchObject({
        input_tokens: 1200,
        output_tokens: planned.tokens.length,
        ...(model.cachedTokens === null ? {} : { cached_input_tokens: model.cachedTokens }),
      });
    });

    it("keeps sound tokens of split characters, special tokens and values without information", async () => {
      const hard = await planAnswer(
        traceText({ policy_citation: "Règle 4: 広告禁止 𠮷 🏴‍☠️", logic_chain: '\u0007 \\ "x" \u2028' }),
        {
          sentinels: 2,
          special: true,
          alternatives: [10, 25],
          outside: ["precedent_weight"],
        },
      );
      const { auditor } = await start({ answer: () => hard });
      const [generation] = (await auditor.ask(askOf())).generations;
      expectSound(generation!);
      expect(generation!.text).toBe(hard.text);
      if (model.trueBytes) expect(joinedBytes(generation!.tokens!)).toBe(hard.text);
    });

    it("asks for no probabilities where none are wanted", async () => {
      const { auditor, server } = await start({ answer: () => planned });
      const [generation] = (await auditor.ask(askOf({ logprobs: false }))).generations;
      expect(generation!.text).toBe(planned.text);
      expect(generation!.tokens).toBeNull();
      expect(server.questions.at(-1)!.logprobs).toBe(false);
    });

    it("passes hostile text on unaltered, as one system and one user turn", async () => {
      const { auditor, server } = await start({ answer: () => planned });
      const prompt = promptOf({ system: `S ${HOSTILE}`, shared: `${HOSTILE}\n`, own: HOSTILE });
      await auditor.ask(askOf({ prompt }));
      const question = server.questions.at(-1)!;
      expect(question.system).toBe(prompt.system);
      expect(question.user).toBe(prompt.shared + prompt.own);
    });

    it("tells a truncated, a refused and a filtered answer from a whole one", async () => {
      const half = await planAnswer(traceText(), { finish: "length" });
      const refusal = await planAnswer("I cannot help with that.", { finish: "refusal" });
      const filtered = await planAnswer('{"logic_chain":"It', { finish: "filter" });
      const replies = [half, refusal, filtered];
      let turn = 0;
      const { auditor } = await start({ answer: () => replies[turn]! });
      const finishes: string[] = [];
      for (turn = 0; turn < replies.length; turn++) {
        const [generation] = (await auditor.ask(askOf())).generations;
        expectSound(generation!);
        finishes.push(generation!.finish);
      }
      expect(finishes[0]).toBe("length");
      // Not every vendor says so: a refusal in plain text is an answer like any other.
      expect(["refusal", "filter", "stop"]).toContain(finishes[1]);
      expect(["filter", "length"]).toContain(finishes[2]);
    });

    it("reads a body cut anywhere", async () => {
      const text = traceText({ policy_citation: "é 漢字 𠮷" });
      const answer = await planAnswer(text);
      const { auditor } = await start({
        answer: () => ({ fault: "chunked", size: 997, answer }),
        traits: { escape: "ascii" },
      });
      expect((await auditor.ask(askOf())).generations[0]!.text).toBe(text);
    });

    it("takes silence about probabilities for what it is", async () => {
      const { auditor } = await start({ answer: () => ({ fault: "no_logprobs", answer: planned }) });
      try {
        const [generation] = (await auditor.ask(askOf())).generations;
        expect(generation!.tokens).toBeNull();
      } catch (error) {
        expect(error).toMatchObject({ fault: "unsupported" });
      }
    });

    it("ends at once when it is aborted, before or during the call", async () => {
      const { auditor, server } = await start({ answer: () => ({ fault: "stall", at: "middle", answer: planned }) });
      const before = await failure(auditor.ask(askOf({ signal: AbortSignal.abort() })));
      expect(before.fault).toBe("aborted");
      const controller = new AbortController();
      const call = failure(auditor.ask(askOf({ signal: controller.signal })));
      await vi.waitFor(() => expect(server.paid).toBe(1));
      controller.abort();
      expect((await call).fault).toBe("aborted");
    });

    it("gives up on a stalled answer after its time", async () => {
      for (const at of ["start", "middle"] as const) {
        const { auditor } = await start(
          { answer: () => ({ fault: "stall", at, answer: planned }) },
          { timeoutMs: 150 },
        );
        expect((await failure(auditor.ask(askOf()))).fault).toBe("timeout");
      }
    });

    it("never says the key, not even when the server does", async () => {
      const { auditor } = await start({ answer: () => planned, key: "another" });
      const error = await failure(auditor.ask(askOf()));
      expect(error.fault).toBe("auth");
      expect(error.final).toBe(true);
      expect(allWords(error)).not.toContain(KEY);
      expect(JSON.stringify(auditor)).not.toContain(KEY);
      expect(auditor.requestText?.(askOf()) ?? "").not.toContain(KEY);
    });

    it("calls a refused connection a connection", async () => {
      const { auditor, server } = await start({ answer: () => planned });
      await server.close();
      expect((await failure(auditor.ask(askOf()))).fault).toBe("connection");
    });

    const common: ServedModel["faults"] = [
      { title: "a torn connection", fault: { fault: "torn", at: "start", answer: [] }, expected: ["connection"] },
      {
        title: "a torn body",
        fault: { fault: "torn", at: "middle", answer: [] },
        expected: ["connection", "bad_answer"],
      },
      { title: "a body that is no JSON", fault: garbage(), expected: ["bad_answer"] },
      { title: "JSON that is no answer", fault: garbage('{"hello":[1,2,{}]}'), expected: ["bad_answer"] },
      { title: "an empty body", fault: garbage(""), expected: ["bad_answer"] },
      { title: "JSON null", fault: garbage("null"), expected: ["bad_answer"] },
      { title: "a gateway's page with 200", fault: gatewayPage(200), expected: ["bad_answer"] },
      { title: "a gateway's 502", fault: gatewayPage(502), expected: ["server", "overloaded"] },
      { title: "a gateway's 503", fault: gatewayPage(503), expected: ["overloaded"] },
      { title: "a gateway's 504", fault: gatewayPage(504), expected: ["server", "overloaded", "timeout"] },
    ];

    it.each([...common, ...model.faults])("$title is $expected", async ({ fault, expected, retryAfterMs }) => {
      const reply: Fault = "answer" in fault ? { ...fault, answer: planned } : fault;
      const { auditor } = await start({ answer: () => reply });
      const error = await failure(auditor.ask(askOf()));
      expect(expected).toContain(error.fault);
      expect(error.message).not.toMatch(/undefined|\[object/);
      if (retryAfterMs !== undefined) expect(error.retryAfterMs).toBe(retryAfterMs);
    });
  });
}
