import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "web/**/*.test.ts"],
    globalSetup: "test/support/build-once.ts",
    testTimeout: 60_000,
    // What a file of command-line tests prepares is as slow as they are, and some wait for what another file prepares.
    hookTimeout: 180_000,
    // By default one core is kept free, which on two cores halves the speed.
    maxWorkers: "100%",
  },
});
