/**
 * Every error a user can cause, or can fix, is one of these. `code` is stable; the exit code of the command line is
 * derived from the class in `cli/exit-code.ts`. Message: `noun: what is wrong; got X, expected Y`, `remedy` says what to do.
 */
export class DefensibleError extends Error {
  readonly code: string;
  readonly remedy: string | undefined;

  constructor(code: string, message: string, remedy?: string) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.remedy = remedy;
  }
}

/** The user's input (a file, a flag, a record) is wrong. */
export class InputError extends DefensibleError {}

/** Something on the machine is missing or refused: a file, a permission, a key, a package, disk space. */
export class EnvironmentError extends DefensibleError {}

/** Another process holds what this one needs. */
export class BusyError extends DefensibleError {}

/** A check that was asked for did not hold. */
export class CheckFailedError extends DefensibleError {}
