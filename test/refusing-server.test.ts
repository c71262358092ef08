import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type FakeServer,
  openaiError,
  overloaded,
  planAnswer,
  type Reply,
  startFakeServer,
  traceText,
} from "./fake-models/index.js";
import { cliOk, startCli, temporaryFolder } from "./support/cli.js";

const KEY = "sk-right-0001";

describe("a server that refuses", () => {
  let workspace: string;
  let server: FakeServer;
  let reply: () => Reply | Promise<Reply>;

  beforeEach(async () => {
    workspace = join(temporaryFolder(), "ws");
    cliOk(["init", workspace, "--example", "commons-hard"]);
    const lines = readFileSync(join(workspace, "decisions.jsonl"), "utf8").split("\n").slice(0, 8);
    writeFileSync(join(workspace, "decisions.jsonl"), `${lines.join("\n")}\n`);
    const answer = await planAnswer(traceText({ logic_chain: "It follows." }));
    reply = () => answer;
    server = await startFakeServer({ dialect: "openai", key: KEY, answer: () => reply() });
  });
  afterEach(() => server.close());

  const audit = () =>
    startCli(
      [
        ...["audit", "--workspace", workspace, "--auditor", "openai-compatible:gpt-4.1-mini", "--dialect", "openai"],
        ...["--base-url", server.baseUrl],
      ],
      { env: { OPENAI_API_KEY: KEY } },
    );
  const runs = () =>
    readdirSync(join(workspace, "runs")).filter((name) => !name.startsWith(".") && name !== "start.lock");
  const giveUp = (minutes: number) =>
    writeFileSync(
      join(workspace, "defensible.yaml"),
      `${readFileSync(join(workspace, "defensible.yaml"), "utf8")}\ngive_up_minutes: ${minutes}\n`,
    );

  it.each([
    ["503", () => overloaded()],
    ["429 with a time before now", () => openaiError(429, "slow down", {}, { "retry-after": "-7" })],
  ] as [string, () => Reply][])(
    "every call with %s for ever stops the run, which counts down, says what to do, and continues later",
    { timeout: 60_000 },
    async (_, refusal) => {
      giveUp(0.05);
      const whole = reply;
      let asked = 0;
      reply = () => (++asked <= 3 ? whole() : refusal());
      const first = await audit().done;
      expect([first.status, first.stderr]).toEqual([
        1,
        expect.stringMatching(/every call was refused for \d+ seconds?/),
      ]);
      expect(first.stderr).toMatch(/waiting: .*; stops in \d+ s unless a call succeeds/);
      expect(first.stderr).toContain("repeat it later to continue");
      expect(runs()).toHaveLength(1);
      reply = whole;
      const second = await audit().done;
      expect([second.status, second.stderr]).toEqual([0, expect.anything()]);
      expect(runs()).toHaveLength(1);
    },
  );

  it("is probed again as calls are where it breaks off, and a kill during the probe leaves one run to continue", {
    timeout: 60_000,
  }, async () => {
    const whole = reply;
    let asked = 0;
    reply = async () => {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      return whole();
    };
    for (let kill = 1; kill <= 3; kill++) {
      const { child, done } = audit();
      while (asked < kill) await new Promise((resolve) => setTimeout(resolve, 10));
      child.kill("SIGKILL");
      expect((await done).signal).toBe("SIGKILL");
      expect(runs(), `after kill ${kill}`).toHaveLength(1);
    }
    const stale = join(workspace, "runs", runs()[0]!, "manifest.json.1.abcdef.tmp");
    const started = join(workspace, "runs", ".20200101T000000Z-abcdef.tmp");
    writeFileSync(stale, "{");
    mkdirSync(started);
    for (const path of [stale, started]) utimesSync(path, 1, 1);
    let torn = 0;
    const answer = (await whole()) as Exclude<Reply, { fault: unknown }>;
    reply = () => (++torn <= 4 ? ({ fault: "torn", at: "start", answer } as Reply) : answer);
    const last = await audit().done;
    expect([last.status, last.stderr]).toEqual([0, expect.anything()]);
    expect(runs()).toHaveLength(1);
    expect([existsSync(stale), existsSync(started)]).toEqual([false, false]);
  });
});
