import { memo, type ReactNode, useMemo } from "react";
import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import type { Block } from "../../../src/present/document/document.js";
import { communityTimelineFigure } from "../../../src/present/figures/community-figures.js";
import { gateModesOf, gateScenariosOf, limitsInWords } from "../../../src/present/figures/gate-modes.js";
import { coverageRiskOf } from "../../../src/present/figures/report-figures.js";
import { scoreFrontierFigure } from "../../../src/present/figures/score-frontier.js";
import { bindingSection, evidenceSection, harmBlocks } from "../../../src/present/gate/communities-document.js";
import { modesSection, scenariosSection } from "../../../src/present/gate/frontier-document.js";
import { holdoutSection, slicesSection } from "../../../src/present/gate/gate-document.js";
import { thresholdBlocks } from "../../../src/present/gate/score-document.js";
import { type EvaluatedGate, judgeSection, statesSection } from "../../../src/present/gate/verdict-document.js";
import { standingWatchSection } from "../../../src/present/gate/watch-document.js";
import { realisedSection } from "../../../src/present/report/trust-document.js";
import { isOfCohort, leftOutText } from "../../../src/present/words/vocabulary.js";
import { gateName } from "../../../src/present/words/words.js";
import { useGateSettings } from "../../data/gate-settings.js";
import { usePage } from "../../data/page-context.js";
import { type GateInUse, useGateEvaluation, useGateFrontier } from "../../data/use-gate.js";
import { Chart } from "../../parts/chart/chart.js";
import { GateControls } from "../../parts/controls/gate-controls.js";
import { DocumentSections, Fold } from "../../parts/document.js";
import { Nothing } from "../../parts/nothing.js";
import { Num } from "../../parts/numbers/num.js";
import { Tabs } from "../../parts/shell/menu.js";
import { Section } from "../../parts/text/prose.js";
import { Term } from "../../parts/text/term.js";
import { useRoute } from "../../route/use-route.js";
import { FlipWarnings } from "../trust/reliance.js";
import { AutomationLead, AutomationNumbers } from "./automation-numbers.js";
import { CommunityPage } from "./community/community-page.js";
import { CommunityTable } from "./community-table.js";
import { FleetChart } from "./fleet-chart.js";
import { InForce } from "./gate/in-force.js";
import { FINDINGS, STORED, useFindings, useStoredGate } from "./gate/use-stored-gate.js";

const TABS = [
  { id: "", title: "Communities" },
  { id: "proof", title: "Proof" },
  { id: "operation", title: "In operation" },
];

/** What may run without review: the communities, the proof behind the gate, and later findings; or one community. */
export function AutomationView() {
  const { report } = usePage();
  const [screen, name] = useRoute().about;
  const gate = useGateEvaluation();
  const place = report.communities.findIndex(({ community }) => community === name);
  if (screen === "community" && place >= 0) return <CommunityPage key={name} place={place} />;
  if (gate.evaluation.communities.every(({ n }) => n === 0)) {
    return (
      <div className="view">
        <h1>What can be automated?</h1>
        <Nothing why="No community has a verdict yet, so nothing passes the gate." command="defensible audit" />
      </div>
    );
  }
  return (
    <>
      <Tabs label="Automation" of={TABS} />
      {screen === "proof" && <Proof gate={gate} />}
      {screen === "operation" && <Operation />}
      {screen !== "proof" && screen !== "operation" && (
        <Communities gate={gate} asked={screen === "community" ? name : undefined} />
      )}
    </>
  );
}

interface GateProps {
  gate: GateInUse;
}

/** Every community under the settings in the address; `asked`: an unknown community in the address. */
function Communities({ gate: { evaluation, settings, stale }, asked }: GateProps & { asked: string | undefined }) {
  const page = usePage();
  const frontier = useGateFrontier(settings);
  const trade = useMemo(() => coverageRiskOf(evaluation, frontier), [evaluation, frontier]);
  const trend = useMemo(() => communityTimelineFigure(page, null, settings), [page, settings]);
  return (
    <div className="view automation fleet" aria-busy={stale}>
      <h1>What can be automated?</h1>
      {asked !== undefined && (
        <p role="status">
          This run has no community called <bdi>{asked.slice(0, 80)}</bdi>. Names are compared exactly.
        </p>
      )}
      <AutomationLead evaluation={evaluation} />
      <InForce settings={settings} />
      <FlipWarnings />
      <GateControls />
      <AutomationNumbers gate={evaluation} />
      <Section id="communities-title" title="What blocks each community">
        <CommunityTable gate={evaluation} />
      </Section>
      <Section id="states" title="Defensibility and ambiguity">
        <FleetChart gate={evaluation} />
      </Section>
      <div className="folds">
        <GateSections of={evaluation} sections={SECTIONS.states} folded={FLEET} />
      </div>
      <Section id="coverage-risk" title="Coverage against risk">
        <p>
          Stricter limits automate less and let fewer indefensible decisions through. Beyond the{" "}
          <Term symbol="knee">knee</Term> more coverage costs more risk.
        </p>
        <Chart figure={trade} />
      </Section>
      <Section id="trend" title="Trend">
        <Chart figure={trend} />
      </Section>
    </div>
  );
}

