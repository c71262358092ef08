import type { ClauseReading, RuleReading } from "./read-frame.js";
import type { ScopeCase } from "./scope-case.js";
import { tellingWords } from "./telling-words.js";

/** A clause is the cited one where at least this share of its telling words stands in the citation. */
const CITED = 0.3;

/** The clause of a rule that the citation quotes; null: it names the rule alone. The title is the name, not a clause. */
export function citedClause({ cited }: Pick<ScopeCase, "cited">, { clauses }: RuleReading): ClauseReading | null {
  const words = tellingWords(cited);
  let best: ClauseReading | null = null;
  let most = CITED;
  for (const clause of clauses.slice(clauses.length > 1 ? 1 : 0)) {
    let all = 0;
    let said = 0;
    for (const { word, weight } of clause.words) {
      all += weight;
      if (words.has(word)) said += weight;
    }
    if (all > 0 && said / all > most) {
      most = said / all;
      best = clause;
    }
  }
  return best;
}
