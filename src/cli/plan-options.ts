import { InvalidArgumentError } from "commander";

/** A probability that is neither 0 nor 1. */
export function fraction(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1) || text.trim() === "") {
    throw new InvalidArgumentError("expected a number above 0 and below 1, such as 0.05.");
  }
  return value;
}
