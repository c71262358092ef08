import type { Manifest } from "./records/manifest.js";

/** By which auditor a run was made, and with which settings. */
export function auditSettings(manifest: Manifest) {
  const { auditor, auditor_version, prompt_version, template, tier, temperature, signal } = manifest;
  return { auditor, auditor_version, prompt_version, template, tier, temperature, signal };
}
