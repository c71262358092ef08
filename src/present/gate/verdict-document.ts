import type { GateState } from "../../core/gate.js";
import type { GateEvaluation } from "../../measures/gate/gate-evaluation.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { FROM_HERE } from "../../measures/metrics/judge/correct-by-cell.js";
import type { CorrectedRate, LabelDesign } from "../../measures/metrics/judge/correct-rate.js";
import type { JudgeErrorReport, JudgeErrorRow } from "../../measures/metrics/judge/judge-error.js";
import { FLAG_WORDS, labelNotes } from "../../measures/metrics/label-sample.js";
import { printable } from "../../text/printable.js";
import { type Block, noteBlocks, type Text, table } from "../document/document.js";
import { limitsInWords, limitsText } from "../figures/gate-modes.js";
import { flipBlocks } from "../report/trust-document.js";
import { auditorCaveat } from "../words/meaning.js";
import { byCount, percent, plural, whole } from "../words/numbers.js";
import { communityLink, estAt, numberAt, rateAt, type Sentence, sentence } from "../words/sentence.js";
import { gateName, STATE_WORDS as STATES } from "../words/words.js";

export const STATE_WORDS = Object.fromEntries(
  Object.entries(STATES).map(([state, { name }]) => [state, name.toLowerCase()]),
) as Record<GateState, string>;

/** A rate, or a dash if it is undefined. */
export function share(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined ? "–" : percent(value, digits);
}

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : whole(value);
}

/** An evaluated gate: by the command, or on a page under the reader's settings. Pointers of its sections refer to it. */
export type EvaluatedGate = Pick<GateReport, keyof GateEvaluation | "by">;

/** The ambiguity that the gate limits, as named in tables. */
export const ambiguityWord = ({ variable }: Pick<GateReport, "variable">) =>
  variable === "ai" ? "ambiguity" : "pure ambiguity";

/** The fleet by state, with means over communities as in the paper. */
export function statesSection(gate: EvaluatedGate): Block[] {
  if (gate.communities.length === 0) return [];
  const { many } = cohortWord(gate);
  const ambiguity = ambiguityWord(gate);
  return [
    { kind: "heading", text: "States of the fleet" },
    table<Text>(
      ["state", `>${many}`, ">n", ">mean DI", ">mean amb.", ">DI", ">amb."],
      gate.states.map(({ state }, i) => [
        STATE_WORDS[state],
        ...(["communities", "decisions"] as const).map((field) => numberAt(`/states/${i}/${field}`, "whole")),
        ...(["mean_di", "mean_ai", "pooled_di", "pooled_ai"] as const).map((field) =>
          numberAt(`/states/${i}/${field}`),
        ),
      ]),
    ),
    {
      kind: "text",
      as: "note",
      text: `Earned autonomy: both limits are met. Policy gaps: too many decisions that no rule supports. Normative complexity: sound reasoning under rules that leave too much open. States follow the observed rates against ${limitsText(gate.thresholds, gate.variable)}; whether a rate can be relied on is what the modes differ in. n: verdicts; amb.: ${ambiguity}. Means count each of the ${many} once; DI and amb. next to them count each verdict.`,
    },
  ];
}

/** Matches notes about labels. */
const OF_LABELS = new RegExp(`^(?:${Object.values(FLAG_WORDS).join("|")}):`, "i");

export function verdictSection(report: GateReport, verbose: boolean): Block[] {
  return [...conclusionBlocks(report), ...activeBlocks(report, verbose)];
}

/** The gate's result, and what overrules it. */
export function conclusionBlocks(report: GateReport): Block[] {
  const blocks: Block[] = [{ kind: "text", text: verdictText(report) }];
  if (report.closed) {
    const { since, reason } = report.closed;
    blocks.push({
      kind: "text",
      text: `Every gate is closed since ${printable(since, 40)} (${printable(reason)}): whatever is said below, nothing is automated until \`defensible gate open\`.`,
    });
  }
  const alarmed = onlyAlarmed(report);
  const suspended = report.communities.filter((one) => one.suspended).map((one) => one.community);
  const still = suspended.filter((name) => !alarmed.has(name));
  const would = suspended.filter((name) => alarmed.has(name));
  if (still.length > 0) {
    const text = `${plural(still.length, "community is", "communities are")} suspended after an alarm and not automated whatever the gate says: ${names(still)}.`;
    blocks.push({ kind: "text", text });
  }
  if (would.length > 0) {
    const text = `${plural(would.length, "community", "communities")} would be suspended after an alarm, and not automated whatever the gate says: ${names(would)}.`;
    blocks.push({ kind: "text", text });
  }
  return blocks;
}

function verdictText(report: GateReport): Sentence {
  const { communities, decisions } = report.fleet.counts;
  const verdict = gateVerdict(report);
  if (communities === 0 || decisions > 0) return verdict;
  return [...verdict, " Check the auditor first: `defensible report` shows why."];
}

