import { sqlString } from "../store/files/audit-columns.js";

/** The rows that analysis is about: no special arm, the first replicate. */
export const MAIN_ROWS = "arm = '' AND replicate = 0";

/** The same rows of an arm of an experiment; without one, those of no arm. */
export function rowsOfArm(arm = ""): string {
  return `arm = ${sqlString(arm)} AND replicate = 0`;
}
