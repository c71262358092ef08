import type { Alternative, Generation, Token } from "../../core/records/generation.js";
import { sameToken } from "./token-bytes.js";

/** The candidates at a token's position, with the chosen one among them: providers may leave it out of their list. */
export function candidatesAt(token: Token): readonly Alternative[] {
  return includesChosen(token) ? token.top : [...token.top, token];
}

function includesChosen(token: Token): boolean {
  const top = token.top;
  for (let i = 0; i < top.length; i++) if (sameToken(top[i]!, token)) return true;
  return false;
}

/** The temperature a generation's logprobs are scaled by: 1 where they are raw, greedy (T = 0) or of unknown space. */
export function logprobTemperature(generation: Pick<Generation, "space" | "temperature">): number {
  return generation.space === "tempered" && generation.temperature > 0 ? generation.temperature : 1;
}
