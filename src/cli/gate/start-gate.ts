import { gateSettings, settingsInForce } from "../../app/gate/gate-settings.js";
import type { Gate } from "../../core/gate.js";
import type { GateAdjustment } from "../../measures/gate/adjustment.js";
import type { PageGate } from "../../present/page/build-page.js";
import type { Workspace } from "../../store/files/workspace.js";

/** What `defensible gate` would say of these audits: the gate in force where it rests on them, else the workspace's settings. */
export function startGate(gate: Gate | undefined, workspace: Pick<Workspace, "config"> | null): PageGate {
  const base = gate ? settingsInForce(gate) : workspace?.config.gate;
  const { di, ai, min_decisions, variable, mode, q, delta, by, thread_cap } = gateSettings({}, base);
  return {
    by,
    mode,
    limits: { di, ai, min_decisions, variable },
    q,
    delta,
    adjust: (gate?.adjust as GateAdjustment | undefined) ?? "holm",
    // A file has no history of looks; a workspace's gate is looked at again.
    look: gate?.look ?? (workspace ? "anytime" : "once"),
    thread_cap,
    as_of: gate?.created_at ?? null,
    // The labels that the gate was given, not those of today: the page shows the gate in force.
    ...(gate?.label_counts ? { label_counts: gate.label_counts } : {}),
  };
}
