import type { Screen } from "../screen.js";
import { replicateDocument } from "./document/study-document.js";

export default {
  kind: "replicate",
  view: "more",
  id: "replicate",
  place: 5,
  tab: "Paper",
  heading: "The paper's experiments, repeated",
  purpose: "It repeats every experiment of the paper and compares the results with its printed numbers.",
  command: "defensible study",
  document: replicateDocument,
} satisfies Screen<"replicate">;
