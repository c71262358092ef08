import { printable } from "../../../src/figures/printable.js";

const NAMES: Readonly<Record<string, string>> = {
  defensibility_index: "DI",
  ambiguity_index: "AI",
  ambiguity_pure: "Pure AI",
  ambiguity_platform: "AI of platform rules, by citation",
  ambiguity_community: "AI of community rules, by citation",
};

export const quantityName = (quantity: string) => NAMES[quantity] ?? printable(quantity, 40);
