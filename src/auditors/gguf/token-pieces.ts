import { encodeUtf8 } from "../../text/printable.js";

/** A vocabulary as the model's file holds it. */
export interface Vocabulary {
  tokens: readonly string[];
  /** Numbers of the format: see `TokenType`. */
  types: readonly number[];
  /** Bytes are written as letters (GPT-2's way: `Ġ` is a space); else a space is `▁` (SentencePiece's way). */
  byteLevel: boolean;
}

export const TokenType = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 } as const;

/** A token's text and, where the text does not tell them, its true bytes. */
export interface Piece {
  text: string;
  bytes: Uint8Array;
  /** The text's UTF-8 is not what the token means, or would be taken for something else: half a character, a spelled `\xe9`. */
  lossy: boolean;
}

/**
 * What each token means. The engine's own `detokenize` gives strings, in which half a character is lost, and drops a leading space; so
 * the pieces are read from the vocabulary as llama.cpp reads them. Each is made when it is first asked for.
 */
export class TokenPieces {
  private readonly pieces: (Piece | undefined)[] = [];

  constructor(private readonly vocabulary: Vocabulary) {}

  piece(id: number): Piece {
    const known = this.pieces[id];
    if (known !== undefined) return known;
    const { tokens, types, byteLevel } = this.vocabulary;
    const bytes = pieceBytes(tokens[id] ?? "", types[id] ?? TokenType.normal, byteLevel);
    const text = decoder.decode(bytes);
    const lossy = text.includes("\uFFFD") || text.includes("\\x");
    const piece = { text, bytes, lossy };
    this.pieces[id] = piece;
    return piece;
  }

  join(ids: readonly number[]): { bytes: Uint8Array; ends: Int32Array } {
    const ends = new Int32Array(ids.length);
    let length = 0;
    for (let i = 0; i < ids.length; i++) {
      length += this.piece(ids[i]!).bytes.length;
      ends[i] = length;
    }
    const bytes = new Uint8Array(length);
    for (let i = 0; i < ids.length; i++) bytes.set(this.piece(ids[i]!).bytes, i === 0 ? 0 : ends[i - 1]);
    return { bytes, ends };
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

function pieceBytes(token: string, type: number, byteLevel: boolean): Uint8Array {
  if (type === TokenType.byte) {
    const hex = /^<0x([0-9a-f]{2})>$/i.exec(token);
    if (hex) return Uint8Array.of(Number.parseInt(hex[1]!, 16));
  }
  // Marks and added words are in the vocabulary as they are; the grammar of llama.cpp reads them so too.
  if (type === TokenType.control || type === TokenType.unknown || type === TokenType.userDefined) {
    return encodeUtf8(token);
  }
  return byteLevel ? byteLevelBytes(token) : encodeUtf8(token.replaceAll("▁", " "));
}

function byteLevelBytes(token: string): Uint8Array {
  const bytes: number[] = [];
  for (const letter of token) {
    const byte = BYTE_OF_LETTER.get(letter);
    if (byte !== undefined) bytes.push(byte);
    else bytes.push(...encodeUtf8(letter === "▁" ? " " : letter));
  }
  return Uint8Array.from(bytes);
}

/** GPT-2's letters for bytes: visible Latin-1 characters are themselves, the other 68 bytes are U+0100 and on, in their order. */
const BYTE_OF_LETTER: ReadonlyMap<string, number> = (() => {
  const letters = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const visible = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    letters.set(String.fromCodePoint(visible ? byte : next++), byte);
  }
  return letters;
})();
