/**
 * Every error that a user can cause or fix is one of these. `code` is stable; `cli/exit-code.ts` derives the exit code from the class. Message:
 * `noun: what is wrong; got X, expected Y`; `remedy` says what to do.
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

/** Something on the machine is missing or denied: a file, a permission, a key, a package, disk space. */
export class EnvironmentError extends DefensibleError {}

/** Another process holds a resource that this one needs. */
export class BusyError extends DefensibleError {}

/** A requested check failed. */
export class CheckFailedError extends DefensibleError {}
