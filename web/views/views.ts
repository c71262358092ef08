import type { ComponentType } from "react";
import { AutomationView } from "./automation/automation-view.tsx";
import { OverviewView } from "./overview/overview-view.tsx";
import { ReviewView } from "./review/review-view.tsx";
import { RulesView } from "./rules/rules-view.tsx";
import { TermsView } from "./terms/terms-view.tsx";
import { TrustView } from "./trust/trust-view.tsx";

export interface ViewEntry {
  id: string;
  title: string;
  View: ComponentType;
}

/** Every view, in menu order. */
export const VIEWS: readonly ViewEntry[] = [
  { id: "overview", title: "Overview", View: OverviewView },
  { id: "review", title: "Review", View: ReviewView },
  { id: "rules", title: "Rules", View: RulesView },
  { id: "automation", title: "Automation", View: AutomationView },
  { id: "trust", title: "Trust", View: TrustView },
  { id: "method", title: "Method and terms", View: TermsView },
];
