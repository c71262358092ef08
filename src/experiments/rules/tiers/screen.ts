import type { Screen } from "../../screen.js";
import { tiersDocument } from "../document/tiers-document.js";

export default {
  kind: "tiers",
  view: "rules",
  id: "wording",
  place: 1,
  tab: "More text",
  heading: "Does more rule text settle more decisions?",
  purpose:
    "It audits the same decisions under titles alone, with descriptions and with all of the rules' text, and shows what each text settles.",
  command: "defensible rules tiers",
  document: (result) => tiersDocument(result, { rows: Number.POSITIVE_INFINITY }),
} satisfies Screen<"tiers">;
