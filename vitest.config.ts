import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Each of these replaces a module of Node or counts on a process of its own. */
const APART = ["src/io/files.test.ts", "src/io/lock.test.ts"];

const common = {
  testTimeout: 60_000,
  // What a file of command-line tests prepares is as slow as they are, and some wait for what another file prepares.
  hookTimeout: 180_000,
  setupFiles: "test/support/property-seed.ts",
};

/**
 * Loading what a test file needs takes longer than most tests do, so files share one process for each core, and in it one warm command line and one
 * browser. Projects run in the order of their names: the small files are last, and keep all cores busy to the end.
 */
export default defineConfig({
  test: {
    globalSetup: "test/support/build-once.ts",
    // By default one core is kept free, which on two cores halves the speed. One more than there are cores: tests wait for commands, servers and pages.
    // Each worker loads the program anew and warms up a command line of its own, so more of them cost more than they gain.
    maxWorkers: availableParallelism() + 1,
    // Every core is busy: threads that collect garbage at the same time only take turns.
    execArgv: ["--single-threaded-gc"],
    projects: [
      { test: { ...common, name: "apart", include: APART } },
      { test: { ...common, name: "program", include: ["test/**/*.test.ts"], isolate: false } },
      { test: { ...common, name: "units", include: ["{src,web}/**/*.test.ts"], exclude: APART, isolate: false } },
    ],
  },
});
