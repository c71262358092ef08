import { InputError } from "../../core/errors.js";
import { type TrueVerdict, type Truth, truthSchema } from "../../core/records/label.js";
import { parsedJson } from "../../core/text-checks.js";
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

/** The truths of a workspace by decision. What many of them have in common is kept once: 193,273 of them as they are read would take 300 MB. */
export class TruthTable {
  private readonly truths = new Map<string, KnownTruth>();
  private readonly shared = new Map<string, object>();

  get size(): number {
    return this.truths.size;
  }

  add({ decision_id, level, inverse, tiers, scopes, contest, decision, decider, rule, ambiguity_scope }: Truth): void {
    const { title, sidebar, wiki } = tiers;
    const { platform, community } = scopes;
    this.truths.set(decision_id, {
      level,
      inverse,
      tiers: this.share(`t${keyOf(title)}${keyOf(sidebar)}${keyOf(wiki)}`, {
        title: verdictOf(title),
        sidebar: verdictOf(sidebar),
        wiki: verdictOf(wiki),
      }),
      scopes: this.share(`s${keyOf(platform)}${keyOf(community)}`, {
        platform: verdictOf(platform),
        community: verdictOf(community),
      }),
      contest,
      decision: this.shareText(decision),
      decider: decider == null ? null : this.shareText(decider),
      rule: rule && this.share(`r${rule.scope} ${rule.rule_id}`, { scope: rule.scope, rule_id: rule.rule_id }),
      ambiguityScope: ambiguity_scope,
    });
  }

  get(decisionId: string): KnownTruth | null {
    return this.truths.get(decisionId) ?? null;
  }

  /** The first value with this key. */
  private share<T extends object>(key: string, value: T): T {
    const known = this.shared.get(key) as T | undefined;
    if (known === undefined) this.shared.set(key, value);
    return known ?? value;
  }

  private shareText(text: string): string {
    return this.share(`n${text}`, { text }).text;
  }
}

function keyOf({ level, inverse }: TrueVerdict): number {
  return level + (inverse ? 4 : 0);
}

function verdictOf({ level, inverse }: TrueVerdict): TrueVerdict {
  return { level, inverse };
}

/** Every line of a truth file. A line that does not fit ends the reading: half a truth is not used. */
export async function readTruthTable(path: string): Promise<TruthTable> {
  const table = new TruthTable();
  let checked = 0;
  try {
    for await (const lines of readLines(path)) {
      for (const line of lines) {
        const truth = parsedJson(line.text);
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
