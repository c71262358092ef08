import type { Screen } from "../screen.js";
import { circularityDocument } from "./circularity-document.js";

export default {
  kind: "circularity",
  view: "trust",
  id: "circularity",
  place: 4,
  tab: "Circularity",
  heading: "Do the indices measure the rules, or the auditor's taste?",
  purpose: "It gathers the evidence that the auditor does not merely confirm itself.",
  command: "defensible experiment circularity",
  document: circularityDocument,
} satisfies Screen<"circularity">;
