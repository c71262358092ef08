import { type Defensible, openDefensible } from "../app/library/defensible.js";
import type { DefensibleOptions } from "../app/library/options.js";
import { CALIBRATION_WORDS } from "../present/calibrate/calibrate-words.js";
import { gateWords } from "../present/gate/gate-words.js";
import { noticeText } from "../present/words/route-words.js";

/**
 * Opens the library: with `{ auditor, rules }` in memory, with `{ workspace }` on a folder of the command line. Nothing is asked of a model before the
 * first audit.
 */
export function defensible(options: DefensibleOptions): Promise<Defensible> {
  return openDefensible(options, { notice: noticeText, gate: gateWords(), calibration: CALIBRATION_WORDS });
}
