import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Row } from "../../scripts/guarantees.mjs";
import { MODERATION_ACTIONS, oppositeAction } from "../../src/domain/actions.js";
import type { Decision } from "../../src/domain/decision.js";
import type { Precedent } from "../../src/domain/precedent.js";
import { auroc } from "../../src/stats/auroc.js";
import { wilsonInterval } from "../../src/stats/wilson-interval.js";
import { parseRuleSet } from "../../src/workspace/rule-files.js";
import { record } from "./record.js";
import {
  type AuditorName,
  frameOf,
  type Layered,
  layersOf,
  type ScopeCase,
  scopeCases,
  thresholdAt,
} from "./scope-worlds.js";

const PAGE = "scope-verification";
const AUDITORS: readonly AuditorName[] = ["baseline", "simulated"];
/** Weights and thresholds were chosen on these. */
const DEVELOPMENT = { book: "harbour", seeds: [21, 22, 23, 24] };
/** Other rule texts and other seeds; their texts were not read. */
const HELD_OUT = [
  { book: "meridian", seeds: [101, 102] },
  { book: "alder", seeds: [103, 104] },
];
const DECISIONS = 2500;
const FALSE_ALARMS = 0.05;

const read = (book: string, seeds: readonly number[], auditor: AuditorName) =>
  seeds.flatMap((seed) => [...scopeCases(book, seed, DECISIONS)].flatMap((one) => layersOf(auditor, one) ?? []));

type Layer = (one: Layered) => boolean;

/** Thresholds of layer 1 from the development worlds, by auditor and side: at most 5 % of sound decisions are above. */
function firstLayer(development: readonly Layered[], score: "indefensible" | "signal"): Layer {
  const above = (restricts: boolean) =>
    thresholdAt(
      development.filter((one) => one.kind === "clean" && one.restricts === restricts).map((one) => one[score]),
      FALSE_ALARMS,
    );
  const thresholds = { restricts: above(true), permits: above(false) };
  return (one) => one[score] > (one.restricts ? thresholds.restricts : thresholds.permits);
}

function layers(development: readonly Layered[]): [string, Layer][] {
  const p = firstLayer(development, "indefensible");
  const s = firstLayer(development, "signal");
  return [
    ["1: p_defensible", p],
    ["1: S", s],
    ["2: lexical grounding", (one) => one.ungrounded],
    ["3: scope verification", (one) => one.flagged],
    ["1 and 2", (one) => p(one) || one.ungrounded],
    ["1, 2 and 3", (one) => p(one) || one.ungrounded || one.flagged],
    ["dual audit", (one) => one.dual],
  ];
}

/** A share with its Wilson interval, under names of a table's columns. */
function share(k: number, n: number, name: string): Record<string, number> {
  const { lower, upper } = wilsonInterval(k, n);
  return { ...(name === "" ? {} : { [name]: k / n }), [`${name} from`.trim()]: lower, [`${name} to`.trim()]: upper };
}

function recordLayer(
  row: Pick<Row, "topic" | "method" | "setting" | "measure" | "seed">,
  attacks: readonly Layered[],
  sound: readonly Layered[],
  layer: Layer,
): void {
  const hits = attacks.filter(layer).length;
  const alarms = sound.filter(layer).length;
  record({
    ...row,
    page: PAGE,
    promise: null,
    observed: hits / attacks.length,
    beside: {
      ...share(hits, attacks.length, ""),
      ...share(alarms, sound.length, "false alarms"),
      "of sound decisions": sound.length,
    },
    draws: attacks.length,
  });
}

