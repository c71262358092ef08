import type { Report } from "../domain/report.js";

export type AuditorKind = "baseline" | "simulated" | "model" | "unknown";

/** What gave the verdicts. The first two are no judges of real policy, and whoever reads their numbers must be told. */
export function auditorKind({ run }: Pick<Report, "run">): AuditorKind {
  const { auditor } = run;
  if (typeof auditor !== "string" || auditor === "") return "unknown";
  const [kind] = auditor.split(":");
  return kind === "baseline" || kind === "simulated" ? kind : "model";
}
