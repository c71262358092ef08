import { useMemo } from "react";
import { LOOK_REASONS } from "../../../../src/measures/report-page.js";
import { plural, whole } from "../../../../src/present/words/numbers.js";
import { REASON_WORDS } from "../../../../src/present/words/words.js";
import { usePage } from "../../../data/page-context.ts";
import { SelectBox } from "../../../parts/controls/choices.tsx";
import { NoDecisions } from "../../../parts/nothing.tsx";
import { Section } from "../../../parts/text/prose.tsx";
import { routeHash } from "../../../route/route.ts";
import { useQuery } from "../../../route/use-route.ts";
import { DecisionTable } from "../../review/decision-table.tsx";

const COLUMNS = ["reason", "decision", "human", "level", "inverse", "p_defensible"];

/** Its decisions that are worth a look, the most pressing first. */
export function CommunityDecisions({ community }: { community: string }) {
  const { report, decisions: all } = usePage();
  const [reason, setReason] = useQuery("reason", "", "decisions");
  const own = useMemo(() => all.filter((decision) => decision.community === community), [all, community]);
  const shown = useMemo(
    () => (reason ? own.filter(({ reasons }) => (reasons as string[]).includes(reason)) : own),
    [own, reason],
  );
  const list = useMemo(() => ({ community, ...(reason ? { reason } : {}) }), [community, reason]);
  const counts = report.communities.find((one) => one.community === community)?.counts;
  const attempted = counts ? counts.attempted + counts.no_rules : 0;
  return (
    <Section id="decisions-head" title="Decisions to look at first">
      {own.length === 0 ? (
        <NoDecisions of="this community" />
      ) : (
        <>
          {own.length < attempted && (
            <p className="muted">
              {`This report lists ${plural(own.length, "decision")} of the community's ${whole(attempted)}: those most worth a look.`}
            </p>
          )}
          <div className="controls">
            <SelectBox
              label="Reason to review"
              all="any reason"
              value={reason}
              options={LOOK_REASONS.filter((one) => own.some(({ reasons }) => reasons.includes(one))).map((one) => ({
                value: one,
                name: REASON_WORDS[one].name,
              }))}
              onChange={setReason}
            />
          </div>
          {reason && <p className="muted">{REASON_WORDS[reason as keyof typeof REASON_WORDS]?.meaning}</p>}
          <DecisionTable
            id="decisions"
            caption="Decisions, most urgent first"
            decisions={shown}
            list={list}
            columns={COLUMNS}
          />
          <p>
            <a href={routeHash("review", [], list)}>These decisions in the list of all, with more filters</a>
          </p>
        </>
      )}
    </Section>
  );
}
