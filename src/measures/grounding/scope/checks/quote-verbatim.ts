import { quotedSpans } from "../../quoted-spans.js";
import { type Check, fail, pass, shortly, skip } from "./finding.js";

/** What stands in quotation marks is said there word for word: in a citation by a rule or precedent, in the reasoning by the content as well. */
export const quoteVerbatim: Check = ({ cited, chain, input: { frame, content } }) => {
  const body = [content.title, content.body, ...content.context].join("\n");
  const inCitation = quotedSpans(cited, frame, body);
  const inChain = quotedSpans(chain, frame, body);
  if (inCitation.length + inChain.length === 0) return skip("Nothing is quoted.");
  const foreign = inCitation.find(({ source }) => source?.kind === "content");
  if (foreign) return fail(`"${shortly(foreign.text)}" is cited as a rule, and stands in the content alone.`);
  const invented = [...inCitation, ...inChain].find(({ source }) => source === null);
  if (invented) return fail(`No rule, precedent or content says "${shortly(invented.text)}".`);
  return pass("What is quoted is said word for word.");
};
