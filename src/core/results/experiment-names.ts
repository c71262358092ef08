/** Every experiment whose result a workspace keeps, by its file `experiments/<kind>.json`; apart from the schema, as the actions are. */
export const EXPERIMENT_KINDS = [
  "gap",
  "signal",
  "circularity",
  "tiers",
  "scopes",
  "diff",
  "stability",
  "attack",
  "dual",
  "humans",
  "validate",
  "replicate",
] as const;

export type ExperimentKind = (typeof EXPERIMENT_KINDS)[number];

/** The command that makes each result, and shows it again. */
export const EXPERIMENT_COMMANDS: Readonly<Record<ExperimentKind, string>> = {
  gap: "experiment gap",
  signal: "experiment signal",
  circularity: "experiment circularity",
  dual: "experiment dual",
  tiers: "rules tiers",
  scopes: "rules scopes",
  diff: "rules diff",
  stability: "stability",
  attack: "attack run",
  humans: "humans report",
  validate: "validate",
  replicate: "replicate",
};
