import type { GateReport } from "../../measures/gate/gate-report.js";
import type { GateInForce } from "../../store/records/active-gate.js";
import type { ApplyRequest } from "./apply.js";

export function told(current: GateInForce | null) {
  if (!current) return null;
  const { gate_id = null, mode, fleet } = current.gate;
  return { gate_id, mode, passing: fleet.passing };
}

export function idOf(current: GateInForce): string {
  return current.gate.gate_id ?? "without an id";
}

export function following(current: GateInForce | null): string {
  if (!current) return "no gate is in force";
  return `\`defensible route\` keeps following gate ${idOf(current)} (mode ${current.gate.mode}, since ${current.in_force_since})`;
}

export function inForceText(
  report: GateReport,
  current: GateInForce | null,
  { obstacles, apply }: ApplyRequest,
): string {
  if (current && current.gate.gate_id === report.gate_id) {
    return `\`defensible route\` follows this gate: it is in force since ${current.in_force_since}${(apply ? obstacles.length > 0 : current.applied) ? " by --apply" : ""}, and nothing has changed.`;
  }
  const although = obstacles.length > 0 ? `, although ${obstacles.join(" and ")}` : "";
  const stands = apply && obstacles.length > 0 ? " Only another --apply replaces it." : "";
  const before = current
    ? `before it was gate ${idOf(current)} in mode ${current.gate.mode}, with ${current.gate.fleet.passing} passing`
    : "it is the first";
  return `This gate is now in force for \`defensible route\`${apply && obstacles.length > 0 ? " by --apply" : ""}${although}; ${before}.${stands}`;
}

export function watchedText(current: GateInForce): string {
  return `A watch replaces no gate: it suspends and reinstates in the gate in force, and ${following(current)}.`;
}

export function whatIfText(current: GateInForce | null, reasons: readonly string[], command: string): string {
  return `This is a what-if, because ${reasons.join(" and ")}; ${following(current)}. \`${command}\` puts it in force.`;
}
