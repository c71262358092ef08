export * from "./look-reasons.js";
export * from "./missing.js";
export * from "./numbers.js";
export { pack, unpack } from "./pack.js";
export { printable } from "./printable.js";
export { reportFigures } from "./report-figures.js";
export * from "./report-page.js";
export * from "./words.js";
