import type { Ablation, AblationClass } from "../../../experiments/rules/scopes/result.js";
import { shareEstimate } from "../indices.js";
import type { AuditedCell } from "../judge/counts.js";
import { armPatterns, type Counted, clusterShares, countPairs, onePool, type Patterns } from "./arm-patterns.js";
import type { ChangeOptions } from "./paired-change.js";

/** Places of the arms: all rules, the platform's alone, the community's alone. */
export interface ScopeArms {
  both: number;
  platform: number;
  community: number;
}

/** What a property that holds under all rules rests on. */
export function ablationClass(platformAlone: boolean, communityAlone: boolean): AblationClass {
  if (platformAlone) return communityAlone ? "either" : "platform";
  return communityAlone ? "community" : "together";
}

/**
 * AI_G and AI_C as measured: the same decisions audited under all rules, under the platform's alone and under the community's alone.
 * Four classes split what holds under all rules, exhaustively and without overlap.
 *
 * Formula: B, G, C = holds under all rules, under R_G alone, under R_C alone. AI = P(B); AI_G = P(B, G, not C); AI_C = P(B, C, not G);
 * either = P(B, G, C); together = P(B, neither): the two contradict or only jointly leave it open. In addition P(G, not B) and P(C, not
 * B): what the other scope's rules end.
 * Range: [0, 1]; the four add up to P(B).
 * Undefined when: no decision has a verdict in all three arms.
 * Differs from the paper: the paper names AI_G and AI_C without saying how to tell them apart.
 * @see paper §3.1
 * @example
 * ablationClass(true, false) // => "platform"
 */
export function scopeAblation(
  patterns: Patterns,
  { both, platform, community }: ScopeArms,
  counted: Counted,
  options: ChangeOptions = {},
): Ablation {
  const table = armPatterns(patterns);
  const flat = options.unit === "decision" ? onePool(table) : table;
  const share = (holds: (inBoth: boolean, inPlatform: boolean, inCommunity: boolean) => boolean) =>
    shareEstimate(
      clusterShares(flat, (verdicts: readonly AuditedCell[]) =>
        holds(counted(verdicts[both]!), counted(verdicts[platform]!), counted(verdicts[community]!)),
      ),
      "no decision has a verdict in every arm",
    );
  const inClass = (name: AblationClass) => share((b, g, c) => b && ablationClass(g, c) === name);
  return {
    both: share((b) => b),
    classes: {
      platform: inClass("platform"),
      community: inClass("community"),
      either: inClass("either"),
      together: inClass("together"),
    },
    ended_by_community: share((b, g) => g && !b),
    ended_by_platform: share((b, _, c) => c && !b),
    patterns: eightCounts(table, { both, platform, community }, counted),
  };
}

function eightCounts(patterns: Patterns, arms: ScopeArms, counted: Counted): Ablation["patterns"] {
  const bits = [true, false];
  return bits.flatMap((both) =>
    bits.flatMap((platform) =>
      bits.map((community) => ({
        both,
        platform,
        community,
        n: countPairs(
          patterns,
          (verdicts) =>
            counted(verdicts[arms.both]!) === both &&
            counted(verdicts[arms.platform]!) === platform &&
            counted(verdicts[arms.community]!) === community,
        ),
      })),
    ),
  );
}
