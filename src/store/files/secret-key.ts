import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { InputError } from "../../core/errors.js";
import { fileError } from "../../io/files.js";

const KEY_BYTES = 32;

export function newKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** A key of a workspace, made when it is first needed, readable by its owner alone. */
export function secretKey(file: string, { code, what, lost }: { code: string; what: string; lost: string }): Buffer {
  if (!existsSync(file)) writeKey(file);
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw fileError(cause, file);
  }
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, "hex");
  throw new InputError(
    code,
    `${file}: is not ${what}; expected 64 hexadecimal digits`,
    `Restore it, or delete it: a new one is made then, and ${lost}.`,
  );
}

/** Written aside and linked into place: of two that make it at once, the first one's stays, and nobody reads half a key. */
function writeKey(file: string): void {
  const aside = `${file}.${process.pid}.${randomBytes(3).toString("hex")}.tmp`;
  try {
    writeFileSync(aside, `${newKey().toString("hex")}\n`, { flag: "wx", mode: 0o600 });
    linkSync(aside, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw fileError(cause, file);
  } finally {
    rmSync(aside, { force: true });
  }
}
