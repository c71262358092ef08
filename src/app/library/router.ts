import { InputError } from "../../core/errors.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { Route } from "../../core/records/route.js";
import { VERSION } from "../../io/package-file.js";
import { routeDecision } from "../../measures/gate/route/decision.js";
import { DEFAULT_REVIEW_SHARE } from "../../measures/gate/route/review-sample.js";
import type { RouteState } from "../../measures/gate/route/state.js";
import { gatePaths } from "../../store/files/gate-files.js";
import { RouteLog } from "../../store/files/route-log.js";
import { safeJson } from "../../text/printable.js";
import { LiveState } from "../route/live.js";
import { neverAutomateOf } from "../route/rules.js";
import type { Subject } from "./desk.js";

export interface RouterOptions {
  shadow: boolean;
  now: () => Date;
}

/** Routes audits. In a workspace by the active gate, with a line in its log for each; without one there is no gate. */
export class Router {
  private live: LiveState | null = null;
  private log: RouteLog | null = null;
  private none: RouteState | null = null;

  constructor(
    private readonly subject: Subject,
    private readonly options: RouterOptions,
  ) {}

  route(audit: Audit, decision: Decision): Route {
    const { workspace } = this.subject;
    if (!workspace) return routeDecision(this.withoutGate(), decision, audit);
    const { shadow, now } = this.options;
    const say = this.subject.notice;
    this.live ??= new LiveState(workspace, { shadow, force: false, say });
    const route = routeDecision(this.live.current(), decision, audit);
    // Logged before it is answered: nothing is automated without a line in the log.
    this.log ??= new RouteLog(gatePaths(workspace).routes);
    this.log.append(`{"at":"${now().toISOString()}",${safeJson(JSON.stringify(route)).slice(1)}\n`);
    return route;
  }

  async close(): Promise<void> {
    await this.log?.close();
    this.log = null;
  }

  private withoutGate(): RouteState {
    const { actions } = this.subject.config;
    this.none ??= {
      gate: null,
      mode: "shrunk",
      withoutScore: false,
      closed: false,
      actions,
      calibration: null,
      force: false,
      shadow: false,
      reviewShare: DEFAULT_REVIEW_SHARE,
      fraction: () => 0,
      neverAutomate: neverAutomateOf(this.subject.ruleSets, actions),
      reading: () => null,
      software: VERSION,
    };
    return this.none;
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
