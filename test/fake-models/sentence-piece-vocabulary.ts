import type { Vocabulary, VocabularyToken } from "./vocabulary.js";

/** Single characters that are pieces of their own; any other falls back to its bytes. */
const CHARACTERS =
  " \n\tabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;!?'\"()[]{}<>/\\|@#$%^&*-_=+~`éèäöüß";

/** Pieces as a vocabulary of 32,000 splits English: `Medium` and `Low` are two of them, `High`, `Yes` and `No` one. */
const PIECES = (
  'High Med ium L ow Yes No yes no Y N H M {" ":" "," "} ": ," preced ent _ weight inverse check ' +
  "def ens ibility level logic chain policy c itation null ing ed er tion s t ly al re un in on an or es ar le ic it " +
  "The This It A An In On Rule Post Users user post rule rules link links content comment community platform decision " +
  "remove approve allow allows forbid forbids require requires must not is are was be to of and the a in on for with by " +
  "as that this it at from but no any all each its own only spam hate speech harass ment person al attack attacks name " +
  "calling adver tis ing self promotion off topic low effort source sources title titles language civil respect fully " +
  "Section section R P 10 11 12 20 True False true false yes_ maybe High er Higher Lower Some None Not Now Never"
).split(" ");

/** Words that come with their space, as most do in running text. */
const SPACED = PIECES.filter((piece) => /^[A-Za-z]{2,}$/.test(piece)).map((piece) => ` ${piece}`);

/**
 * A vocabulary in the manner of SentencePiece: the longest piece first, no merging across delimiters that it does not know, and byte
 * tokens for characters outside it, so that one character can be several tokens.
 */
export function sentencePieceVocabulary(): Vocabulary {
  const utf8 = new TextEncoder();
  const tokens: VocabularyToken[] = Array.from({ length: 256 }, (_, byte) => ({
    id: byte,
    bytes: Uint8Array.of(byte),
  }));
  const ids = new Map<string, number>();
  for (const piece of [...CHARACTERS, ...PIECES, ...SPACED]) {
    if (ids.has(piece)) continue;
    ids.set(piece, tokens.length);
    tokens.push({ id: tokens.length, bytes: utf8.encode(piece) });
  }
  const longest = Math.max(...[...ids.keys()].map((piece) => piece.length));

  function encode(text: string): VocabularyToken[] {
    const pieces: VocabularyToken[] = [];
    let at = 0;
    while (at < text.length) {
      let length = Math.min(longest, text.length - at);
      while (length > 0 && !ids.has(text.slice(at, at + length))) length--;
      if (length > 0) {
        pieces.push(tokens[ids.get(text.slice(at, at + length))!]!);
        at += length;
      } else {
        const character = String.fromCodePoint(text.codePointAt(at)!);
        for (const byte of utf8.encode(character)) pieces.push(tokens[byte]!);
        at += character.length;
      }
    }
    return pieces;
  }

  return {
    name: "sentence-piece",
    size: tokens.length,
    encode,
    token: (id) => tokens[id] ?? null,
    end: { id: tokens.length + 1, bytes: new Uint8Array(0), special: "</s>" },
  };
}
