import type { Screen } from "../screen.js";
import { gapDocument } from "./gap-document.js";

export default {
  kind: "gap",
  view: "more",
  id: "gap",
  place: 1,
  tab: "Agreement",
  heading: "Agreement against defensibility",
  purpose: "It compares agreement with moderators and defensibility, and shows how much of the gap is arithmetic.",
  command: "defensible experiment gap",
  document: gapDocument,
} satisfies Screen<"gap">;
