import type { Token } from "../../core/records/case.js";
import { utf8Width } from "../../text/printable.js";
import { type Alignment, locateTokens } from "./align-tokens.js";
import { candidatesAt, isInformative, largestLogprob, probability } from "./candidates.js";
import type { FieldSpan } from "./read-trace.js";

export interface CitationEntropy {
  /** H[κ], mean bits per token. */
  bits: number;
  /** Tokens with a distribution, so that bits · tokens is their sum. */
  tokens: number;
  /** Mean probability outside the listed candidates. */
  tail_mass: number;
  /** The citation token by token, as written (JSON escapes kept), with each token's bits. */
  spans: [string, number][];
}

/**
 * Citation span entropy H[κ]: how uncertain the auditor was, token by token, about the words of its citation.
 *
 * Formula: H[κ] = (1/n) Σ_i H_i, H_i = log2 Z_i - (1/Z_i) Σ_v q_v log2 q_v over the listed candidates v of token i, Z_i = Σ_v q_v.
 * Range: bits per token, [0, log2 k]; higher is less certain. Usually below the entropy over the whole vocabulary; `tail_mass` is the share that
 * was not listed.
 * Undefined when: the citation is empty, or none of its tokens has candidates (null).
 * Differs from the paper: bits (the paper writes `log` and prints bits); the chosen token is among the candidates even if the provider left it out;
 * a whole vocabulary, listed or summarised by the auditor (`Token.bits`), is not cut to 20. Tokens without candidates are left out of the mean.
 * @see paper §4.2 eq. (hkappa), Appendix A.2 and B
 * @example citationEntropy([{ text: "R1", logprob: 0, top: [{ text: "R1", logprob: 0 }] }], { starts: [0], ends: [2], loose: null }, "R1", { start: 0, end: 2, charStart: 0, charEnd: 2 }).bits // => 0
 */
export function citationEntropy(
  tokens: readonly Token[],
  alignment: Pick<Alignment, "starts" | "ends" | "loose">,
  text: string,
  span: FieldSpan,
  temperature = 1,
): CitationEntropy | null {
  const range = locateTokens(alignment, span);
  const cursor = new Cursor(text, span);
  const spans: [string, number][] = [];
  let sumBits = 0;
  let sumTail = 0;
  for (let i = range.first; i < range.end; i++) {
    const start = alignment.starts[i]!;
    const end = alignment.ends[i]!;
    if (end <= start) continue;
    // Tokens of one gap share its range: the text goes to the last of them, as a split character goes to its last token.
    const sharesGap = alignment.loose?.[i] === 1 && i + 1 < range.end && alignment.ends[i + 1] === end;
    const from = cursor.advance(start);
    const to = sharesGap ? from : cursor.advance(end);
    const entropy = tokenEntropy(tokens[i]!, temperature);
    if (entropy === null) continue;
    sumBits += entropy.bits;
    sumTail += entropy.tail;
    spans.push([text.slice(from, to), Math.round(entropy.bits * SPAN_PRECISION) / SPAN_PRECISION]);
  }
  const n = spans.length;
  return n === 0 ? null : { bits: sumBits / n, tokens: n, tail_mass: sumTail / n, spans };
}

/** Bits of single tokens are rounded to five decimals for display; full numbers would add a fifth to a run's size. The mean is exact. */
const SPAN_PRECISION = 1e5;

/** Converts increasing byte offsets into string offsets inside a span. A character counts once all its bytes are passed. */
class Cursor {
  private chars: number;
  private bytes: number;
  private readonly ascii: boolean;

  constructor(
    private readonly text: string,
    private readonly span: FieldSpan,
  ) {
    this.chars = span.charStart;
    this.bytes = span.start;
    this.ascii = span.end - span.start === span.charEnd - span.charStart;
  }

  advance(byte: number): number {
    const to = Math.min(byte, this.span.end);
    if (this.ascii) {
      if (to > this.bytes) {
        this.chars += to - this.bytes;
        this.bytes = to;
      }
      return this.chars;
    }
    while (this.chars < this.span.charEnd && this.bytes + utf8Width(this.text, this.chars) <= to) {
      this.bytes += utf8Width(this.text, this.chars);
      this.chars++;
    }
    return this.chars;
  }
}

/** Null if no candidates were requested: the chosen token's own probability says nothing about the others. */
function tokenEntropy(token: Token, temperature: number): { bits: number; tail: number } | null {
  if (token.bits !== undefined) return { bits: token.bits, tail: 0 };
  if (token.top.length === 0) return null;
  const candidates = candidatesAt(token);
  // Entropy needs no constant, so tempered logprobs are raised to T without the renormalisation of temperToUnit. They are taken relative to the
  // largest because a high temperature times a low logprob could underflow every term.
  const largest = temperature === 1 ? 0 : largestLogprob(candidates);
  let listed = 0;
  let total = 0;
  let weighted = 0;
  for (let i = 0; i < candidates.length; i++) {
    const { logprob } = candidates[i]!;
    if (!isInformative(logprob)) continue;
    const p = probability(logprob);
    listed += p;
    const scaled = temperature === 1 ? Math.min(0, logprob) : temperature * (logprob - largest);
    const q = temperature === 1 ? p : Math.exp(scaled);
    total += q;
    weighted += q * scaled;
  }
  if (!(total > 0)) return null;
  const bits = (Math.log(total) - weighted / total) / Math.LN2;
  return { bits: Math.max(0, bits), tail: Math.max(0, 1 - listed) };
}

/**
 * The text by which two citations are compared: compatibility forms (NFKC), lower case, and every run of characters other than letters and digits
 * as one space. Different words for the same rule stay distinct; callers that know the rules can group by them instead.
 * @example normaliseCitation(" “R3”: No  LINKS.") // => "r3 no links"
 */
export function normaliseCitation(citation: string): string {
  return citation
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
