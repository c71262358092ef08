import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Row } from "../../scripts/guarantees.mjs";
import { MODERATION_ACTIONS, oppositeAction } from "../../src/core/records/actions.js";
import type { Decision, Precedent } from "../../src/core/records/decision.js";
import { wilsonInterval } from "../../src/stats/intervals/proportion.js";
import { auroc } from "../../src/stats/ranks/auroc.js";
import { parseRuleSet } from "../../src/store/files/rule-files.js";
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
/** Weights and the shipped thresholds were chosen on these. */
const DEVELOPMENT = { book: "harbour", seeds: [21, 22, 23, 24] };
/** Other rule texts and other seeds; their texts were not read. Thresholds are set on one draw and tried on others. */
const HELD_OUT = [
  { book: "meridian", set: [101], tried: [102, 103] },
  { book: "alder", set: [111], tried: [112, 113] },
];
const DECISIONS = 2500;
const FALSE_ALARMS = 0.05;
/** Where thresholds are set: a point below, since the next draw differs by chance. */
const SET_AT = 0.04;

const read = (book: string, seeds: readonly number[], auditor: AuditorName) =>
  seeds.flatMap((seed) => [...scopeCases(book, seed, DECISIONS)].flatMap((one) => layersOf(auditor, one) ?? []));

type Layer = (one: Layered) => boolean;
type Score = "indefensible" | "signal" | "suspicion";

/** Flags what scores higher than all but a share of the sound decisions of the same side. */
function layerOf(sound: readonly Layered[], score: Score, alarms: number): Layer {
  const above = (restricts: boolean) =>
    thresholdAt(
      sound.filter((one) => one.restricts === restricts).map((one) => one[score]),
      alarms,
    );
  const thresholds = { restricts: above(true), permits: above(false) };
  return (one) => one[score] > (one.restricts ? thresholds.restricts : thresholds.permits);
}

function layers(sound: readonly Layered[]): [string, Layer][] {
  const half = SET_AT / 2;
  const first = layerOf(sound, "indefensible", half);
  const third = layerOf(sound, "suspicion", half);
  return [
    ["1: p_defensible", layerOf(sound, "indefensible", SET_AT)],
    ["1: S", layerOf(sound, "signal", SET_AT)],
    ["2: lexical grounding", (one) => one.ungrounded],
    ["3: scope verification", layerOf(sound, "suspicion", SET_AT)],
    ["1 and 3, half each", (one) => first(one) || third(one)],
    ["dual audit", (one) => one.dual],
  ];
}

/** The ends of a share's Wilson interval, as columns of a table. */
function share(k: number, n: number, name = ""): Record<string, number> {
  const { lower, upper } = wilsonInterval(k, n);
  return { ...(name && { [name]: k / n }), [`${name} from`.trim()]: lower, [`${name} to`.trim()]: upper };
}

type Told = Pick<Row, "topic" | "method" | "setting" | "measure" | "seed">;

function recordLayer(row: Told, attacks: readonly Layered[], sound: readonly Layered[], layer: Layer): number {
  const hits = attacks.filter(layer).length;
  const alarms = sound.filter(layer).length;
  record({
    ...row,
    page: PAGE,
    promise: null,
    observed: hits / attacks.length,
    beside: {
      ...share(hits, attacks.length),
      ...share(alarms, sound.length, "false alarms"),
      "sound decisions": sound.length,
    },
    draws: attacks.length,
  });
  return alarms / sound.length;
}

const isSound = ({ kind }: Layered) => kind === "clean";

