import type { ConstraintCount } from "../../measures/gate/binding-constraint.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { type Block, table } from "../document/document.js";
import { plural } from "../words/numbers.js";
import { cohortWord } from "./verdict.js";
import { count, share } from "./words.js";

/** Which limit keeps whom out, and how much of that is arithmetic. */
export function bindingSection(report: GateReport): Block[] {
  const { excluded, binding, mechanical, moderate_is_standard: same } = report.binding;
  if (report.fleet.counts.eligible_communities === 0) return [];
  const { one, many } = cohortWord(report);
  const row = (label: string, counts: ConstraintCount) => [
    label,
    count(counts.communities),
    count(counts.decisions),
    count(counts.indefensible),
  ];
  const ambiguity = report.variable === "ai" ? "AI" : "pure AI";
  return [
    { kind: "heading", text: "Which limit keeps whom out" },
    table(
      ["kept out by", `>${many}`, ">decisions", ">indefensible"],
      [row("DI alone", excluded.di), row(`${ambiguity} alone`, excluded.ai), row("both", excluded.both)],
    ),
    { kind: "text", text: [verdict(), arithmetic(), degenerate()].filter(Boolean).join(" ") },
  ];

  function verdict(): string {
    if (binding === null) return "Neither limit alone keeps more decisions out than the other.";
    const name = binding === "di" ? "DI" : ambiguity;
    return `The binding limit is ${name}: dropping it would admit more decisions than dropping the other.`;
  }

  function arithmetic(): string {
    if (report.variable !== "ai" || mechanical.contradiction_share === null) return "";
    const contra = `${count(mechanical.contradictions)} of ${plural(mechanical.indefensible, "indefensible decision")} (${share(mechanical.contradiction_share)}) also count as ambiguous, because their opposite holds`;
    const implied =
      mechanical.implied_di === null
        ? ""
        : `; by that alone, AI ≤ ${share(report.thresholds.ai, 0)} asks for a DI of at least ${share(mechanical.implied_di)}`;
    const exceed = mechanical.contradictions_exceed_limit.communities;
    const alone =
      exceed > 0
        ? ` In ${plural(exceed, one, many)} they alone exceed the limit: that is wrong decisions, not unclear rules (\`--variable ai_pure\` leaves them out).`
        : "";
    return `${contra}${implied}.${alone}`;
  }

  /** In the paper two of the four settings admit the same. The mode that counts may see it otherwise than the rates do. */
  function degenerate(): string {
    const seen = same.same
      ? "By the rates as seen, Moderate (85 %) and Standard (90 %) admit the same, as in the paper"
      : `By the rates as seen, ${plural(same.between.communities, one, many)} that AI does not keep out lie between Moderate (85 %) and Standard (90 %)`;
    const moderate = report.scenarios.find((row) => row.name === "Moderate");
    const standard = report.scenarios.find((row) => row.name === "Standard");
    if (report.mode === "paper" || !moderate || !standard) return `${seen}.`;
    const alike =
      moderate.passing === standard.passing &&
      moderate.counts.automated_decisions === standard.counts.automated_decisions;
    return `${seen}; in mode ${report.mode} ${alike ? `both admit ${standard.passing}` : `Moderate admits ${moderate.passing} and Standard ${standard.passing}`}.`;
  }
}
