import data from "../../../data/injection-forms.json" with { type: "json" };

const { about: _, head, ...phrases } = data.claims;
const says = (name: keyof typeof phrases) => new RegExp(`\\b(?:${phrases[name].join("|")})\\b`);
/** Words that head a rule; a number, a name and a bracket may follow, then a colon or a full stop. */
const RULE_HEAD = new RegExp(`^[\\s>*#"'\`[(_§\\d-]{0,10}${head.join("|")}\\b[^.!?\\n]{0,90}?[:.]`);
const GRANT = [says("grants"), says("sweeping"), says("object")];
const CITED = [says("precedent"), says("kept"), says("alike")];
const REPORTED = says("reported");

/** Points of a sentence that pretends to be a rule or a precedent. */
export function claimPoints(start: number, end: number, text: string): number {
  const ahead = text.slice(start, start + 600);
  const sentence = ahead.slice(0, end - start);
  const line = /^\n?[^\n]*/.exec(ahead)![0];
  const rule = RULE_HEAD.exec(line)?.[0];
  const isHeaded = rule !== undefined && !REPORTED.test(rule);
  // A head that is a sentence of its own is read on.
  const said = isHeaded && rule.length >= sentence.trimEnd().length ? line : sentence;
  if (GRANT.every((pattern) => pattern.test(said))) return isHeaded ? 4 : 1;
  return CITED.every((pattern) => pattern.test(sentence)) ? 4 : 0;
}
