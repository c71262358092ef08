/** Folders of `src/`; one imports only from those before it. CONTRIBUTING.md says what each is for. */
export const ROOMS = [
  "core",
  "io",
  "stats",
  "text",
  "measures",
  "simulation",
  "adapters",
  "evidence",
  "auditors",
  "audit",
  "store",
  "queue",
  "analysis",
  "app",
  "present",
  "experiments",
  "entry",
  "server",
  "cli",
];

/** Folders without I/O, clock or global randomness; they run in a browser. */
export const PURE = ["core", "stats", "text", "measures", "simulation", "adapters", "present/figures", "present/words"];

/** The room of a file, by its path below `src/`. The result of an experiment is a record at rest, wherever its folder is. */
export function roomOf(file: string): string {
  return /^experiments\/.+\/result\.(?:ts|js)$/.test(file) ? "core" : file.split("/")[0]!;
}

/** Documents run in a browser too: the page renders the same ones as the terminal. */
const DOCUMENTS = /^(?:present|experiments)\/.*(?:document|screen)\.(?:ts|js)$/;

/** Whether a file, by its path below `src/`, is pure. */
export function isPure(file: string): boolean {
  return roomOf(file) === "core" || DOCUMENTS.test(file) || PURE.some((folder) => file.startsWith(`${folder}/`));
}

/** Files before `experiments` that read the registry, which has a line for each experiment and loads its folder when asked; of results only their types. */
export const READS_REGISTRY = [
  "core/results/experiment.ts",
  "store/files/experiment-store.ts",
  "store/choose-run.ts",
  "present/report/report-document.ts",
];
