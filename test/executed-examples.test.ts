import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectSame, findExamples, SRC } from "./support/examples.js";

describe("examples in doc blocks are true", () => {
  const examples = findExamples();
  for (const { file, code, promised, decimals } of examples) {
    it(`${file}: ${code}`, async () => {
      const exported = (await import(join(SRC, file))) as Record<string, unknown>;
      const names = Object.keys(exported);
      const evaluate = (text: string) =>
        new Function(...names, `return (${text})`)(...names.map((name) => exported[name]));
      expectSame(evaluate(code), evaluate(promised), decimals);
    });
  }
  it("are there", () => expect(examples.length).toBeGreaterThan(20));
});
