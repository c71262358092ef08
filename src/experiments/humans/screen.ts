import type { Screen } from "../screen.js";
import { humansDocument } from "./humans-document.js";

export default {
  kind: "humans",
  view: "trust",
  id: "people",
  place: 1,
  tab: "People",
  heading: "People",
  purpose: "People rate a sheet of cases without seeing the verdicts; the ratings show how far to trust the auditor.",
  command: "defensible humans sample --out sheet",
  document: humansDocument,
} satisfies Screen<"humans">;
