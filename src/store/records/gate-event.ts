import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { evidenceSchema, GATE_MODES } from "../../core/gate.js";
import { explainIssue } from "./explain-issue.js";

/** One thing that happened to the gate. `type` says what; every event has its time. */
export interface GateEvent {
  type: "gate" | "suspended" | "reinstated" | "closed" | "opened" | "reset";
  at: string;
  [key: string]: unknown;
}

const eventSchema = z.looseObject({ type: z.string(), at: z.string() });

/** What is read of an event of some types. Of others nothing is but the time. */
const schemas = new Map<string, z.ZodType>([
  [
    "gate",
    z.looseObject({
      gate_id: z.string(),
      in_force: z.boolean(),
      mode: z.enum(GATE_MODES),
      settings: z.looseObject({}),
      evidence: evidenceSchema,
      data: z.string(),
      look: z.string(),
      states: z.looseObject({}),
      passing: z.array(z.string()),
    }),
  ],
  ["suspended", z.looseObject({ community: z.string() })],
  ["reinstated", z.looseObject({ community: z.string() })],
]);

/** One line of the history. What is checked is returned as it was written: a schema would lose a community called `__proto__`. */
export function parseGateEvent(text: string, place: string): GateEvent {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw badLine(`${place}: not JSON`);
  }
  const { type } = check(eventSchema, event, place);
  const schema = schemas.get(type);
  if (schema) check(schema, event, place);
  return event as GateEvent;
}

function check<T>(schema: z.ZodType<T>, event: unknown, place: string): T {
  const { success, data, error } = schema.safeParse(event);
  if (success) return data;
  const { path, reason } = explainIssue(error.issues[0]!, event);
  throw badLine(`${place}: not an event of a gate; ${[path.join("."), reason].filter(Boolean).join(": ")}`);
}

function badLine(message: string): InputError {
  return new InputError("bad_history", message, "Restore the file from a copy, or remove this line.");
}
