import { CheckFailedError, DefensibleError } from "../core/errors.js";

/** Exit codes of every command; a contract with scripts. */
export const EXIT = { fine: 0, user: 1, checkFailed: 2, someErrors: 3, interrupted: 130 } as const;

export function exitCodeOf(cause: unknown): number {
  if (cause instanceof CheckFailedError) return EXIT.checkFailed;
  if (cause instanceof DefensibleError) return EXIT.user;
  // An unexpected error: a bug in the program.
  return 70;
}
