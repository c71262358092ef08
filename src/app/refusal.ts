import { type DefensibleError, InputError } from "../core/errors.js";

/**
 * Why a use case cannot do what it was asked, as data: a code and what is needed to word it. `present` words it for people; flags, and the names of
 * commands, are known there and not here.
 */
export class Refusal<Why extends { code: string } = { code: string }> extends InputError {
  constructor(readonly why: Why) {
    super(why.code, why.code.replaceAll("_", " "));
  }
}

/** Does something, and gives its refusals words. Other errors have theirs. */
export async function worded<T, Why extends { code: string }>(
  words: (why: Why) => DefensibleError | Promise<DefensibleError>,
  work: () => Promise<T> | T,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof Refusal ? await words(cause.why as Why) : cause;
  }
}
