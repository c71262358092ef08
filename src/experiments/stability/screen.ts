import type { Screen } from "../screen.js";
import { stabilityDocument } from "./document/stability-document.js";

export default {
  kind: "stability",
  view: "trust",
  id: "stability",
  place: 2,
  tab: "Stability",
  heading: "Stability",
  purpose: "It audits the same cases many times and shows which verdicts flip.",
  command: "defensible stability",
  document: (result) => stabilityDocument(result, { rows: Number.POSITIVE_INFINITY }),
} satisfies Screen<"stability">;
