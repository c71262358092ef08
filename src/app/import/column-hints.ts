import { isObject } from "../../store/records/fits.js";
import {
  type KindOfRecord,
  RECORD_KINDS,
  type RecordKind,
  type RecordObject,
} from "../../store/records/record-kinds.js";

/** Names that other systems use for our required fields: Reddit, Coop, Ozone, Lemmy, Mastodon, Discourse, gpt-oss-safeguard. */
const OTHER_NAMES: Record<string, readonly string[]> = {
  id: [
    "decision_id",
    "item_id",
    "content_id",
    "post_id",
    "comment_id",
    "message_id",
    "target.id",
    "item.id",
    "uuid",
    "key",
  ],
  decision_id: ["id", "item_id", "case_id", "post_id", "content_id"],
  community: [
    "subreddit",
    "subreddit_name",
    "sub",
    "group",
    "forum",
    "channel",
    "board",
    "server",
    "guild",
    "space",
    "instance",
  ],
  content: [
    "text",
    "content_text",
    "body",
    "selftext",
    "message",
    "post",
    "post_text",
    "comment",
    "comment_text",
    "target.body",
    "raw",
  ],
  decision: [
    "action",
    "action.id",
    "verdict",
    "outcome",
    "moderation_action",
    "final_action",
    "violation",
    "label",
    "status",
    "type",
  ],
  level: ["defensibility_level", "rating", "score", "label"],
  source: ["kind", "origin"],
};

const SHOWN_COLUMNS = 30;
const LOOKED_AT_ROWS = 1000;

/** Follows which required fields the rows of a file lack, to tell a wrong column once instead of once a row. */
export class MissingFields {
  private rows = 0;
  private readonly missing = new Map<string, number>();
  private readonly columns = new Set<string>();

  constructor(private readonly kind: KindOfRecord) {}

  noteColumns(columns: readonly string[]): void {
    for (const column of columns) this.columns.add(column);
  }

  /** Notes what a row of a file without a header has, before anything is renamed. */
  noteColumnsOf(row: RecordObject): void {
    if (this.rows < LOOKED_AT_ROWS) this.noteColumns(columnsOf(row));
  }

  /** Counts a row that could be read, whether it was taken or not. */
  noteRow(row: RecordObject, taken: boolean): void {
    this.rows++;
    if (taken) return;
    for (const field of this.kind.fields.list) {
      const value = row[field.name];
      if (field.required && (value === undefined || value === null || (value === "" && field.type !== "content"))) {
        this.missing.set(field.name, (this.missing.get(field.name) ?? 0) + 1);
      }
    }
  }

  /** What every row lacks, with the columns that are there and the flag that would mend it; null if nothing. */
  problem(file: string): { message: string; remedy: string } | null {
    const fields = [...this.missing].filter(([, count]) => count === this.rows).map(([field]) => field);
    if (fields.length === 0) return null;
    const columns = [...this.columns].filter((column) => column !== "");
    const shown = columns.slice(0, SHOWN_COLUMNS).join(", ");
    const more = columns.length > SHOWN_COLUMNS ? ` and ${columns.length - SHOWN_COLUMNS} more` : "";
    const names = fields.map((field) => `"${field}"`).join(" and ");
    return {
      message: `${file}: every row lacks ${names}; columns found: ${shown}${more}`,
      remedy: [...this.mend(fields, columns), ...otherKind(this.kind.kind, this.columns)].join(" "),
    };
  }

  private *mend(fields: readonly string[], columns: readonly string[]): Generator<string> {
    const flags = fields.map((field) => {
      const column = guess(field, columns) ?? "<column>";
      const flag = `${column}=${field}`;
      return `--map ${/^[\w.<>=-]+$/.test(flag) && !flag.includes("<") ? flag : `"${flag}"`}`;
    });
    yield `Say which column it is: ${flags.join(" ")}.`;
    const field = fields.map((name) => this.kind.fields.byName.get(name)!).find((each) => each.type === "choice");
    if (field) yield `Or add a column "${field.name}" with ${field.values.join(", ")}.`;
  }
}

function guess(field: string, columns: readonly string[]): string | undefined {
  for (const name of [field, ...(OTHER_NAMES[field] ?? [])]) {
    const column = columns.find((each) => letters(each) === letters(name));
    if (column) return column;
  }
  return undefined;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The rows may be of another kind altogether. */
function otherKind(kind: RecordKind, columns: ReadonlySet<string>): string[] {
  const has = (name: string) => columns.has(name) || columns.has(`${name}.body`);
  const fits = Object.values(RECORD_KINDS).find(
    (other) => other.kind !== kind && other.fields.list.every((field) => !field.required || has(field.name)),
  );
  if (!fits) return [];
  if (fits.kind === "outcomes") return ["Or, if these are outcomes of reviews: `defensible outcomes import`."];
  return [`Or, if these are ${fits.kind}: \`defensible import --as ${fits.kind}\`.`];
}

function columnsOf(row: RecordObject): string[] {
  return Object.entries(row).flatMap(([key, value]) =>
    isObject(value) ? Object.keys(value).map((member) => `${key}.${member}`) : [key],
  );
}