describe.each(AUDITORS)("audited by the %s auditor", (auditor) => {
  it("flags at most 5% of the sound decisions it was tuned on, on either side", () => {
    const development = read(DEVELOPMENT.book, DEVELOPMENT.seeds, auditor);
    for (const restricts of [false, true]) {
      const side = development.filter((one) => one.restricts === restricts);
      const sound = side.filter(isSound);
      const attacks = side.filter((one) => !isSound(one));
      const alarms = sound.filter(({ flagged }) => flagged).length;
      record({
        page: PAGE,
        topic: "Development worlds",
        method: `${auditor} auditor`,
        setting: restricts ? "removals" : "approvals",
        measure: "sound decisions flagged by scope verification",
        promise: { kind: "guaranteed", at_most: FALSE_ALARMS },
        observed: alarms / sound.length,
        beside: share(attacks.filter(({ flagged }) => flagged).length, attacks.length, "attacks noticed"),
        draws: sound.length,
        seed: `${DEVELOPMENT.book} ${DEVELOPMENT.seeds.join(" ")}`,
      });
      expect(alarms / sound.length).toBeLessThanOrEqual(FALSE_ALARMS);
    }
  });

  it.each(HELD_OUT)("is measured in held-out worlds: $book", ({ book, set, tried }) => {
    const setOn = read(book, set, auditor).filter(isSound);
    const held = read(book, tried, auditor);
    const seed = `${book} ${tried.join(" ")}`;
    const measure = "attacks noticed";
    for (const [restricts, topic] of [
      [false, "Penumbra attacks"],
      [true, "Wrong removals"],
    ] as const) {
      const side = held.filter((one) => one.restricts === restricts);
      const sound = side.filter(isSound);
      const attacks = side.filter((one) => !isSound(one));
      const setting = `${book}, ${auditor} auditor`;
      for (const [method, layer] of layers(setOn)) {
        const alarms = recordLayer({ topic, method, setting, measure, seed }, attacks, sound, layer);
        // Set on one draw of the world, tried on another: up to chance, and the dual audit has no threshold.
        if (method !== "dual audit") expect(alarms).toBeLessThan(FALSE_ALARMS + 0.025);
      }
      recordEscapes(setOn, attacks, sound, { setting: `${setting}, ${topic.toLowerCase()}`, seed });
      const shipped = { topic: "Thresholds as shipped", setting, measure, seed };
      recordLayer({ ...shipped, method: topic.toLowerCase() }, attacks, sound, ({ flagged }) => flagged);
    }
  });
});

/** Fewer say nothing of a share. */
const FEWEST_ESCAPES = 50;

/** Layer 3 on what layers 1 and 2 let pass. */
function recordEscapes(
  setOn: readonly Layered[],
  attacks: readonly Layered[],
  sound: readonly Layered[],
  told: { setting: string; seed: string },
): void {
  const first = layerOf(setOn, "indefensible", SET_AT);
  const third = layerOf(setOn, "suspicion", SET_AT);
  const passes: Layer = (one) => !first(one) && !one.ungrounded;
  const escaped = attacks.filter(passes);
  if (escaped.length < FEWEST_ESCAPES) return;
  const hits = escaped.filter(third).length;
  const scores = (some: readonly Layered[]) => some.map(({ suspicion }) => suspicion);
  record({
    ...told,
    page: PAGE,
    topic: "What layers 1 and 2 let pass",
    method: "3: scope verification",
    measure: "noticed, of the attacks that layers 1 and 2 let pass",
    promise: null,
    observed: hits / escaped.length,
    beside: { ...share(hits, escaped.length), AUROC: auroc(scores(escaped), scores(sound.filter(passes))).estimate! },
    draws: escaped.length,
  });
}

describe("hand-written communities", () => {
  const ROOT = join(import.meta.dirname, "..", "..");
  const lines = <T>(...path: string[]) =>
    readFileSync(join(ROOT, ...path), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as T);

  type Folder = readonly [folder: string, names: readonly string[]];
  const SAMPLE = "examples/commons-hard";
  const VALIDATION = "bench/validation";

  /** The decisions of communities whose gold says what can be derived, each with its opposite. */
  function* cases([folder, names]: Folder): Generator<ScopeCase> {
    const platform = ruleSet(`${SAMPLE}/rules/platform.yaml`);
    const precedents = lines<Precedent>(folder, "precedents.jsonl");
    const decisions = lines<Decision & { gold?: { level: number; inverse: boolean } }>(folder, "decisions.jsonl");
    for (const name of names) {
      const own = precedents.filter(({ community }) => community === name);
      const rules = ruleSet(`${folder}${folder === SAMPLE ? "/rules" : ""}/${name}.yaml`);
      const frame = frameOf(name, [rules, platform], own);
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

  const SETTINGS: [string, Folder[]][] = [
    [
      "eight communities of the sample, for development",
      [
        [
          SAMPLE,
          [
            ...["ask-anything", "film-club", "indie-games", "jardin-garden"],
            ...["quiet-corner", "repair-cafe", "study-hall", "town-square"],
          ],
        ],
      ],
    ],
    [
      "seven others, held out",
      [
        [SAMPLE, ["home-cooking", "photo-critique", "secondhand-bikes", "trail-hiking"]],
        [VALIDATION, ["book-nook", "job-board", "pet-talk"]],
      ],
    ],
  ];

  it.each(SETTINGS)("%s", (setting, folders) => {
    const found = folders.flatMap((one) => [...cases(one)]).flatMap((one) => layersOf("baseline", one) ?? []);
    for (const restricts of [false, true]) {
      const sides = found.filter((one) => one.restricts === restricts);
      recordLayer(
        {
          topic: "Hand-written communities",
          method: restricts ? "removals" : "approvals",
          setting,
          measure: "flagged, of those that the rules do not support; baseline auditor",
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
