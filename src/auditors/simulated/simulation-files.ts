import { join } from "node:path";

/** Files that a simulated workspace has beside those of every other, inside its folder: how it was made, and what is true of each decision. */
export const SIMULATION_FILE = "simulation.json";
export const TRUTH_FILE = join("truth", "truth.jsonl");
