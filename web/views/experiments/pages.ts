import type { ComponentType } from "react";
import { ChannelTable, CircularityBody, CircularityLead } from "./circularity.tsx";
import { DualBody, DualLead } from "./dual.tsx";
import { GapBody, GapLead } from "./gap.tsx";
import type { LeadProps } from "./lead-props.ts";
import { ReplicateBody, ReplicateLead } from "./replicate.tsx";
import { SignalBody, SignalLead } from "./signal.tsx";
import { ValidateBody, ValidateLead } from "./validate.tsx";

export interface ExperimentPage {
  kind: "gap" | "signal" | "dual" | "circularity" | "validate" | "replicate";
  title: string;
  /** What it would tell, where there is none. */
  tells: string;
  /** What the overview shows of it: a figure, or a table. */
  figure?: string;
  Glance?: ComponentType;
  /** Words of the link to its own page. */
  more: string;
  Lead: ComponentType<LeadProps>;
  Body: ComponentType;
}

export const PAGES: readonly ExperimentPage[] = [
  {
    kind: "gap",
    title: "Agreement against defensibility",
    tells:
      "It holds agreement with people against defensibility, cohort by cohort, and says how much of the gap is arithmetic.",
    figure: "gap",
    more: "All measures, cohort by cohort",
    Lead: GapLead,
    Body: GapBody,
  },
  {
    kind: "signal",
    title: "Which signal finds indefensible decisions",
    tells:
      "It measures how well each signal of an audit finds indefensible decisions, and what repeated answers would add.",
    figure: "signal-auroc",
    more: "All signals, by level, agreement and temperature",
    Lead: SignalLead,
    Body: SignalBody,
  },
  {
    kind: "dual",
    title: "Decisions and their opposites, audited apart",
    tells: "It audits the opposite of each decision too, and shows what the one-token inverse check is worth.",
    figure: "dual-classes",
    more: "By action, and where check and audit contradict each other",
    Lead: DualLead,
    Body: DualBody,
  },
  {
    kind: "circularity",
    title: "Do the indices measure the rules, or the auditor's taste?",
    tells: "It gathers the evidence that the auditor does not merely confirm itself, channel by channel.",
    Glance: ChannelTable,
    more: "Every channel, with what it can and cannot show",
    Lead: CircularityLead,
    Body: CircularityBody,
  },
  {
    kind: "validate",
    title: "The instruments against a known truth",
    tells:
      "It draws simulated worlds whose truth is known, and shows how far estimates, intervals and gates are right there.",
    figure: "same-backbone-bias",
    more: "Errors, coverage and gates under every condition",
    Lead: ValidateLead,
    Body: ValidateBody,
  },
  {
    kind: "replicate",
    title: "The paper's experiments, repeated",
    tells: "It repeats every experiment of the paper and puts its printed numbers beside ours.",
    figure: "replicate-compared",
    more: "Every printed number beside ours",
    Lead: ReplicateLead,
    Body: ReplicateBody,
  },
];
