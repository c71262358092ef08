import { ROUTE_REASONS, type Route, type RouteReason } from "../../core/records/route.js";
import { ROUTE_SENTENCES } from "../../measures/gate/route-reasons.js";
import { plural, whole } from "../../present/words/numbers.js";

/** What came of a stream of decisions. */
export class RouteSummary {
  decisions = 0;
  automated = 0;
  /** Of a shadow routing: what would have been automated. */
  wouldAutomate = 0;
  sampled = 0;
  private readonly reasons = new Map<RouteReason, number>();

  count(route: Route): void {
    this.decisions++;
    if (route.route === "automate") this.automated++;
    if (route.would_route === "automate") this.wouldAutomate++;
    if (route.sampled) this.sampled++;
    for (let i = 0; i < route.reasons.length; i++) {
      const reason = route.reasons[i]!;
      this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    }
  }

  countOf(reason: RouteReason): number {
    return this.reasons.get(reason) ?? 0;
  }

  /** Lines for a person; every reason with how often it was given. A decision may have several. */
  text(shadow: boolean): string {
    const review = this.decisions - this.automated;
    const share = this.sampled > 0 ? ` (${plural(this.sampled, "decision")} by the random share)` : "";
    const first = shadow
      ? `${plural(this.decisions, "decision")} in shadow: ${whole(this.wouldAutomate)} would have been automated, nothing was${share}.`
      : `${plural(this.decisions, "decision")}: ${whole(this.automated)} automated, ${whole(review)} to review${share}.`;
    const told = ROUTE_REASONS.filter((reason) => this.countOf(reason) > 0);
    const width = whole(this.decisions).length;
    const longest = Math.max(0, ...told.map((reason) => reason.length));
    const lines = told.map(
      (reason) =>
        `  ${whole(this.countOf(reason)).padStart(width)}  ${reason.padEnd(longest)}  ${ROUTE_SENTENCES[reason]}`,
    );
    return [first, ...lines].join("\n");
  }
}
