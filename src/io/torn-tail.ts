import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";

const LONGEST = 1 << 20;

/**
 * Whether the last line of a file of records was cut off, by a killed process or a full disk. Such a line is passed over when the file is
 * read, since somebody may still be writing it; but whoever counts decisions should be told.
 */
export function hasTornTail(path: string): boolean {
  if (!existsSync(path)) return false;
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, LONGEST));
    readSync(file, tail, 0, tail.length, size - tail.length);
    const last = tail.subarray(tail.lastIndexOf(0x0a) + 1).toString("utf8");
    if (last.trim() === "") return false;
    JSON.parse(last);
    return false;
  } catch (cause) {
    if (cause instanceof SyntaxError) return true;
    throw cause;
  } finally {
    closeSync(file);
  }
}

export const TORN_REMEDY =
  "Its last line is cut off and passed over; import the file it came from again, or mend the line.";
