/** "T = 0.3", or that the audits do not say. */
export function temperatureName({ temperature }: { temperature: number | null }): string {
  return temperature === null ? "T unknown" : `T\u00a0=\u00a0${temperature}`;
}
