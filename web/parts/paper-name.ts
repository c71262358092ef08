/** "fig:pds_validation D" -> "figure “pds validation” D"; sections and tables by name stay as they are. */
export function paperName(label: string): string {
  return label.replace(/\b(fig|tab):([a-z_]+)/g, (_, kind: string, name: string) => {
    return `${kind === "fig" ? "figure" : "table"} “${name.replaceAll("_", " ")}”`;
  });
}
