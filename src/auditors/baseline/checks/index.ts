import type { Check, ClauseDraft, RuleDraft } from "../clause.js";
import { compileAmountChecks } from "./amount-check.js";
import { compileBarenessChecks } from "./bareness-check.js";
import { compileCapitalsChecks } from "./capitals-check.js";
import { compileConductChecks } from "./conduct-check.js";
import { compileElementChecks } from "./element-check.js";
import { compileLanguageChecks } from "./language-check.js";
import { compileLengthChecks } from "./length-check.js";
import { compileLiteralChecks } from "./literal-check.js";
import { compilePresenceChecks } from "./presence-check.js";
import { compileQuestionChecks } from "./question-check.js";
import { compileSingleChecks } from "./single-check.js";
import { compileTagChecks } from "./tag-check.js";

const COMPILERS = [
  compilePresenceChecks,
  compileLengthChecks,
  compileAmountChecks,
  compileTagChecks,
  compileLiteralChecks,
  compileElementChecks,
  compileQuestionChecks,
  compileCapitalsChecks,
  compileLanguageChecks,
  compileConductChecks,
  compileBarenessChecks,
  compileSingleChecks,
];

/** Every property check that a clause calls for. */
export function compileChecks(clause: ClauseDraft, rule: RuleDraft): Check[] {
  return COMPILERS.flatMap((compile) => compile(clause, rule));
}
