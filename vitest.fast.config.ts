import { defineConfig } from "vitest/config";

/** The daily loop: unit tests of pure rooms and stores, and the rules of the house. No build, no command line, no browser, no simulation of many worlds. */
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "web/**/*.test.ts", "test/{layers,house,exports,docs,docs-links}.test.ts"],
    // Each takes longer than a second or two for a reason of its own; `npm test` runs them.
    exclude: [
      "src/measures/gate/certified-gate.test.ts",
      "src/measures/calibration/evaluate-score.test.ts",
      "src/app/calibrate/build-calibration.test.ts",
      "src/app/export/export-decisions.test.ts",
      "src/auditors/gguf/**",
      "src/io/lock.test.ts",
      "src/server/{api,jobs,server}.test.ts",
      // It replaces a module of Node, which needs a process of its own.
      "src/io/files.test.ts",
    ],
    setupFiles: "test/support/property-seed.ts",
    testTimeout: 60_000,
    maxWorkers: "100%",
    isolate: false,
  },
});
