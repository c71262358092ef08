import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CallError } from "../src/auditors/auditor.js";
import { createAuditor } from "../src/auditors/create-auditor.js";
import { blotSecrets } from "../src/auditors/http/raw-response.js";
import { askOf, KEY, stubKeys } from "./served-model.suite.js";
import { cliOk, cliServed, temporaryFolder } from "./support/cli.js";

const MB = 1024 * 1024;
const PROVIDERS = [
  { auditor: "openai-compatible:m", keys: ["OPENAI_API_KEY"], options: { dialect: "generic" } },
  { auditor: "gemini:gemini-2.0-flash", keys: ["GEMINI_API_KEY"], options: {} },
];
const servers: Server[] = [];

async function start(listener: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => listener(request, response));
    response.on("error", () => {});
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe.each(PROVIDERS)("$auditor, where the server sends", ({ auditor: name, keys, options }) => {
  async function ask(listener: RequestListener): Promise<{ error: CallError; grown: number; ms: number }> {
    stubKeys(keys);
    const auditor = await createAuditor(name, { ...options, baseUrl: await start(listener) });
    const before = process.memoryUsage().rss;
    const started = performance.now();
    const error = await Promise.resolve(auditor.ask(askOf())).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    const ms = performance.now() - started;
    const grown = process.memoryUsage().rss - before;
    await auditor.close?.();
    expect(error).toBeInstanceOf(CallError);
    return { error: error as CallError, grown, ms };
  }

  it("an answer that inflates to 400 MB: it is cut off at 8 MB", async () => {
    const bomb = gzipSync(Buffer.alloc(400 * MB, " "));
    const { error, grown } = await ask((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb);
    });
    expect([error.fault, error.again, error.message]).toEqual(["too_long", false, expect.stringContaining("8 MB")]);
    expect(grown).toBeLessThan(150 * MB);
  });

  it("a body that never ends: the same", async () => {
    const chunk = Buffer.alloc(MB, " ");
    let sent = 0;
    const { error } = await ask((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        while (!response.destroyed && ++sent && response.write(chunk));
      };
      response.on("drain", more);
      more();
    });
    expect(error.fault).toBe("too_long");
    expect(sent).toBeLessThan(100);
  });

  it.each([503, 429])(
    "status %d with a body of 10 MB and a time before now: it is a refusal like any other",
    async (status) => {
      const { error } = await ask((_, response) => {
        response.writeHead(status, { "content-type": "application/json", "retry-after": "-5" });
        response.end(JSON.stringify({ error: { message: "x".repeat(10 * MB), code: status } }));
      });
      expect([error.slower, error.retryAfterMs]).toEqual([true, null]);
      expect(error.message.length).toBeLessThan(1000);
    },
  );
});

describe("a key that the server repeats", () => {
  const code = (character: string) => character.charCodeAt(0).toString(16).padStart(4, "0");
  const escaped = [...KEY].map((character) => `\\u${code(character)}`).join("");
  const points = [...KEY].map((character) => character.charCodeAt(0)).join(", ");

  /** The body's JSON as text, so that escapes stay as they are written here. */
  function chatBody(citation: string): string {
    const trace = `{\\"logic_chain\\":\\"${citation}\\",\\"policy_citation\\":\\"${citation}\\",\\"precedent_weight\\":\\"Low\\",\\"inverse_check\\":\\"No\\",\\"defensibility_level\\":1}`;
    const token = `{"token":"${escaped}","logprob":-0.1,"bytes":[${points}],"top_logprobs":[{"token":"${escaped}","logprob":-0.1,"bytes":[${points}]}]}`;
    const choice = `{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"${trace}"},"logprobs":{"content":[${token}]}}`;
    return `{"model":"m-${escaped}","choices":[${choice}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`;
  }

  /** Everything in a folder, inflated where it is compressed. */
  function textOf(folder: string): string {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile());
    return files
      .map((path) => {
        const bytes = readFileSync(path);
        return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString("latin1");
      })
      .join("\n");
  }

  it.each([
    ["once escaped", escaped],
    ["twice escaped", escaped.replaceAll("\\", "\\\\")],
    ["as it is", KEY],
    ["as code points", points],
  ])("%s is in nothing that is stored or printed", { timeout: 120_000 }, async (_, citation) => {
    const workspace = join(temporaryFolder(), "ws");
    cliOk(["init", workspace, "--example", "commons-hard"]);
    let asked = 0;
    const url = await start((request, response) => {
      // One answer in five is torn right behind the key.
      const whole = request.url?.endsWith("/models") ? '{"data":[]}' : chatBody(citation);
      const body =
        ++asked > 3 && asked % 5 === 0 ? whole.slice(0, whole.indexOf(citation) + citation.length + 1) : whole;
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    const decisions = readFileSync(join(workspace, "decisions.jsonl"), "utf8").split("\n").slice(0, 6);
    writeFileSync(join(workspace, "decisions.jsonl"), `${decisions.join("\n")}\n`);
    const flags = ["--workspace", workspace, "--auditor", "openai-compatible:m", "--base-url", `${url}/v1`];
    const env = { OPENAI_API_KEY: KEY };
    const printed: string[] = [];
    for (const more of [["--keep-raw", "--seed", "2"], ["--signal", "none"], []]) {
      const { stdout, stderr } = await cliServed(["audit", ...flags, ...more, "--concurrency", "1"], { env });
      printed.push(stdout, stderr);
    }
    const { stdout, stderr } = await cliServed(["doctor", ...flags], { env });
    printed.push(stdout, stderr, cliOk(["report", "--workspace", workspace, "--json"]));
    // What Parquet files hold is compressed.
    for (const run of readdirSync(join(workspace, "runs"))) {
      const out = join(workspace, `${run}.jsonl`);
      cliOk(["export", "--workspace", workspace, "--run", run, "--format", "jsonl", "--out", out]);
      expect(readFileSync(out, "utf8")).toContain("*".repeat(KEY.length));
    }
    expect(asked).toBeGreaterThan(6);
    for (const text of [printed.join("\n"), textOf(workspace)]) {
      const at = [...text].findIndex(
        (_, i) => i % 4096 === 0 && blotSecrets(text.slice(i, i + 8192), [KEY]) !== text.slice(i, i + 8192),
      );
      expect(at < 0 ? "" : text.slice(at, at + 8192)).toBe("");
    }
  });
});
