import type { Planned } from "./plan-answer.js";
import type { Json, Question } from "./question.js";
import { renderTokens, type WireAlternative } from "./render-tokens.js";
import type { Traits } from "./traits.js";
import { float } from "./write-json.js";

const FINISH = { stop: "STOP", length: "MAX_TOKENS", refusal: "SAFETY", filter: "PROHIBITED_CONTENT" } as const;

/** A generateContent response. */
export function geminiBody(question: Question, traits: Traits, answers: readonly Planned[], logprobs: boolean): Json {
  const { promptTokens, cachedTokens, reasoningTokens } = answers[0]!;
  const written = answers.reduce((sum, answer) => sum + answer.tokens.length, 0);
  return {
    candidates: answers.map((answer, index) => candidate(question, traits, answer, index, logprobs)),
    usageMetadata: {
      promptTokenCount: promptTokens,
      candidatesTokenCount: written,
      totalTokenCount: promptTokens + written + reasoningTokens,
      // Proto fields of value 0 are not written.
      ...(cachedTokens > 0 ? { cachedContentTokenCount: cachedTokens } : {}),
      ...(question.dialect === "vertex" ? { trafficType: "ON_DEMAND" } : {}),
      promptTokensDetails: [{ modality: "TEXT", tokenCount: promptTokens }],
      ...(reasoningTokens > 0 ? { thoughtsTokenCount: reasoningTokens } : {}),
    },
    modelVersion: question.model,
    ...(question.dialect === "vertex" ? { createTime: "2026-11-15T06:00:00.123456Z" } : {}),
    responseId: `fake-${question.index}`,
  };
}

function candidate(question: Question, traits: Traits, answer: Planned, index: number, logprobs: boolean): Json {
  const silent = answer.finish === "refusal" || answer.finish === "filter";
  const result: Json = {
    ...(silent ? {} : { content: { role: "model", parts: [{ text: answer.text }] } }),
    finishReason: FINISH[answer.finish],
  };
  // The first candidate's index is 0, and zeros are not written by Vertex.
  if (index > 0 || question.dialect === "gemini") result.index = index;
  if (silent)
    return {
      ...result,
      safetyRatings: [{ category: "HARM_CATEGORY_HATE_SPEECH", probability: "HIGH", blocked: true }],
    };
  const sum = answer.tokens.reduce((total, planned) => total + chosenLogprob(planned), 0);
  // With thoughts in it, the mean is not that of the answer.
  result.avgLogprobs = float(sum / Math.max(1, answer.tokens.length) - answer.reasoningTokens / 70);
  if (question.logprobs && logprobs) result.logprobsResult = logprobsResult(question, traits, answer, sum);
  return result;
}

function chosenLogprob({ token, candidates }: Planned["tokens"][number]): number {
  return candidates.find((one) => one.token.id === token.id)?.logprob ?? 0;
}

function logprobsResult(question: Question, traits: Traits, answer: Planned, sum: number): Json {
  const tokens = renderTokens(answer, traits, question);
  const one = ({ id, text, logprob }: WireAlternative): Json => ({
    token: text,
    tokenId: id,
    // A probability of exactly one has the logprob 0, the proto default: the field is left out.
    ...(Number(logprob.characters) === 0 ? {} : { logProbability: logprob }),
  });
  return {
    ...(question.top > 0 ? { topCandidates: tokens.map(({ top }) => ({ candidates: top.map(one) })) } : {}),
    chosenCandidates: tokens.map(one),
    ...(question.dialect === "gemini" ? { logProbabilitySum: float(sum) } : {}),
  };
}
