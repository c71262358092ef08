import type { Manifest } from "./records/manifest.js";

/** Whether all audits of a run are under the arms of an experiment, so that the run has no report of its own. */
export function isArmsOnly(experiment: Manifest["experiment"]): boolean {
  return experiment?.arms.every(({ name }) => name !== "") ?? false;
}
