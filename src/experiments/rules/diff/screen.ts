import type { Screen } from "../../screen.js";
import { diffDocument } from "../document/diff-document.js";

export default {
  kind: "diff",
  view: "rules",
  id: "rewrite",
  place: 3,
  tab: "Rewrite",
  heading: "What a rewrite does to past decisions",
  purpose: "It audits past decisions under the rules as they are and under a rewrite, and shows which change.",
  command: "defensible rules diff NEW_RULES",
  document: (result) => diffDocument(result, { rows: Number.POSITIVE_INFINITY }),
} satisfies Screen<"diff">;
