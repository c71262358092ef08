import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { InputError } from "../../core/errors.js";
import { PAPER, type ReferenceStudy, readReference } from "../../experiments/study/compare.js";
import { printable } from "../../text/printable.js";

/** The study that `--reference` names; null: none. */
export function referenceOf(asked: string | undefined): ReferenceStudy | null {
  if (asked === undefined) return null;
  if (asked === "paper") return PAPER;
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(asked, "utf8"));
  } catch (cause) {
    throw new InputError(
      "bad_reference",
      `--reference: ${printable(asked, 200)} cannot be read as JSON; ${(cause as Error).message}`,
      "Write a study with `defensible study --json=FILE`, or name `paper`.",
    );
  }
  return readReference(basename(asked), json);
}
