import { describe, expect, it } from "vitest";
import type { Estimate } from "../../../core/estimate.js";
import { proportion } from "../../../stats/intervals/proportion.js";
import { attackFigures } from "./figures.js";

const kind = (group: string, k: number, n: number) => ({ group, escaped: proportion(k, n) });
const mean = (estimate: number, half: number, n: number): Estimate => ({
  ...{ estimate, lower: estimate - half, upper: estimate + half, level: 0.95, method: "t", n },
});
const subset = (name: string, bits: Estimate) => ({ subset: name, n: bits.n, h_citation_bits: bits });

function figuresOf({ p = 1 }: { p?: number } = {}) {
  const tables = {
    detection: [{ target: "input", kind: "all", layer: "union", detected: proportion(3, 10) }],
    false_positives: [{ layer: "union", decision: "all", flagged: proportion(1, 10) }],
    auroc: [],
    subsets: [
      subset("clean", mean(0.09, 0.01, 40)),
      subset("four", mean(0.08, 0.2, 4)),
      subset("two", mean(0.08, 0.5, 2)),
    ],
    escapes: {
      all: proportion(3, 10),
      by: {
        rule_kind: {
          groups: [kind("procedure", 2, 2), kind("subjective_content", 7, 9), kind("duty", 5, 8)],
          adjusted_p: p,
        },
      },
    },
  };
  const figures = attackFigures(tables as never, { scored: [] } as never, []);
  return (id: string) => figures.find((one) => one.id === id)!;
}

describe("attackFigures", () => {
  it("name in the title the kinds of rule it looks at, where a kind with few attacks has the longest bar", () => {
    const { title, caption, rows } = figuresOf({ p: 0.01 })("attack-escapes");
    expect(rows[0]).toMatchObject({ rule_kind: "procedure", escaped: 1, n: 2 });
    expect(title).toBe(
      "Of kinds of rule with 5 attacks or more, most escape under subjective content, 77.8% of 9 attacks",
    );
    expect(caption).toContain("procedure 2, subjective content 9, duty 8");
  });

  it("claim no difference between kinds of rule that chance alone could explain", () => {
    expect(figuresOf()("attack-escapes").title).toMatch(
      /^What escapes does not differ between kinds of rule beyond chance/,
    );
  });

  it("say what is not known instead of a share that is undefined", () => {
    expect(figuresOf()("attack-detection").title).toBe("All layers together notice 30.0% of the attacks on the input");
    expect(figuresOf()("attack-entropy").title).toBe("Mean citation entropy: clean 0.090 bits");
    const nothing = { detection: [], false_positives: [], auroc: [], subsets: [], escapes: { by: {} } };
    const none = attackFigures(nothing as never, { scored: [] } as never, []).map(({ title }) => title);
    expect(none[0]).toBe("No attack on the input was audited, so what the layers notice is unknown");
    expect(none.join()).not.toContain("undefined");
  });

  it("draw no entropy below 0, and no mean of two cases", () => {
    const { rows } = figuresOf()("attack-entropy");
    expect(rows.map(({ subset: name, h_citation_bits: bits, lower }) => [name, bits, lower])).toEqual([
      ["clean", 0.09, 0.08],
      ["four", 0.08, 0],
      ["two", null, null],
    ]);
  });

  it("tell false alarms from attacks that were noticed", () => {
    const { series, rows } = figuresOf()("attack-detection");
    expect(rows.map((row) => [row.kind, row[series!]])).toEqual([
      ["all", "attacks"],
      ["clean", "clean cases: false alarms"],
    ]);
  });
});
