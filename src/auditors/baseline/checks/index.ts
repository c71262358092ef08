import { type Check, type CheckSource, compileCountChecks, compilePresenceChecks } from "./count-checks.js";
import { FORM_COMPILERS } from "./form-checks.js";

export { type Check, isAboutTitles } from "./count-checks.js";

const COMPILERS = [compilePresenceChecks, compileCountChecks, ...FORM_COMPILERS];

/** Every property check that a clause calls for. */
export function compileChecks(source: CheckSource): Check[] {
  return COMPILERS.flatMap((compile) => compile(source));
}
