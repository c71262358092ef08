import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SRC = join(import.meta.dirname, "..", "src");
const ROOMS = ["stats", "signals", "metrics", "calibration", "gate", "stability", "grounding", "simulation"];

/** `fn(args) // => value` in a doc block after `@example`. */
const EXAMPLE = /^\s*\*\s*(?:@example\s+)?(\w+\(.*\)(?:\.\w+)*)\s*\/\/ => (.+?)\s*(?:\*\/)?$/;

describe("examples in doc blocks are true", () => {
  let found = 0;
  for (const room of ROOMS) {
    const files = readdirSync(join(SRC, room), { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))) {
      const path = join(SRC, room, file);
      const lines = readFileSync(path, "utf8").split("\n");
      for (const line of lines) {
        const match = EXAMPLE.exec(line);
        if (!match) continue;
        found++;
        it(`${room}/${file}: ${match[1]}`, async () => {
          const exported = (await import(path)) as Record<string, unknown>;
          const names = Object.keys(exported);
          const evaluate = (code: string) =>
            new Function(...names, `return (${code})`)(...names.map((name) => exported[name]));
          expectSame(evaluate(match[1]!), evaluate(match[2]!.replace(/…|\.\.\./g, "")), digits(match[2]!));
        });
      }
    }
  }
  it("are there", () => expect(found).toBeGreaterThan(20));
});

/** Decimals printed in the expected value. */
function digits(text: string): number {
  return Math.max(0, ...[...text.matchAll(/\.(\d+)/g)].map((match) => match[1]!.length));
}

function expectSame(actual: unknown, expected: unknown, decimals: number): void {
  if (typeof expected === "number") expect(actual).toBeCloseTo(expected, decimals);
  else if (typeof expected === "object" && expected !== null) {
    for (const [key, value] of Object.entries(expected)) {
      expectSame((actual as Record<string, unknown>)[key], value, decimals);
    }
  } else expect(actual).toEqual(expected);
}
