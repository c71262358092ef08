import type { AttackResult } from "../../../core/results/attack.js";
import { proportion } from "../../../stats/intervals/proportion.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { groupTest } from "../../../stats/tests/group-test.js";
import { holm } from "../../../stats/tests/holm.js";
import type { ScoredCase } from "./score-case.js";

type Escapes = AttackResult["escapes"];

/** What attacks on the input are grouped by. */
const GROUPINGS: Readonly<Record<string, (one: ScoredCase) => string>> = {
  kind: ({ case: one }) => one.kind,
  archetype: ({ case: one }) => `${one.kind}: ${one.archetype}`,
  rule_kind: ({ case: one }) => one.rule_kind ?? "not stated",
  language: ({ case: one }) => one.language ?? "unknown",
  precedents_in_language: ({ languageKnown }) =>
    languageKnown ? "in a language of the precedents" : "in no language of the precedents",
  decision: ({ case: one }) => one.decision,
};

/**
 * Which attacks escape: by kind, manner, kind of rule, language and decision, each with a test of equal shares. Adjusted p: Holm's, over these tests,
 * since one who looks at six groupings finds something.
 */
export function escapesBy(
  inputs: readonly ScoredCase[],
  escaped: (one: ScoredCase) => boolean | null,
  options: { seed: number; draws: number; reason?: string | undefined },
): Escapes["by"] {
  const { reason } = options;
  if (reason !== undefined) {
    const none = { groups: [], p: null, adjusted_p: null, method: null, reason };
    return Object.fromEntries(Object.keys(GROUPINGS).map((name) => [name, none]));
  }
  const rng = createRng(options.seed).fork("escapes");
  const tests = Object.entries(GROUPINGS).map(([name, groupOf]) => {
    const groups = new Map<string, { k: number; n: number }>();
    for (const one of inputs) {
      if (escaped(one) === null) continue;
      const group = groupOf(one);
      const counts = groups.get(group) ?? { k: 0, n: 0 };
      counts.n++;
      if (escaped(one)) counts.k++;
      groups.set(group, counts);
    }
    const rows = [...groups].sort(([a, x], [b, y]) => y.n - x.n || (a < b ? -1 : 1));
    const test = groupTest(
      rows.map(([, { k }]) => k),
      rows.map(([, { n }]) => n),
      { rng: rng.fork(name), draws: options.draws },
    );
    return { name, rows, test };
  });
  const defined = tests.filter(({ test }) => test.p !== null);
  const adjusted = holm(defined.map(({ test }) => test.p!));
  return Object.fromEntries(
    tests.map(({ name, rows, test: { p, method, reason } }) => [
      name,
      {
        groups: rows.map(([group, { k, n }]) => ({ group, escaped: proportion(k, n) })),
        p,
        adjusted_p: p === null ? null : adjusted[defined.findIndex((one) => one.name === name)]!,
        method,
        ...(reason === undefined ? {} : { reason }),
      },
    ]),
  );
}
