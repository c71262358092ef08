import { describe, expect, it } from "vitest";
import { balancedText, cutText, textWidth, wrapText } from "./text-fit.ts";

const text = "A rule settles most of the decisions, and for the others no rule supports them";

describe("text that must fit", () => {
  it("is wrapped at spaces, and nothing of it is lost", () => {
    const lines = wrapText(text, 150, 12);
    expect(lines.join(" ")).toBe(text);
    for (const line of lines) expect(textWidth(line, 12)).toBeLessThanOrEqual(150);
  });

  it("ends in an ellipsis where the lines do not suffice", () => {
    const lines = wrapText(text, 150, 12, 2);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/…$/);
  });

  it("is cut after a word where one ends near, else anywhere", () => {
    expect(cutText("Keep it about gardening", textWidth("Keep it about gar…", 12), 12)).toBe("Keep it about…");
    expect(cutText("Keep it about gardening", textWidth("Keep it about…", 12), 12)).toBe("Keep it about…");
    expect(cutText("A gardeningandalsopotteryrule", textWidth("A gardeningandal…", 12), 12)).toBe("A gardeningandal…");
  });

  it("is broken inside a word that is wider than the line, after a hyphen or slash if there is one", () => {
    const lines = wrapText("subjective-content/and-vague-directives", 130, 12);
    expect(lines.join("")).toBe("subjective-content/and-vague-directives");
    expect(lines[0]).toMatch(/[-/]$/);
    expect(wrapText("x".repeat(100), 120, 12).join("")).toBe("x".repeat(100));
  });

  it("counts wide characters twice, and never cuts one in half", () => {
    expect(textWidth("規則", 10)).toBeCloseTo(textWidth("abcd", 10));
    expect(cutText("🦊🦊🦊🦊🦊🦊", 40, 12)).toMatch(/^(🦊)+…$/u);
  });

  it("is balanced over as many lines as it needs anyway", () => {
    const title = "Too close to call: one number says this, and the other says that, more or less";
    const wrapped = wrapText(title, 400, 15);
    const balanced = balancedText(title, 400, 15);
    expect(balanced).toHaveLength(wrapped.length);
    expect(balanced.join(" ")).toBe(title);
    const spread = (lines: string[]) =>
      Math.max(...lines.map((line) => line.length)) - Math.min(...lines.map((line) => line.length));
    expect(spread(balanced)).toBeLessThanOrEqual(spread(wrapped));
  });
});
