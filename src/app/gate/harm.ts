import { InputError } from "../../core/errors.js";
import type { Gate, GateHarm } from "../../core/gate.js";
import { type Actions, actionChoice, actionNames, isAction } from "../../core/records/actions.js";
import { greatestHarm } from "../../measures/gate/harm.js";
import type { Context } from "../../store/context.js";
import { type KnownRule, knownRules } from "../report/build-report.js";

/** A limit of expected harm with the weights that it is counted by. */
export function gateHarm(
  limit: number,
  actions: Actions,
  weights: Readonly<Record<string, number>>,
  rules: readonly KnownRule[],
): GateHarm {
  const unknown = Object.keys(weights).find((name) => !isAction(actions, name));
  if (unknown !== undefined) {
    throw new InputError(
      "bad_harm",
      `harm.actions: got "${unknown}", expected ${actionChoice(actions)}`,
      "Name the workspace's own actions under `harm` in defensible.yaml.",
    );
  }
  const weighted = rules.flatMap(({ scope, community, rule_id, harm }) =>
    harm === undefined || harm === 1 ? [] : [{ scope, community, rule_id, harm }],
  );
  const names = actionNames(actions);
  if (names.every((name) => weights[name] === 0)) {
    throw new InputError(
      "bad_harm",
      "harm.actions: every action has weight 0, so nothing could do harm",
      "Give at least one action a weight above 0.",
    );
  }
  return { limit, max: greatestHarm(names, weights, weighted), actions: { ...weights }, rules: weighted };
}

/** The harm limit of the gate that a report shows: what the active gate recorded, else the workspace's; null: harm is not limited. */
export async function harmInForce(
  gate: Gate | undefined,
  context: Pick<Context, "config" | "records"> | null,
  actions: Actions,
): Promise<GateHarm | null> {
  if (gate) return gate.harm ?? null;
  const limit = context?.config.gate?.harm;
  if (!context || limit === undefined) return null;
  return gateHarm(limit, actions, context.config.harm?.actions ?? {}, await knownRules(context.records));
}
