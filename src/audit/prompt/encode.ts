/**
 * Text of strangers as it stands in a prompt: one JSON string on one line. `JSON.parse` gives back exactly what was put in.
 *
 * Written as `\uXXXX` is whatever could be mistaken for something of ours or cannot be seen:
 * - control and format characters, line and paragraph separators, bidi controls, zero-width, tag and all other default-ignorable
 *   characters, private use, noncharacters, half surrogate pairs. The sets are those of Unicode, so they need no list to be kept.
 * - `<` and `>` with their wide and small forms (some tokenizers fold them): the turns of most chat templates are `<|…|>`,
 *   `<start_of_turn>` and the like.
 * - `[` before `/`, `|`, `@`, a word in capitals (`[INST]`, `[TOOL_CALLS]`, `[gMASK]`) or `e~[`, and `]` before `~`: the turns of the others.
 *
 * Line breaks and tabs are `\n` and `\t` as JSON writes them. Letters of every script stay as they are.
 */
export function encodeText(text: string): string {
  return JSON.stringify(text).replace(NOT_SHOWN, escapeUnits);
}

const NOT_SHOWN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}<>＜＞﹤﹥]|\[(?=[/|@]|e~\[|[a-z]?[A-Z_]{3,}\])|\](?=~)/gu;

function escapeUnits(character: string): string {
  let escaped = "";
  for (let i = 0; i < character.length; i++) {
    escaped += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
  }
  return escaped;
}
