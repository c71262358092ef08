import { existsSync, readFileSync } from "node:fs";
import { Frames, PrecedentShelves } from "../../audit/frames.js";
import { RuleBook } from "../../audit/rules-in-force.js";
import { InputError } from "../../core/errors.js";
import { isJson } from "../../core/is-json.js";
import type { ReadHashes } from "../../core/records/audit.js";
import type { Precedent } from "../../core/records/precedent.js";
import { type RuleSet, TIERS, type Tier } from "../../core/records/rule-set.js";
import { fileError } from "../../io/files.js";
import type { RouteState } from "../../measures/gate/route-state.js";
import { readHasher } from "../../store/files/read-hash.js";
import type { Workspace } from "../../store/files/workspace.js";

/** What an audit would read now, hashed as audits have it. Without the workspace's key nothing can be compared, and no hash fits. */
export function readingOf(workspace: Workspace, sets: readonly RuleSet[]): RouteState["reading"] {
  if (!existsSync(workspace.paths.contentKey)) return () => null;
  const hasher = readHasher(workspace);
  const book = new RuleBook(sets);
  const shelves = new PrecedentShelves(precedentsOf(workspace));
  const frames = new Map(TIERS.map((tier) => [tier, new Frames(shelves, tier, workspace.config.actions)]));
  // Two hashes for each community and version, where the frames themselves would not fit into memory.
  const known = new Map<string, Omit<ReadHashes, "content">>();
  return (decision, tier) => {
    const ofTier = frames.get(tier as Tier);
    if (!ofTier) return null;
    const { community } = decision;
    const version = book.isFixed(community) ? "" : book.inForce(decision).version;
    const key = `${tier}\0${version}\0${community}`;
    let hashes = known.get(key);
    if (!hashes) {
      hashes = hasher.frame(ofTier.of(community, book.inForce(decision)).frame);
      known.set(key, hashes);
    }
    return { content: hasher.content(decision.content), rules: hashes.rules, precedents: hashes.precedents };
  };
}

/** The precedents at once: routing looks at them between two lines of a stream. A torn last line is being written, or was. */
function precedentsOf({ paths }: Workspace): Precedent[] {
  if (!existsSync(paths.precedents)) return [];
  let lines: string[];
  try {
    lines = readFileSync(paths.precedents, "utf8").split("\n");
  } catch (cause) {
    throw fileError(cause, paths.precedents);
  }
  const torn = lines.pop();
  const whole = torn && isJson(torn) ? [...lines, torn] : lines;
  return whole.flatMap((line, i): Precedent[] => {
    if (line.trim() === "") return [];
    if (isJson(line)) return [JSON.parse(line)];
    throw new InputError("bad_line", `${paths.precedents}, line ${i + 1}: not JSON`, "Fix or remove this line.");
  });
}
