/** What must be said of figures that no language model stands behind. */
export function auditorNotes(auditors: readonly (string | null)[]): string[] {
  const names = new Set(auditors.map((name) => name?.split(":")[0] ?? ""));
  const notes: string[] = [];
  if (names.has("baseline")) {
    notes.push(
      "the auditor is the embedded baseline: its figures show how the method works, not how good the policy is",
    );
  }
  if (names.has("simulated")) {
    notes.push("the auditor is simulated: its figures are those of its stated errors, not of a model");
  }
  return notes;
}

/** " (tier title)", " (tiers title and wiki, each audit by its own)", " (scope platform)": the text that a planted truth is of. */
export function underText(under: readonly string[] | undefined): string {
  if (!under || under.length === 0) return "";
  if (under.length === 1) return ` (${under[0]!.startsWith("scope ") ? under[0] : `tier ${under[0]}`})`;
  return ` (tiers ${under.join(" and ")}, each audit by its own)`;
}
