import type { AnalysisOptions, ScoredSet } from "./analyse-attacks.js";
import type { Halves, ScoredCase } from "./score-case.js";

/** What a reader of the numbers must know. */
export function attackWarnings(
  set: ScoredSet,
  clean: readonly ScoredCase[],
  attacks: readonly ScoredCase[],
  halves: Halves,
  options: Pick<AnalysisOptions, "rate" | "auditor">,
): string[] {
  const warnings: string[] = [];
  const needed = Math.ceil(1 / options.rate - 1 - 1e-9);
  if (clean.length === 0)
    warnings.push(
      "the file has no clean cases with a verdict: no threshold could be chosen, and no false alarm counted",
    );
  else if (halves.choosing.length < needed) {
    warnings.push(
      `thresholds need ${needed} clean cases to be chosen on, and there are ${halves.choosing.length}: layers whose threshold is chosen cannot be judged, nor can any union with one of them`,
    );
  }
  const judged = clean.filter((one) => one.case.archetype === "judged").length;
  if (judged > 0) {
    warnings.push(
      `${judged} of ${clean.length} clean cases were chosen by an auditor's own verdict, and so were the bases of attacks: of that auditor's probabilities false alarms come out too low and detections too high, since it has judged the same content before`,
    );
  }
  const without = [...clean, ...attacks].filter((one) => one.scores.signal === null).length;
  if (without > 0 && without === clean.length + attacks.length) {
    warnings.push("the verdicts have no probabilities: as the first layer a verdict of level 3 stands in");
  } else if (without > 0) {
    warnings.push(
      `${without} verdicts have no probabilities: they are left out of the first layer and of every union with it, and are in their worst case`,
    );
  }
  if (set.missing.length > 0) {
    warnings.push(`${set.missing.length} cases have no verdict: they are in no rate, and in its worst case`);
  }
  if (set.unaudited > 0) {
    warnings.push(`${set.unaudited} cases of the file were left out by the selection`);
  }
  if (set.unjudgeable > 0) {
    warnings.push(`${set.unjudgeable} cases are no attacks, or the rules leave them open: they count nowhere`);
  }
  if (options.auditor.startsWith("simulated")) {
    warnings.push(
      "the auditor is simulated: it draws its verdicts from the truth of the decision and reads no text, so that what an attack writes does not move it",
    );
  }
  if (options.auditor === "baseline") {
    warnings.push(
      "the auditor is the embedded baseline, which reads words and not meaning: these are its figures, not a model's",
    );
  }
  return warnings;
}
