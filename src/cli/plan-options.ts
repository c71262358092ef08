import { InvalidArgumentError } from "commander";
import { InputError } from "../errors.js";

/** A probability that is neither 0 nor 1. */
export function fraction(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1) || text.trim() === "") {
    throw new InvalidArgumentError("expected a number above 0 and below 1, such as 0.05.");
  }
  return value;
}

/** `MEAN,STRENGTH`. */
export function prior(text: string): [number, number] {
  const [mean, strength, ...rest] = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (rest.length > 0 || !(mean! > 0 && mean! < 1 && strength! > 0 && strength! < Infinity)) {
    throw new InputError(
      "plan_prior",
      `prior: not usable; got "${text}", expected MEAN,STRENGTH`,
      "For example 0.06,20.",
    );
  }
  return [mean!, strength!];
}
