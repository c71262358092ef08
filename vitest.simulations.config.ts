import { defineConfig } from "vitest/config";

/** Long simulations of what the methods promise; `docs/guarantees.md` has their results. */
export default defineConfig({
  test: { include: ["test/simulations/**/*.sim.ts"], testTimeout: 1_800_000 },
});
