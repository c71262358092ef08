import { NO_VALUE } from "../../analysis/gate/counts.js";
import { CheckFailedError, InputError } from "../../core/errors.js";
import { meantPercent, nearestName, parseShare } from "../../core/text-checks.js";
import type { GateReport, GateReportCommunity } from "../../measures/gate/gate-report.js";
import type { SliceReport } from "../../measures/gate/slices.js";
import { printable } from "../../text/printable.js";
import type { TestCase } from "../document/render.js";
import { percent, plural } from "../words/numbers.js";

/** The result of `gate check` for one requirement. */
export interface Checked {
  requirement: string;
  /** One line per failure; empty: the requirement is met. Names in them are not escaped. */
  failures: string[];
}

type Check = (report: GateReport, argument: string) => string[];

/** All requirements, each with its argument. */
export const REQUIREMENTS: Record<string, { argument?: string; help: string; check: Check }> = {
  all: {
    help: "every community with enough decisions passes, none is suspended, and there is one (default)",
    check: (report) => {
      const eligible = report.communities.filter((one) => one.state !== "insufficient");
      if (eligible.length === 0) return ["no community has enough decisions"];
      return eligible.flatMap((one) => failuresOf(one, report));
    },
  },
  every: {
    help: "the same, and no community has too few decisions",
    check: (report) =>
      report.communities.length === 0
        ? ["there is no community"]
        : report.communities.flatMap((one) => failuresOf(one, report)),
  },
  fleet: {
    help: "all decisions together meet the limits",
    check: fleetFailures,
  },
  community: {
    argument: "NAME[,NAME…]",
    help: "these communities pass and are not suspended",
    check: (report, argument) =>
      namesIn(argument, report).flatMap((name) => {
        const found = report.communities.find((one) => one.community === name);
        return found ? failuresOf(found, report) : [unknown(name, report)];
      }),
  },
  "pass-share": {
    argument: "X",
    help: "at least this share of the communities with enough decisions passes",
    check: (report, argument) => atLeast("communities that pass", report.fleet.community_coverage, least(argument)),
  },
  coverage: {
    argument: "X",
    help: "at least this share of their decisions is in communities that pass",
    check: (report, argument) =>
      atLeast("decisions in communities that pass", report.fleet.decision_coverage_eligible, least(argument)),
  },
  risk: {
    argument: "X",
    help: "at most this share of the decisions in communities that pass is indefensible",
    check: (report, argument) => {
      const rate = report.fleet.automated_indefensible_rate;
      if (rate === null) return ["indefensible decisions among the automated: no community passes"];
      const limit = share(argument);
      if (rate <= limit + 1e-9) return [];
      return [`indefensible decisions among the automated: ${apart(rate, limit)}, more than ${percent(limit)}`];
    },
  },
  "no-suspension": {
    help: "no community is suspended, and the kill switch is off",
    check: (report) => [
      ...(report.closed ? [`every gate is closed since ${report.closed.since}: ${report.closed.reason}`] : []),
      ...report.communities.flatMap((one) => (one.suspended ? [suspension(one)] : [])),
    ],
  },
  "no-slice-warning": {
    help: "automation falls harder on no slice (with --slices)",
    check: ({ slices }) => {
      if (!slices) return ["slices: none were asked for with --slices"];
      if (slices.rows.length === 0) return ["slices: there is no verdict to look at"];
      return [...unseenSlices(slices), ...slices.warnings.map((warning) => warning.text)];
    },
  },
};

/** Slices for which no decision has a value: nothing was checked, so the requirement cannot be met. */
function unseenSlices({ rows }: SliceReport): string[] {
  const names = new Set(rows.map(({ slice }) => slice));
  for (const { slice, value } of rows) if (value !== NO_VALUE) names.delete(slice);
  return [...names].map((name) => `slices: no decision has a value of ${name}`);
}

/** Parses `name` or `name:argument`; an unknown name is an error. */
export function parseRequirement(text: string): { name: string; argument: string } {
  const [name, ...rest] = text.split(":");
  const argument = rest.join(":");
  const known = Object.hasOwn(REQUIREMENTS, name!) ? REQUIREMENTS[name!] : undefined;
  if (known && (known.argument !== undefined) === (argument !== "")) {
    if (known.argument === "X") (name === "risk" ? share : least)(argument);
    return { name: name!, argument };
  }
  throw new InputError(
    "unknown_requirement",
    `--require: got "${text}"`,
    `Use one of ${Object.entries(REQUIREMENTS)
      .map(([key, { argument: wanted }]) => (wanted ? `${key}:${wanted}` : key))
      .join(", ")}.`,
  );
}

export function checkGate(report: GateReport, requirements: readonly string[]): Checked[] {
  return requirements.map((requirement) => {
    const { name, argument } = parseRequirement(requirement);
    return { requirement, failures: REQUIREMENTS[name]!.check(report, argument) };
  });
}

