import { InputError } from "../errors.js";
import type { Auditor } from "./auditor.js";

/** Auditors by name. Each is loaded when it is asked for: a report on a file must not pay for a model's client. */
const AUDITORS: Readonly<Record<string, () => Promise<Auditor>>> = {
  baseline: async () => (await import("./baseline/index.js")).createBaselineAuditor(),
};

/** The auditor of that name, ready to use. */
export async function createAuditor(name: string): Promise<Auditor> {
  if (!Object.hasOwn(AUDITORS, name)) {
    const names = Object.keys(AUDITORS).join(", ");
    throw new InputError(
      "unknown_auditor",
      `auditor: unknown; got "${name}", expected one of: ${names}`,
      "Name one of them with --auditor, or in defensible.yaml.",
    );
  }
  return AUDITORS[name]!();
}
