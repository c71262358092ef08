import { createInterface } from "node:readline/promises";
import type { ChosenMapping, GuessAgain } from "../../app/import/choose-mapping.js";
import type { MappingGuess } from "../../app/import/guess-mapping.js";
import { type Actions, actionNames, parseAction } from "../../core/records/actions.js";
import { guessLines } from "../../present/import/mapping-words.js";
import { plural } from "../../present/words/numbers.js";
import { type Mapping, mergeMappings } from "../../store/records/mapping.js";
import { type Fields, fieldAt } from "../../store/records/record-kinds.js";
import { printable } from "../../text/printable.js";

/** Asks a question; null: input has ended. */
export type Ask = (question: string) => Promise<string | null>;

const NOTHING: Mapping = { columns: [], values: [], constants: [], idFrom: null };
const MOST_WORDS = 12;

/** Asks the user about one file: shows its probable meaning, asks for what is missing, and accepts changes. */
export class MappingQuestions {
  private said = NOTHING;
  private readonly kept = new Set<string>();

  constructor(
    private guess: MappingGuess,
    private readonly again: GuessAgain,
    private readonly words: { fields: Fields; actions: Actions },
    private readonly ask: Ask,
    private readonly say: (line: string) => void,
  ) {}

  /** Null: leave the file out. */
  async answer(file: string, asksName: boolean): Promise<ChosenMapping | null> {
    this.show(file);
    for (let isFirst = true; ; isFirst = false) {
      while (this.guess.missing.length > 0) if (!(await this.askField(this.guess.missing[0]!))) return null;
      if (isFirst && !(await this.askWords())) return null;
      const answer = await this.ask("Import like this? Enter: yes; n: no; or a change, such as moderator=decider: ");
      if (answer === null || /^(?:n|no|q|quit)$/i.test(answer)) return null;
      if (answer === "" || /^y(?:es)?$/i.test(answer)) break;
      const fault = this.change(answer);
      if (fault === null) this.show(file);
      else this.say(fault);
    }
    const { mapping } = this.guess;
    const name = asksName ? await this.ask("Name to keep this under for the next file (Enter: none): ") : null;
    return { mapping, saveProfile: name && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name) ? name : undefined };
  }

  private show(file: string): void {
    this.say(`\n${printable(file, 200)}: what its columns seem to be`);
    for (const line of guessLines(this.guess)) this.say(line);
    this.say("");
  }

  private tell(more: Partial<Mapping>): void {
    this.said = mergeMappings(this.said, { ...NOTHING, ...more });
    this.guess = this.again(this.said, this.kept);
  }

  private async askField(field: string): Promise<boolean> {
    const names = actionNames(this.words.actions);
    const same = field === "decision" ? names.map((name) => `=${name}`).join(" or ") : "=TEXT";
    for (;;) {
      const answer = await this.ask(`Which column is ${field}? Its name, or ${same} for the same in every row: `);
      if (answer === null) return false;
      const value = answer.startsWith("=") ? answer.slice(1).trim() : "";
      const column = this.columnNamed(answer);
      const isWrong = field === "decision" && parseAction(this.words.actions, value) === null;
      if (value !== "" && !isWrong) this.tell({ constants: [{ field, value }] });
      else if (column !== undefined) this.tell({ columns: [{ column, field }] });
      else {
        this.say(`Columns: ${this.guess.columns.map((each) => printable(each.column, 60)).join(", ")}`);
        continue;
      }
      return true;
    }
  }

  /** Asks about unknown words for actions, one question for each of the most frequent. */
  private async askWords(): Promise<boolean> {
    const names = actionNames(this.words.actions);
    const asked = new Map<string, number>();
    for (const { field, value, rows } of this.guess.unknown) {
      if (fieldAt(this.words.fields, field.split("."))?.type !== "action") continue;
      asked.set(value, (asked.get(value) ?? 0) + rows);
    }
    for (const [value, rows] of [...asked].slice(0, MOST_WORDS)) {
      const shown = `"${printable(value, 60)}" (${plural(rows, "row")})`;
      const answer = await this.ask(
        `${shown} is ${names.join(", ")}, or ${names.length > 2 ? "none of them" : "neither"} (Enter: reject these rows): `,
      );
      if (answer === null) return false;
      const isShort = (action: string) => answer !== "" && action.toLowerCase().startsWith(answer.toLowerCase());
      const ours = names.find(isShort);
      if (ours) this.tell({ values: [{ field: null, theirs: value, ours }] });
    }
    return true;
  }

  /** Applies `column=field`, `column=` or `word=action`; returns what is wrong with it. */
  private change(answer: string): string | null {
    const equals = answer.lastIndexOf("=");
    const left = answer.slice(0, equals).trim();
    const right = answer.slice(equals + 1).trim();
    if (equals < 1) return "Write COLUMN=FIELD, COLUMN= to keep a column as it is, or WORD=ACTION.";
    const ours = parseAction(this.words.actions, right);
    const column = this.columnNamed(left);
    if (ours !== null) this.tell({ values: [{ field: null, theirs: left, ours }] });
    else if (column === undefined) return `There is no column "${printable(left, 60)}".`;
    else if (right === "") {
      this.kept.add(column);
      this.said = { ...this.said, columns: this.said.columns.filter((each) => each.column !== column) };
      this.tell({});
    } else if (fieldAt(this.words.fields, right.split(".")) === null) {
      const fields = [...this.words.fields.byName.keys()].join(", ");
      return `There is no field "${printable(right, 60)}". Fields: ${fields}.`;
    } else this.tell({ columns: [{ column, field: right }] });
    return null;
  }

  private columnNamed(name: string): string | undefined {
    const names = this.guess.columns.map(({ column }) => column);
    return names.find((column) => column === name) ?? names.find((one) => one.toLowerCase() === name.toLowerCase());
  }
}

/** Asks questions on the terminal. Ctrl-C and Ctrl-D end them. */
export function terminalQuestions(): { ask: Ask; close(): void } {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<null>((resolve) => reader.once("close", () => resolve(null)));
  reader.on("SIGINT", () => reader.close());
  return {
    ask: async (question) => (await Promise.race([reader.question(question), closed]))?.trim() ?? null,
    close: () => reader.close(),
  };
}