/** Requirements and communities as cases of a JUnit report. A community fails only if a requirement fails over it. */
export function gateCases(report: GateReport, checked: readonly Checked[]): TestCase[] {
  const failed = new Set(checked.flatMap(({ failures }) => failures));
  return [
    ...checked.map(({ requirement, failures }) => ({
      suite: "requirements",
      name: requirement,
      failure: failures.length > 0 ? failures.slice(0, 20).join("; ") : null,
    })),
    ...report.communities.map((one): TestCase => {
      const failures = failuresOf(one, report);
      const failure = failures.find((text) => failed.has(text)) ?? null;
      const few = one.state === "insufficient" ? `${one.n} of ${report.thresholds.min_decisions} decisions` : null;
      const skipped = failure === null && failures.length > 0 ? (few ?? `${failures[0]}; not required`) : null;
      return { suite: `communities (${report.mode})`, name: one.community, failure, skipped };
    }),
  ];
}

function failuresOf(one: GateReportCommunity, report: GateReport): string[] {
  const failures: string[] = [];
  if (!one.passes[report.mode]) {
    const why =
      one.state === "insufficient"
        ? `${one.n} of ${report.thresholds.min_decisions} decisions`
        : `${one.indefensible} of ${one.n} indefensible, ${ambiguous(one, report)} of ${one.n} ambiguous`;
    failures.push(`${one.community}: does not pass (${why})`);
  }
  if (one.suspended) failures.push(suspension(one));
  return failures;
}

function ambiguous(one: GateReportCommunity, { variable }: GateReport): number {
  return variable === "ai" ? one.inverse_yes : one.inverse_yes_pure;
}

function suspension(one: GateReportCommunity): string {
  return `${one.community}: suspended since ${one.suspended!.since}`;
}

function fleetFailures(report: GateReport): string[] {
  const sum = (of: (one: GateReportCommunity) => number) =>
    report.communities.reduce((total, one) => total + of(one), 0);
  const n = sum((one) => one.n);
  if (n === 0) return ["fleet: there is no verdict"];
  const { di, ai } = report.thresholds;
  const defensible = 1 - sum((one) => one.indefensible) / n;
  const open = sum((one) => ambiguous(one, report)) / n;
  const name = report.variable === "ai" ? "ambiguity" : "pure ambiguity";
  const on = `on ${plural(n, "decision")}`;
  return [
    ...(defensible < di - 1e-9 ? [`fleet: DI ${percent(defensible)} ${on} is below ${percent(di)}`] : []),
    ...(open > ai + 1e-9 ? [`fleet: ${name} ${percent(open)} ${on} is above ${percent(ai)}`] : []),
  ];
}

function atLeast(what: string, found: number | null, wanted: number): string[] {
  if (found === null) return [`${what}: no community has enough decisions`];
  return found >= wanted - 1e-9 ? [] : [`${what}: ${apart(found, wanted)}, less than ${percent(wanted)}`];
}

/** A share with as many decimals as it takes to differ from its limit: "2.31" against 2.3. */
function apart(found: number, limit: number): string {
  const digits = [1, 2, 3, 4, 5, 6].find((n) => percent(found, n) !== percent(limit, n));
  return percent(found, digits);
}

function unknown(name: string, { communities }: GateReport): string {
  const meant = nearestName(
    name,
    communities.map((one) => one.community),
  );
  return `${name}: the gate does not know it${meant === null ? "" : `; did you mean ${meant}?`}`;
}

/** A comma-separated list, or one name that contains commas. */
function namesIn(argument: string, report: GateReport): string[] {
  if (report.communities.some((one) => one.community === argument)) return [argument];
  return argument.split(",").map((name) => name.trim());
}

function share(text: string): number {
  const value = parseShare(text);
  if (value >= 0 && value <= 1) return value;
  throw new InputError(
    "bad_share",
    `--require: got "${text}", expected a share from 0 to 1`,
    "For example 0.9 or 90%.",
  );
}

/** A minimum share; `0.9%` is treated as a mistake. */
function least(text: string): number {
  const meant = meantPercent(text);
  if (meant === null) return share(text);
  throw new InputError(
    "bad_share",
    `--require: got "${text}"; did you mean ${meant}?`,
    `To ask for so little, write ${parseShare(text)}.`,
  );
}

/** The result of a check: a line for each failed requirement, or one line if all are met. */
export function checkLines(checked: readonly Checked[]): string[] {
  const failures = failuresIn(checked);
  if (failures.length > 0) return failures.map((failure) => `requirement failed: ${printable(failure, 300)}`);
  return [`Every requirement holds: ${printable(checked.map((one) => one.requirement).join(", "), 300)}.`];
}

/** The error that a failed check ends with; null: it passed. */
export function checkError(checked: readonly Checked[]): CheckFailedError | null {
  const { length } = failuresIn(checked);
  if (length === 0) return null;
  return new CheckFailedError(
    "gate_check",
    `gate: ${plural(length, "requirement")} failed`,
    "The list above says what; docs/gate.md says what each requirement asks for.",
  );
}

function failuresIn(checked: readonly Checked[]): string[] {
  return checked.flatMap(({ requirement, failures }) => failures.map((failure) => `${requirement}: ${failure}`));
}
