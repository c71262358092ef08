import type { ReportPage } from "../../src/measures/report-page.js";
import { type RuleReference, rulePlace } from "../../src/present/words/rule-texts.js";
import { gateQuery } from "../data/gate-settings.ts";
import { usePage } from "../data/page-context.ts";
import { routeHash } from "../route/route.ts";
import { useRoute } from "../route/use-route.ts";
import { UserText } from "./text/written.tsx";

/** A link to a community that keeps the gate's settings. */
export function CommunityLink({ community }: { community: string }) {
  const { query } = useRoute();
  return (
    <a href={routeHash("automation", ["community", community], gateQuery(query))}>
      <UserText text={community} max={60} />
    </a>
  );
}

/** The name of a gate's cohort; a community is linked, cohorts by rule, language or action have no page. */
export function CohortName({ name }: { name: string }) {
  return isCommunity(usePage(), name) ? <CommunityLink community={name} /> : <UserText text={name} max={80} />;
}

const communitiesOf = new WeakMap<ReportPage, ReadonlySet<string>>();

/** Whether a cohort is a community with a page. A cohort of a gate by other keys is not, whatever its name. */
export function isCommunity(page: ReportPage, cohort: string): boolean {
  if (page.gate_input.by.join() !== "community") return false;
  let known = communitiesOf.get(page);
  if (!known) {
    known = new Set(page.report.communities.map(({ community }) => community));
    communitiesOf.set(page, known);
  }
  return known.has(cohort);
}

export function ruleAddress(rule: RuleReference): string {
  return routeHash("rules", rulePlace(rule));
}

export function RuleLink({ rule, title }: { rule: RuleReference; title?: string | null | undefined }) {
  return (
    <a href={ruleAddress(rule)}>
      <UserText text={rule.rule_id} max={40} />
      {title && (
        <>
          {" "}
          <UserText text={title} max={100} />
        </>
      )}
    </a>
  );
}

/** A link to a decision. `list`: the list it is part of, for going on to the next decision. */
export function DecisionLink({ id, list }: { id: string; list?: Readonly<Record<string, string>> }) {
  return (
    <a href={routeHash("review", [id], { ...list })}>
      <UserText text={id} max={60} />
    </a>
  );
}
