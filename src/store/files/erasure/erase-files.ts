import { readFileSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { ERASED } from "../../../core/names.js";
import type { Decision } from "../../../core/records/decision.js";
import { sha256 } from "../../../evidence/canonical.js";
import { type Eraser, newTombstones, type Tombstone } from "../../../evidence/tombstone.js";
import { writeFileAtomic } from "../../../io/files.js";
import type { Quotes } from "../../../text/quotes.js";
import type { ErasedPlace, ErasureStore, RunStore } from "../../ports.js";
import { chainSources, erasedIn, erasedRow } from "../../records/erased.js";
import { gatePaths } from "../gate-files.js";
import { chainFiles } from "../log-files.js";
import { whileImporting } from "../record-store.js";
import { readRecords } from "../records.js";
import { RECORD } from "../segment-files.js";
import type { Workspace } from "../workspace.js";
import { eraseDecisions, eraseRun, lockOpenRuns, runFolders } from "./erase-decisions.js";
import { rewriteLines, rewritePacked, rowOf } from "./rewrite.js";
import { filesUnder, isPacked, outputsOf, quotedIn, quotesOf } from "./search-files.js";

/** Erasure in the files of a workspace, and in files that its commands wrote elsewhere. */
export function fileErasure(workspace: Workspace, runs: RunStore): Omit<ErasureStore, "buried"> {
  return {
    known: (ids) => knownIds(workspace, runs, new Set(ids)),
    find: async (ids) => (await FileErasure.of(workspace, runs, ids, true)).run(null),
    bury: (ids, eraser) =>
      chainFiles(workspace).withSealLock(async () => void (await bury(workspace, runs, ids, eraser))),
    async erase(ids, eraser) {
      // Excludes imports, starts of runs, seals and writers of open runs during the erasure.
      return whileImporting(workspace, () =>
        runs.withRunLock(() =>
          chainFiles(workspace).withSealLock(async () => {
            const unlock = lockOpenRuns(workspace.paths.runs);
            try {
              return await (await FileErasure.of(workspace, runs, ids, false)).run(eraser);
            } finally {
              unlock();
            }
          }),
        ),
      );
    },
  };
}

/** Tombstones for the current state of the records. Without an eraser they are not written. */
async function bury(
  workspace: Workspace,
  runs: RunStore,
  ids: readonly string[],
  eraser: Eraser | null,
): Promise<Tombstone[]> {
  const chain = chainFiles(workspace);
  const by = eraser ?? { at: "", by: "", reason: "" };
  const tombstones = newTombstones(ids, await chainSources(runs, chain), by, erasedIn(new Set(ids)));
  if (eraser) await chain.bury(tombstones);
  return tombstones;
}

/** An answer to a question of `prompts`, which can be requested again. */
const ANSWER = /"(?:key|id|custom_id)":\s*"p[0-9a-f]{32}/;

class FileErasure {
  private readonly places: ErasedPlace[] = [];
  /** Files that are handled individually. */
  private readonly own = new Set<string>();

  private constructor(
    private readonly workspace: Workspace,
    private readonly runs: RunStore,
    private readonly ids: ReadonlySet<string>,
    private readonly quotes: Quotes,
    private readonly dryRun: boolean,
  ) {}

  static async of(workspace: Workspace, runs: RunStore, ids: readonly string[], dryRun: boolean): Promise<FileErasure> {
    const all = new Set(ids);
    const { quotes, quoting } = await quotesOf(workspace, runs, all);
    const erasure = new FileErasure(workspace, runs, all, quotes, dryRun);
    for (const [place, others] of quoting) erasure.note(`${place} ${others.join(", ")}`, 1, "left");
    return erasure;
  }

  /** Logs, runs and decisions come last, because a repeated erasure reads from them what to look for elsewhere. */
  async run(eraser: Eraser | null): Promise<ErasedPlace[]> {
    const { paths } = this.workspace;
    const buried = await bury(this.workspace, this.runs, [...this.ids], eraser);
    for (const path of this.rowFiles()) this.own.add(path);
    this.emptyCache();
    await this.deleteOutputs();
    for (const folder of [paths.experiments, paths.calibrations, paths.cohorts, paths.humans]) this.scrub(folder);
    await this.eraseRest();
    await this.eraseRows();
    await this.eraseRuns();
    this.note("chain/chain.jsonl", await chainFiles(this.workspace).deleteSalts(buried, this.dryRun));
    const { jsonl, parquet } = await eraseDecisions(this.workspace, this.ids, this.quotes, this.dryRun);
    this.note("decisions.jsonl", jsonl);
    this.note("decisions.parquet", parquet);
    return this.places;
  }

  private note(place: string, count: number, what: ErasedPlace["what"] = "erased"): void {
    if (count > 0) this.places.push({ place, count, what });
  }

  private name(path: string): string {
    const inside = relative(this.workspace.root, path);
    return inside.startsWith("..") ? path : inside;
  }

  private async eraseRuns(): Promise<void> {
    const { runs } = this.workspace.paths;
    for (const run of runFolders(runs)) {
      const folder = join(runs, run);
      const counts = await eraseRun(folder, this.ids, this.dryRun);
      for (const [name, count] of Object.entries(counts)) this.note(`runs/${run}/${name}`, count);
    }
  }

  private rowFiles(): string[] {
    const { paths } = this.workspace;
    const { routes } = gatePaths(this.workspace);
    return [paths.labels, paths.outcomes, paths.precedents, routes, ...filesUnder(paths.rejects)];
  }

  /** Notes of labels and outcomes, precedents with the same id or text, rejected rows. */
  private async eraseRows(): Promise<void> {
    const { paths } = this.workspace;
    for (const kind of ["labels", "outcomes"] as const) {
      await this.eachRow(paths[kind], (row, line) => {
        const kept = erasedRow(kind, row);
        return Object.keys(kept).length === Object.keys(row).length ? line : JSON.stringify(kept);
      });
    }
    await this.lines(paths.precedents, (line) => {
      const row = rowOf(line);
      return row && (this.ids.has(String(row.id)) || this.isQuoting(row, line)) ? null : line;
    });
    const erased = erasedIn(this.ids);
    await this.eachRow(gatePaths(this.workspace).routes, (_, line) => erased("routes", line)!.record);
    for (const path of filesUnder(paths.rejects)) {
      const names = (line: string) => this.ids.has(String((rowOf(line)?.row as { id?: unknown } | undefined)?.id));
      await this.lines(path, (line) => (names(line) || this.quotes.in(line) ? null : line));
    }
  }

  private async eachRow(
    path: string,
    change: (row: Record<string, unknown>, line: string) => string | null,
  ): Promise<void> {
    let quoting = false;
    await this.lines(path, (line) => {
      const row = rowOf(line);
      if (row && this.ids.has(String(row.decision_id))) return change(row, line);
      if (row && (this.isQuoting(row, line) || this.quotes.leftIn(row))) quoting = true;
      return line;
    });
    // Records of other decisions, which may be sealed.
    if (quoting) this.note(this.name(path), 1, "left");
  }

  /** Whether a record of another decision contains a long quotation. */
  private isQuoting(row: object, line: string): boolean {
    return this.quotes.in(line) && this.quotes.quotedBy(row);
  }

  private async lines(path: string, change: (line: string) => string | null): Promise<void> {
    this.note(this.name(path), await rewriteLines(path, change, this.dryRun));
  }

  /** The keys of answers do not show which ones quote a decision, so all are deleted. They can be requested again. */
  private emptyCache(): void {
    const files = filesUnder(this.workspace.paths.cache);
    const answers = files.filter((path) => path.endsWith(".index")).map((path) => statSync(path).size / RECORD);
    this.note("cache", Math.floor(answers.reduce((sum, n) => sum + n, 0)) || Math.sign(files.length), "emptied");
    if (!this.dryRun) for (const path of files) rmSync(path, { force: true });
  }

  /** Reports, exports, certificates and prompts written by commands. They can be recreated at any time, unless they were edited. */
  private async deleteOutputs(): Promise<void> {
    for (const { path, same } of outputsOf(this.workspace)) {
      this.own.add(path);
      const quoted = await quotedIn(path, this.quotes);
      if (quoted === false) continue;
      const mayDelete = quoted && same;
      this.note(this.name(path), 1, mayDelete ? "deleted" : "left");
      if (mayDelete && !this.dryRun) rmSync(path, { force: true });
    }
  }

  /** JSON documents: texts that quote are replaced. */
  private scrub(folder: string): void {
    for (const path of filesUnder(folder).filter((one) => one.endsWith(".json"))) {
      const value: unknown = JSON.parse(readFileSync(path, "utf8"));
      const next = this.quotes.without(value, ERASED);
      if (next === value) continue;
      this.note(this.name(path), 1);
      if (!this.dryRun) writeFileAtomic(path, `${JSON.stringify(next)}\n`);
    }
  }

  /** Other files in the folder, such as copies and files of answers. Anything left must be checked by a person. */
  private async eraseRest(): Promise<void> {
    const { root, paths } = this.workspace;
    const others = [paths.decisions, paths.decisionsParquet, paths.config, paths.runs, paths.rules, paths.chain];
    let weak = false;
    const change = (line: string) => {
      const next = this.restOf(line);
      weak ||= next !== null && this.quotes.in(next);
      return next;
    };
    for (const path of filesUnder(root)) {
      if (this.own.has(path) || others.some((other) => path.startsWith(other))) continue;
      if (!(await quotedIn(path, this.quotes))) continue;
      if (path.endsWith(".tmp")) {
        this.note(this.name(path), 1, "deleted");
        if (!this.dryRun) rmSync(path, { force: true });
      } else if (/\.jsonl(\.gz)?$/.test(path)) {
        const rewrite = isPacked(readFileSync(path)) ? rewritePacked : rewriteLines;
        weak = false;
        const changed = await rewrite(path, change, this.dryRun);
        this.note(this.name(path), changed);
        if (weak || changed === 0) this.note(this.name(path), 1, "left");
      } else this.note(this.name(path), 1, "left");
    }
    for (const path of filesUnder(paths.runs).filter((one) => one.endsWith(".tmp"))) {
      if (!this.dryRun) rmSync(path, { force: true });
    }
  }

  /** Drops records of the decision and answers about it. Records of other decisions lose only long quotations; other lines that quote go. */
  private restOf(line: string): string | null {
    const row = rowOf(line);
    if (row && this.quotes.isRecord(row)) return null;
    if (!this.quotes.in(line)) return line;
    if (row === null) return this.quotes.in(line, "long") ? null : line;
    if (ANSWER.test(line)) return null;
    const next = this.quotes.without(row, ERASED, "long");
    if (next === row) return line;
    return row.id === undefined && row.decision_id === undefined ? null : JSON.stringify(next);
  }
}

/** Ids that are decisions, have an audit, or have a tombstone: a killed process may have left the last in no file. */
async function knownIds(workspace: Workspace, runs: RunStore, ids: ReadonlySet<string>): Promise<string[]> {
  const buried = await chainFiles(workspace).buried();
  const found = new Set([...ids].filter((id) => buried.has(sha256(id))));
  for await (const records of readRecords(workspace, "decisions", { repeated: "give" })) {
    for (const { id } of records as Decision[]) if (ids.has(id)) found.add(id);
  }
  if (found.size < ids.size) {
    for (const { run_id } of await runs.list()) {
      for await (const audits of runs.audits(run_id)) {
        for (const { decision_id } of audits) if (ids.has(decision_id)) found.add(decision_id);
      }
    }
  }
  return [...ids].filter((id) => found.has(id));
}
