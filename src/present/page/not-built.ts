import { fileURLToPath } from "node:url";
import { EnvironmentError } from "../../core/errors.js";

/** A part of the report's application is missing: of an installation somebody removed it, in a checkout nobody has built it. */
export function notBuilt(file: URL): EnvironmentError {
  return new EnvironmentError(
    "not_built",
    `the report's application is missing; got no ${fileURLToPath(file)}`,
    "Install defensible again, or run `npm run build` in its source.",
  );
}
