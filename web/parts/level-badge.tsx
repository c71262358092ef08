import type { Level } from "../../src/core/records/level.js";
import { LEVEL_WORDS } from "../../src/present/words/words.js";

/** A level: its number in its colour, and its name. */
export function LevelBadge({ level, short = false }: { level: Level; short?: boolean }) {
  const { name, meaning } = LEVEL_WORDS[level];
  return (
    <span className="level" title={meaning}>
      <span className={`level-number level-number-${level}`}>{level}</span>
      <span className={short ? "visually-hidden" : undefined}>{name}</span>
    </span>
  );
}
