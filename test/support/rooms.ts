/** Folders of `src/`; one imports only from those before it. CONTRIBUTING.md says what each is for. */
export const ROOMS = [
  "core",
  "io",
  "stats",
  "text",
  "measures",
  "simulation",
  "auditors",
  "audit",
  "store",
  "analysis",
  "app",
  "present",
  "experiments",
  "entry",
  "cli",
];

/** Folders without I/O, clock or global randomness; they run in a browser. */
export const PURE = ["core", "stats", "text", "measures", "simulation", "present/figures", "present/words"];

/** Whether a file, by its path below `src/`, belongs to a pure folder. */
export function isPure(file: string): boolean {
  return PURE.some((folder) => file.startsWith(`${folder}/`));
}
