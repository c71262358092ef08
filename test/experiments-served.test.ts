import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { experimentSchema } from "../src/core/results/experiment.js";
import { createRng } from "../src/stats/random/create-rng.js";
import {
  asksForScope,
  type FakeServer,
  planAnswer,
  scopeText,
  startFakeServer,
  traceText,
} from "./fake-models/index.js";
import { cliOk, cliServed, temporaryFolder } from "./support/cli.js";

const KEY = "sk-test";

/** Every experiment that asks an auditor, with a model behind a server that speaks the vendor's format. */
describe("experiments with a served model", () => {
  const folder = temporaryFolder();
  const workspace = join(folder, "ws");
  const inside = ["--workspace", workspace];
  let server: FakeServer;

  beforeAll(async () => {
    const rng = createRng(7);
    const verdict = (defensibility_level: 1 | 2 | 3, inverse_check: "Yes" | "No") =>
      planAnswer(traceText({ defensibility_level, inverse_check }));
    const traces = await Promise.all([verdict(1, "No"), verdict(1, "No"), verdict(2, "Yes"), verdict(3, "Yes")]);
    const scope = await planAnswer(scopeText());
    server = await startFakeServer({
      dialect: "vllm",
      key: KEY,
      answer: (question) => (asksForScope(question) ? scope : traces[rng.int(traces.length)]!),
    });
    cliOk(["init", workspace, "--example", "commons-hard"]);
    await served("audit", "--limit", "40");
  }, 60_000);

  afterAll(() => server.close());

  /** Without waiting: the server answers from this process. */
  async function served(...args: string[]): Promise<string> {
    const model = ["--auditor", "openai-compatible:fake", "--base-url", server.baseUrl];
    const { status, stdout, stderr } = await cliServed([...args, ...model, ...inside], {
      env: { OPENAI_API_KEY: KEY },
    });
    expect(status, stderr).toBe(0);
    return stdout;
  }

  it.each([
    ["tiers", "rules tiers --limit 6"],
    ["scopes", "rules scopes --limit 6"],
    ["diff", "rules diff --precedents off --limit 6"],
    ["dual", "experiment dual --limit 6"],
    ["stability", "stability --cases 2 --limit 6 --pilot 3 --replicates 4 --fixed --temperatures 0.1,1"],
  ])(
    "%s",
    async (kind, line) => {
      const result = experimentSchema.parse(JSON.parse(await served(...line.split(" "), "--json")));
      expect(result.experiment).toBe(kind);
      expect(result.runs).toHaveLength(1);
      expect(await served(...line.split(" "))).not.toMatch(/NaN|Infinity|\[object/);
    },
    60_000,
  );

  it("attack, with the second question and the dual audit", async () => {
    const file = join(folder, "attacks.jsonl");
    cliOk(["attack", "build", "--out", file, "--clean", "8", "--flips", "3", "--hallucinated", "2", ...inside]);
    const result = JSON.parse(await served("attack", "run", file, "--ask-scope", "--dual", "--json"));
    expect(experimentSchema.parse(result).experiment).toBe("attack");
  }, 60_000);

  it("what is analysed of its runs", () => {
    for (const kind of ["gap", "signal", "circularity"]) {
      expect(JSON.parse(cliOk(["experiment", kind, "--json", ...inside])).experiment).toBe(kind);
    }
    cliOk(["humans", "sample", "--cases", "6", "--out", join(folder, "sheet"), ...inside]);
  });
});
