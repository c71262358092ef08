import type { Screen } from "../screen.js";
import { dualDocument } from "./dual-document.js";

export default {
  kind: "dual",
  view: "more",
  id: "dual",
  place: 3,
  tab: "Opposites",
  heading: "Decisions and their opposites, audited apart",
  purpose: "It audits the opposite of each decision too, and shows what the inverse check is worth.",
  command: "defensible experiment dual",
  document: (result) => dualDocument(result, { rows: Number.POSITIVE_INFINITY }),
} satisfies Screen<"dual">;
