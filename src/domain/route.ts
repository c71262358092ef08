import { z } from "zod";
import { GATE_MODES } from "./gate.js";

/** Where one decision goes, and on what evidence. */
export const routeSchema = z.looseObject({
  decision_id: z.string(),
  route: z.enum(["automate", "review"]),
  reasons: z.array(z.string()),
  community_state: z.string().nullable(),
  mode: z.enum(GATE_MODES),
  score: z.number().nullable(),
  threshold: z.number().nullable(),
  calibration_id: z.string().nullable(),
  gate_id: z.string().nullable(),
  versions: z.record(z.string(), z.string().nullable()),
});
