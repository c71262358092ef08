import type { ExperimentResults } from "../core/results/experiment.js";
import type { Document } from "../present/document/document.js";

/** The screen that an experiment has in the report: the default export of `document.ts` in its folder. */
export interface Screen<Kind extends keyof ExperimentResults = keyof ExperimentResults> {
  kind: Kind;
  /** Where its tab is: among those of the rules, of trust, or below "More evidence" of trust. */
  view: "rules" | "trust" | "more";
  /** Second part of its address. */
  id: string;
  /** Its place among the tabs of the view. */
  place: number;
  tab: string;
  heading: string;
  /** What it shows, where there is no result. */
  purpose: string;
  /** The command that makes a result. */
  command: string;
  document(result: ExperimentResults[Kind]): Document;
}
