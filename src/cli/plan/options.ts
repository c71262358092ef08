import { Command, InvalidArgumentError } from "commander";
import { InputError } from "../../core/errors.js";
import type { Plan } from "../../core/results/plan.js";
import { parseShare } from "../../core/text-checks.js";
import { planDocument } from "../../present/plan/plan-document.js";
import { type CommonOptions, withCommonOptions } from "../options.js";
import { printJson, withMarkdown } from "../output.js";
import { type PageOptions, printPage } from "../page.js";

export type PlanOutput = CommonOptions & PageOptions;

/** A plan command with the shared flags. */
export function planned(name: string, description: string): Command {
  return withMarkdown(withCommonOptions(new Command(name))).description(description);
}

export function answer(plan: Plan, options: PlanOutput): void {
  printPage(() => planDocument(plan), options, printJson(plan, options));
}

/** Closest allowed distance to 0 or 1; closer probabilities are lost to rounding: 1 − 1e-17 is 1. */
const NEAREST = 1e-9;

/** Parses a probability other than 0 and 1. */
export function fraction(text: string): number {
  const value = parseShare(text);
  if (!(value >= NEAREST && value <= 1 - NEAREST)) {
    throw new InvalidArgumentError(
      "expected a share above 0 and below 1, such as 0.05 or 5%, and no nearer to them than 1e-9.",
    );
  }
  return value;
}

/** Allowed strengths of a prior, counted in earlier decisions. */
const WEAKEST = 1e-6;
const STRONGEST = 1e9;

/** Parses `MEAN,STRENGTH`. */
export function prior(text: string): [number, number] {
  const [first = "", ...rest] = text.split(",");
  const mean = parseShare(first);
  const strength = rest[0]?.trim() ? Number(rest[0]) : Number.NaN;
  const usable = mean >= NEAREST && mean <= 1 - NEAREST && strength >= WEAKEST && strength <= STRONGEST;
  if (rest.length > 1 || !usable) {
    throw new InputError(
      "plan_prior",
      `prior: not usable; got "${text}", expected MEAN,STRENGTH`,
      "For example 0.06,20. The mean is between 0 and 1, the strength 0.000001 to 1000000000.",
    );
  }
  return [mean, strength];
}

/** Parses thread sizes such as `1,1,2,10`. */
export function threadSizes(text: string): number[] {
  const sizes = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (sizes.length > 1000 || sizes.some((size) => !(Number.isSafeInteger(size) && size >= 1 && size <= 1000))) {
    throw new InvalidArgumentError("expected sizes of threads from 1 to 1000, such as 1,1,2,10.");
  }
  return sizes;
}
