import type { Screen } from "../screen.js";
import { backboneDocument } from "./document.js";

export default {
  kind: "backbone",
  view: "more",
  id: "backbone",
  place: 6,
  tab: "Deciders",
  heading: "Deciders crossed with auditors",
  purpose:
    "It audits the decisions of several deciders by several auditors, and shows whether auditors favour their own family.",
  command: "defensible experiment backbone",
  document: backboneDocument,
} satisfies Screen<"backbone">;
