import type { Token } from "../../domain/generation.js";
import { shortened } from "./citation-texts.js";
import { jsonText } from "./harmless.js";
import type { PreparedFrame } from "./prepare-frame.js";
import { plainTokens } from "./trace-writer.js";

/** Sentences about a clause are the same for many decisions: each is cut once. */
export class ClauseSentences {
  private readonly considered: (readonly Token[] | undefined)[] = [];
  private readonly otherwise: (readonly Token[] | undefined)[] = [];

  constructor(private readonly frame: Pick<PreparedFrame, "rules" | "ruleOfClause">) {}

  /** `Considered community rule R3 "No links", which says "…".` */
  consideration(clause: number): readonly Token[] {
    this.considered[clause] ??= plainTokens(`Considered ${this.name(clause)}, which says \\"${this.quote(clause)}\\".`);
    return this.considered[clause]!;
  }

  /** ` Against that, the rule also says "…"` */
  objection(clause: number): readonly Token[] {
    this.otherwise[clause] ??= plainTokens(` On the other side ${this.name(clause)} says \\"${this.quote(clause)}\\"`);
    return this.otherwise[clause]!;
  }

  private name(clause: number): string {
    const { rule } = this.frame.rules[this.frame.ruleOfClause[clause]!]!;
    return jsonText(`${rule.scope} rule ${rule.id}`);
  }

  private quote(clause: number): string {
    const { clauses } = this.frame.rules[this.frame.ruleOfClause[clause]!]!;
    const text = clauses.find(({ index }) => index === clause)!.text;
    return jsonText(shortened(text).replaceAll('"', "'"));
  }
}