/** Whether the auditor is reliable, which gate is active, and what is known of the labels. */
export function activeBlocks(report: GateReport, verbose: boolean): Block[] {
  const blocks = flipBlocks(report.flip_control);
  const caveat = auditorCaveat({ run: { auditor: report.evidence.auditor ?? undefined } });
  if (caveat) blocks.push({ kind: "text", text: caveat });
  if (report.in_force) {
    const idle = report.fleet.counts.passing_communities === 0;
    const nothing = idle
      ? ` This gate ${report.in_force.status === "in_force" ? "automates" : "would automate"} nothing, because no ${cohortWord(report).one} passes.`
      : "";
    blocks.push({ kind: "text", text: `${printable(report.in_force.text, 600)}${nothing}` });
  }
  // Warnings that labels are not what they are taken for are never left out.
  const notes = verbose ? report.notes : report.notes.filter((note) => OF_LABELS.test(note));
  for (const note of notes) blocks.push({ kind: "text", text: printable(note, 400) });
  return blocks;
}

/** Communities with an alarm from a watch that was not kept: they would be suspended, but are not. */
export function onlyAlarmed({ watch }: GateReport): ReadonlySet<string> {
  return new Set(watch?.kept === false ? watch.events.map((event) => event.community) : []);
}

/** The gate's result and what it would let through, for the terminal and the page. Pointers refer to the gate. */
export function gateVerdict(gate: EvaluatedGate): Sentence {
  const { fleet, thresholds, communities, mode, variable } = gate;
  const { counts } = fleet;
  const { one, many } = cohortWord(gate);
  const at = (field: keyof typeof counts) => numberAt(`/fleet/counts/${field}`, "whole");
  if (counts.communities === 0) return ["There is no audit to judge by, so nothing passes the gate."];
  if (counts.decisions === 0)
    return sentence`No audit has a verdict (${numberAt("/fleet/counts/unscored", "whole")} audited), so nothing passes the gate.`;
  const minimum = numberAt("/thresholds/min_decisions", "whole");
  if (counts.eligible_communities === 0) {
    const largest = whole(communities.reduce((most, { n }) => Math.max(most, n), 0));
    const has =
      counts.communities === 1 ? `The only ${one} has` : sentence`Of ${at("communities")} ${many} the largest has`;
    return sentence`${has} ${largest} of the ${minimum} audited decisions that the gate asks for, so nothing may be automated yet. Audit more decisions.`;
  }
  const limits = `${gateName(mode)} (${limitsInWords(thresholds, variable)})`;
  const judged = sentence`with at least ${minimum} audited decisions`;
  const base = sentence`(${numberAt("/fleet/base_indefensible_rate")})`;
  const [wrong, decisions] = [at("eligible_indefensible"), at("eligible_decisions")];
  if (counts.passing_communities === 0) {
    const none =
      counts.eligible_communities === 1
        ? sentence`The only ${one} ${judged} does not pass`
        : sentence`None of ${at("eligible_communities")} ${many} ${judged} passes`;
    return sentence`${none} the ${limits}. No rule supports ${wrong} of ${byCount(counts.eligible_communities, "its", "their")} ${decisions} decisions ${base}.`;
  }
  return sentence`${at("passing_communities")} of ${at("eligible_communities")} ${byCount(counts.eligible_communities, one, many)} ${judged} ${byCount(counts.passing_communities, "passes", "pass")} the ${limits}: ${numberAt("/fleet/decision_coverage_all")} of all decisions. No rule supports ${at("automated_indefensible")} of these ${at("automated_decisions")} (${numberAt("/fleet/automated_indefensible_rate")}), against ${wrong} of ${decisions} ${base} without a gate.`;
}

export function cohortWord({ by }: Pick<GateReport, "by">): { one: string; many: string } {
  if (by.length > 1) return { one: "cohort", many: "cohorts" };
  const [key] = by;
  if (key === "community") return { one: "community", many: "communities" };
  return { one: key!, many: `${key}s` };
}

export function names(list: readonly string[], most = 8): string {
  const shown = list.slice(0, most).map((name) => printable(name, 40));
  return list.length > most ? `${shown.join(", ")} and ${list.length - most} more` : shown.join(", ");
}

