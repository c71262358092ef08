import type { AttackCandidate } from "../../../analysis/decision-scores.js";
import { type Actions, isRestricting } from "../../../core/records/actions.js";
import { type Block, type Document, table } from "../../../present/document/document.js";
import { KIND_WORDS } from "../../../present/words/experiment-words.js";
import { percent, plural, whole } from "../../../present/words/numbers.js";
import { type Rng, shuffle } from "../../../stats/random/create-rng.js";
import { printable } from "../../../text/printable.js";
import { ATTACK_KINDS, type AttackKind } from "../result.js";
import type { AttackBuild } from "./build-attacks.js";
import { type KindMakers, MAKERS } from "./makers.js";

/** Number of cases wanted of each kind. */
export type Wanted = Record<AttackKind, number>;

/** The paper's sizes, and 40 of each kind that the paper does not have. */
export const DEFAULT_WANTED: Wanted = {
  clean: 800,
  action_flip: 123,
  hallucinated_grounding: 77,
  penumbra: 40,
  rule_paraphrase: 40,
  precedence_inversion: 40,
  citation_splice: 40,
  foreign_language: 40,
  prompt_injection: 40,
};

/** Every fifth hallucinated grounding, half of the paraphrases and all splices change the trace. */
export function inputShare(kind: AttackKind, wanted: number): number {
  if (kind === "clean" || kind === "citation_splice") return 0;
  if (kind === "hallucinated_grounding") return wanted - Math.floor(wanted / 5);
  if (kind === "rule_paraphrase") return Math.ceil(wanted / 2);
  return wanted;
}

interface Scaled {
  wanted: Wanted;
  /** Factor applied to all numbers; 1: nothing was scaled. */
  factor: number;
  /** Further factor for attacks that need forbidden content. */
  forbidden_factor: number;
}

/**
 * Scales the wanted numbers down to the size of the pool by one factor, so that the mix stays the same. Each decision is used once, either
 * as a clean case or as the base of an attack on the input; attacks on the trace change the audits of clean cases. If the pool has too
 * little forbidden content, attacks that need it are scaled by a second factor: a platform that restricts one decision in a hundred still
 * has enough flips.
 */
export function scaleWanted(wanted: Wanted, pool: { clean: number; settled: number; forbidden: number }): Scaled {
  const needs = { platform: 0, forbidden: 0, settled: 0 };
  for (const [kind, makers] of Object.entries(MAKERS) as [AttackKind, KindMakers][]) {
    needs[makers.needs] += inputShare(kind, wanted[kind]);
  }
  const narrow = needs.platform + needs.forbidden;
  const inputs = narrow + needs.settled;
  const factor = Math.min(1, ratio(pool.clean, wanted.clean + inputs), ratio(pool.settled, inputs));
  // The other kinds take decisions of both actions as they come.
  const taken = (factor * needs.settled * pool.forbidden) / Math.max(1, pool.settled);
  const forbidden_factor = Math.min(1, ratio(pool.forbidden - taken, factor * narrow));
  const scaled = Object.fromEntries(
    Object.entries(wanted).map(([kind, n]) => {
      const need = MAKERS[kind as AttackKind]?.needs ?? "settled";
      const by = factor * (need === "settled" ? 1 : forbidden_factor);
      return [kind, by >= 1 ? n : by === 0 || n === 0 ? 0 : Math.max(1, Math.floor(n * by))];
    }),
  ) as Wanted;
  return { wanted: scaled, factor, forbidden_factor };
}

function ratio(has: number, need: number): number {
  return need === 0 ? 1 : has / need;
}

/** Candidates read for each attack wanted: some content does not suit some attacks. */
const SPARE = 4;

export interface Chosen {
  /** In random order; bases of attacks are taken from the front. */
  settled: Candidate[];
  /** In random order; clean cases are taken from the front, skipping those that became bases. */
  clean: Candidate[];
}

/**
 * The candidates to read: all of a small pool, and enough of a large one for every kind to find its material. `isPlatform`: the rule the
 * candidate depends on is the platform's.
 */
export function chooseCandidates(
  pool: Pool,
  wanted: Wanted,
  isPlatform: (candidate: Candidate) => boolean,
  rng: Rng,
): Chosen {
  const clean = shuffle(pool.candidates, rng.fork("clean"));
  const settled = shuffle(
    pool.candidates.filter((one) => one.settled),
    rng.fork("settled"),
  );
  const left = { platform: 0, forbidden: 0, settled: 0 };
  for (const [kind, makers] of Object.entries(MAKERS) as [AttackKind, KindMakers][]) {
    left[makers.needs] += SPARE * inputShare(kind, wanted[kind]);
  }
  const bases = settled.filter((one) => {
    const uses = one.forbidden ? (isPlatform(one) ? NEEDS : NEEDS.slice(1)) : NEEDS.slice(2);
    const use = uses.find((need) => left[need] > 0);
    if (use) left[use]--;
    return use !== undefined;
  });
  const based = new Set(bases);
  let spare = wanted.clean;
  const kept = clean.filter((one) => based.has(one) || spare-- > 0);
  return { settled: bases, clean: kept };
}

const NEEDS = ["platform", "forbidden", "settled"] as const;

/** A decision that can become a case, judged before its content is read. */
export interface Candidate extends AttackCandidate {
  /** Why it is in the pool. */
  chosen: "known" | "judged";
  /** The rules settle it, so the other decision would be wrong. */
  settled: boolean;
  /** The restricting action is right. */
  forbidden: boolean;
}

