import type { Rng } from "./create-rng.js";

/** A stream of 32-bit numbers, each an integer from 0 to 2^32 − 1. */
export type FastUniform = () => number;

/**
 * Many random numbers quickly: simulations that draw millions. About four times as fast as `Rng.next`, with 32 bits each.
 *
 * Formula: sfc32 (a counter and three words mixed by shifts and additions), its state taken from `rng`, the first twelve
 * numbers thrown away.
 * Range: 0 … 2^32 − 1, uniform; compare with p · 2^32 for an event of probability p.
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see Doty-Humphrey, PractRand (the generator and the tests it passes)
 */
export function fastUniform(rng: Rng): FastUniform {
  let a = rng.int(2 ** 32) | 0;
  let b = rng.int(2 ** 32) | 0;
  let c = rng.int(2 ** 32) | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i += 1) next();
  return next;
}
