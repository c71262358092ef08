import { InputError } from "../../core/errors.js";
import { type Truth, truthSchema } from "../../core/records/truth.js";
import { fileError } from "../../io/files.js";
import { readLines } from "../../io/read-lines.js";
import type { CaseTruth } from "../../simulation/auditor/read-case.js";

/** The truth of one decision, as an auditor's draws need it. */
export interface KnownTruth extends CaseTruth {
  decision: string;
  decider: string | null;
  rule: { scope: "platform" | "community"; rule_id: string } | null;
  ambiguityScope: "platform" | "community" | null;
}

/** A verdict in three bits: level 1 to 3, and its inverse above. */
const VERDICT_BITS = 3;
const SCOPES = ["platform", "community"] as const;
/** Rows to begin with; doubled when full. */
const FIRST_ROWS = 4096;

/**
 * The truths of a workspace by decision, some 20 bytes each beside their ids: 193,273 of them as objects would take 300 MB.
 */
export class TruthTable {
  private readonly rows = new Map<string, number>();
  private verdicts = new Uint32Array(FIRST_ROWS);
  private contests = new Float64Array(FIRST_ROWS);
  private rules = new Int32Array(FIRST_ROWS);
  private actors = new Int32Array(FIRST_ROWS);
  private readonly ruleNames = new Interned<NonNullable<KnownTruth["rule"]>>();
  private readonly actorNames = new Interned<Pick<KnownTruth, "decision" | "decider">>();

  get size(): number {
    return this.rows.size;
  }

  has(decisionId: string): boolean {
    return this.rows.has(decisionId);
  }

  add(truth: Truth): void {
    const row = this.rows.get(truth.decision_id) ?? this.rows.size;
    if (row === this.verdicts.length) this.grow();
    this.rows.set(truth.decision_id, row);
    const { tiers, scopes } = truth;
    let packed = 1 + SCOPES.indexOf(truth.ambiguity_scope as "platform");
    for (const verdict of [truth, tiers.title, tiers.sidebar, tiers.wiki, scopes.platform, scopes.community]) {
      packed = (packed << VERDICT_BITS) | (verdict.level + (verdict.inverse ? 4 : 0));
    }
    this.verdicts[row] = packed;
    this.contests[row] = truth.contest;
    const { rule, decision, decider = null } = truth;
    this.rules[row] = rule
      ? this.ruleNames.index(`${rule.scope}\u0000${rule.rule_id}`, () => ({ scope: rule.scope, rule_id: rule.rule_id }))
      : -1;
    this.actors[row] = this.actorNames.index(`${decision}\u0000${decider ?? ""}`, () => ({ decision, decider }));
  }

  get(decisionId: string): KnownTruth | null {
    const row = this.rows.get(decisionId);
    if (row === undefined) return null;
    const packed = this.verdicts[row]!;
    const verdict = (place: number) => VERDICTS[(packed >>> (VERDICT_BITS * place)) & 7]!;
    const { decision, decider } = this.actorNames.at(this.actors[row]!);
    const { level, inverse } = verdict(5);
    const ambiguity = packed >>> (6 * VERDICT_BITS);
    return {
      level,
      inverse,
      tiers: { title: verdict(4), sidebar: verdict(3), wiki: verdict(2) },
      scopes: { platform: verdict(1), community: verdict(0) },
      contest: this.contests[row]!,
      decision,
      decider,
      rule: this.rules[row]! < 0 ? null : this.ruleNames.at(this.rules[row]!),
      ambiguityScope: ambiguity === 0 ? null : SCOPES[ambiguity - 1]!,
    };
  }

  private grow(): void {
    const rows = 2 * this.verdicts.length;
    this.verdicts = copied(this.verdicts, new Uint32Array(rows));
    this.contests = copied(this.contests, new Float64Array(rows));
    this.rules = copied(this.rules, new Int32Array(rows));
    this.actors = copied(this.actors, new Int32Array(rows));
  }
}

/** By their three bits. */
const VERDICTS = Array.from({ length: 8 }, (_, bits) => ({ level: (bits & 3) as 1 | 2 | 3, inverse: bits >= 4 }));

function copied<T extends Uint32Array | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from as never);
  return to;
}

/** Things of which there are few, by number. */
class Interned<T> {
  private readonly numbers = new Map<string, number>();
  private readonly things: T[] = [];

  index(name: string, make: () => T): number {
    let known = this.numbers.get(name);
    if (known === undefined) {
      known = this.things.push(make()) - 1;
      this.numbers.set(name, known);
    }
    return known;
  }

  at(index: number): T {
    return this.things[index]!;
  }
}

/** Every line of a truth file. A line that does not fit ends the reading: a truth that is half there is none. */
export async function readTruthTable(path: string): Promise<TruthTable> {
  const table = new TruthTable();
  let checked = 0;
  try {
    for await (const lines of readLines(path)) {
      for (const line of lines) {
        const truth = parse(line.text);
        // Whole checks of the first lines and quick ones of the rest: the file is written by one command, or damaged.
        if (!isTruth(truth) || (checked++ < 100 && !truthSchema.safeParse(truth).success)) {
          throw new InputError(
            "bad_truth",
            `${path}, line ${line.number}: not the truth of a decision`,
            "Make the world again with `defensible simulate`.",
          );
        }
        table.add(truth);
      }
    }
  } catch (cause) {
    throw fileError(cause, path);
  }
  return table;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isTruth(value: unknown): value is Truth {
  const truth = value as Partial<Truth> | null;
  if (typeof truth !== "object" || truth === null) return false;
  const { tiers, scopes } = truth;
  return (
    typeof truth.decision_id === "string" &&
    typeof truth.decision === "string" &&
    typeof truth.contest === "number" &&
    [truth, tiers?.title, tiers?.sidebar, tiers?.wiki, scopes?.platform, scopes?.community].every(
      (verdict) => verdict !== undefined && [1, 2, 3].includes(verdict.level!) && typeof verdict.inverse === "boolean",
    )
  );
}
