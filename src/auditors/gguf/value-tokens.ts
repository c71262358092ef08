import { locateTokens } from "../../measures/signals/locate-tokens.js";
import { scanObject } from "../../measures/signals/scan-object.js";
import type { OutputFormat } from "../output-format.js";

/** The field whose every token is read; of the others the token where the choice is made. */
const CITATION = "policy_citation";

export interface ValueTokens {
  /** All of the citation. */
  citation: number[];
  /** The first of each label. */
  labels: number[];
}

/** Which tokens of an answer signals are read from. `ends` are the tokens' ends in bytes. A value that the answer broke off in has none. */
export function valueTokens(bytes: Uint8Array, ends: Int32Array, format: OutputFormat): ValueTokens {
  // One character for each byte: offsets in the text are offsets in bytes, whatever the bytes are.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const object = text.startsWith("{") ? scanObject(text, 0) : null;
  const starts = ends.map((_, i) => (i === 0 ? 0 : ends[i - 1]!));
  const found: ValueTokens = { citation: [], labels: [] };
  for (const member of object?.members ?? []) {
    const field = format.fields.find(({ name }) => name === member.key);
    if (field === undefined || !member.complete) continue;
    const { first, end } = locateTokens({ starts, ends, loose: null }, member);
    if (field.name === CITATION) for (let i = first; i < end; i++) found.citation.push(i);
    else if ((field.kind === "choice" || field.kind === "digit") && first < end) found.labels.push(first);
  }
  return found;
}

/** All of them, in order. */
export function allTokens({ citation, labels }: ValueTokens): number[] {
  return [...new Set([...citation, ...labels])].sort((a, b) => a - b);
}
