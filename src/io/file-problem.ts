import { DefensibleError, InputError } from "../core/errors.js";
import { fileError } from "./files.js";

/** A file that cannot be read as a whole. Other files of the same command go on. */
export class FileProblem extends InputError {}

/** What reading a file threw, as a problem of that file. */
export function fileProblem(cause: unknown, path: string): unknown {
  const known = fileError(cause, path);
  if (known instanceof FileProblem || !(known instanceof DefensibleError)) return known;
  return new FileProblem(known.code, known.message, known.remedy);
}
