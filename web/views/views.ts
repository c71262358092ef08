import type { ComponentType } from "react";
import { AdversarialView } from "./adversarial/adversarial-view.tsx";
import { CalibrationView } from "./calibration/calibration-view.tsx";
import { CommunityView } from "./community/community-view.tsx";
import { DecisionView } from "./decision/decision-view.tsx";
import { ExperimentsView } from "./experiments/experiments-view.tsx";
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
}

/** Every view, in the order of the menu. */
export const VIEWS: readonly ViewEntry[] = [
  { id: "summary", title: "Summary", View: SummaryView, inMenu: true },
  { id: "fleet", title: "Fleet", View: FleetView, inMenu: true },
  { id: "community", title: "Community", View: CommunityView, inMenu: false },
  { id: "rules", title: "Rules", View: RulesView, inMenu: true },
  { id: "decision", title: "Decisions", View: DecisionView, inMenu: true },
  { id: "calibration", title: "Calibration", View: CalibrationView, inMenu: true },
  { id: "gate", title: "Gate", View: GateView, inMenu: true },
  { id: "stability", title: "Stability", View: StabilityView, inMenu: true },
  { id: "specificity", title: "Rule specificity", View: SpecificityView, inMenu: true },
  { id: "adversarial", title: "Adversarial", View: AdversarialView, inMenu: true },
  { id: "humans", title: "Humans", View: HumansView, inMenu: true },
  { id: "experiments", title: "Other experiments", View: ExperimentsView, inMenu: true },
  { id: "terms", title: "Terms", View: TermsView, inMenu: true },
];
