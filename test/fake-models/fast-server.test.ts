import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type OpenAI from "openai";
import { afterEach, describe, expect, it } from "vitest";

const SCRIPT = join(import.meta.dirname, "..", "..", "bench", "fake-server.mjs");
let child: ChildProcess | null = null;

async function start(...args: string[]): Promise<string> {
  child = spawn(process.execPath, [SCRIPT, "--bodies", "2", ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  return `http://127.0.0.1:${Number(line.toString())}`;
}

afterEach(() => {
  child?.kill();
  child = null;
});

const ask = (origin: string): Promise<Response> =>
  fetch(`${origin}/v1/chat/completions`, { method: "POST", body: "{}" });

describe("the server for measuring", () => {
  it.each([
    ["200 tokens", ["--tokens", "200"], 220_000, 300_000],
    ["the shortest trace", ["--tokens", "0"], 35_000, 45_000],
  ] as const)("answers with %s times twenty candidates", async (_title, args, least, most) => {
    const origin = await start(...args);
    const text = await (await ask(origin)).text();
    expect(text.length).toBeGreaterThan(least);
    expect(text.length).toBeLessThan(most);
    const { choices } = JSON.parse(text) as OpenAI.ChatCompletion;
    const { message, logprobs } = choices[0]!;
    expect(Object.keys(JSON.parse(message.content!))).toEqual([
      "logic_chain",
      "policy_citation",
      "precedent_weight",
      "inverse_check",
      "defensibility_level",
    ]);
    expect(logprobs!.content!.map(({ token }) => token).join("")).toBe(message.content);
    for (const { top_logprobs } of logprobs!.content!) {
      expect(top_logprobs).toHaveLength(20);
      expect(top_logprobs.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeLessThanOrEqual(1);
    }
  });

  it("counts what it answered, takes its time if told to, and ends with whoever started it", async () => {
    const origin = await start("--tokens", "0", "--latency", "60");
    const started = performance.now();
    await Promise.all(Array.from({ length: 4 }, async () => (await ask(origin)).arrayBuffer()));
    expect(performance.now() - started).toBeGreaterThan(45);
    expect(await (await fetch(`${origin}/stats`)).json()).toMatchObject({ answered: 4, open: 0, most_open: 4 });
    const end = once(child!, "exit");
    child!.stdin!.end();
    expect((await end)[0]).toBe(0);
  });
});
