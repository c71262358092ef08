/** " (tier title)", " (tiers title and wiki, each audit by its own)", " (scope platform)": the text that a planted truth is of. */
export function underText(under: readonly string[] | undefined): string {
  if (!under || under.length === 0) return "";
  if (under.length === 1) return ` (${under[0]!.startsWith("scope ") ? under[0] : `tier ${under[0]}`})`;
  return ` (tiers ${under.join(" and ")}, each audit by its own)`;
}
