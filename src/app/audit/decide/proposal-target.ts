import { InputError } from "../../../core/errors.js";
import type { Decision } from "../../../core/records/decision.js";
import type { Line } from "../../../io/read-lines.js";

/** Where proposals go. */
export interface ProposalTarget {
  /** What it is called in messages. */
  readonly name: string;
  /** The proposals that are there, as lines of JSON; none before it was made. */
  lines(): AsyncIterable<Line[]>;
  /** Makes it where it is not there yet, and keeps others from writing to it until it is closed. */
  open(): Promise<ProposalLog>;
}

export interface ProposalLog {
  append(lines: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Ids of the proposals that are there. Those of another decider are refused: they would be mixed, and could not be told apart later. So are
 * more proposals of a decision than are asked for. Fewer are not: answers that name no action are not counted.
 */
export async function proposalsIn(
  target: Pick<ProposalTarget, "name" | "lines">,
  decider: string,
  replicates: number,
): Promise<Set<string>> {
  const { name } = target;
  const ids = new Set<string>();
  for await (const lines of target.lines()) {
    for (const { text, ended } of lines) {
      let record: Partial<Decision> | null = null;
      try {
        record = JSON.parse(text) as Partial<Decision> | null;
      } catch {
        // Torn when a process was killed; it is cut off before anything is written behind it.
        if (!ended && text.startsWith("{")) continue;
      }
      if (typeof record?.id !== "string") {
        throw new InputError("no_proposals", `decide: ${name} is no file of proposals`, "Name another file.");
      }
      const by = record.decider?.kind === "model" ? record.decider.id : null;
      if (by !== decider) throw otherDecider(name, record.decider?.id ?? "somebody else", decider);
      const proposals = Object.values(record.decider?.replicates ?? {}).reduce((sum, count) => sum + count, 0);
      if (replicates > 1 && proposals > replicates) throw otherReplicates(name, proposals, replicates);
      if (ended) ids.add(record.id);
    }
  }
  return ids;
}

export function otherDecider(name: string, there: string, decider: string): InputError {
  return new InputError(
    "other_decider",
    `decide: ${name} has decisions by ${there}, and the decider is ${decider}`,
    "Name another folder or file; what is there stays as it is.",
  );
}

function otherReplicates(name: string, there: number, asked: number): InputError {
  return new InputError(
    "other_replicates",
    `decide: ${name} has decisions with ${there} proposals, and ${asked} are asked for: its flips are those of other proposals`,
    `Ask for as many replicates as the file was made with, at least ${there}, or name another place.`,
  );
}
