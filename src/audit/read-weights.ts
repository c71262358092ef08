import { readFileSync } from "node:fs";
import { InputError } from "../errors.js";
import { EQUAL_WEIGHTS, parseWeights, type Weights } from "../signals/weights.js";
import type { Workspace } from "../workspace/workspace.js";

/** The workspace's weights of S; equal ones if it has none. */
export function readWeights(workspace: Workspace): Weights {
  let text: string;
  try {
    text = readFileSync(workspace.paths.weights, "utf8");
  } catch {
    return EQUAL_WEIGHTS;
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new InputError(
      "bad_weights",
      `${workspace.paths.weights}: not JSON`,
      "Restore it, or delete it for equal weights.",
    );
  }
  return parseWeights(json);
}
