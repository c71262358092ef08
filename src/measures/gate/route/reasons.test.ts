import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROUTE_REASONS } from "../../../core/records/route.js";
import { ROUTE_SENTENCES } from "./reasons.js";

describe("docs/route.md", () => {
  it("lists every reason with its sentence, in the order in which they are told", () => {
    const page = readFileSync(join(import.meta.dirname, "..", "..", "..", "..", "docs", "route.md"), "utf8");
    const rows = [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|$/gm)].map(([, reason, sentence]) => [reason, sentence]);
    expect(rows).toEqual(ROUTE_REASONS.map((reason) => [reason, ROUTE_SENTENCES[reason]]));
  });
});
