import type { ReportPage } from "../../src/measures/report-page.js";
import { type RuleReference, rulePlace } from "../../src/present/words/rule-texts.js";
import { gateQuery } from "../data/gate-settings.ts";
import { usePage } from "../data/page-context.ts";
import { routeHash } from "../route/route.ts";
import { useRoute } from "../route/use-route.ts";
import { UserText } from "./text/written.tsx";

/** To the page of a community; the gate's settings come along. */
export function CommunityLink({ community }: { community: string }) {
  const { query } = useRoute();
  return (
    <a href={routeHash("automation", ["community", community], gateQuery(query))}>
      <UserText text={community} max={60} />
    </a>
  );
}

/** The name of a cohort of the gate: a community's leads to its page; cohorts by rule, language or action have none. */
export function CohortName({ name }: { name: string }) {
  return isCommunity(usePage(), name) ? <CommunityLink community={name} /> : <UserText text={name} max={80} />;
}

const communitiesOf = new WeakMap<ReportPage, ReadonlySet<string>>();

/** Whether a cohort of the gate is a community with a page. One of a gate by other keys is not, whatever it is called. */
export function isCommunity(page: ReportPage, cohort: string): boolean {
  if (page.gate_input.by.join() !== "community") return false;
  let known = communitiesOf.get(page);
  if (!known) {
    known = new Set(page.report.communities.map(({ community }) => community));
    communitiesOf.set(page, known);
  }
  return known.has(cohort);
}

/** Address of a rule's page. */
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

/** To the page of a decision. `list`: the list that it is part of, in which the reader can go on from there. */
export function DecisionLink({ id, list }: { id: string; list?: Readonly<Record<string, string>> }) {
  return (
    <a href={routeHash("review", [id], { ...list })}>
      <UserText text={id} max={60} />
    </a>
  );
}
