import { gateQuery } from "../data/gate-settings.ts";
import { routeHash } from "../route/route.ts";
import { useRoute } from "../route/use-route.ts";
import { UserText } from "./user-text.tsx";

/** To the page of a community; the gate's settings come along. */
export function CommunityLink({ community }: { community: string }) {
  const { query } = useRoute();
  return (
    <a href={routeHash("community", [community], gateQuery(query))}>
      <UserText text={community} max={60} />
    </a>
  );
}

export interface RuleReference {
  scope: string;
  community: string | null;
  rule_id: string;
}

/** Address of a rule's page. The platform has no name, and a community may be called anything. */
export function ruleAddress({ scope, community, rule_id }: RuleReference): string {
  return routeHash("rules", [scope, scope === "platform" ? "-" : (community ?? ""), rule_id]);
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
    <a href={routeHash("decision", [id], { ...list })}>
      <UserText text={id} max={60} />
    </a>
  );
}
