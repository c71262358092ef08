import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { PURE } from "./rooms.js";

export const SRC = join(import.meta.dirname, "..", "..", "src");

/** `fn(args) // => value` in a doc block after `@example`. */
const EXAMPLE = /^\s*\*\s*(?:@example\s+)?(\w+\(.*\)(?:\.\w+)*)\s*\/\/ => (.+?)\s*(?:\*\/)?$/;

export interface Example {
  /** Path below `src/`. */
  file: string;
  code: string;
  /** Code of the value that it promises. */
  promised: string;
  /** Decimals that the promise has. */
  decimals: number;
}

/** The examples in the doc blocks of the formula rooms. */
export function findExamples(): Example[] {
  return PURE.flatMap((room) =>
    readdirSync(join(SRC, room), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\.(test|suite)\.ts$/.test(name))
      .sort()
      .flatMap((name) => examplesOf(join(room, name))),
  );
}

function examplesOf(file: string): Example[] {
  return readFileSync(join(SRC, file), "utf8")
    .split("\n")
    .map((line) => EXAMPLE.exec(line))
    .filter((match) => match !== null)
    .map(([, code, promised]) => ({
      file,
      code: code!,
      promised: promised!.replace(/…|\.\.\./g, ""),
      decimals: Math.max(0, ...[...promised!.matchAll(/\.(\d+)/g)].map(([, digits]) => digits!.length)),
    }));
}

export function expectSame(actual: unknown, expected: unknown, decimals: number): void {
  if (typeof expected === "number") expect(actual).toBeCloseTo(expected, decimals);
  else if (typeof expected === "object" && expected !== null) {
    for (const [key, value] of Object.entries(expected)) {
      expectSame((actual as Record<string, unknown>)[key], value, decimals);
    }
  } else expect(actual).toEqual(expected);
}
