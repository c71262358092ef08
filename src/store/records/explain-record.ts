import type { Actions } from "../../core/records/actions.js";
import { Fault } from "../formats/canonical.js";
import { explainIssue, shown } from "./explain-issue.js";
import { isObject } from "./fits.js";
import { lookUp } from "./place.js";
import type { KindOfRecord } from "./record-kinds.js";

/** Why a value is not a record of a kind in this workspace. */
export function explainRecord(kind: KindOfRecord, value: unknown, actions: Actions): Fault {
  if (!isObject(value)) return new Fault("", "is not a JSON object");
  const result = kind.schema.safeParse(value);
  if (!result.success) {
    const { path, reason } = explainIssue(result.error.issues[0]!, value);
    return new Fault(path.join("."), reason);
  }
  // What is left: the schema takes any text as an action, a workspace only its own two.
  const known = [actions.positive, actions.negative];
  const field = kind.fields.list.find((each) => {
    const action = lookUp(value, [each.name]);
    return each.type === "action" && action !== undefined && action !== null && !known.includes(action as string);
  });
  return new Fault(field?.name ?? "", `got ${shown(value[field?.name ?? ""])}, expected ${known.join(" or ")}`);
}
