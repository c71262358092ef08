import type { Screen } from "../screen.js";
import { validateDocument } from "./validate-document.js";

export default {
  kind: "validate",
  view: "more",
  id: "validate",
  place: 4,
  tab: "Known truth",
  heading: "The instruments against a known truth",
  purpose: "It draws simulated worlds whose truth is known and shows how far estimates, intervals and gates are right.",
  command: "defensible validate",
  document: validateDocument,
} satisfies Screen<"validate">;
