import { describe, expect, it } from "vitest";
import { renderMarkdown, renderTerminal } from "../../../present/document/render.js";
import { thresholdText, unionAtRateWords } from "../../../present/words/experiment-words.js";
import { displayWidth } from "../../../text/printable.js";
import { analyseAttacks } from "../run/analyse-attacks.js";
import { cleanCases, scoredCase } from "../run/scored.suite.js";
import type { ScoredCase } from "../run/tables.js";
import { attackDocument } from "./document.js";

const analyse = (scored: ScoredCase[]) =>
  analyseAttacks(
    { scored, missing: [], unjudgeable: 0, unaudited: 0 },
    { rate: 0.1, seed: 1, draws: 500, question: false, dual: false, runs: ["r"], auditor: "toy", ambiguity: null },
  );

const ATTACKS = [
  ...Array.from({ length: 6 }, (_, i) => scoredCase({ id: `s${i}` }, { p: 0.01 })),
  scoredCase({ id: "e", kind: "penumbra" }),
  scoredCase({ id: "t", kind: "citation_splice", target: "trace", attack: { what: "", text: "R4" } }, { scope: 0.9 }),
];

const terminal = (document: ReturnType<typeof attackDocument>) =>
  renderTerminal(document, { width: 100, color: false });

describe("attackDocument", () => {
  const page = terminal(attackDocument(analyse([...cleanCases(60), ...ATTACKS])));
  const flat = page.replace(/\s+/g, " ");

  it("begins with what was noticed and at which price", () => {
    expect(flat).toMatch(/The defences catch 86% \(49–97%, 6 of 7\) of the disguised wrong decisions/);
    expect(flat).toMatch(/with false alarms on 7% \(2–21%, 2 of 30\) of the clean cases/);
    expect(flat).toMatch(/The paper's two layers catch 86%, with false alarms on \d+% of/);
  });

  it("gives each defence the false alarms of its own", () => {
    const clean = [...cleanCases(60).map((one) => ({ ...one, scope: { ...one.scope, flagged: true } }))];
    const flat = terminal(attackDocument(analyse([...clean, ...ATTACKS]))).replace(/\s+/g, " ");
    expect(flat).toMatch(/with false alarms on 100% \(.*?\) of the clean cases/);
    expect(flat).toMatch(/The paper's two layers catch 86%, with false alarms on \d?\d% of/);
    const rows = terminal(attackDocument(analyse([...clean, ...ATTACKS])))
      .split("\n")
      .filter((line) => line.includes("clean (false alarms)"));
    // Under the layers, under those with chosen thresholds, and under those of the trace.
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/100\.0%/);
  });

  it("says that the layers together have thresholds of their own, and by how many parts", () => {
    expect(flat).toContain("signal, grounding and scope have thresholds of their own, each for a third of the share");
    expect(flat).toContain("It is not what any of the columns before it notices");
    expect(flat).not.toMatch(/any chosen/);
    const without = unionAtRateWords({ layers: [{ name: "signal", member: false }] as never });
    expect(without.note).toContain(
      "In the last column grounding and scope have thresholds of their own, each for half",
    );
    expect(without.head).toBe("together, each at half of the share");
  });

  it("says what a threshold is a threshold of", () => {
    expect(thresholdText("signal", 0.024)).toBe("P(defensible) < 0.976");
    expect(thresholdText("signal", 0.00002)).toBe("P(defensible) < 0.999980");
    expect(thresholdText("grounding_at_rate", 0)).toBe("overlap < 1");
    expect(thresholdText("scope", 0.5)).toBe("suspicion ≥ 0.500");
    expect(thresholdText("scope_at_rate", 0.6125)).toBe("suspicion > 0.613");
    expect(thresholdText("union", null)).toBe("");
    expect(flat).toMatch(/P\(defensible\) < 0\.\d+/);
  });

  it("tells manners apart that begin alike", () => {
    const manners = ["rule_in_content", "rule_in_context"];
    const attacks = manners.flatMap((archetype, m) =>
      Array.from({ length: 5 }, (_, i) => scoredCase({ id: `m${m}${i}`, kind: "hallucinated_grounding", archetype })),
    );
    const text = terminal(attackDocument(analyse([...cleanCases(60), ...attacks])));
    expect(text).toMatch(/rule in\b.*\n\s+content/);
    expect(text).toMatch(/rule in\b.*\n\s+context/);
    for (const line of text.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(100);
  });

  it("keeps attacks on the trace apart and says why the first layer is blind to them", () => {
    expect(page).toMatch(/Attacks on the trace\n[\s\S]*first layer sees nothing/);
  });

  it("prints no NaN, no undefined and no null", () => {
    for (const cases of [cleanCases(60), ATTACKS, [...cleanCases(3), ...ATTACKS], cleanCases(1), []]) {
      const text = terminal(attackDocument(analyse(cases)));
      expect(text).not.toMatch(/NaN|undefined(?!:)|null|Infinity/);
    }
    expect(terminal(attackDocument(analyse(cleanCases(60))))).toMatch(/Nothing can be said of attacks on the input/);
  });

  it("shows nothing of a hostile file that a terminal or a page could obey", () => {
    const hostile = "\u001b[2J\u202e<img src=x onerror=alert(1)>|[x](javascript:alert(1)) ";
    const nasty = ATTACKS.map((one, i) => ({
      ...one,
      case: { ...one.case, archetype: hostile, rule_kind: `${hostile}${i % 2}`, language: hostile, decision: hostile },
    }));
    const document = attackDocument({ ...analyse([...cleanCases(40), ...nasty]), file: hostile, auditor: hostile });
    expect(terminal(document)).not.toMatch(/[\u001b\u202e]/);
    const markdown = renderMarkdown(document);
    expect(markdown).not.toMatch(/[\u001b\u202e]/);
    expect(markdown).not.toContain("<img");
    expect(markdown).not.toMatch(/(?<!\\)\]\(javascript/);
    // A cell of the table ends where the table says so.
    const rows = markdown.split("\n").filter((line) => line.startsWith("| kind of rule"));
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)!.length).toBeLessThanOrEqual(6);
  });
});
