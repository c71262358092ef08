import type { GateConfig } from "../../core/config.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { ownRuns } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { actingGate, type GateWords } from "../gate/gate-codes.js";
import { applyGate, evaluateGate, watchGate } from "../gate/gate-use-cases.js";

export interface Governed {
  /** The evaluation of decisions that are new since the last one; null: there are no new ones. */
  evaluated: GateReport | null;
  /** The evaluation is active. */
  applied: boolean;
  /** Communities that the watch suspended. */
  suspended: string[];
}

/**
 * What is done about a live gate without a person. When a day's run is finished, the gate is evaluated from the start of its period, and the evaluation
 * is recorded. It is activated only where the workspace says so, and not while a community that is automated has too few decisions in the new
 * period. Then the watch guards the active gate, and suspends by itself.
 */
export async function governLive(stores: Context, words: GateWords): Promise<Governed> {
  const gate = actingGate(stores.gate, { actor: "service" });
  const context = { ...stores, gate, config: { ...stores.config, gate: liveGate(stores.config.gate) } };
  const asked = { choices: {}, holdout: null, slices: [], now: stores.now().toISOString(), words };
  const evaluated = (await hasNewDay(stores)) ? await evaluateGate(context, { ...asked, dryRun: false }) : null;
  const applied =
    evaluated !== null && context.config.gate.apply === "scheduled" && !(await closesForWantOf(evaluated, stores));
  if (applied) await applyGate(context, asked);
  const guarded = (await stores.gate.active()) !== null && (await stores.runs.list()).length > 0;
  const watched = guarded ? await watchGate(context, { ...asked, dryRun: false, quiet: true }) : null;
  const events = watched?.watch?.events ?? [];
  return {
    evaluated,
    applied,
    suspended: events.filter(({ type }) => type === "suspended").map(({ community }) => community),
  };
}

/** Where a workspace says nothing, its live gate rests on the decisions of the quarter. */
export function liveGate(gate: GateConfig = {}): GateConfig {
  return gate.window_days === undefined && gate.since === undefined ? { period: "quarter", ...gate } : gate;
}

/** Whether a day's run was finished since the last look. */
async function hasNewDay({ runs, gate }: Context): Promise<boolean> {
  const finished = (await runs.list()).filter((run) => run.selection.live !== undefined && run.status === "sealed");
  const [newest] = ownRuns(finished);
  if (!newest) return false;
  let looked = "";
  for await (const event of gate.history()) if (event.type === "gate" && event.at > looked) looked = event.at;
  return newest.sealed_at! > looked;
}

/** Whether it would close a community that is automated only because its decisions in the period are too few. */
async function closesForWantOf(evaluated: GateReport, { gate }: Context): Promise<boolean> {
  const active = (await gate.active())?.gate;
  const state = new Map(evaluated.communities.map((one) => [one.community, one.state]));
  return (active?.communities ?? []).some(
    (one) => one.passes[active!.mode] && (state.get(one.community) ?? "insufficient") === "insufficient",
  );
}
