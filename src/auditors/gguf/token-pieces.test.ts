import { describe, expect, it } from "vitest";
import { decodeUtf8, TokenPieces, TokenType } from "./chat-prompt.js";

const { normal, control, userDefined, byte } = TokenType;

function spm(tokens: readonly string[], types: readonly number[] = tokens.map(() => normal)): TokenPieces {
  return new TokenPieces({ tokens, types, byteLevel: false });
}

describe("TokenPieces", () => {
  it("reads SentencePiece's spaces and bytes", () => {
    const pieces = spm(["▁the", "▁▁", "<0xE9>", "é", "<0x41>"], [normal, normal, byte, normal, normal]);
    expect([0, 1, 3].map((id) => pieces.piece(id).text)).toEqual([" the", "  ", "é"]);
    expect(pieces.piece(2)).toMatchObject({ text: "\uFFFD", bytes: Uint8Array.of(0xe9), lossy: true });
    // Five letters that look like a byte, in a token that is none.
    expect(pieces.piece(4).text).toBe("<0x41>");
  });

  it("reads every byte of a byte-level vocabulary", () => {
    // GPT-2's table, from its definition: visible characters first, the others after them.
    const shown = [...range(33, 126), ...range(161, 172), ...range(174, 255)];
    const hidden = range(0, 255).filter((code) => !shown.includes(code));
    const letters = new Map([
      ...shown.map((code) => [code, String.fromCodePoint(code)] as const),
      ...hidden.map((code, i) => [code, String.fromCodePoint(256 + i)] as const),
    ]);
    const tokens = range(0, 255).map((code) => letters.get(code)!);
    const pieces = new TokenPieces({ tokens: [...tokens, "ĠhÃ©"], types: [], byteLevel: true });
    for (const code of range(0, 255)) expect([...pieces.piece(code).bytes]).toEqual([code]);
    expect(pieces.piece(256).text).toBe(" hé");
  });

  it("takes marks and added words as they stand", () => {
    const tokens = ["<|im_start|>", "Ġword", "▁x"];
    const types = [control, userDefined, userDefined];
    const pieces = new TokenPieces({ tokens, types, byteLevel: true });
    expect(tokens.map((_, id) => pieces.piece(id).text)).toEqual(tokens);
  });

  it("gives true bytes where a text could be read as spelled ones", () => {
    expect(spm(["\\xe9"]).piece(0)).toMatchObject({ text: "\\xe9", lossy: true });
    expect(spm(["High"]).piece(0).lossy).toBe(false);
  });

  it("joins half characters to whole ones and says where each token ends", () => {
    const { bytes, ends } = spm(["<0xC3>", "<0xA9>", "!"], [byte, byte, normal]).join([0, 1, 2]);
    expect(decodeUtf8(bytes)).toBe("é!");
    expect([...ends]).toEqual([1, 2, 3]);
  });

  it("has no text for a token that the vocabulary does not have", () => {
    expect(spm(["a"]).piece(7).text).toBe("");
  });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
