import type { ReportAgainst } from "../../../core/results/report.js";
import type { PageDecision, ReportPage } from "../../../measures/report-page.js";
import { filterDecisions, NO_FILTERS } from "../decision-list.js";
import { type Judged, judgedOf } from "../judged.js";
import { byCount, whole } from "../numbers.js";
import { numberAt, type Piece, type Sentence, sentence } from "../sentence.js";

/** Decisions that an action is about, and what bears the auditor out in them. */
export interface ToConfirm {
  /** How many there are in the whole report. */
  decisions: number;
  /** The filters of the list of decisions that find them. */
  query: Readonly<Record<string, string>>;
  /** Whether a judgement by gold or people bears the auditor out. */
  confirms: (judged: Judged, decision: PageDecision) => boolean;
  /** Where the report itself has counted that. */
  counted?: keyof NonNullable<ReportAgainst["confirmed"]>;
  /** What somebody who bears it out does; "confirms" unless said. */
  says?: (confirmed: Piece) => Sentence;
}

/**
 * How many of an action's decisions gold or people confirm, as a sentence to be added. Counted by the report where it has it, else over the
 * listed decisions if all that the action is about are among them: those that a page lists are no fair part of a run. Empty otherwise.
 */
export function confirmedSentence(page: ReportPage, of: ToConfirm): Sentence {
  const { against } = page.report;
  const known = of.counted && against?.confirmed?.[of.counted];
  if (known && known.estimate !== null && (against.target === "gold" || against.target === "human")) {
    const at = `/report/against/confirmed/${of.counted}`;
    const by = against.target === "gold" ? "Gold" : "People's own judgement";
    return told(of, by, {
      n: known.n,
      k: known.k ?? 0,
      shownN: numberAt(`${at}/n`, "whole"),
      shownK: numberAt(`${at}/k`, "whole"),
    });
  }
  const found = filterDecisions(page.decisions, { ...NO_FILTERS, ...of.query });
  const judged = found.flatMap((decision) => {
    const one = judgedOf(decision);
    return one ? [{ by: one.by, isConfirmed: of.confirms(one, decision) }] : [];
  });
  if (found.length !== of.decisions || judged.length === 0) return [];
  const k = judged.filter(({ isConfirmed }) => isConfirmed).length;
  const by = judged.every((one) => one.by === "gold") ? "Gold" : "People's own judgement";
  return told(of, by, { n: judged.length, k, shownN: whole(judged.length), shownK: whole(k) });
}

function told(
  { decisions, says = (count) => sentence`confirms ${count}` }: ToConfirm,
  by: string,
  { n, k, shownN, shownK }: { n: number; k: number; shownN: Piece; shownK: Piece },
): Sentence {
  // Where most are not borne out, whoever acts on the number alone acts on the auditor's errors.
  const warning = 2 * k < n ? `: look at ${byCount(decisions, "it", "them")} before acting` : "";
  if (decisions === 1 && n === 1) return sentence` ${by} ${k === 1 ? "confirms" : "does not confirm"} it.`;
  return sentence` ${by}, known of ${shownN} of them, ${says(shownK)}${warning}.`;
}
