import type { Stability } from "../../../core/results/stability.js";
import { type Block, table } from "../../../present/document/document.js";
import { VARIANCE_SOURCES } from "../../../present/words/experiments/stability-words.js";
import { sign } from "../../../present/words/signs.js";
import { shareText } from "./words.js";

/** Governance ambiguity against sampling noise, as shares of variance. */
export function varianceBlocks({ decomposition }: Stability): Block[] {
  const known = decomposition.filter(({ components }) => components.length > 0);
  const heading: Block = { kind: "heading", text: "Where the variance comes from" };
  if (known.length === 0) {
    const reason = decomposition[0]?.reason ?? "no scores";
    return [heading, { kind: "text", text: `Undefined: ${reason}.` }];
  }
  const sources = Object.keys(VARIANCE_SOURCES).filter((source) =>
    known.some(({ components }) => components.some((one) => one.source === source)),
  );
  const cell = (one: Stability["decomposition"][number], source: string) => {
    const found = one.components.find((component) => component.source === source);
    return found ? `${shareText(found.share)}${found.truncated ? " *" : ""}` : "";
  };
  const name = (of: string) => (of === "verdict" ? "defensible or not" : sign(of));
  const truncated = known.some(({ components }) => components.some((one) => one.truncated));
  const has = (source: string) => sources.includes(source);
  const missing = known[0]!.not_estimated.filter((source) => !source.startsWith("case_by_"));
  return [
    heading,
    table(
      ["", ...known.map(({ of }) => `>${name(of)}`)],
      sources.map((source) => [VARIANCE_SOURCES[source]!, ...known.map((one) => cell(one, source))]),
    ),
    {
      kind: "text",
      text: `Shares of the variance, with 95 % intervals over cases, by the method of moments on the ${known[0]!.cases} cases that have every condition. Case: what it is, and what its rules say; trace: the same question asked again at the same settings${has("token") ? "; token: the draw of the last word, given the reasoning before it" : ""}. Were the spread of a case sampling noise alone, the last column would follow temperature, not the case.${truncated ? " * The estimate was negative and counts as 0." : ""}${missing.length > 0 ? ` Not estimated, since it was not varied: ${missing.join(", ")}.` : ""}`,
    },
  ];
}