describe.each(AUDITORS)("audited by the %s auditor", (auditor) => {
  const development = read(DEVELOPMENT.book, DEVELOPMENT.seeds, auditor);

  it("flags at most 5 % of the sound decisions it was tuned on, on either side", () => {
    for (const restricts of [false, true]) {
      const sound = development.filter((one) => one.kind === "clean" && one.restricts === restricts);
      const attacks = development.filter((one) => one.kind !== "clean" && one.restricts === restricts);
      const alarms = sound.filter(({ flagged }) => flagged).length;
      record({
        page: PAGE,
        topic: "Development worlds",
        method: `${auditor} auditor`,
        setting: restricts ? "removals" : "approvals",
        measure: "sound decisions flagged by scope verification",
        promise: { kind: "guaranteed", at_most: FALSE_ALARMS },
        observed: alarms / sound.length,
        beside: { ...share(attacks.filter(({ flagged }) => flagged).length, attacks.length, "attacks noticed") },
        draws: sound.length,
        seed: `${DEVELOPMENT.book} ${DEVELOPMENT.seeds.join(" ")}`,
      });
      expect(alarms / sound.length).toBeLessThanOrEqual(FALSE_ALARMS);
    }
  });

  it.each(HELD_OUT)("is measured in held-out worlds: $book", ({ book, seeds }) => {
    const held = read(book, seeds, auditor);
    for (const [restricts, kind, topic] of [
      [false, "penumbra", "Penumbra attacks"],
      [true, "flip", "Wrong removals"],
    ] as const) {
      const attacks = held.filter((one) => one.kind === kind);
      const sound = held.filter((one) => one.kind === "clean" && one.restricts === restricts);
      for (const [method, layer] of layers(development)) {
        recordLayer(
          {
            topic,
            method,
            setting: `${book}, ${auditor} auditor`,
            measure: "attacks noticed",
            seed: `${book} ${seeds.join(" ")}`,
          },
          attacks,
          sound,
          layer,
        );
      }
      const passed = firstLayer(development, "indefensible");
      const escaped = attacks.filter((one) => !passed(one) && !one.ungrounded);
      const hits = escaped.filter(({ flagged }) => flagged).length;
      record({
        page: PAGE,
        topic: "What layers 1 and 2 let pass",
        method: "3: scope verification",
        setting: `${book}, ${auditor} auditor, ${kind === "penumbra" ? "penumbra attacks" : "wrong removals"}`,
        measure: "noticed, of the attacks that layers 1 and 2 let pass",
        promise: null,
        observed: hits / escaped.length,
        beside: { ...share(hits, escaped.length, ""), AUROC: rank(escaped, sound) },
        draws: escaped.length,
        seed: `${book} ${seeds.join(" ")}`,
      });
      // Two rates that differ by chance do so by less: a layer that noticed nothing of an attack would flag as many sound decisions.
      expect(attacks.length).toBeGreaterThan(300);
    }
  });
});

/** How well suspicion orders attacks above sound decisions. */
function rank(attacks: readonly Layered[], sound: readonly Layered[]): number {
  const of = (some: readonly Layered[]) => some.map(({ suspicion }) => suspicion);
  return auroc(of(attacks), of(sound)).estimate!;
}

describe("hand-written communities", () => {
  const ROOT = join(import.meta.dirname, "..", "..");
  const lines = <T>(...path: string[]) =>
    readFileSync(join(ROOT, ...path), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as T);

  /** The decisions of communities whose gold says what can be derived, each with its opposite. */
  function* cases(folder: string, names: readonly string[]): Generator<ScopeCase> {
    const platform = ruleSet("examples/commons/rules/platform.yaml");
    const precedents = lines<Precedent>(folder, "precedents.jsonl");
    const decisions = lines<Decision & { gold?: { level: number; inverse: boolean } }>(folder, "decisions.jsonl");
    for (const name of names) {
      const file = folder === "bench/validation" ? `${folder}/${name}.yaml` : `${folder}/rules/${name}.yaml`;
      const own = precedents.filter(({ community }) => community === name);
      const frame = frameOf(name, [ruleSet(file), platform], own);
      for (const { id, community, content, decision, gold } of decisions) {
        if (community !== name || !gold) continue;
        for (const action of [decision, oppositeAction(MODERATION_ACTIONS, decision)]) {
          const derivable = action === decision ? gold.level < 3 : gold.inverse;
          const kind = derivable ? "clean" : action === MODERATION_ACTIONS.positive ? "flip" : "penumbra";
          yield { id, kind, frame, content, action, truth: null };
        }
      }
    }
  }

  const ruleSet = (path: string) => parseRuleSet(readFileSync(join(ROOT, path), "utf8"), path);

  it.each([
    [
      "sample, development",
      "examples/commons",
      [
        "ask-anything",
        "film-club",
        "indie-games",
        "jardin-garden",
        "quiet-corner",
        "repair-cafe",
        "study-hall",
        "town-square",
      ],
    ],
    ["sample, held out", "examples/commons", ["home-cooking", "photo-critique", "secondhand-bikes", "trail-hiking"]],
    ["validation", "bench/validation", ["book-nook", "job-board", "pet-talk"]],
  ] as const)("%s", (setting, folder, names) => {
    const found = [...cases(folder, names)].flatMap((one) => layersOf("baseline", one) ?? []);
    for (const restricts of [false, true]) {
      const sides = found.filter((one) => one.restricts === restricts);
      recordLayer(
        {
          topic: "Hand-written communities",
          method: restricts ? "removals" : "approvals",
          setting,
          measure: "flagged, of those that the rules do not carry; baseline auditor",
          seed: "gold",
        },
        sides.filter(({ kind }) => kind !== "clean"),
        sides.filter(({ kind }) => kind === "clean"),
        ({ flagged }) => flagged,
      );
    }
    expect(found.length).toBeGreaterThan(100);
  });
});
