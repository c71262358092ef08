import { describe, expect, it } from "vitest";
import { analyseAttacks } from "../../experiments/attack/run/analyse-attacks.js";
import type { ScoredCase } from "../../experiments/attack/run/score-case.js";
import { cleanCases, scoredCase } from "../../experiments/attack/run/scored.suite.js";
import { renderMarkdown } from "../render-markdown.js";
import { renderTerminal } from "../render-terminal.js";
import { attackDocument } from "./attack-document.js";

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

  it("begins with what was noticed and at which price", () => {
    expect(page).toMatch(/85\.7 % {2}of the attacks on the input are noticed by some layer/);
    expect(page).toMatch(/6 of 7; the paper's two layers\s+notice 85\.7 %/);
    expect(page).toMatch(/flag\s+\d+\.\d %\s+of\s+the\s+clean\s+cases/);
  });

  it("keeps attacks on the trace apart and says why the first layer is blind to them", () => {
    expect(page).toMatch(/Attacks on the trace: share noticed[\s\S]*first layer sees nothing/);
  });

  it("prints no NaN, no undefined and no null", () => {
    for (const cases of [cleanCases(60), ATTACKS, [...cleanCases(3), ...ATTACKS], cleanCases(1), []]) {
      const text = terminal(attackDocument(analyse(cases)));
      expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
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
