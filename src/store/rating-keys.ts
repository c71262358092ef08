import { InputError } from "../core/errors.js";
import { type RatingKey, ratingKeySchema } from "../experiments/humans/result.js";

/** Parses the key of a rating sheet. `place`: where it was read. */
export function parseRatingKey(text: string, place: string): RatingKey {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const read = ratingKeySchema.safeParse(value);
  if (read.success) return read.data;
  throw new InputError(
    "bad_key",
    `${place}: is not the key of a rating sheet`,
    "Name the key of the sheet with --key.",
  );
}

export function noRatingKey(place: string): InputError {
  return new InputError(
    "no_key",
    `key: no file ${place}`,
    "`defensible humans sample` keeps the key of a sheet in the workspace's folder humans; name it with --key.",
  );
}
