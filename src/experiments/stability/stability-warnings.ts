import type { Stability } from "../../core/results/stability.js";
import { LEAST_REPLICATES } from "../../measures/stability/classify.js";
import { whole } from "../../present/words/numbers.js";
import { auditorNotes } from "../auditor-notes.js";

/** Draws that are this unlikely under their own probabilities were not made from them. */
const NOT_DRAWN_FROM = 1e-4;

/** Whether anything was audited twice under the same conditions: without that there is nothing to say of stability. */
export function isRepeated({ cases }: Pick<Stability, "cases">): boolean {
  return cases.some(({ attempted }) => attempted > 1);
}

/** What somebody must know before believing the numbers, each in a sentence. */
export function stabilityWarnings(result: Stability): string[] {
  const { counts, groups, cases, temperatures } = result;
  const most = cases.reduce((largest, { k }) => Math.max(largest, k), 0);
  return [
    ...auditorNotes(result.sources.map(({ auditor }) => auditor)),
    isRepeated(result)
      ? ""
      : "no decision was audited twice under the same conditions: these audits say nothing of stability",
    ...aboutGroups(groups, counts.cases),
    result.sources.length > 1
      ? "several sources: all but the decomposition of variance and the rows of cases are about the first"
      : "",
    most < LEAST_REPLICATES
      ? `no case has ${LEAST_REPLICATES} verdicts (the most is ${most}): none has a class, since with few replicates every case seems stable`
      : "",
    counts.without_verdict > 0
      ? `${whole(counts.without_verdict)} of ${whole(counts.audits)} audits have no verdict and are left out; if they are not a random part of all, shares are biased`
      : "",
    cases.every(({ sd_pds }) => sd_pds === null)
      ? "no audit has a signal S, or no case has two: spreads of S are undefined, and only levels are counted"
      : "",
    temperatures.some(({ temperature }) => temperature === 0)
      ? "temperature 0: replicates are copies of each other unless the server is not deterministic; their agreement says nothing"
      : "",
    ...temperatures
      .filter(({ draws }) => draws.p_value !== null && draws.p_value < NOT_DRAWN_FROM)
      .map(
        ({ temperature, draws }) =>
          `at temperature ${temperature} the levels were not drawn from the probabilities that the audits state (level 3: ${share(draws.drawn!)} drawn, ${share(draws.promised!)} promised; p = ${draws.p_value!.toExponential(0)}): these are of another temperature or cut off, and means of them must not replace counts`,
      ),
    result.settings.evidence === "probabilities" && cases.every(({ p_level_3_mean }) => p_level_3_mean === null)
      ? "the law of the draws is not known (no probabilities, or it is not known whether they are before or after temperature): levels were counted instead"
      : "",
  ].filter(Boolean);
}

function aboutGroups(groups: Stability["groups"], cases: number): string[] {
  const { by, flippers, stable, asked, pilot } = groups;
  if (by === null || !pilot) {
    return [
      "no pilot: cases are not told apart as Flippers and Stable; `--pilot K` does that on replicates of their own",
    ];
  }
  const wanted = asked === null ? null : Math.floor(asked / 2);
  const of = `of ${pilot.candidates} candidates with ${pilot.replicates} pilot audits each`;
  return [
    flippers === 0
      ? `the pilot found no Flippers among ${pilot.candidates} candidates: there is nothing to compare`
      : "",
    flippers > 0 && wanted !== null && flippers < wanted
      ? `only ${flippers} Flippers instead of ${wanted}: the pilot found ${pilot.flippers} ${of}`
      : "",
    wanted !== null && stable < wanted && cases > 0
      ? `only ${stable} Stable cases instead of ${wanted}: the pilot found ${pilot.stable} ${of}`
      : "",
    by === "pilot" && asked !== null && asked % 2 === 1
      ? `${asked} cases were asked for, an odd number: half are Flippers and half Stable, so at most ${wanted} of each`
      : "",
    by === "first_replicates"
      ? `there was no pilot arm: the first ${pilot.replicates} replicates of the lowest temperature served for one, and are left out of everything else`
      : "",
  ].filter(Boolean);
}

function share(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