/** Audited rates next to the same rates corrected by human labels. */
export function judgeSection({ judge_error: judged }: Pick<GateReport, "judge_error">, rows: number): Block[] {
  if (!judged) return [];
  const { fleet } = judged;
  const at = "/judge_error/fleet";
  const corrected = judged.communities
    .map(({ key, corrected }, i) => ({ key, corrected, at: `/judge_error/communities/${i}` }))
    .filter((one) => one.corrected !== null);
  return [
    { kind: "heading", text: "What people's labels make of it" },
    {
      kind: "text",
      text: sentence`${confirmedText(judged)}${numberAt(`${at}/labels`, "whole")} of ${numberAt(`${at}/verdicts`, "whole")} verdicts have a human label.`,
    },
    table(
      ["", "by", ">rate", ">true ≤"],
      RATES.flatMap(([field, name]) => lines(name, fleet[field], `${at}/${field}`)),
    ),
    {
      kind: "text",
      as: "note",
      text: sentence`By labels: ${HOW[judged.design] ?? "the audited rate of all verdicts corrected by the labels (prediction-powered)"}; \`report --against human\` shows the labelled decisions alone.${isFromHere(fleet.indefensible_rate) ? [] : sentence` Rogan–Gladen corrects by the auditor's sensitivity (${rateAt(`${at}/indefensible_rate/sensitivity`)} of what people call indefensible) and specificity (${rateAt(`${at}/indefensible_rate/specificity`)}).`} "true ≤" is a bound of another kind: exact, one-sided at ${share(1 - judged.delta, 0)}, from the labels without the auditor's verdicts, so it may lie inside the interval next to it. It is of each rate by itself and for one look.`,
    },
    ...noteBlocks([...(judged.sample ? labelNotes(judged.sample, "defensible gate") : []), ...remarks(fleet)]),
    ...(corrected.length > 0
      ? [
          table<Text>(
            ["community", ">labels", ">indefensible", ">by labels", ">true ≤"],
            corrected
              .slice(0, rows)
              .map((one) => [
                communityLink(one.key),
                numberAt(`${one.at}/labels`, "whole"),
                estAt(`${one.at}/corrected/indefensible_rate/audited`, "percent", "value"),
                estAt(`${one.at}/corrected/indefensible_rate/prediction_powered`, "percent", "bar"),
                numberAt(`${one.at}/corrected/indefensible_rate/upper_bound/exact`),
              ]),
          ),
        ]
      : []),
    {
      kind: "text",
      as: "note",
      text: sentence`${corrected.length} of ${plural(judged.communities.length, "community", "communities")} ${byCount(corrected.length, "has", "have")} the ${numberAt("/judge_error/least_labels", "whole")} labels that a correction of one community takes.`,
    },
  ];
}

/** Human labels on level-3 verdicts, if there are any. */
export function confirmedText({ fleet: { confirmed } }: JudgeErrorReport): Sentence {
  if (confirmed.estimate === null) return [];
  const { k = 0, n } = confirmed;
  return sentence`People confirmed ${estAt("/judge_error/fleet/confirmed", "percent", "counts")} labelled level-3 verdicts${2 * k < n ? ", fewer than half: the auditor, more than the decisions, seems to be wrong" : ""}. `;
}

const RATES = [
  ["defensibility_index", "DI"],
  ["indefensible_rate", "indefensible"],
  ["ambiguity_index", "ambiguity"],
  ["ambiguity_pure", "pure ambiguity"],
] as const;

const HOW: Partial<Record<LabelDesign, string>> = {
  by_verdict: "each label represents the decisions with the same verdict",
  by_stratum: "each label is weighted by the inverse of the chance that it had",
};

/** Labels drawn from this run do not need the correction for labels from elsewhere. */
function isFromHere({ rogan_gladen: found }: Pick<CorrectedRate, "rogan_gladen">): boolean {
  return found.estimate === null && found.reason === FROM_HERE;
}

function lines(name: string, rate: JudgeErrorRow["defensibility_index"], at: string): Text[][] {
  return [
    [name, "audited", estAt(`${at}/audited`), ""],
    [
      "",
      "by labels",
      estAt(`${at}/prediction_powered`),
      "upper_bound" in rate ? numberAt(`${at}/upper_bound/exact`) : "",
    ],
    ...(isFromHere(rate) ? [] : [["", "Rogan–Gladen", estAt(`${at}/rogan_gladen`), ""]]),
  ];
}

/** Why a number is missing or doubtful: each sentence once, with the rates that it is about. */
function remarks(fleet: JudgeErrorRow): string[] {
  const rates: [string, CorrectedRate][] = [
    ["indefensible", fleet.indefensible_rate],
    ["ambiguity", fleet.ambiguity_index],
    ["pure ambiguity", fleet.ambiguity_pure],
  ];
  const about = new Map<string, string[]>();
  const note = (text: string, name: string) => {
    const names = about.get(text) ?? [];
    if (!names.includes(name)) names.push(name);
    about.set(text, names);
  };
  for (const [name, rate] of rates) {
    for (const estimate of [rate.prediction_powered, rate.rogan_gladen]) {
      if (estimate.estimate === null && estimate.reason === FROM_HERE) continue;
      if (estimate.estimate === null) note(`not corrected, because ${estimate.reason}`, name);
      else for (const warning of estimate.warnings ?? []) note(warning, name);
    }
    for (const warning of rate.warnings) note(warning, name);
  }
  return [...about].map(([text, names]) => `${names.join(", ")}: ${text}`);
}
