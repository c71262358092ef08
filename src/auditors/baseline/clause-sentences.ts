import { type Passage, passage } from "../trace-passages.js";
import { shortened } from "./citation-texts.js";
import { jsonText } from "./harmless.js";
import type { PreparedFrame } from "./prepare-frame.js";

/** Sentences about a clause are the same for many decisions: each is cut once. */
export class ClauseSentences {
  private readonly considered: (Passage | undefined)[] = [];
  private readonly otherwise: (Passage | undefined)[] = [];

  constructor(private readonly frame: Pick<PreparedFrame, "rules" | "ruleOfClause">) {}

  /** `Considered community rule R3 "No links", which says "…".` */
  consideration(clause: number): Passage {
    this.considered[clause] ??= passage(`Considered ${this.name(clause)}, which says \\"${this.quote(clause)}\\".`);
    return this.considered[clause]!;
  }

  /** ` Against that, the rule also says "…"` */
  objection(clause: number): Passage {
    this.otherwise[clause] ??= passage(` On the other side ${this.name(clause)} says \\"${this.quote(clause)}\\"`);
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
