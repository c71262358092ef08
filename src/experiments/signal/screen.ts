import type { Screen } from "../screen.js";
import { signalDocument } from "./signal-document.js";

export default {
  kind: "signal",
  view: "more",
  id: "signal",
  place: 2,
  tab: "Signals",
  heading: "Which signal finds indefensible decisions",
  purpose: "It measures how well each signal of an audit finds indefensible decisions.",
  command: "defensible experiment signal",
  document: signalDocument,
} satisfies Screen<"signal">;
