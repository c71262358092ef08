import { undefinedEstimate } from "../../core/estimate.js";
import { ABLATION_CLASSES, type ScopeAgreement } from "../../core/results/scopes.js";
import { type ArmPattern, countPairs, FOLLOWED, isComplete } from "../../measures/metrics/arm-patterns.js";
import { AUDITED } from "../../measures/metrics/judge-counts.js";
import { ablationClass, type ScopeArms } from "../../measures/metrics/scope-ablation.js";
import type { TallyScope } from "../../measures/metrics/tally.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { cohenKappa } from "../../stats/ranks/cohen-kappa.js";

/** Where ambiguity stands by citation against where it stands by ablation. */
export function scopeAgreement(all: readonly (ArmPattern & { rests: TallyScope })[], arms: ScopeArms): ScopeAgreement {
  const patterns = all.filter(({ kinds }) => isComplete(kinds));
  const n = countPairs(patterns);
  const fires = ({ kinds }: ArmPattern, arm: number) => FOLLOWED.ambiguity_index(AUDITED[kinds[arm]!]!);
  const table = ABLATION_CLASSES.map((name) => ({
    class: name,
    platform: 0,
    community: 0,
    mixed: 0,
    none: 0,
    unknown: 0,
  }));
  for (const pattern of patterns) {
    if (!fires(pattern, arms.both)) continue;
    const name = ablationClass(fires(pattern, arms.platform), fires(pattern, arms.community));
    table.find((row) => row.class === name)![pattern.rests] += pattern.n;
  }
  const cited = (name: Exclude<TallyScope, "unknown">) => {
    const k = table.reduce((sum, row) => sum + row[name] + (name === "none" ? row.unknown : 0), 0);
    const known = patterns.some(({ rests }) => rests !== "unknown");
    return known ? proportion(k, n) : undefinedEstimate("no audit says which rule it cites", n);
  };
  const [platform, community] = [table[0]!, table[1]!];
  const alike = platform.platform + community.community;
  const compared = alike + platform.community + community.platform;
  return {
    table,
    attributed: {
      platform: cited("platform"),
      community: cited("community"),
      mixed: cited("mixed"),
      none: cited("none"),
    },
    agree:
      compared === 0
        ? undefinedEstimate("no ambiguous decision is one scope's alone by both ways of telling", 0)
        : proportion(alike, compared),
    kappa: cohenKappa([
      [platform.platform, platform.community],
      [community.platform, community.community],
    ]),
  };
}
