/**
 * SQL: whether the level probabilities of an audit are those at temperature 1, so that the law its level was drawn from follows from them. Those of
 * space `tempered` were brought back to it when they were read; of space `unknown` they may be either, unless the temperature is 1.
 */
export const UNIT_SPACE = unitSpace("temperature");

export function unitSpace(temperature: string): string {
  return `coalesce(coalesce(signal, '') <> 'sampling' AND (logprob_space IN ('raw', 'tempered') OR ${temperature} = 1), false)`;
}
