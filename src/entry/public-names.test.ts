import { expect, it } from "vitest";

const ENTRIES = {
  defensible: () => import("../index.js"),
  "defensible/measures": () => import("./measures.js"),
  "defensible/stats": () => import("./stats.js"),
  "defensible/auditors": () => import("./auditors.js"),
  "defensible/experiments": () => import("./experiments.js"),
} as const;

it("keeps the public names: none is lost, or added unasked, when files are moved or merged", async () => {
  const names = await Promise.all(
    Object.entries(ENTRIES).map(async ([entry, load]) => [entry, Object.keys(await load()).sort()] as const),
  );
  // A name that is meant to be public is added with `npx vitest run src/entry/public-names.test.ts -u`.
  await expect(`${JSON.stringify(Object.fromEntries(names), null, 2)}\n`).toMatchFileSnapshot(
    "../../test/goldens/public-names.json",
  );
});
