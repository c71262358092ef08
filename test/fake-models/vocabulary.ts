import { loadBytePairVocabulary } from "./byte-pair-vocabulary.js";
import { sentencePieceVocabulary } from "./sentence-piece-vocabulary.js";

/** A token of a vocabulary: what a model draws. Its bytes need not be whole characters. */
export interface VocabularyToken {
  id: number;
  bytes: Uint8Array;
  /** A control token such as `<|end|>`: it prints, but stands for no text. */
  special?: string;
}

export interface Vocabulary {
  readonly name: VocabularyName;
  readonly size: number;
  encode(text: string): VocabularyToken[];
  /** null: the id is not in use. */
  token(id: number): VocabularyToken | null;
  readonly end: VocabularyToken;
}

export const VOCABULARIES = ["o200k", "cl100k", "sentence-piece"] as const;
export type VocabularyName = (typeof VOCABULARIES)[number];

const loaded = new Map<VocabularyName, Promise<Vocabulary>>();

/** Byte-pair tables take 60 MB: each is loaded once, when asked for. */
export function loadVocabulary(name: VocabularyName): Promise<Vocabulary> {
  let vocabulary = loaded.get(name);
  if (!vocabulary) {
    vocabulary = name === "sentence-piece" ? Promise.resolve(sentencePieceVocabulary()) : loadBytePairVocabulary(name);
    loaded.set(name, vocabulary);
  }
  return vocabulary;
}
