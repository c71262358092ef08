import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRng } from "../src/stats/random/create-rng.js";
import {
  type FakeServer,
  gatewayPage,
  overloaded,
  type Planned,
  planAnswer,
  type Question,
  type Reply,
  rateLimited,
  serverError,
  startFakeServer,
  traceText,
} from "./fake-models/index.js";
import { truncate } from "./fake-models/plan-answer.js";
import { cliOk, startCli, temporaryFolder } from "./support/cli.js";

const DECISIONS = 500;
const IN_FLIGHT = 24;
const KILLS = 5;

describe("a run against a server that fails, stalls, truncates and rate-limits, killed five times", () => {
  const folder = temporaryFolder();
  const workspace = join(folder, "ws");
  let server: FakeServer;
  let whole: Planned[];
  const rng = createRng(3);
  const faults: Record<string, number> = {};

  /** One call in four goes wrong. */
  function reply(question: Question): Reply {
    const answer = whole[question.index % whole.length]!;
    const dice = rng.next();
    const choose = (name: string, fault: Reply) => {
      faults[name] = (faults[name] ?? 0) + 1;
      return fault;
    };
    if (dice < 0.03) return choose("limited", rateLimited("openai", { retryAfterMs: "40" }));
    if (dice < 0.06) return choose("overloaded", overloaded());
    if (dice < 0.09) return choose("server", serverError());
    if (dice < 0.12) return choose("gateway", gatewayPage(502));
    if (dice < 0.15) return choose("torn", { fault: "torn", at: "middle", answer });
    if (dice < 0.17) return choose("reset", { fault: "torn", at: "start", answer });
    if (dice < 0.19) return choose("stall", { fault: "stall", at: "middle", answer });
    if (dice < 0.22) return choose("cut", truncate(answer, 9));
    if (dice < 0.24) return choose("slow", { fault: "slow", ms: 300, answer });
    return answer;
  }

  beforeAll(async () => {
    whole = await Promise.all(
      [1, 2, 3].map((level) => planAnswer(traceText({ defensibility_level: level, logic_chain: "It follows." }))),
    );
    server = await startFakeServer({ dialect: "openai", key: "sk-right", answer: reply });
    cliOk(["init", workspace, "--example", "commons-hard"]);
    const lines = Array.from({ length: DECISIONS }, (_, i) =>
      JSON.stringify({
        id: `d${i}`,
        community: i % 2 ? "film-club" : "study-hall",
        content: `post ${i}`,
        decision: "remove",
      }),
    );
    writeFileSync(join(workspace, "decisions.jsonl"), `${lines.join("\n")}\n`);
  });
  afterAll(() => server.close());

  const audit = () =>
    startCli(
      [
        ...[
          "audit",
          ...["--flip", "0"],
          "--workspace",
          workspace,
          "--auditor",
          "openai-compatible:gpt-4.1-mini",
          "--base-url",
          server.baseUrl,
        ],
        ...["--dialect", "openai", "--concurrency", String(IN_FLIGHT), "--timeout", "2", "--no-cache"],
      ],
      { env: { OPENAI_API_KEY: "sk-right" } },
    );

  const delivered = async (count: number, over: () => boolean) => {
    while (server.delivered < count && !over()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it("ends sealed, with each decision once, and pays for no more than was in flight", {
    timeout: 400_000,
  }, async () => {
    for (let kill = 1; kill <= KILLS; kill++) {
      const { child, done } = audit();
      let ended = false;
      void done.then(() => {
        ended = true;
      });
      await delivered((kill * DECISIONS) / (KILLS + 1), () => ended);
      expect(ended, (await Promise.race([done, null]))?.stderr).toBe(false);
      child.kill("SIGKILL");
      expect((await done).signal).toBe("SIGKILL");
    }
    const last = await audit().done;
    expect([0, 3], last.stderr).toContain(last.status);

    const [run, ...others] = readdirSync(join(workspace, "runs"));
    expect(others).toEqual([]);
    const out = join(folder, "out.jsonl");
    cliOk(["export", "--workspace", workspace, "--format", "jsonl", "--out", out]);
    const rows = readFileSync(out, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { decision_id: string; outcome: string; attempts: number });
    expect(new Set(rows.map((row) => row.decision_id)).size).toBe(DECISIONS);
    expect(rows).toHaveLength(DECISIONS);

    const outcomes = Object.fromEntries(
      ["verdict", "unscored", "error"].map((name) => [name, rows.filter((row) => row.outcome === name).length]),
    );
    // An answer that was cut off is an answer: it was paid, and is not asked for again.
    expect(outcomes.unscored).toBeGreaterThan(0);
    expect(outcomes.error).toBe(0);
    // Of 95 that go wrong at first: a kill in the middle of a repetition forgets it.
    expect(rows.filter((row) => row.attempts > 1).length, "repeated").toBeGreaterThan(50);
    for (const name of ["limited", "overloaded", "server", "torn", "stall", "cut"])
      expect(faults[name]).toBeGreaterThan(2);

    // Probes are answers too: one for each of the six starts, which may ask for two answers.
    const probes = 2 * (KILLS + 1);
    const surplus = server.delivered - DECISIONS;
    expect(surplus).toBeLessThanOrEqual(KILLS * IN_FLIGHT + probes);
    const manifest = JSON.parse(readFileSync(join(workspace, "runs", run!, "manifest.json"), "utf8"));
    expect(manifest).toMatchObject({ status: "sealed", counts: { planned: DECISIONS, errors: 0 } });
    expect(manifest.scheduler.at(-1).history.length).toBeGreaterThan(0);
  });
});
