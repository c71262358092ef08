// Audits a second of the simulated auditor in a world: prints JSON. Best of three.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createAuditor } from "../dist/entry/auditors.js";
import { EQUAL_WEIGHTS, extractSignals } from "../dist/entry/signals.js";

const [world] = process.argv.slice(2);
const ids = readFileSync(join(world, "truth", "truth.jsonl"), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line).decision_id);
const columns = await createAuditor("simulated:columns", { workspace: world });
const tokens = await createAuditor("simulated", { workspace: world });

const TEXT =
  "Links to your own shop, channel or site are removed, and so are codes that pay you for every sale that follows.";
const rules = [1, 2, 3, 4, 5, 6].map((i) => ({
  scope: i < 6 ? "community" : "platform",
  id: `R${i}`,
  title: "No advertising",
  text: `No advertising\n${TEXT}`,
  kind: null,
}));
const frame = {
  community: "bench",
  rulesetVersion: "1+1",
  tier: "wiki",
  rules,
  precedents: [{ id: "p", text: "An old case.", decision: "remove", ruleId: null, rationale: null }],
  actions: { positive: "remove", negative: "approve" },
};

function ask(id, replicates) {
  const wanted = Array.from({ length: replicates }, (_, k) => ({
    key: `${id}\u0000\u0000${String(k).padStart(7, "0")}`,
    seed: `1:${id}::${k}`,
  }));
  const auditCase = { frame, content: {}, decision: "remove", template: "paper" };
  return { case: auditCase, prompt: null, temperature: 0.7, logprobs: true, wanted };
}

function rate(calls, replicates, answer) {
  let best = 0;
  for (let turn = 0; turn < 3; turn++) {
    const started = performance.now();
    for (let i = 0; i < calls; i++) answer(ask(ids[i % ids.length], replicates));
    best = Math.max(best, (calls * replicates * 1000) / (performance.now() - started));
  }
  return Math.round(best);
}

const read = (generation) => extractSignals(generation, { weights: EQUAL_WEIGHTS });
console.log(
  JSON.stringify({
    columns: rate(20_000, 1, (question) => columns.measure(question, EQUAL_WEIGHTS)),
    replicates: rate(1000, 100, (question) => columns.measure(question, EQUAL_WEIGHTS)),
    tokens: rate(10_000, 1, (question) => tokens.ask(question).generations.map(read)),
  }),
);
