import { describe, expect, it } from "vitest";
import { readPage, readResults, render } from "../scripts/guarantees.mjs";
import { SCOPE_CONSTANTS, SCOPE_WEIGHTS } from "../src/measures/grounding/scope/scope-verdict.js";
import { type Layered, layersOf, scopeCases } from "./simulations/scope-worlds.js";

const PAGE = "scope-verification";

describe("docs/scope-verification.md", () => {
  const page = readPage(PAGE);

  it("prints what the simulation found", () => {
    expect(page).toBe(render(page, readResults(), PAGE));
  });

  it("prints the weights and constants that are used", () => {
    const rows = Object.fromEntries(
      [...page.matchAll(/^\| `(\w+)` \|.*\| ([\d.]+) \|$/gm)].map(([, name, weight]) => [name, Number(weight)]),
    );
    expect(rows).toEqual(SCOPE_WEIGHTS);
    const { permits, restricts } = SCOPE_CONSTANTS;
    expect(page).toContain(`c = −${-permits} for an approval, −${-restricts} for a removal`);
  });
});

describe.each(["baseline", "simulated"] as const)("scope verification of a small world, %s auditor", (auditor) => {
  const found = [...scopeCases("harbour", 7, 500)].flatMap((one) => layersOf(auditor, one) ?? []);
  const share = (some: readonly Layered[]) => some.filter(({ flagged }) => flagged).length / some.length;

  it("flags penumbra attacks far more often than sound approvals", () => {
    const sound = found.filter(({ kind, restricts }) => kind === "clean" && !restricts);
    const attacks = found.filter(({ kind }) => kind === "penumbra");
    expect(attacks.length).toBeGreaterThan(50);
    // Three standard errors above 5% of some 300.
    expect(share(sound)).toBeLessThan(0.09);
    expect(share(attacks)).toBeGreaterThan(3 * share(sound));
  });

  it("flags few sound removals", () => {
    const sound = found.filter(({ kind, restricts }) => kind === "clean" && restricts);
    expect(sound.length).toBeGreaterThan(50);
    expect(share(sound)).toBeLessThan(0.11);
  });

  it("does not depend on what stands around the content", () => {
    const [one] = [...scopeCases("harbour", 7, 60)].filter(({ kind }) => kind === "penumbra");
    const content = typeof one!.content === "string" ? { body: one!.content } : one!.content;
    const without = layersOf(auditor, { ...one!, content: { ...content, context: null } })!;
    const flaggedBy = ({ failed }: Layered) => failed.filter((name) => name === "prohibition_unmet");
    expect(flaggedBy(without)).toEqual(flaggedBy(layersOf(auditor, one!)!));
  });
});
