import OpenAI from "openai";
import { onTestFinished } from "vitest";
import { type FakeServer, type FakeServerOptions, startFakeServer, traceText } from "./index.js";

/** Ends with the test. */
export async function start(
  options: Partial<FakeServerOptions> & Pick<FakeServerOptions, "answer">,
): Promise<FakeServer> {
  const server = await startFakeServer({ dialect: "openai", ...options });
  onTestFinished(() => server.close());
  return server;
}

export const client = ({ baseUrl }: FakeServer, key = "test-key"): OpenAI =>
  new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 });

export const ask = {
  model: "gpt-4.1-mini",
  messages: [
    { role: "system" as const, content: "S" },
    { role: "user" as const, content: "U é \u202e" },
  ],
  logprobs: true,
  top_logprobs: 20,
  temperature: 0.7,
};

export const NON_ASCII = traceText({ policy_citation: "Règle 4: 広告禁止 𠮷 🏴‍☠️" });
