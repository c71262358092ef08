/**
 * @deprecated What the page of a report is drawn from; it has no replacement.
 * @packageDocumentation
 */

export * from "../measures/metrics/agreement.js";
export * from "../measures/report-page.js";
export * from "../present/figures/missing.js";
export { reportFigures } from "../present/figures/report-figures.js";
export * from "../present/words/numbers.js";
export { pack, unpack } from "../present/words/pack.js";
export * from "../present/words/words.js";
export * from "../present/words/words.js";
export * from "../present/words/words.js";
export { printable } from "../text/printable.js";
