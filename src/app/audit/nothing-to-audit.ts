import { InputError } from "../../core/errors.js";
import type { RecordStore } from "../../store/ports.js";
import type { AuditRequest } from "./audit-request.js";
import { isEverything } from "./selection.js";

const LOOSEN = "Select more: by community, filter, cohort, sample or limit.";

/** Why there is nothing to audit, and what to do about it. */
export async function nothingToAudit(
  records: RecordStore,
  { selection, auditor, source }: Pick<AuditRequest, "selection" | "auditor" | "source">,
): Promise<InputError> {
  if (source) {
    return new InputError("no_decisions", "decisions: the experiment has none that match the selection", LOOSEN);
  }
  if (auditor.knows) {
    return new InputError(
      "no_decisions",
      `decisions: ${auditor.name} has an answer for none of those selected`,
      "Replay a run of this workspace, and of the same decisions.",
    );
  }
  return isEverything(selection)
    ? new InputError(
        "no_decisions",
        "decisions: the workspace has none",
        "Import some with `defensible import FILE`, or start from the example with `defensible init`.",
      )
    : new InputError(
        "no_decisions",
        "decisions: nothing matches the selection",
        `${LOOSEN} ${await communitiesOf(records)}`,
      );
}

async function communitiesOf(records: RecordStore): Promise<string> {
  const names = new Set<string>();
  for await (const batch of records.decisions()) for (const { community } of batch) names.add(community);
  const shown = [...names].sort().slice(0, 20);
  return `Communities: ${shown.join(", ")}${names.size > shown.length ? ` and ${names.size - shown.length} more` : ""}.`;
}
