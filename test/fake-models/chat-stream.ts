import { type ChatParts, chatBody, chatLogprobs } from "./chat-body.js";
import type { Json } from "./question.js";
import { writeJson } from "./write-json.js";

/** The same answer as server-sent events: one for each token, whole characters only, then the usage if it was asked for. */
export function chatEvents(parts: ChatParts): Buffer[] {
  const { question, answers, traits } = parts;
  const whole = chatBody(parts);
  const { choices, usage, ...head } = whole;
  const event = (data: Json): Buffer => Buffer.from(`data: ${writeJson(data, { ...traits, layout: "compact" })}\n\n`);
  const options = question.body.stream_options as { include_usage?: boolean } | undefined;
  const withUsage = options?.include_usage === true;
  const chunk = (index: number, delta: Json, logprobs: Json | null, finish: unknown): Buffer =>
    event({
      ...head,
      object: "chat.completion.chunk",
      choices: [{ index, delta, logprobs, finish_reason: finish }],
      ...(withUsage ? { usage: null } : {}),
    });

  const events: Buffer[] = question.dialect === "openrouter" ? [Buffer.from(": OPENROUTER PROCESSING\n\n")] : [];
  answers.forEach((answer, index) => {
    const key = answer.finish === "refusal" ? "refusal" : "content";
    const logprobs = chatLogprobs(parts, answer);
    const entries = (logprobs?.[key] ?? null) as unknown[] | null;
    events.push(chunk(index, { role: "assistant", content: "", refusal: null }, null, null));
    const decoder = new TextDecoder();
    answer.tokens.forEach(({ token }, at) => {
      const piece = decoder.decode(token.bytes, { stream: true });
      const own = entries ? { content: null, refusal: null, [key]: [entries[at]] } : null;
      events.push(chunk(index, { [key]: piece }, own, null));
    });
    const choice = (choices as Json[])[index]!;
    events.push(chunk(index, {}, null, choice.finish_reason));
  });
  if (withUsage) events.push(event({ ...head, object: "chat.completion.chunk", choices: [], usage }));
  events.push(Buffer.from("data: [DONE]\n\n"));
  return events;
}
