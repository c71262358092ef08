import { HUMAN_ARM } from "../../analysis/signal-counts.js";
import { type Arm, PLAIN_ARM } from "../../audit/arms.js";
import { InputError } from "../../core/errors.js";
import type { AuditRequest } from "./audit-request.js";

type Wishes = Pick<AuditRequest, "experiment" | "humans" | "batch" | "again" | "replicatesFor">;

/** Refuses arms that could not be told apart later, and what does not go with them. */
export function checkArms(arms: readonly Arm[], request: Wishes): void {
  const names = new Set<string>();
  for (const { name } of arms) {
    if (name === HUMAN_ARM || name.includes("\u0000") || names.has(name)) {
      throw new InputError("bad_arm", `arm: got "${name}", expected a name of its own, other than "${HUMAN_ARM}"`);
    }
    names.add(name);
  }
  const plain = arms.length === 1 && arms[0] === PLAIN_ARM;
  if (!plain && request.experiment === undefined) {
    throw new InputError("no_experiment", "arms: an experiment that they belong to must be named");
  }
  if (request.humans && !names.has(PLAIN_ARM.name)) {
    throw new InputError(
      "no_plain_arm",
      "humans: the human's decision is audited beside the run as it stands, which is no arm here",
    );
  }
  if (request.batch && (request.again || request.replicatesFor)) {
    throw new InputError(
      "no_batch",
      "batch: how often this experiment asks depends on the answers, and those of a batch come too late",
      "Leave out --batch.",
    );
  }
}
