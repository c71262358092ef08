import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type BatchHandle, type BatchItem, CallError } from "../src/auditors/auditor.js";
import { createAuditor } from "../src/auditors/create-auditor.js";
import { allWords, askOf, KEY, stubKeys } from "./served-model.suite.js";

/** Every provider with the address that its vendor's begins with. A new provider belongs here. */
const PROVIDERS: readonly { auditor: string; path: string; keys: readonly string[]; dialect?: string }[] = [
  { auditor: "openai:gpt-4.1-mini", path: "/v1", keys: ["OPENAI_API_KEY"] },
  { auditor: "openai-compatible:m", path: "/v1", keys: ["OPENAI_API_KEY"] },
  ...["azure", "vllm", "openrouter", "together", "fireworks", "deepseek"].map((dialect) => ({
    ...{ auditor: "openai-compatible:m", path: "/v1", dialect },
    keys: [dialect === "azure" ? "AZURE_OPENAI_API_KEY" : "OPENAI_API_KEY", `${dialect.toUpperCase()}_API_KEY`],
  })),
  { auditor: "gemini:gemini-2.0-flash", path: "", keys: ["GEMINI_API_KEY"] },
  { auditor: "vertex:gemini-2.0-flash", path: "", keys: ["GOOGLE_API_KEY"] },
];
const STATUSES = [301, 302, 303, 307, 308];
const HANDLE: BatchHandle = { id: "batches/b1", items: 1, submitted_at: "2026-01-01T00:00:00Z" };

async function* items(): AsyncIterable<BatchItem> {
  yield { id: "a1", ask: askOf() };
}

async function drain(results: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of results);
}

describe("redirects", () => {
  let elsewhere: Server;
  let server: Server;
  let received: { url: string; headers: IncomingHttpHeaders }[];
  let status: number;
  let asked: number;
  const addressOf = (one: Server) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`;

  beforeEach(async () => {
    received = [];
    asked = 0;
    elsewhere = createServer((request, response) => {
      received.push({ url: request.url ?? "", headers: request.headers });
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    server = createServer((_, response) => {
      asked++;
      response.writeHead(status, { location: `${addressOf(elsewhere)}/timeout?key=${KEY}` }).end();
    });
    for (const one of [elsewhere, server]) await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const one of [elsewhere, server]) {
      one.closeAllConnections();
      await new Promise((resolve) => one.close(resolve));
    }
  });

  it.each(PROVIDERS)(
    "are followed by no call of $auditor $dialect, and the error names the address",
    async (provider) => {
      stubKeys(provider.keys);
      const baseUrl = addressOf(server) + provider.path;
      const options = { baseUrl, ...(provider.dialect ? { dialect: provider.dialect } : {}) };
      const auditor = await createAuditor(provider.auditor, options);
      const { batch } = auditor;
      const calls: Record<string, () => unknown> = {
        ask: () => auditor.ask(askOf()),
        probe: () => auditor.probe!(),
        ...(batch && {
          submit: () => drain(batch.submit(items(), "run-1")),
          find: () => batch.find("run-1"),
          status: () => batch.status(HANDLE),
          results: () => drain(batch.results(HANDLE)),
        }),
      };
      for (status of STATUSES) {
        for (const [name, call] of Object.entries(calls)) {
          const before = asked;
          const error = await Promise.resolve()
            .then(call)
            .then(
              () => null,
              (thrown: unknown) => thrown,
            );
          const where = `${name}, HTTP ${status}`;
          expect(received, where).toEqual([]);
          expect(asked, where).toBeGreaterThan(before);
          expect(error, where).toBeInstanceOf(CallError);
          const told = error as CallError;
          expect(told.message, where).toContain(`redirects to ${addressOf(elsewhere)}/timeout`);
          expect([told.final, told.remedy], where).toEqual([true, expect.stringContaining("`baseUrl`")]);
          expect(allWords(error), where).not.toContain(KEY);
        }
      }
      await auditor.close?.();
    },
  );
});

describe("the way out", () => {
  it("is one file to models, and one to addresses that users name, which refuses what is not public", () => {
    const src = join(import.meta.dirname, "..", "src");
    const found = readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\.(test|suite)\.ts$/.test(name))
      .filter((name) => {
        const code = readFileSync(join(src, name), "utf8");
        return /(?<![.\w])fetch\(|from "node:https?"|import\("undici"\)|\brequest\(["'`]http/.test(code);
      });
    // One file calls what that one made.
    const calling = ["auditors/gemini/client.ts"];
    // Webhooks go to addresses that users of the live service name: that way out refuses private addresses when it connects.
    expect(found.sort()).toEqual([...calling, "auditors/http/undici-fetch.ts", "server/outgoing.ts"]);
    for (const name of calling)
      expect(readFileSync(join(src, name), "utf8")).toMatch(/const \{ fetch \} = await \w*\.?net\(\)/);
  });
});
