import { readFileSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { ERASED } from "../../../core/names.js";
import type { Decision } from "../../../core/records/decision.js";
import { sha256 } from "../../../evidence/canonical.js";
import { ERASURES, type Eraser, newTombstones, readTombstone } from "../../../evidence/tombstone.js";
import { writeFileAtomic } from "../../../io/files.js";
import { Quotes } from "../../../text/quotes.js";
import { chainSources } from "../../chain-sources.js";
import type { ErasedPlace, ErasureStore, RunStore } from "../../ports.js";
import { erasedIn, erasedRow, stringsIn, textsOf } from "../../records/erased.js";
import { chainFiles } from "../chain-files.js";
import { gatePaths } from "../gate-files.js";
import { whileImporting } from "../record-store.js";
import { readRecords } from "../records.js";
import { loadRuleSets } from "../rule-files.js";
import { RECORD } from "../segment-files.js";
import type { Workspace } from "../workspace.js";
import { eraseDecisions } from "./erase-decisions.js";
import { eraseRun, lockOpenRuns, runFolders } from "./erase-runs.js";
import { rewriteLines, rewritePacked, rowOf } from "./rewrite.js";
import { filesUnder, isPacked, outputsOf, quotedIn } from "./search-files.js";

/** Erasure in the files of a workspace, and in those that its commands wrote. */
export function fileErasure(workspace: Workspace, runs: RunStore): ErasureStore {
  return {
    known: (ids) => knownIds(workspace, runs, new Set(ids)),
    find: async (ids) => (await FileErasure.of(workspace, runs, ids, true)).run(null),
    bury: (ids, eraser) => chainFiles(workspace).alone(() => bury(workspace, runs, ids, eraser)),
    async erase(ids, eraser) {
      // No import, start of a run or seal goes on at the same time, and no open run is written.
      return whileImporting(workspace, () =>
        runs.alone(() =>
          chainFiles(workspace).alone(async () => {
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

async function bury(workspace: Workspace, runs: RunStore, ids: readonly string[], eraser: Eraser): Promise<void> {
  const chain = chainFiles(workspace);
  await chain.bury(newTombstones(ids, await chainSources(runs, chain), eraser, erasedIn(new Set(ids))));
}

/** So many characters in a row are no common phrase. */
const LONG = 48;
/** An answer to a question of `prompts`. It can be asked for again. */
const ANSWER = /"(?:key|id|custom_id)":\s*"p[0-9a-f]{32}/;

class FileErasure {
  private readonly places: ErasedPlace[] = [];
  /** Files that are looked after one by one. */
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
    return new FileErasure(workspace, runs, all, await quotesOf(workspace, runs, all), dryRun);
  }

  /** Runs and decisions come last: what they say is what a repetition looks for elsewhere. */
  async run(eraser: Eraser | null): Promise<ErasedPlace[]> {
    const { paths } = this.workspace;
    if (eraser) await bury(this.workspace, this.runs, [...this.ids], eraser);
    await this.eraseRows();
    this.emptyCache();
    await this.deleteOutputs();
    for (const folder of [paths.experiments, paths.calibrations, paths.cohorts, paths.humans]) this.scrub(folder);
    await this.eraseRest();
    await this.eraseRuns();
    const chain = chainFiles(this.workspace);
    // A dry run knows no tombstones yet, and has nothing to say of salts.
    if (eraser) this.note("chain/chain.jsonl", await chain.deleteSalts(false));
    const { jsonl, parquet } = await eraseDecisions(this.workspace, this.ids, this.dryRun);
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

  /** Notes of labels and outcomes, a precedent of the same id, rejected rows. */
  private async eraseRows(): Promise<void> {
    const { paths } = this.workspace;
    for (const kind of ["labels", "outcomes"] as const) {
      await this.eachRow(paths[kind], (row, line) => {
        const kept = erasedRow(kind, row);
        return Object.keys(kept).length === Object.keys(row).length ? line : JSON.stringify(kept);
      });
    }
    await this.eachRow(paths.precedents, () => null, "id");
    const erased = erasedIn(this.ids);
    await this.eachRow(gatePaths(this.workspace).routes, (_, line) => erased("routes", line)!.record);
    for (const path of filesUnder(paths.rejects)) {
      const names = (line: string) => this.ids.has(String((rowOf(line)?.row as { id?: unknown } | undefined)?.id));
      await this.lines(path, (line) => (names(line) || this.quotes.in(line) ? null : line));
    }
  }

  private eachRow(
    path: string,
    change: (row: Record<string, unknown>, line: string) => string | null,
    id = "decision_id",
  ): Promise<void> {
    return this.lines(path, (line) => {
      const row = rowOf(line);
      return row && this.ids.has(String(row[id])) ? change(row, line) : line;
    });
  }

  private async lines(path: string, change: (line: string) => string | null): Promise<void> {
    this.own.add(path);
    this.note(this.name(path), await rewriteLines(path, change, this.dryRun));
  }

  /** Which answers quote a decision cannot be seen by their keys. They can be asked for again. */
  private emptyCache(): void {
    const files = filesUnder(this.workspace.paths.cache);
    const answers = files.filter((path) => path.endsWith(".index")).map((path) => statSync(path).size / RECORD);
    this.note("cache", Math.floor(answers.reduce((sum, n) => sum + n, 0)) || Math.sign(files.length), "emptied");
    if (!this.dryRun) for (const path of files) rmSync(path, { force: true });
  }

  /** Reports, exports, certificates and prompts that commands wrote: made again at any time, unless someone has changed them. */
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

  /** Documents of JSON: texts that quote are replaced. */
  private scrub(folder: string): void {
    for (const path of filesUnder(folder).filter((one) => one.endsWith(".json"))) {
      const value: unknown = JSON.parse(readFileSync(path, "utf8"));
      const next = this.quotes.without(value, ERASED);
      if (next === value) continue;
      this.note(this.name(path), 1);
      if (!this.dryRun) writeFileAtomic(path, `${JSON.stringify(next)}\n`);
    }
  }

  /**
   * Whatever else is in the folder, such as files of answers: answers that quote are dropped, and lines of JSON that quote at some length or name the decision. What is left
   * is for a person to look at.
   */
  private async eraseRest(): Promise<void> {
    const { root, paths } = this.workspace;
    const others = [paths.decisions, paths.decisionsParquet, paths.config, paths.runs, paths.rules, paths.chain];
    const names = [...this.ids].map((id) => JSON.stringify(id));
    let weak = false;
    const change = (line: string) => {
      const least = ANSWER.test(line) || names.some((name) => line.includes(name)) ? undefined : LONG;
      if (this.quotes.in(line, least)) return null;
      weak ||= this.quotes.in(line);
      return line;
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
        this.note(this.name(path), await rewrite(path, change, this.dryRun));
        if (weak) this.note(this.name(path), 1, "left");
      } else this.note(this.name(path), 1, "left");
    }
    for (const path of filesUnder(paths.runs).filter((one) => one.endsWith(".tmp"))) {
      if (!this.dryRun) rmSync(path, { force: true });
    }
  }
}

/** By which a quotation of decisions is known: what people wrote, and the reasoning of their audits where no other decision has the same. */
async function quotesOf(workspace: Workspace, runs: RunStore, ids: ReadonlySet<string>): Promise<Quotes> {
  const texts = new Set<string>();
  for await (const records of readRecords(workspace, "decisions", { repeated: "give" })) {
    for (const record of records as Decision[]) {
      if (ids.has(record.id)) for (const text of textsOf(record)) texts.add(text);
    }
  }
  const reasoning = new Set<string>();
  const each = async (visit: (own: boolean, text: string) => void) => {
    for (const { run_id } of await runs.list()) {
      for await (const audits of runs.audits(run_id)) {
        for (const { decision_id, trace } of audits) {
          if (trace?.logic_chain) visit(ids.has(decision_id), trace.logic_chain);
        }
      }
    }
  };
  await each((own, text) => own && reasoning.add(text));
  if (reasoning.size > 0) await each((own, text) => !own && reasoning.delete(text));
  const quotes = new Quotes(texts, reasoning);
  for (const { set } of loadRuleSets(workspace)) {
    // People quote rules.
    for (const text of stringsIn(set)) quotes.except(text);
  }
  return quotes;
}

/** Those that are decisions, have an audit, or have a tombstone: a process that was killed may have left them in no file. */
async function knownIds(workspace: Workspace, runs: RunStore, ids: ReadonlySet<string>): Promise<string[]> {
  const logs = await chainFiles(workspace).logs();
  const buried = new Set(
    logs.find(({ source }) => source === ERASURES)?.records.map((text) => readTombstone(text)?.decision),
  );
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
