import { describe, expect, it } from "vitest";
import { splitClauses } from "../../text/split-clauses.js";
import { type ClauseRole, clauseRole, demandedWords } from "./located-tokens.js";

function roleOf(text: string, kind: string | null = null, demanded: string[] = []): ClauseRole {
  return clauseRole(splitClauses(text)[0]!, { kind, demanded: new Set(demanded) });
}

describe("clauseRole", () => {
  const cases: [text: string, role: ClauseRole, kind?: string][] = [
    ["No links", "prohibition"],
    ["Do not advertise your shop.", "prohibition"],
    ["Posts with a price are removed.", "prohibition"],
    ["Only private sellers may advertise.", "prohibition"],
    ["Lists may be posted on Sundays only.", "prohibition"],
    ["Removed: offers with a price.", "prohibition"],
    ["Every post must name the kiln.", "requirement"],
    ["A review has at least 80 words.", "requirement"],
    ["Give the size and the price.", "requirement", "requirement"],
    ["An offer without a price is removed.", "requirement", "requirement"],
    ["Exception: comments need no tag.", "exemption"],
    ["Allowed: asking for honest feedback.", "exemption"],
    ["Comments may wander.", "exemption"],
    ["Misspellings are never a reason for removal.", "exemption"],
    ["First names are not private information.", "exemption", "prohibition"],
    ["An explained answer is not removed for being wrong.", "exemption"],
    ["A bare year is not enough.", "insufficient", "requirement"],
    ['"Perfect" alone is not a description.', "insufficient", "requirement"],
    ["It is moved, not removed.", "procedure"],
    ["Such posts are neither removed nor left open.", "procedure"],
    ["A moderator locks the thread.", "procedure"],
    ["Moderators may remove anything unsuitable.", "discretion"],
    ["Replies that only discourage may be removed.", "discretion"],
    ["Be kind to one another.", "vague", "vague_directive"],
    ["Act in good faith.", "vague"],
    ["A spare part is something that stays in the item.", "definition"],
    ["Allowed when the title asks why.", "exemption", "prohibition"],
    ["A running clock is enough.", "definition", "prohibition"],
    ["A running clock is enough.", "exemption", "requirement"],
    ["Disguises count as requests: a friend does not help.", "insufficient", "prohibition"],
    ["Postage does not count.", "exemption", "prohibition"],
    ["The quiet period runs from 24 May to 14 June.", "definition", "prohibition"],
    ["Moderators may remove posts that give too little.", "discretion"],
    ["No se vende ni se compra.", "prohibition"],
    ["Excepción: los comentarios.", "exemption"],
    ["Un texto en otro idioma lleva traducción.", "requirement"],
  ];

  for (const [text, role, kind = null] of cases)
    it(`reads "${text}" as ${role}`, () => expect(roleOf(text, kind)).toBe(role));

  it("reads 'Y is not' as the contrary of the clause before", () => {
    const [clause] = splitClauses("Noise and bad taste are not.");
    const sense = { kind: "prohibition", demanded: new Set<string>() };
    expect(clauseRole(clause!, sense, "definition")).toBe("exemption");
    expect(clauseRole(clause!, sense, "exemption")).toBe("prohibition");
  });

  it("reads 'is not N' as a failure where N is what the rule demands, and as an exemption elsewhere", () => {
    const demanded = demandedWords(["Sources for claims", "A post without a source is removed."]);
    expect(roleOf("A rumour is not a source.", "requirement", [...demanded])).toBe("insufficient");
    expect(roleOf("A question is not a claim.", "prohibition", [])).toBe("exemption");
  });
});
