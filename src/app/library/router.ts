import { InputError } from "../../core/errors.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { Route } from "../../core/records/route.js";
import { routeDecision } from "../../measures/gate/route/decision.js";
import type { RouteLog } from "../../store/ports.js";
import { safeJson } from "../../text/printable.js";
import { LiveState } from "../route/live.js";
import type { Subject } from "./desk.js";

export interface RouterOptions {
  shadow: boolean;
  now: () => Date;
}

/** Routes audits by the active gate. What is kept has a line in the log for each; in memory there is none, and no gate either. */
export class Router {
  private live: LiveState | null = null;
  private log: RouteLog | null = null;

  constructor(
    private readonly subject: Subject,
    private readonly options: RouterOptions,
  ) {}

  async route(audit: Audit, decision: Decision): Promise<Route> {
    const { context, kept, notice } = this.subject;
    const { shadow, now } = this.options;
    this.live ??= new LiveState(context, { shadow, force: false, say: kept ? notice : () => {} });
    const route = routeDecision(await this.live.current(), decision, audit);
    if (!kept) return route;
    // Logged before it is answered: nothing is automated without a line in the log.
    this.log ??= context.routes.openLog();
    this.log.append(`{"at":"${now().toISOString()}",${safeJson(JSON.stringify(route)).slice(1)}\n`);
    return route;
  }

  async close(): Promise<void> {
    await this.log?.close();
    this.log = null;
  }
}

/** Routing reads the decision too: its content, appeals and media. */
export function noDecision({ decision_id }: Audit): InputError {
  return new InputError(
    "no_decision",
    `route: the decision of audit ${decision_id} is not known here`,
    "Pass it as the second argument: route(audit, decision).",
  );
}
