/** Share of the decisions that could be automated and go to review all the same, unless the gate or the user says otherwise. */
export const DEFAULT_REVIEW_SHARE = 0.02;

const BYTES = 6;

/**
 * A keyed hash as a number that decides, for good, whether a decision belongs to the standing random share: it does where the number is
 * below the share. The hash is of the decision's id under the gate's secret key, so that asking again gives the same answer, and
 * nobody without the key can foresee it; the number has no other use.
 *
 * Formula: u = (first 48 bits of the digest, big-endian) / 2^48; sampled iff u < share
 * Range: [0, 1), uniform over ids if the hash is good
 * Undefined when: the digest has fewer than 6 bytes (an error)
 * Differs from the paper: the paper has no standing review.
 * @see docs/route.md
 * @example reviewFraction(Uint8Array.of(128, 0, 0, 0, 0, 0)) // => 0.5
 */
export function reviewFraction(digest: Uint8Array): number {
  if (digest.length < BYTES) throw new RangeError(`digest: got ${digest.length} bytes, expected at least ${BYTES}`);
  let value = 0;
  for (let i = 0; i < BYTES; i++) value = value * 256 + digest[i]!;
  return value / 2 ** (8 * BYTES);
}
