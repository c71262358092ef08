import { whole } from "../../present/words/numbers.js";
import { say } from "../output.js";

/** Rows times draws that take some seconds. */
const LONG_WORK = 3_000_000;
const LONG_MS = 2000;

/** Says on stderr what is being done, where it will take long or has already; quick work stays silent. */
export function sayStages(rows: number, draws: number, now: () => number = () => performance.now()) {
  const started = now();
  return (stage: string): void => {
    if (rows * draws < LONG_WORK && now() - started < LONG_MS) return;
    say(`${stage} … (${whole(rows)} rows, ${whole(draws)} draws)`);
  };
}
