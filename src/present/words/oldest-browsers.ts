/**
 * Browsers that can show a report. What decides: `DecompressionStream` (Firefox 113, Safari 16.4), `color-mix` (Chrome 111), `Array.prototype.toSorted`
 * (Firefox 115), lookbehind (Safari 16.4). `web/tsconfig.json` has no library that is newer, so that nothing newer is used unseen.
 */
export const OLDEST_BROWSERS = "Chrome or Edge 111, Firefox 115, Safari 16.4, or a newer one (2023)";
