import type { Screen } from "../screen.js";
import { attackDocument } from "./document/attack-document.js";

export default {
  kind: "attack",
  view: "trust",
  id: "attacks",
  place: 3,
  tab: "Attacks",
  heading: "Attacks",
  purpose:
    "It disguises wrong decisions as right ones and shows how many the defences catch, and at how many false alarms.",
  command: "defensible attack build --out attacks.jsonl && defensible attack run attacks.jsonl",
  document: attackDocument,
} satisfies Screen<"attack">;