interface GateSectionsProps {
  of: GateEvaluation;
  sections: readonly ((gate: EvaluatedGate) => Block[])[];
  folded?: RegExp;
  children?: ReactNode;
}

/** Sections of `defensible gate` under the settings in the address. */
const GateSections = memo(function GateSections({ of, sections, ...props }: GateSectionsProps) {
  const { by } = usePage().gate_input;
  const blocks = useMemo(() => sections.flatMap((section) => section({ ...of, by })), [of, sections, by]);
  return <DocumentSections blocks={blocks} data={of} at="/gate" {...props} />;
});

/** Tables that a first reading does not need. */
const SECONDARY = /^(Evidence for each|Slices, adjusted p)/;
const FLEET = /./;

const ALL_ROWS = Number.POSITIVE_INFINITY;

const SECTIONS = {
  states: [statesSection, bindingSection, modesSection],
  scenarios: [scenariosSection],
  modes: [modesSection],
  evidence: [(gate: EvaluatedGate) => evidenceSection(gate, ALL_ROWS)],
};

/** How certain the gate is: other settings, other modes, the evidence of each community, held-out decisions. */
function Proof({ gate: { evaluation, stale } }: GateProps) {
  const page = usePage();
  const stored = useStoredGate();
  const findings = useFindings();
  const scenarios = useMemo(() => gateScenariosOf(evaluation), [evaluation]);
  const modes = useMemo(() => gateModesOf(evaluation), [evaluation]);
  const frontier = useMemo(() => scoreFrontierFigure(page), [page]);
  const { harm_limit } = page.gate_input.limits;
  const harm = useMemo(() => [(gate: EvaluatedGate) => harmBlocks(gate, harm_limit, ALL_ROWS)], [harm_limit]);
  return (
    <div className="view automation" aria-busy={stale}>
      <h1>How sure is the gate?</h1>
      <AutomationLead evaluation={evaluation} />
      <GateControls />
      <GateSections of={evaluation} sections={SECTIONS.scenarios}>
        <Chart figure={scenarios} />
      </GateSections>
      <GateSections of={evaluation} sections={SECTIONS.modes}>
        <Chart figure={modes} />
      </GateSections>
      <div className="folds">
        <GateSections of={evaluation} sections={SECTIONS.evidence} folded={SECONDARY} />
      </div>
      <GateSections of={evaluation} sections={harm} />
      <Section id="score" title="Automating by score">
        {stored?.selective ? (
          <DocumentSections blocks={thresholdBlocks(stored.selective)} data={stored} at={STORED} />
        ) : (
          <p>
            Inside a community that passes, the active gate can also require a minimum score of each decision.{" "}
            {isOfCohort(page.report) ? leftOutText("Such scores are") : "None was computed from this run."}
          </p>
        )}
        <Fold title="The paper's frontier">
          <p>
            It uses <Term symbol="S">S</Term> alone, whatever the community.
          </p>
          <Chart figure={frontier} />
        </Fold>
      </Section>
      {findings && (
        <>
          <FindingsNote />
          <DocumentSections
            blocks={[...holdoutSection(findings), ...judgeSection(findings, ALL_ROWS)]}
            data={findings}
            at={FINDINGS}
          />
        </>
      )}
    </div>
  );
}

/** Findings after the gate opened, and where parts of a community differ from the whole. */
function Operation() {
  const { report } = usePage();
  const findings = useFindings();
  return (
    <div className="view automation">
      <h1>What happens in operation?</h1>
      <p className="lead">
        Random reviews measure the realised risk, the watch suspends communities that drift, and slices show parts that
        break a limit inside a community that passes.
      </p>
      <DocumentSections blocks={realisedSection(report.realised_risk, 15)} data={report} at="/report" />
      {!report.realised_risk && (
        <Section id="realised-risk" title="Realised risk">
          {isOfCohort(report) ? (
            <Nothing why={leftOutText("Reviews of routed decisions are")} />
          ) : (
            <Nothing
              why="No automated decision has been reviewed at random yet. Routing draws some of them for review."
              command="defensible route FILE"
            />
          )}
        </Section>
      )}
      {findings && (
        <>
          <FindingsNote />
          <DocumentSections
            blocks={[
              ...(findings.slices ? slicesSection(findings, ALL_ROWS) : NO_SLICES),
              ...standingWatchSection(findings.watch, report.run.run_id),
            ]}
            data={findings}
            at={FINDINGS}
            folded={SECONDARY}
          />
        </>
      )}
    </div>
  );
}

const NO_SLICES: Block[] = [
  { kind: "heading", text: "Slices" },
  {
    kind: "empty",
    why: "The decisions have no two languages, kinds or tags to compare. Any other field can be named:",
    command: "defensible gate --slices FIELD",
  },
];

/** Findings beyond counts need the decisions, which a browser does not have, so they do not follow the controls. */
function FindingsNote() {
  const { settings, in_force } = useFindings()!;
  const { changed } = useGateSettings();
  return (
    <p className="muted findings-note">
      Computed when this report was made, with {in_force ? "the active gate" : "the workspace's settings"}:{" "}
      {limitsInWords(settings, settings.variable)}, at least{" "}
      <Num at={`${FINDINGS}/settings/min_decisions`} as="whole" /> decisions, {gateName(settings.mode)}.
      {changed && " It does not follow the changed settings."}
    </p>
  );
}
