import { type Check, type CheckCompiler, NO_CHECKS } from "../clause.js";
import type { ContentView } from "../content-view.js";
import { clauseParts } from "../subject.js";
import { ELEMENTS, type Element } from "./elements.js";

const LACKING = /\b(?:lacks?|without|missing)\b(.*)$/;

/** "Names its make and model and says what you tried": the elements a clause demands, looked for one by one. */
export const compileElementChecks: CheckCompiler = (clause, rule) => {
  // "A post that lacks the place is sent back": a procedure for what is incomplete.
  const lacking = clause.role === "procedure" ? LACKING.exec(clause.lower)?.[1] : undefined;
  if (lacking === undefined && (rule.kind === "prohibition" || (clause.role !== "requirement" && !clause.isTitle)))
    return NO_CHECKS;
  const demand = lacking ?? clauseParts(clause.lower).demand;
  const wanted = ELEMENTS.filter((element) => element.named.test(demand));
  if (wanted.length === 0) return NO_CHECKS;
  const anyOf = wanted.length > 1 && /\bor\b/.test(clause.lower) && !/\band\b|,/.test(clause.lower);
  const check: Check = {
    property: "required parts",
    indirect: true,
    demands: wanted.map(({ name }) => name),
    judge: (view, bearing) => {
      if (bearing.rule === 0) return 0;
      const missing = absent(view, wanted).length;
      const share = anyOf ? (missing === wanted.length ? 1 : 0) : missing / wanted.length;
      if (share === 0) return lacking === undefined ? -0.5 * Math.min(1, 0.5 + bearing.rule) : 0;
      return bearing.rule * (0.3 + 0.6 * share);
    },
    tell: (view) => {
      const missing = absent(view, wanted);
      return missing.length === 0 ? `gives ${names(wanted)}` : `shows no ${names(missing)}`;
    },
  };
  return [check];
};

function absent(view: ContentView, wanted: readonly Element[]): Element[] {
  return wanted.filter((element) => !element.present(view));
}

function names(elements: readonly Element[]): string {
  return elements.map(({ name }) => name).join(", ");
}
