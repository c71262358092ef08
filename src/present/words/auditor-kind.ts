import type { Report } from "../../core/results/report.js";

export type AuditorKind = "baseline" | "simulated" | "model" | "unknown";

/** Before advice that verdicts of an auditor lead to: why nobody is to act on it. Null where the auditor may be a judge. */
export function auditorCaveat(report: Pick<Report, "run">): string | null {
  switch (auditorKind(report)) {
    case "baseline":
      return "The verdicts are the built-in baseline's, which reads words and not meaning: audit with a language model before acting on this.";
    case "simulated":
      return "The verdicts are a simulated auditor's, over a made-up world: nothing of this is to be acted on.";
    default:
      return null;
  }
}

/** What gave the verdicts. The first two are no judges of real policy, and whoever reads their numbers must be told. */
export function auditorKind({ run }: Pick<Report, "run">): AuditorKind {
  if (!run.auditor) return "unknown";
  const [kind] = run.auditor.split(":");
  return kind === "baseline" || kind === "simulated" ? kind : "model";
}
