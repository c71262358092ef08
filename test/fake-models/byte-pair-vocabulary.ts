import type { Vocabulary, VocabularyToken } from "./vocabulary.js";

const utf8 = new TextEncoder();

/** The vocabularies of OpenAI's models, with the true bytes of each token. */
export async function loadBytePairVocabulary(name: "o200k" | "cl100k"): Promise<Vocabulary> {
  const [{ encode }, { default: ranks }] =
    name === "o200k"
      ? await Promise.all([import("gpt-tokenizer/encoding/o200k_base"), import("gpt-tokenizer/bpeRanks/o200k_base")])
      : await Promise.all([import("gpt-tokenizer/encoding/cl100k_base"), import("gpt-tokenizer/bpeRanks/cl100k_base")]);
  const token = (id: number): VocabularyToken | null => {
    const entry = ranks[id];
    if (entry === undefined) return null;
    return { id, bytes: typeof entry === "string" ? utf8.encode(entry) : Uint8Array.from(entry) };
  };
  return {
    name,
    size: ranks.length,
    encode: (text) => encode(text).map((id) => token(id)!),
    token,
    end: { id: ranks.length + 1, bytes: new Uint8Array(0), special: "<|end|>" },
  };
}
