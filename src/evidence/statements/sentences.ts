import words from "../../../data/statement-words.json" with { type: "json" };
import { nameOfScope, REDRESS, type StatementsConfig } from "../../core/records/statement.js";
import type { StatementBasis } from "./draft.js";
import { type DsaField, type DsaFields, END_OF, RESTRICTIONS } from "./dsa-schema.js";
import type { Hider } from "./hide.js";
import { cutTo, filled } from "./words.js";

/** What was restricted, where and for how long (Article 17(3)(a)), and how it was found and decided. `indefinite`: restrictions without an end. */
export function factsText(
  { decision, frame, rules }: StatementBasis,
  fields: DsaFields,
  indefinite: readonly DsaField[],
  hider: Hider,
): string {
  const { facts } = words;
  const community = hider.public(frame.community);
  const action = decision.decision;
  const date = fields.application_date;
  const said = <T extends object>(list: T, key: string | undefined) => (list as Record<string, string>)[key ?? ""];
  const versions = (["platform", "community"] as const)
    .flatMap((side) =>
      rules[side] ? filled(facts.version, { scope: words.scope[side], version: rules[side].version }) : [],
    )
    .join("; ");
  const kinds = RESTRICTIONS.filter((name) => fields[name] !== undefined);
  const done = kinds.length > 0 ? kinds : (["unknown"] as const);
  const restricted = done.map((kind) => {
    const what = filled(facts.what[kind], { community });
    return date ? filled(facts.restricted, { what, action, date }) : filled(facts.restricted_undated, { what, action });
  });
  const ends = kinds.map((kind) => {
    const what = facts.restriction_of[kind];
    const end = fields[END_OF[kind]];
    if (end !== undefined) return filled(facts.until, { what, date: end });
    return indefinite.includes(kind) && filled(facts.indefinite, { what });
  });
  const scope = fields.territorial_scope;
  const sentences = [
    ...restricted,
    ...ends,
    scope && filled(facts.territory, { scope: nameOfScope(scope) }),
    fields.content_language && filled(facts.language, { language: fields.content_language }),
    said(facts.source, fields.source_type),
    said(facts.detection, fields.automated_detection),
    said(facts.decision, fields.automated_decision),
    versions && filled(facts.rules, { versions }),
  ];
  return cutTo(hider.public(sentences.filter(Boolean).join(" ")), 5000);
}

/** How to contest a restriction. A complaint is not promised if the platform need not offer one. */
export function redressText({ complaint, redress: chosen }: StatementsConfig): string {
  const offered: readonly string[] = chosen ?? REDRESS;
  const { redress } = words;
  const where = complaint ? [filled(redress.where, { complaint })] : [];
  const sentences = {
    complaint: [redress.complaint, ...where],
    settlement: [redress.dispute],
    court: [redress.court],
  };
  const informal = complaint && !offered.includes("complaint") ? [filled(redress.informal, { complaint })] : [];
  return [...informal, ...REDRESS.flatMap((one) => (offered.includes(one) ? sentences[one] : []))].join(" ");
}
