import { type Form, form } from "./form.js";

const TURN_TOKEN =
  /<\|[\s_\u2581]?[a-z0-9_\u2581 ]{1,40}\|>|<(?:start|end)_of_turn>|\[\/?inst\]|<<\/?sys>>|\[\/?(?:tool_results|tool_calls|available_tools|system_prompt)\]|<\/?s>/g;
const ROLE_AFTER = /[^\S\n]{0,2}(?:system|assistant|user|model|tool|developer|ipython)\b/y;
/** Characters between two marks that still belong to one forged conversation. */
const TURN_GAP = 400;

interface Mark {
  start: number;
  end: number;
  strong: boolean;
}

/** Special tokens of chat formats: ChatML, Llama, Gemma, Mistral and others. One that is merely named in running text says little. */
export function turnTokens(text: string): Form[] {
  const marks: Mark[] = [];
  for (const { 0: token, index } of text.matchAll(TURN_TOKEN)) {
    if (text[index - 1] === "`") continue;
    let end = index + token.length;
    ROLE_AFTER.lastIndex = end;
    const role = ROLE_AFTER.exec(text);
    if (role) end += role[0].length;
    const beginsLine = index === 0 || text[index - 1] === "\n";
    marks.push({ start: index, end, strong: token.length > 4 && (role !== null || beginsLine) });
  }
  return groups(marks, TURN_GAP)
    .filter((group) => group.some(({ start, end }) => end - start > 4))
    .map((group) => {
      const points = group.length > 1 || group[0]!.strong ? 4 : 2;
      return form("chat_turn", group[0]!.start, group.at(-1)!.end, points);
    });
}

const ROLE_TAG =
  /<\/?(system|assistant|developer|instructions?|function_results|function_calls|tool_results?|tool_response|tool_call|tool_use|tool_output|system[-_](?:prompt|message|note|reminder))(?:\s[^<>]{0,80})?>/g;

export function roleTags(text: string): Form[] {
  const marks = Array.from(text.matchAll(ROLE_TAG), ({ 0: tag, 1: name, index }) => ({
    start: index,
    end: index + tag.length,
    strong: /^(?:tool|function)/.test(name!),
  })).filter(({ start }) => text[start - 1] !== "`");
  return groups(marks, TURN_GAP).map((group) =>
    form("chat_turn", group[0]!.start, group.at(-1)!.end, group.some(({ strong }) => strong) ? 4 : 3),
  );
}

const ROLE_LINE =
  /^[\s>*#"'`[(_-]{0,8}(system|assistant|human|user|developer|tool|model|ai)(?: (?:message|prompt|note|turn|notice|override|instruction)s?)?[\])*_]{0,3}\s?[:>]/gm;
/** Who speaks in a chat with a model. */
const SPEAKERS = /^(?:system|assistant|human|user|model|ai)$/;

/** Heads of lines such as "System: …". One alone is as good as nothing, a conversation is more. */
export function roleLines(text: string): Form[] {
  const found = [...text.matchAll(ROLE_LINE)];
  return found.map(({ 0: head, 1: role, index }, k) => {
    const isTurn = [found[k - 1], found[k + 1]].some(
      (other) =>
        other !== undefined &&
        Math.abs(other.index - index) < TURN_GAP &&
        other[1] !== role &&
        SPEAKERS.test(other[1]!) &&
        SPEAKERS.test(role!),
    );
    const start = index + head.length - head.trimStart().length;
    return { ...form("chat_turn", start, index + head.length, isTurn ? 2 : 1), isHead: true };
  });
}

function groups(marks: readonly Mark[], gap: number): Mark[][] {
  const result: Mark[][] = [];
  for (const mark of marks) {
    const last = result.at(-1);
    if (last && mark.start - last.at(-1)!.end <= gap) last.push(mark);
    else result.push([mark]);
  }
  return result;
}
