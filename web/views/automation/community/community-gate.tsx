import { GATE_MODES } from "../../../../src/core/names.js";
import type { CommunityEvaluation } from "../../../../src/measures/gate/gate-evaluation.js";
import { communityInKey } from "../../../../src/measures/gate/route/reasons.js";
import { type Text, table } from "../../../../src/present/document/document.js";
import { auditorCaveat } from "../../../../src/present/words/meaning.js";
import { numberAt } from "../../../../src/present/words/sentence.js";
import { nameText } from "../../../../src/present/words/vocabulary.js";
import { BINDING_WORDS, MODE_WORDS, VARIABLE_WORDS } from "../../../../src/present/words/words.js";
import { printable } from "../../../../src/text/printable.js";
import { type GateSettings, gateQuery, useGateSettings } from "../../../data/gate-settings.ts";
import { usePage } from "../../../data/page-context.ts";
import { gatesCommunities } from "../../../data/use-community-gate.ts";
import { DocumentSections } from "../../../parts/document.tsx";
import { noNumber, StateBadge } from "../../../parts/gate-parts.tsx";
import { Nothing } from "../../../parts/nothing.tsx";
import { Shown } from "../../../parts/numbers/num.tsx";
import { Section } from "../../../parts/text/prose.tsx";
import { routeHash } from "../../../route/route.ts";
import { useRoute } from "../../../route/use-route.ts";

interface CommunityGateProps {
  community: string;
  gate: CommunityEvaluation | undefined;
  /** JSON pointer in the output of `defensible gate --json`. */
  mark: string;
  settings: GateSettings;
}

/** Whether it passes under the settings in the address, and what blocks it. */
export function CommunityGate({ community, gate, mark, settings }: CommunityGateProps) {
  const { query } = useRoute();
  const page = usePage();
  const { changed } = useGateSettings();
  const whole = gatesCommunities(page);
  return (
    <Section id="gate-head" title="May it run on its own?">
      {!whole && (
        <p className="muted">
          The active gate divides decisions by {page.gate_input.by.join(" and ")}; here the community is judged as a
          whole, by the same limits.
        </p>
      )}
      {gate ? (
        <>
          <p className="verdict">
            <StateBadge state={gate.state} />
            <span>
              {gate.passes[settings.mode] ? "It passes" : "It does not pass"} the gate in the mode “
              {MODE_WORDS[settings.mode].name.toLowerCase()}”.
            </span>
          </p>
          <p>
            {whatKeepsIt(gate, settings)} {printable(gate.advice.text, 400)} {auditorCaveat(page.report)}
          </p>
          <p className="muted">
            Limits: defensibility at least <Shown value={settings.di} as="limit" mark="/gate/thresholds/di" />,{" "}
            {VARIABLE_WORDS[settings.variable].name.toLowerCase()} at most{" "}
            <Shown value={settings.ai} as="limit" mark="/gate/thresholds/ai" />, on at least{" "}
            <Shown value={settings.min_decisions} as="whole" mark="/gate/thresholds/min_decisions" /> verdicts.
            {changed && " They are those of this address, not the report's own."} Change them on the{" "}
            <a href={routeHash("automation", [], gateQuery(query))}>Automation page</a>.
          </p>
          <DocumentSections
            blocks={[
              table<Text>(
                ["mode", "passes", ">verdicts still missing", "~what the mode does"],
                GATE_MODES.map((mode) => [
                  `${MODE_WORDS[mode].name}${mode === settings.mode ? " *" : ""}`,
                  gate[mode].passes ? "yes" : "no",
                  noNumber(gate, mode, settings.min_decisions) ??
                    (whole ? numberAt(`/${mode}/more`, "whole") : String(gate[mode].more)),
                  MODE_WORDS[mode].meaning,
                ]),
                "The three modes of the gate, side by side; * is in use",
              ),
            ]}
            data={gate}
            at={mark}
          />
        </>
      ) : (
        <Nothing why="The gate does not know this community: none of its decisions has an audit in this run." />
      )}
      <GateEvents community={community} />
    </Section>
  );
}

function whatKeepsIt(gate: CommunityEvaluation, settings: GateSettings): string {
  if (gate.passes[settings.mode]) return "";
  if (gate.state === "insufficient") {
    return gate.n > 0 && gate[settings.mode].more === null
      ? "It has too few verdicts to be judged, and at the observed rates more of them would not let it pass."
      : "What keeps it out is the number of verdicts.";
  }
  if (gate.binding)
    return `What keeps it out: ${BINDING_WORDS[gate.binding].name.toLowerCase()}. ${BINDING_WORDS[gate.binding].meaning}`;
  return "Both limits are met by the observed rates, but that could still be luck.";
}

/** Suspensions of a community or of the whole gate; empty without any. */
function GateEvents({ community }: { community: string }) {
  const { gate } = usePage().report;
  if (!gate) return null;
  const isOwn = (cohort: string) => communityInKey(gate.by ?? ["community"], cohort) === community;
  const suspended = gate.communities.filter((one) => one.suspended && isOwn(one.community));
  if (suspended.length === 0 && !gate.closed) return null;
  return (
    <div className="gate-events">
      {gate.closed && (
        <p>
          The whole gate is closed since {day(gate.closed.since)}: {ended(gate.closed.reason)}
        </p>
      )}
      {suspended.map((one) => (
        <p key={one.community}>
          <b>
            {one.community !== community && `${nameText(one.community, 80)}: `}
            Suspended
          </b>{" "}
          since {day(one.suspended!.since)}: {ended(one.suspended!.reason)} Until it is reinstated none of its decisions
          is automated, whatever the rates say.
        </p>
      ))}
    </div>
  );
}

function day(time: string): string {
  return printable(time.slice(0, 10));
}

function ended(text: string): string {
  const shown = printable(text, 300);
  return /[.!?…]$/.test(shown) ? shown : `${shown}.`;
}
