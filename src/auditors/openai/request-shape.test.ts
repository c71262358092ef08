import { describe, expect, it } from "vitest";
import { requestJson } from "./batch-line.js";
import { familyOf } from "./request-shape.js";

describe("requestJson", () => {
  it.each(["messages", "input"])("is the JSON of the body, with %s made once", (name) => {
    const prompt = {};
    const content = 'a "quoted" text — $& and "messages":0\u2028\ud800';
    const body = {
      model: 'm"messages":0,"input":0',
      [name]: [{ role: "user", content }],
      temperature: 1,
      gone: undefined,
    };
    for (const seed of [1, 2]) {
      expect(requestJson({ body: { ...body, seed }, prompt })).toBe(JSON.stringify({ ...body, seed }));
    }
    expect(requestJson({ body })).toBe(JSON.stringify(body));
  });
});

describe("familyOf", () => {
  it.each([
    ["gpt-4.1-mini", "yes", "o200k"],
    ["gpt-4o-mini-2024-07-18", "yes", "o200k"],
    ["ft:gpt-4o-mini-2024-07-18:org::id", "yes", "o200k"],
    ["openai/gpt-4.1", "yes", "o200k"],
    ["gpt-4-turbo", "yes", "cl100k"],
    ["gpt-4", "yes", "cl100k"],
    ["gpt-3.5-turbo", "yes", "cl100k"],
    ["o1", "no", "o200k"],
    ["o3-2025-04-16", "no", "o200k"],
    ["o4-mini", "no", "o200k"],
    ["gpt-5", "no", "o200k"],
    ["gpt-5-mini", "no", "o200k"],
    ["gpt-5-nano-2025-08-07", "no", "o200k"],
    ["gpt-5.2-pro", "no", "o200k"],
    ["gpt-5.3-codex", "no", "o200k"],
    ["gpt-5.2-chat-latest", "no", "o200k"],
    ["gpt-5.1", "effort_none", "o200k"],
    ["gpt-5.2-2025-12-11", "effort_none", "o200k"],
    ["gpt-5.4-mini", "effort_none", "o200k"],
    ["gpt-5.6-luna", "effort_none", "o200k"],
    ["gpt-6-luna", "effort_none", "o200k"],
    ["gpt-6.1-sol", "effort_none", "o200k"],
  ])("%s: logprobs %s, tokenizer %s", (model, logprobs, tokenizer) => {
    expect(familyOf(model)).toMatchObject({ logprobs, tokenizer });
  });

  it("knows announced ends", () => {
    expect(familyOf("gpt-4.1-mini")!.shutDown).toBe("2027-01-14");
    expect(familyOf("gpt-4.1-nano")!.shutDown).toBe("2026-10-23");
    expect(familyOf("gpt-4o-2024-05-13")!.shutDown).toBe("2026-10-23");
    expect(familyOf("gpt-5.1")!.shutDown).toBe("2027-04-01");
    expect(familyOf("gpt-5.2")!.shutDown).toBeNull();
  });

  it("knows nothing of other makers' models", () => {
    for (const model of ["llama3.1", "qwen3-8b", "omni", "mistral-large", "gpt", ""])
      expect(familyOf(model)).toBeNull();
  });
});
