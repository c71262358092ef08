import { defineConfig } from "vitest/config";
import { ResultsReporter } from "./test/simulations/results-reporter.js";

/** Long simulations of what the methods promise. They end by writing their figures into docs/guarantees.md. */
export default defineConfig({
  test: {
    include: ["test/simulations/**/*.sim.ts"],
    testTimeout: 1_800_000,
    reporters: ["default", new ResultsReporter()],
  },
});
