import type { ReadHasher } from "../../audit/arms.js";
import { Frames, PrecedentShelves } from "../../audit/frames.js";
import { RuleBook, type RulesInForce } from "../../audit/rules-in-force.js";
import type { Config } from "../../core/config.js";
import type { Audit } from "../../core/records/audit.js";
import type { CaseFrame } from "../../core/records/case.js";
import type { Decision, Precedent } from "../../core/records/decision.js";
import type { Tier } from "../../core/records/rule-set.js";
import type { Context } from "../../store/context.js";

export interface Framed {
  rules: RulesInForce;
  frame: CaseFrame;
  /** Why this is not what the auditor read; null: unchanged. */
  changed: "content_changed" | "rules_changed" | null;
}

/** The rules and precedents that audits were made under. */
export class Framing {
  private readonly frames = new Map<Tier, Frames>();

  private constructor(
    private readonly book: RuleBook,
    private readonly shelves: PrecedentShelves,
    private readonly actions: Config["actions"],
    private readonly hasher: ReadHasher | null,
  ) {}

  /** @param community limits the precedents to those of this community */
  static async open(
    { records, config, findHasher }: Pick<Context, "records" | "config" | "findHasher">,
    community?: string,
  ): Promise<Framing> {
    const sets = (await records.rules()).map(({ set }) => set);
    const precedents: Precedent[] = [];
    for await (const batch of records.precedents()) {
      precedents.push(...(community === undefined ? batch : batch.filter((one) => one.community === community)));
    }
    return new Framing(new RuleBook(sets), new PrecedentShelves(precedents), config.actions, await findHasher());
  }

  of(decision: Decision, audit: Pick<Audit, "ruleset_version" | "tier" | "read">): Framed {
    const named = { ...decision, ruleset_version: audit.ruleset_version ?? decision.ruleset_version };
    const rules = this.book.inForce(named);
    const { frame } = this.framesOf(audit.tier).of(decision.community, rules);
    return { rules, frame, changed: this.changeOf(decision, audit, rules, frame) };
  }

  /** The rules of the version that an audit names; null: they are gone. */
  frame(community: string, version: string | null, tier: Tier): CaseFrame | null {
    const rules = this.book.inForce({ community, ruleset_version: version });
    return version !== null && rules.version !== version ? null : this.framesOf(tier).of(community, rules).frame;
  }

  private framesOf(tier: Tier): Frames {
    const known = this.frames.get(tier);
    if (known) return known;
    const frames = new Frames(this.shelves, tier, this.actions);
    this.frames.set(tier, frames);
    return frames;
  }

  private changeOf(
    { content }: Decision,
    { ruleset_version, read }: Pick<Audit, "ruleset_version" | "read">,
    { version }: RulesInForce,
    frame: CaseFrame,
  ): Framed["changed"] {
    if (version !== (ruleset_version ?? version)) return "rules_changed";
    if (!this.hasher || !read) return null;
    if (this.hasher.content(content) !== read.content) return "content_changed";
    return this.hasher.frame(frame).rules === read.rules ? null : "rules_changed";
  }
}
