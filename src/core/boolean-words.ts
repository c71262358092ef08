/** Spellings of yes and no in files of others, in lower case. */
export const BOOLEANS = new Map<string, boolean>([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false],
]);
