import type { AuditCase } from "../../core/records/case.js";
import type { SimulatedDraw } from "../../simulation/auditor/draw-audit.js";
import type { CaseReading } from "../../simulation/auditor/read-case.js";
import type { CitationText, FrameCitations } from "./frame-citations.js";
import type { KnownTruth } from "./truth-table.js";

/** One trace before it is written down: its draw, and the texts that go with it. */
export interface SimulatedAnswer {
  draw: SimulatedDraw;
  temperature: number;
  template: AuditCase["template"];
  citation: CitationText;
  /** What the opposite would rest on; null: not asked for, or not derivable. */
  inverseCitation: CitationText | null;
}

export function answerOf(
  draw: SimulatedDraw,
  reading: CaseReading,
  truth: KnownTruth,
  citations: FrameCitations,
  template: AuditCase["template"],
): SimulatedAnswer {
  return {
    draw,
    temperature: reading.rates.temperature,
    template,
    citation: citationFor(draw, reading, truth, citations),
    inverseCitation: template === "extended" && draw.inverse ? inverseCitation(reading, truth, citations) : null,
  };
}

function citationFor(
  { citation, citationPlace }: SimulatedDraw,
  { rulePlace }: CaseReading,
  { rule }: KnownTruth,
  citations: FrameCitations,
): CitationText {
  if (citation === "invented") return citations.inventedAt(citationPlace);
  return citation === "own" ? citations.own(rule, rulePlace) : citations.other(rule, rulePlace);
}

/** Whose rules leave the case open is whose rule the opposite rests on. */
function inverseCitation(
  { rulePlace }: CaseReading,
  { rule, ambiguityScope }: KnownTruth,
  citations: FrameCitations,
): CitationText {
  const elsewhere = ambiguityScope !== null && ambiguityScope !== rule?.scope;
  return elsewhere ? citations.ofScope(ambiguityScope, rulePlace) : citations.own(rule, rulePlace);
}

/** Why nothing supports a decision at level 3, by whether its opposite is held derivable. */
export function level3Reason({ inverse, citationPlace }: SimulatedDraw) {
  if (!inverse) return "no_rule" as const;
  return citationPlace < 0.5 ? ("complies_with_cited_rule" as const) : ("concept_absent" as const);
}
