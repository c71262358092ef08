/** One candidate for a token position, with its natural-log probability. */
export interface Alternative {
  text: string;
  /** True bytes where the provider gives them: `text` may be lossy for half a UTF-8 character. */
  bytes?: Uint8Array | null;
  logprob: number;
}

/** A generated token. `top` holds the likeliest candidates at its position, best first; empty where nobody asked. */
export interface Token extends Alternative {
  top: readonly Alternative[];
  /** Entropy in bits over the whole vocabulary at temperature 1, where it is known although `top` is only a part of it. */
  bits?: number;
}

/** What an auditor returned for one case, in one form for every provider. */
export interface Generation {
  text: string;
  /** null: the provider gave no probabilities. */
  tokens: readonly Token[] | null;
  /** The tokens' texts joined are `text`, by construction: nothing has to be laid over anything. Absent: it has to be found out. */
  joined?: boolean;
  /** `too_long`: it was larger than what is held of an answer, and was not read to its end. */
  finish: "stop" | "length" | "refusal" | "filter" | "too_long";
  /** Whether logprobs are of the raw distribution or of the one after temperature. */
  space: "raw" | "tempered" | "unknown";
  temperature: number;
  /** What entropies are over: the k candidates, or the whole vocabulary. */
  support: "top_k" | "vocab";
  model: string;
  usage: {
    input_tokens: number | null;
    cached_input_tokens: number | null;
    output_tokens: number | null;
    cost_usd: number | null;
  };
}
