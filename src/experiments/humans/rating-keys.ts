import { existsSync, readFileSync } from "node:fs";
import { InputError } from "../../core/errors.js";
import { type RatingKey, ratingKeySchema } from "../../core/results/humans.js";

/** The keys that ratings may be of; each is read when a row asks for it. */
export class RatingKeys {
  private readonly read = new Map<string, RatingKey>();

  /** @param files files of keys, by sheet id */
  constructor(private readonly files: ReadonlyMap<string, string>) {}

  static of(...keys: readonly RatingKey[]): RatingKeys {
    const made = new RatingKeys(new Map(keys.map(({ sheet_id }) => [sheet_id, ""])));
    for (const key of keys) made.read.set(key.sheet_id, key);
    return made;
  }

  get ids(): string[] {
    return [...this.files.keys()];
  }

  /** The key of a row, or why there is none. A row without a sheet id is of the only sheet; of several it could be of any. */
  find(sheetId: string): RatingKey | string {
    const { ids } = this;
    if (sheetId === "") {
      if (ids.length === 1) return this.load(ids[0]!);
      return `has no sheet_id, and could be of any of ${ids.length} sheets; name it with --sheet (${ids.join(", ")})`;
    }
    if (this.files.has(sheetId)) return this.load(sheetId);
    return `is of sheet ${sheetId}, and the key is of sheet ${ids.join(", ")}`;
  }

  private load(id: string): RatingKey {
    let key = this.read.get(id);
    if (!key) {
      key = readRatingKey(this.files.get(id)!);
      this.read.set(id, key);
    }
    return key;
  }
}

export function readRatingKey(file: string): RatingKey {
  if (!existsSync(file)) {
    throw new InputError(
      "no_key",
      `key: no file ${file}`,
      "`defensible humans sample` keeps the key of a sheet in the workspace's folder humans; name it with --key.",
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    value = null;
  }
  const read = ratingKeySchema.safeParse(value);
  if (read.success) return read.data;
  throw new InputError("bad_key", `${file}: is not the key of a rating sheet`, "Name the key of the sheet with --key.");
}
