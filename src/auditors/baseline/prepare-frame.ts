import type { CaseFrame, CasePrecedent } from "../../core/records/case.js";
import { contentParts } from "../../core/records/decision.js";
import { Citations } from "./citations.js";
import { isCheckable, viewContent } from "./content-view.js";
import { PrecedentIndex, rarityOf } from "./precedent-index.js";
import { type RuleBook, readRules } from "./read-rules.js";
import { type Scale, scaleOf } from "./scale.js";
import { ruleStrength, weigh } from "./weigh.js";

/** Everything about a frame that does not depend on the content. */
export interface PreparedFrame {
  book: RuleBook;
  own: PrecedentIndex;
  /** Precedents of every community; null where only those of this one are known. */
  everyone: PrecedentIndex | null;
  rarity: Float64Array;
  /** What the strength of the rules' case counts here. */
  ruleScale: Scale;
  /** Share of the precedents that state something that can be verified. */
  usuallyCheckable: number;
  citations: Citations;
}

const frames = new WeakMap<CaseFrame, PreparedFrame>();
/** The precedents of a run, shared by its frames. */
const pools = new WeakMap<readonly CasePrecedent[], { rarity: Float64Array; index: PrecedentIndex }>();

/** Prepares a frame, once. */
export function prepareFrame(frame: CaseFrame): PreparedFrame {
  return known(frames, frame, () => prepare(frame));
}

function known<K extends object, V>(made: WeakMap<K, V>, key: K, make: () => V): V {
  const value = made.get(key) ?? make();
  if (!made.has(key)) made.set(key, value);
  return value;
}

function prepare(frame: CaseFrame): PreparedFrame {
  const { precedents, allPrecedents, actions } = frame;
  const pooled = allPrecedents ?? precedents;
  const { rarity, index } = known(pools, pooled, () => {
    const rarity = rarityOf(pooled);
    return { rarity, index: new PrecedentIndex(pooled, actions.positive, rarity) };
  });
  const book = readRules(frame.rules);
  const checkable = precedents.filter(({ text }) => isCheckable(text)).length;
  return {
    book,
    own: allPrecedents ? new PrecedentIndex(precedents, actions.positive, rarity) : index,
    everyone: allPrecedents ? index : null,
    rarity,
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
