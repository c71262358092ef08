import { InputError } from "../../core/errors.js";
import { COHORT_ROLES, type CohortNames, type CohortRole } from "../../experiments/replicate/datasets.js";
import { listCohorts } from "../../store/files/cohorts.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { ReplicateFlags } from "../commands/replicate.js";

/** Which cohort stands for each of the paper's: the one that was named, else the one of its name, else none, which means all decisions. */
export function chooseCohorts(workspace: Workspace, flags: ReplicateFlags): CohortNames {
  const there = listCohorts(workspace).map(({ name }) => name);
  const chosen = Object.entries(COHORT_ROLES).map(([role, usual]) => {
    const asked = flags[flagOf(role as CohortRole)];
    if (asked !== undefined && !there.includes(asked)) {
      throw new InputError(
        "unknown_cohort",
        `--cohort-${role}: there is no cohort "${asked}"; there ${there.length === 1 ? "is" : "are"} ${there.join(", ") || "none"}`,
        "`defensible cohort create` makes one.",
      );
    }
    return [role, asked ?? (there.includes(usual) ? usual : null)];
  });
  return Object.fromEntries(chosen) as CohortNames;
}

function flagOf<R extends CohortRole>(role: R): `cohort${Capitalize<R>}` {
  return `cohort${role[0]!.toUpperCase()}${role.slice(1)}` as `cohort${Capitalize<R>}`;
}
