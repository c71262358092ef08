import type { Generation, Token } from "../../core/records/generation.js";
import { alignTokens, locateTokens } from "./align-tokens.js";
import { locateLabel } from "./read-labels.js";
import { readTrace } from "./read-trace.js";

/**
 * The same generation with candidates only where signals read them: at the three labels and inside the citation. `extractSignals`
 * gives the same for both, and what is kept on disk is some ten times smaller. Where one of the four places cannot be found, everything
 * stays: a later version may read such an answer better.
 */
export function trimGeneration(generation: Generation): Generation {
  const { text, tokens } = generation;
  if (tokens === null || tokens.length === 0) return generation;
  const { fields, ascii, tooLong } = readTrace(text);
  if (tooLong !== null) return { ...generation, tokens: null };
  const { defensibility_level, precedent_weight, inverse_check, policy_citation } = fields;
  if (!defensibility_level || !precedent_weight || !inverse_check || !policy_citation) return generation;
  const alignment = alignTokens(tokens, text, ascii, generation.joined);
  const labels = [defensibility_level, precedent_weight, inverse_check].map((span) => locateLabel(alignment, span));
  const citation = locateTokens(alignment, policy_citation);
  if (labels.includes(-1) || !citation.certain) return generation;
  const isRead = (at: number) => (at >= citation.first && at < citation.end) || labels.includes(at);
  // Where the texts alone give every place, no other bytes are read either.
  const byText = generation.joined === true && ascii;
  return { ...generation, tokens: tokens.map((token, at) => (isRead(at) ? token : withoutTop(token, byText))) };
}

const NO_TOP: Token["top"] = [];

function withoutTop(token: Token, withoutBytes: boolean): Token {
  const { text, logprob } = token;
  const bytes = withoutBytes ? undefined : token.bytes;
  return bytes === undefined ? { text, logprob, top: NO_TOP } : { text, bytes, logprob, top: NO_TOP };
}
