import type { CaseFrame, CasePrecedent } from "../../core/records/case.js";
import { contentParts } from "../../core/records/content.js";
import { Citations } from "./citations.js";
import { isCheckable, viewContent } from "./content-view.js";
import { PrecedentIndex, Rarity } from "./precedent-index.js";
import { type RuleBook, readRules } from "./read-rules.js";
import { type Scale, scaleOf } from "./scale.js";
import { ruleStrength, weigh } from "./weigh.js";

/** Everything about a frame that does not depend on the content. */
export interface PreparedFrame {
  frame: CaseFrame;
  book: RuleBook;
  own: PrecedentIndex;
  /** Precedents of every community; null where only those of this one are known. */
  everyone: PrecedentIndex | null;
  rarity: Rarity;
  /** What the strength of the rules' case counts here. */
  ruleScale: Scale;
  /** Share of the precedents that state something that can be verified. */
  usuallyCheckable: number;
  citations: Citations;
}

const prepared = new WeakMap<CaseFrame, PreparedFrame>();

/** Prepares a frame, once. */
export function prepareFrame(frame: CaseFrame): PreparedFrame {
  let made = prepared.get(frame);
  if (made === undefined) {
    made = prepare(frame);
    prepared.set(frame, made);
  }
  return made;
}

/** The precedents of a run, shared by its frames. */
interface Pool {
  rarity: Rarity;
  index: PrecedentIndex;
}

const pools = new WeakMap<readonly CasePrecedent[], Pool>();

function poolOf(precedents: readonly CasePrecedent[], positive: string): Pool {
  let pool = pools.get(precedents);
  if (pool === undefined) {
    const rarity = new Rarity(precedents);
    pool = { rarity, index: new PrecedentIndex(precedents, positive, rarity) };
    pools.set(precedents, pool);
  }
  return pool;
}

function prepare(frame: CaseFrame): PreparedFrame {
  const { precedents, allPrecedents, actions } = frame;
  const pool = poolOf(allPrecedents ?? precedents, actions.positive);
  const book = readRules(frame.rules);
  const checkable = precedents.filter(({ text }) => isCheckable(text)).length;
  return {
    frame,
    book,
    own: allPrecedents ? new PrecedentIndex(precedents, actions.positive, pool.rarity) : pool.index,
    everyone: allPrecedents ? pool.index : null,
    rarity: pool.rarity,
    ruleScale: ruleScaleOf(book, frame),
    usuallyCheckable: (checkable + 0.5) / (precedents.length + 2),
    citations: new Citations(frame, book),
  };
}

/** Before any precedent was seen: the strength that content has by chance, and one unit of log-odds a unit of strength. */
const USUAL_RULES = { centre: 1, deviation: 1, slope: 1, count: 16 };
/** Without rules nothing can be broken, whatever precedents say. */
const NO_RULES: Scale = { centre: 2, deviation: 1, slope: 1 };
/** Precedents whose strengths are taken. */
const MOST_WEIGHED = 100;

function ruleScaleOf(book: RuleBook, { precedents, actions }: CaseFrame): Scale {
  if (book.rules.length === 0) return NO_RULES;
  const strengths: [number[], number[]] = [[], []];
  const step = Math.max(1, Math.ceil(precedents.length / MOST_WEIGHED));
  for (let i = 0; i < precedents.length; i += step) {
    const { text, decision } = precedents[i]!;
    strengths[decision === actions.positive ? 1 : 0].push(ruleStrength(weigh(book, viewContent(contentParts(text)))));
  }
  return scaleOf(...strengths, USUAL_RULES);
}
