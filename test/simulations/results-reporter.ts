import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { type Results, writePage } from "../../scripts/guarantees.mjs";

const RESULTS = join(import.meta.dirname, "results.json");

/**
 * Writes results.json and the page at the end of a run. A reporter, because simulations run in several processes and one of them must
 * write. A file's rows are replaced when all its tests have run and passed, so that one simulation can be run alone.
 */
export class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const before = JSON.parse(readFileSync(RESULTS, "utf8")) as Results;
    const found: Results = {};
    for (const one of modules) {
      const tests = [...one.children.allTests()];
      if (one.ok() && tests.every((test) => test.result().state === "passed")) {
        found[basename(one.moduleId, ".sim.ts")] = tests.flatMap((test) => test.meta().rows ?? []);
      } else console.log(`${basename(one.moduleId)}: not all of it ran and passed, its figures stay as they were`);
    }
    const sorted = Object.entries({ ...before, ...found }).sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(RESULTS, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
    writePage();
  }
}
