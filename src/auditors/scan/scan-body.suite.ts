import fc from "fast-check";

/** A number as it stands in a body: `-0.0`, `1e-05`. */
class Written {
  constructor(readonly text: string) {}
}

export interface Layout {
  /** Between members; with an indent, lines are broken too. */
  comma: string;
  colon: string;
  indent: string | null;
  /** Only ASCII, as Python writes it unless told otherwise. */
  ascii: boolean;
  /** Mixes the order of keys. */
  order: number;
}

export const layouts: fc.Arbitrary<Layout> = fc
  .record({
    style: fc.constantFrom<Omit<Layout, "ascii" | "order">>(
      { comma: ",", colon: ":", indent: null },
      { comma: ", ", colon: ": ", indent: null },
      { comma: ",", colon: ": ", indent: "  " },
      { comma: ",", colon: ":", indent: "\t" },
    ),
    ascii: fc.boolean(),
    order: fc.nat(7),
  })
  .map(({ style, ascii, order }) => ({ ...style, ascii, order }));

/** JSON in a server's own manner. */
export function writeJson(value: unknown, layout: Layout, depth = 0): string {
  if (value instanceof Written) return value.text;
  if (typeof value === "string") return writeString(value, layout);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const list = Array.isArray(value);
  const entries = list
    ? value.map((item) => writeJson(item, layout, depth + 1))
    : reordered(Object.entries(value), layout.order).map(
        ([key, item]) => `${writeString(key, layout)}${layout.colon}${writeJson(item, layout, depth + 1)}`,
      );
  const [open, close] = list ? "[]" : "{}";
  if (entries.length === 0) return `${open}${close}`;
  if (layout.indent === null) return `${open}${entries.join(layout.comma)}${close}`;
  const line = `\n${layout.indent.repeat(depth + 1)}`;
  return `${open}${line}${entries.join(`${layout.comma}${line}`)}\n${layout.indent.repeat(depth)}${close}`;
}

function writeString(text: string, { ascii }: Layout): string {
  const json = JSON.stringify(text);
  if (!ascii) return json;
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function reordered<T>(items: readonly T[], order: number): T[] {
  const from = items.length === 0 ? 0 : order % items.length;
  const turned = [...items.slice(from), ...items.slice(0, from)];
  return order > 4 ? turned.reverse() : turned;
}

/** Texts that tempt a scanner: what a list, an object or a string ends with, and what comes next. */
export const texts = fc.oneof(
  fc.constantFrom(
    "}]",
    "}]},{",
    '}]},{"token":"',
    '"top_logprobs": [',
    "\\",
    '\\"',
    '{"',
    '":"',
    "\n",
    "]\n",
    "é",
    "𠮷",
    "\ud83d",
    "",
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.string({ unit: "binary", maxLength: 4 }),
);

export const logprobs = fc.oneof(
  fc.double({ min: -30, max: 0, noNaN: true }),
  fc
    .constantFrom("-0.0", "0", "1e-05", "-9999.0", "-3.4028235e38", "-2.9266366958618164", "-1E+2")
    .map((text) => new Written(text)),
);

const bytes = fc.option(fc.array(fc.nat(255), { maxLength: 4 }));

const plainExtra = fc.oneof(
  texts,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
);
const deepExtra = fc.oneof(
  plainExtra,
  fc.array(fc.record({ token: texts, x: fc.array(fc.record({ y: texts }), { maxLength: 2 }) }), { maxLength: 2 }),
);

/** Members that nobody asked for; `deep` ones may have objects inside. */
const extraKeys = fc.subarray(["id", "z", 'a"b', "é"], { maxLength: 2 });
const extras = (keys: readonly string[], deep: boolean): fc.Arbitrary<object> =>
  fc.record(Object.fromEntries(keys.map((key) => [key, deep ? deepExtra : plainExtra])));

/** A server's tokens: all have the same members, as servers write them, with any values. */
export const tokenLists = fc
  .record({ top: fc.boolean(), deep: fc.boolean(), bytes: fc.boolean(), own: extraKeys, theirs: extraKeys })
  .chain((habits) => {
    const common = { token: texts, logprob: logprobs, ...(habits.bytes ? { bytes } : {}) };
    const candidate = fc
      .tuple(extras(habits.theirs, habits.deep), fc.record(common))
      .map(([more, own]) => ({ ...more, ...own }));
    const lists = fc.oneof({ weight: 6, arbitrary: fc.array(candidate, { maxLength: 4 }) }, fc.constant(null));
    const token = fc
      .tuple(extras(habits.own, true), fc.record({ ...common, ...(habits.top ? { top_logprobs: lists } : {}) }))
      .map(([more, own]) => ({ ...more, ...own }));
    return fc.array(token, { maxLength: 8 });
  });

const flatLogprobs = fc
  .array(fc.tuple(texts, fc.option(logprobs), fc.dictionary(texts, logprobs, { maxKeys: 4 })), { maxLength: 6 })
  .chain((rows) =>
    fc
      .constantFrom<unknown>(
        rows.map(([, , top]) => top),
        {},
        null,
      )
      .map((top) => ({
        tokens: rows.map(([text]) => text),
        token_logprobs: rows.map(([, logprob]) => logprob),
        top_logprobs: top,
      })),
  );

export const choices = fc.array(
  fc.record({
    message: fc.record({ role: fc.constant("assistant"), content: fc.option(texts), refusal: fc.option(texts) }),
    logprobs: fc.oneof(
      fc.record({ content: fc.option(tokenLists, { freq: 8 }), refusal: fc.option(tokenLists, { freq: 1 }) }),
      flatLogprobs,
      fc.constant(null),
    ),
    finish_reason: fc.constantFrom("stop", "length", "content_filter", "eos", null),
    extra: fc.record({
      id: fc.array(fc.record({ x: fc.array(fc.record({ y: texts }), { maxLength: 2 }) }), { maxLength: 2 }),
    }),
  }),
  { minLength: 1, maxLength: 3 },
);
