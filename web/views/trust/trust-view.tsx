import type { ComponentType } from "react";
import type { ReportPage } from "../../../src/measures/report-page.js";
import { usePage } from "../../data/page-context.ts";
import { type Tab, Tabs } from "../../parts/shell/menu.tsx";
import { useRoute } from "../../route/use-route.ts";
import { AdversarialView } from "../adversarial/adversarial-view.tsx";
import { CalibrationView } from "../calibration/calibration-view.tsx";
import { ExperimentView } from "../experiments/experiments-view.tsx";
import { PAGES } from "../experiments/pages.ts";
import { HumansView } from "../humans/humans-view.tsx";
import { StabilityView } from "../stability/stability-view.tsx";
import { Reliance } from "./reliance.tsx";

interface Screen extends Omit<Tab, "has"> {
  View: ComponentType;
  has: (page: ReportPage) => boolean;
}

/** Whether the workspace has a result of this experiment. */
const tried =
  (kind: string) =>
  ({ report: { experiments } }: ReportPage) =>
    experiments !== undefined && Object.hasOwn(experiments, kind);

/** One screen for each kind of evidence about the auditor. */
const SCREENS: readonly Screen[] = [
  { id: "", title: "Summary", View: Reliance, has: () => true },
  {
    id: "people",
    title: "People",
    View: HumansView,
    has: (page) => tried("humans")(page) || Boolean(page.report.humans),
  },
  { id: "calibration", title: "Calibration", View: CalibrationView, has: () => true },
  {
    id: "stability",
    title: "Stability",
    View: StabilityView,
    has: ({ report }) => report.stability !== undefined,
  },
  { id: "attacks", title: "Attacks", View: AdversarialView, has: tried("attack") },
  ...PAGES.map(({ kind, tab }) => ({ id: kind, title: tab, View: ExperimentView, has: tried(kind) })),
];

/** The evidence for and against the auditor. */
export function TrustView() {
  const page = usePage();
  const [about = ""] = useRoute().about;
  const { View } = SCREENS.find(({ id }) => id === about) ?? SCREENS[0]!;
  return (
    <>
      <Tabs label="Evidence" of={SCREENS.map(({ id, title, has }) => ({ id, title, has: has(page) }))} />
      <View />
    </>
  );
}
