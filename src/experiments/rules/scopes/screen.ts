import type { Screen } from "../../screen.js";
import { scopesDocument } from "../document/scopes-document.js";

export default {
  kind: "scopes",
  view: "rules",
  id: "scopes",
  place: 2,
  tab: "Platform or community",
  heading: "Whose rules leave decisions open?",
  purpose:
    "It audits the same decisions under the platform's rules alone and the community's alone, and shows what ambiguity rests on.",
  command: "defensible rules scopes",
  document: (result) => scopesDocument(result, { rows: Number.POSITIVE_INFINITY }),
} satisfies Screen<"scopes">;
