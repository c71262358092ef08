/** What a calibration depends on. A calibration of one auditor says nothing of another's probabilities. @see paper Proposition A.1 */
export interface CalibratedWith {
  auditor?: string | null;
  auditor_version?: string | null;
  prompt_version?: string | null;
  template?: string | null;
  signal?: string | null;
  /** What a label outside the candidates counts as; unknown is `floor`, the default. */
  missing?: string | null;
}

const MUST_MATCH = ["auditor", "auditor_version", "prompt_version", "template", "signal", "missing"] as const;
const NAMES: Record<(typeof MUST_MATCH)[number], string> = {
  auditor: "auditor",
  auditor_version: "auditor version",
  prompt_version: "prompt version",
  template: "template",
  signal: "signal mode",
  missing: "mode for missing labels",
};

/**
 * What keeps a calibration from being applied to audits, a sentence each; none: it fits. Something that only one side knows is a mismatch;
 * what neither knows cannot be checked and is none.
 * @example calibrationFits({ evidence: { auditor: "baseline" } }, { auditor: "openai:gpt-4.1" }) // => ["auditor: calibrated on baseline, these audits are of openai:gpt-4.1"]
 */
export function calibrationFits(calibration: { evidence: CalibratedWith }, evidence: CalibratedWith): string[] {
  return MUST_MATCH.flatMap((field) => {
    const unknown = field === "missing" ? "floor" : null;
    const [fitted, met] = [calibration.evidence[field] ?? unknown, evidence[field] ?? unknown];
    if (fitted === met) return [];
    return [
      `${NAMES[field]}: calibrated on ${fitted ?? "an unknown one"}, these audits are of ${met ?? "an unknown one"}`,
    ];
  });
}
