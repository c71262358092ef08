import type { FamilyCount } from "../../analysis/true-verdicts.js";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { Channel } from "../../core/results/circularity.js";
import { compareWithHumans, type PairTally } from "../../measures/metrics/paired/compare-runs.js";
import { rateDifference, type TwoRates } from "./differences.js";
import { type ChannelText, judgeAll, judgeInflation, test } from "./truth-channel.js";

const TEXT: ChannelText = {
  channel: "gap",
  title: "Favouritism: does the auditor find its own kind more defensible?",
  can_show:
    "Whether decisions of deciders of the auditor's family, or of the decider against people's on the same cases, are found defensible more often: an auditor that favours its kind makes the first higher.",
  cannot_show:
    "That a difference is favouritism: the auditor's kin may decide better or have had other cases, and people may follow norms that are written nowhere. A large gap between DI and F1, and defensible false negatives, show nothing here: an auditor that favoured the decider would make both larger. (The paper argues the other way round.)",
};

export interface GapEvidence {
  families: readonly FamilyCount[];
  /** Null: people's decisions were not audited. */
  humans: readonly PairTally[] | null;
  margin: number;
  runs: string[];
}

/** Channel 1: the paper's argument turned the right way round. */
export function gapChannel({ families, humans, margin, runs }: GapEvidence): Channel {
  const family = familyDifference(families);
  const people = humans
    ? compareWithHumans(humans).difference
    : undefinedEstimate("people's decisions were not audited", 0);
  const tests = [
    test("DI of the auditor's family − DI of other deciders", "points", family, judgeInflation(family, margin)),
    test("DI of the decider − DI of people, same cases", "points", people, judgeInflation(people, margin)),
  ];
  const missing = tests.find(({ verdict }) => verdict === "not_available");
  return {
    ...TEXT,
    ...judgeAll(tests),
    tests,
    source: { experiment: null, runs },
    command: missing ? commandsFor(people, families, family) : null,
  };
}

/** Kin can be compared with others only where some decisions are by models of the auditor's family and some are not. */
function commandsFor(people: Estimate, families: readonly FamilyCount[], family: Estimate): string {
  const commands = people.estimate === null ? ["defensible audit --humans"] : [];
  if (family.estimate === null) {
    commands.push(
      sameFamily(families) === 0
        ? "defensible audit --auditor MODEL_OF_THE_FAMILY_OF_SOME_DECIDER (or decisions by a model of the auditor's family beside these: defensible decide --decider)"
        : "decisions by people or by a model of another family beside these: defensible import, or defensible decide --decider",
    );
  }
  return commands.join("; and ");
}

function sameFamily(families: readonly FamilyCount[]): number {
  return families.reduce((sum, { same_family, n }) => sum + (same_family ? n : 0), 0);
}

function familyDifference(families: readonly FamilyCount[]): Estimate {
  const byCommunity = new Map<string, TwoRates>();
  for (const { community, same_family, n, defensible } of families) {
    const one = byCommunity.get(community) ?? { k1: 0, n1: 0, k0: 0, n0: 0 };
    byCommunity.set(community, one);
    if (same_family) Object.assign(one, { k1: defensible, n1: n });
    else Object.assign(one, { k0: defensible, n0: n });
  }
  const empty =
    sameFamily(families) === 0
      ? "no decision is by a model that is known to be of the auditor's family"
      : "every decision is by a model of the auditor's family";
  return rateDifference([...byCommunity.values()], empty);
}
