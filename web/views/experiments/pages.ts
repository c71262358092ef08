import type { ComponentType } from "react";
import { CircularityBody, CircularityLead } from "./circularity.tsx";
import { DualBody, DualLead } from "./dual.tsx";
import { GapBody, GapLead } from "./gap.tsx";
import type { LeadProps } from "./lead-props.ts";
import { ReplicateBody, ReplicateLead } from "./replicate.tsx";
import { SignalBody, SignalLead } from "./signal.tsx";
import { ValidateBody, ValidateLead } from "./validate.tsx";

export interface ExperimentPage {
  kind: "gap" | "signal" | "dual" | "circularity" | "validate" | "replicate";
  title: string;
  /** Short name, for the tab. */
  tab: string;
  /** What it would tell, where there is none. */
  tells: string;
  Lead: ComponentType<LeadProps>;
  Body: ComponentType;
}

export const PAGES: readonly ExperimentPage[] = [
  {
    kind: "gap",
    title: "Agreement against defensibility",
    tab: "Agreement",
    tells:
      "It holds agreement with people against defensibility, cohort by cohort, and says how much of the gap is arithmetic.",
    Lead: GapLead,
    Body: GapBody,
  },
  {
    kind: "signal",
    title: "Which signal finds indefensible decisions",
    tab: "Signals",
    tells:
      "It measures how well each signal of an audit finds indefensible decisions, and what repeated answers would add.",
    Lead: SignalLead,
    Body: SignalBody,
  },
  {
    kind: "dual",
    title: "Decisions and their opposites, audited apart",
    tab: "Opposites",
    tells: "It audits the opposite of each decision too, and shows what the one-token inverse check is worth.",
    Lead: DualLead,
    Body: DualBody,
  },
  {
    kind: "circularity",
    title: "Do the indices measure the rules, or the auditor's taste?",
    tab: "Circularity",
    tells: "It gathers the evidence that the auditor does not merely confirm itself, channel by channel.",
    Lead: CircularityLead,
    Body: CircularityBody,
  },
  {
    kind: "validate",
    title: "The instruments against a known truth",
    tab: "Known truth",
    tells:
      "It draws simulated worlds whose truth is known, and shows how far estimates, intervals and gates are right there.",
    Lead: ValidateLead,
    Body: ValidateBody,
  },
  {
    kind: "replicate",
    title: "The paper's experiments, repeated",
    tab: "Paper",
    tells: "It repeats every experiment of the paper and puts its printed numbers beside ours.",
    Lead: ReplicateLead,
    Body: ReplicateBody,
  },
];
