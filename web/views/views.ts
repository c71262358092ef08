import type { ComponentType } from "react";
import type { ReportPage } from "../../src/measures/report-page.js";
import { AdversarialView } from "./adversarial/adversarial-view.tsx";
import { CalibrationView } from "./calibration/calibration-view.tsx";
import { CommunityView } from "./community/community-view.tsx";
import { DecisionView } from "./decision/decision-view.tsx";
import { ExperimentsView } from "./experiments/experiments-view.tsx";
import { PAGES } from "./experiments/pages.ts";
import { FleetView } from "./fleet/fleet-view.tsx";
import { GateView } from "./gate/gate-view.tsx";
import { HumansView } from "./humans/humans-view.tsx";
import { RulesView } from "./rules/rules-view.tsx";
import { SpecificityView } from "./specificity/specificity-view.tsx";
import { StabilityView } from "./stability/stability-view.tsx";
import { SummaryView } from "./summary/summary-view.tsx";
import { TermsView } from "./terms/terms-view.tsx";

export interface ViewEntry {
  /** First part of the address. */
  id: string;
  title: string;
  View: ComponentType;
  /** Views about one thing are reached from others, not from the menu. */
  inMenu: boolean;
  /** The view of the menu that it is part of, where its address does not say so. */
  within?: string;
  /** Whether the report has anything for it; without this it always has. */
  has?: (page: ReportPage) => boolean;
}

/** Whether the report has a result of one of these experiments. */
const tried =
  (...kinds: readonly string[]) =>
  ({ report: { experiments } }: ReportPage) =>
    kinds.some((kind) => experiments !== undefined && Object.hasOwn(experiments, kind));

/** Every view, in the order of the menu. */
export const VIEWS: readonly ViewEntry[] = [
  { id: "summary", title: "Overview", View: SummaryView, inMenu: true },
  { id: "fleet", title: "Fleet", View: FleetView, inMenu: true },
  { id: "community", title: "Community", View: CommunityView, inMenu: false, within: "fleet" },
  { id: "rules", title: "Rules", View: RulesView, inMenu: true },
  { id: "decision", title: "Decisions", View: DecisionView, inMenu: true },
  { id: "calibration", title: "Calibration", View: CalibrationView, inMenu: true },
  { id: "gate", title: "Gate", View: GateView, inMenu: true },
  {
    id: "stability",
    title: "Stability",
    View: StabilityView,
    inMenu: true,
    has: ({ report }) => report.stability !== undefined,
  },
  {
    id: "specificity",
    title: "Rule specificity",
    View: SpecificityView,
    inMenu: true,
    has: tried("tiers", "scopes", "diff"),
  },
  { id: "adversarial", title: "Adversarial", View: AdversarialView, inMenu: true, has: tried("attack") },
  {
    id: "humans",
    title: "People",
    View: HumansView,
    inMenu: true,
    has: (page) => tried("humans")(page) || Boolean(page.report.humans),
  },
  {
    id: "experiments",
    title: "Other experiments",
    View: ExperimentsView,
    inMenu: true,
    has: tried(...PAGES.map(({ kind }) => kind)),
  },
  { id: "terms", title: "Terms", View: TermsView, inMenu: true },
];