export interface Pool {
  candidates: Candidate[];
  counts: {
    verdicts: number;
    /** Verdicts with a known truth or reference annotation. */
    known: number;
    /** Candidates for clean cases. */
    clean: number;
    /** Candidates for attacks. */
    settled: number;
    /** Settled candidates for which the restricting action is right. */
    forbidden: number;
    /** Left out because truth or gold says that the rules leave them open: flipping them would not be an attack. */
    open: number;
    /** Left out because truth or gold says that the decision is wrong or that no rule covers it. */
    indefensible: number;
  };
}

/**
 * Determines which decisions are clean, and which of those are settled. If truth or gold is known, it alone decides: the auditor's own
 * verdict would keep only the clean cases that the auditor finds easy. Otherwise a clean case has a verdict of level 1 or 2 with a grounded
 * citation, and a settled one has level 1 without a defensible opposite.
 */
export function definePool(rows: readonly AttackCandidate[], actions: Actions): Pool {
  const candidates: Candidate[] = [];
  const counts = { verdicts: rows.length, known: 0, clean: 0, settled: 0, forbidden: 0, open: 0, indefensible: 0 };
  for (const row of rows) {
    const known = row.known_level !== null && row.known_inverse !== null;
    const level = known ? row.known_level! : row.level;
    const inverse = known ? row.known_inverse! : row.inverse;
    if (known) counts.known++;
    if (known && level === 3) counts.indefensible++;
    if (level === 3 || (!known && row.grounded !== true)) continue;
    const settled = level === 1 && !inverse;
    const forbidden = isRestricting(actions, row.decision);
    counts.clean++;
    if (settled) counts.settled++;
    else if (known) counts.open++;
    if (settled && forbidden) counts.forbidden++;
    candidates.push({ ...row, chosen: known ? "known" : "judged", settled, forbidden });
  }
  return { candidates, counts };
}

/** What `attack build` made, from what, and what it could not make. */
export function buildDocument(build: AttackBuild, file: string): Document {
  const attacks = build.cases.filter((one) => one.kind !== "clean").length;
  return {
    title: "Attack set",
    subtitle: `${plural(attacks, "attack")} and ${plural(build.made.clean, "clean case")} from run ${printable(build.run_id, 60)}, seed ${build.seed}, in ${printable(file, 120)}`,
    blocks: [...poolBlocks(build), ...countBlocks(build), ...manner(build)],
  };
}

function poolBlocks({ pool, factor, forbidden_factor: narrow }: AttackBuild): Block[] {
  const known =
    pool.known === 0
      ? "Nothing says what is true of these decisions, so that an auditor's verdict decides: clean is a verdict of level 1 or 2 with a citation that was found in the rules, and attacks are made of verdicts of level 1 whose opposite is not defensible. Clean cases chosen in this way are those that the auditor finds easy: false alarms of that auditor's own probabilities on them come out too low, and detections of what was made of them too high."
      : `For ${whole(pool.known)} of ${plural(pool.verdicts, "verdict")} truth or gold says what the rules say, and there it alone decides: clean is level 1 or 2, and attacks are made of level 1 without a defensible opposite. ${whole(pool.open)} are left open by the rules, so that turning them would be no attack; ${whole(pool.indefensible)} are indefensible already and are left out.`;
  const scaled =
    factor < 1
      ? [
          {
            kind: "text" as const,
            text: `The pool is smaller than what was asked for: all numbers were scaled down to ${percent(factor)}, so that the mix stays. Each decision is used once, as a clean case or as the base of one attack on the input.`,
          },
        ]
      : [];
  const further =
    narrow < 1
      ? [
          {
            kind: "text" as const,
            text: `Attacks that need forbidden content (penumbra, precedence, language, injection) were scaled further, to ${percent(narrow)} of that: the pool has too little of it.`,
          },
        ]
      : [];
  return [
    { kind: "heading", text: "What it was made of" },
    { kind: "text", text: known },
    {
      kind: "text",
      text: `Pool: ${plural(pool.clean, "decision")} for clean cases, ${whole(pool.settled)} of them settled by the rules (${whole(pool.forbidden)} where the restricting action is right).`,
    },
    ...scaled,
    ...further,
  ];
}

function countBlocks({ asked, scaled, made, cases }: AttackBuild): Block[] {
  const trace = (kind: string) => cases.filter((one) => one.kind === kind && one.target === "trace").length;
  const short = ATTACK_KINDS.filter((kind) => made[kind] < scaled[kind]);
  return [
    { kind: "heading", text: "Cases" },
    table(
      ["kind", ">asked", ">scaled", ">made", ">of these on the trace"],
      ATTACK_KINDS.filter((kind) => asked[kind] > 0).map((kind) => [
        KIND_WORDS[kind],
        whole(asked[kind]),
        whole(scaled[kind]),
        whole(made[kind]),
        whole(trace(kind)),
      ]),
    ),
    ...(short.length > 0
      ? [
          {
            kind: "text" as const,
            text: `Fewer than planned of: ${short.map((kind) => KIND_WORDS[kind]).join(", ")}. The pool has no more decisions that lend themselves to it (a rule of the platform, content in English, a sentence that can be turned).`,
          },
        ]
      : []),
  ];
}

function manner({ cases }: AttackBuild): Block[] {
  const counts = new Map<string, number>();
  for (const one of cases) {
    if (one.kind === "clean") continue;
    const key = `${KIND_WORDS[one.kind]}\u0000${one.archetype}\u0000${one.target}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [
    { kind: "heading", text: "Manners of attack" },
    table(
      ["kind", "manner", "changes the", ">cases"],
      [...counts].sort().map(([key, n]) => [...key.split("\u0000"), whole(n)]),
    ),
    {
      kind: "text",
      text: "Paraphrases and translations are made by tables of words, without a model: they show what changes when the words change, not how a person would put it. Bring your own cases for that: the format of the file is in docs/attack.md.",
    },
  ];
}
