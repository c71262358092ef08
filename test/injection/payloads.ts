import { HELD_OUT_PAYLOADS } from "./held-out-payloads.js";
import type { Payload } from "./payload.js";
import { DISGUISED_PAYLOADS } from "./payloads-disguised.js";
import { FORGED_PAYLOADS } from "./payloads-forged.js";
import { FOREIGN_PAYLOADS } from "./payloads-languages.js";
import { PERSUADING_PAYLOADS } from "./payloads-persuading.js";

/** Looked at while the noticing was written. */
export const DEVELOPMENT_PAYLOADS: readonly Payload[] = [
  ...FORGED_PAYLOADS,
  ...PERSUADING_PAYLOADS,
  ...FOREIGN_PAYLOADS,
  ...DISGUISED_PAYLOADS,
];

export const PAYLOADS: readonly Payload[] = [...DEVELOPMENT_PAYLOADS, ...HELD_OUT_PAYLOADS];
export { HELD_OUT_PAYLOADS };
