// Tables of docs/guarantees.md, and of other pages that rows name, from what the simulations found (test/simulations/results.json).
// `npm run simulations` ends with this.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const GUARANTEES = "guarantees";
const pathOf = (name) => fileURLToPath(new URL(`../docs/${name}.md`, import.meta.url));
const RESULTS = fileURLToPath(new URL("../test/simulations/results.json", import.meta.url));
const PLACE = /(<!-- simulation(s?): (.+?) -->\n)[\s\S]*?(<!-- \/simulation -->)/g;
/** Enumerated figures have no error but rounding. */
const ROUNDING = 1e-6;

export const readResults = () => JSON.parse(readFileSync(RESULTS, "utf8"));
export const readPage = (name = GUARANTEES) => readFileSync(pathOf(name), "utf8");
export function writePage() {
  const results = readResults();
  const pages = new Set([GUARANTEES, ...Object.values(results).flatMap((rows) => rows.map(pageOf))]);
  for (const name of pages) writeFileSync(pathOf(name), render(readPage(name), results, name));
}

const pageOf = (row) => row.page ?? GUARANTEES;

export function isKept(row) {
  if (!Number.isFinite(row.observed)) return false;
  if (row.promise === null) return true;
  const { kind, nominal } = row.promise;
  const { at_least: least, at_most: most } =
    kind === "computed" ? { at_least: nominal, at_most: nominal } : row.promise;
  if (least === undefined && most === undefined) return false;
  const within =
    (least === undefined || row.observed >= least - slack(row, least)) &&
    (most === undefined || row.observed <= most + slack(row, most));
  return within !== (kind === "broken");
}

/** Three standard errors: of the promised share of that many draws, or of the mean. */
function slack({ draws, standard_error: error }, bound) {
  if (draws === null) return ROUNDING;
  return 3 * (error ?? Math.sqrt((bound * (1 - bound)) / draws));
}

export function render(page, results, name = GUARANTEES) {
  const topics = new Map();
  for (const row of Object.values(results).flat()) {
    if (pageOf(row) === name) topics.set(row.topic, [...(topics.get(row.topic) ?? []), row]);
  }
  const placed = new Set();
  const rowsOf = (topic) => {
    if (!topics.has(topic)) throw new Error(`docs/${name}.md: no simulation of "${topic}"; run npm run simulations`);
    placed.add(topic);
    return topics.get(topic);
  };
  const rendered = page.replace(PLACE, (_, start, plural, names, end) => {
    const text = plural ? summary(names.split("; ").map(rowsOf)) : table(rowsOf(names));
    return `${start}${text}\n${end}`;
  });
  for (const topic of topics.keys()) {
    if (!placed.has(topic)) throw new Error(`docs/${name}.md: no place for "${topic}"; add <!-- simulations: … -->`);
  }
  return rendered;
}

/** One line for the figures of a topic with the same measure and kind of promise: how many kept it, and the worst. Settings stay in results.json. */
function summary(topics) {
  const lines = topics.flatMap((rows) => {
    const keyOf = ({ measure, promise, method }) => `${promise?.kind ?? method}; ${measure}`;
    const groups = [...new Set(rows.map(keyOf))].map((key) => rows.filter((row) => keyOf(row) === key));
    return groups.map((group) => [`${rows[0].topic}: ${group[0].measure}`, boundsOf(group), foundOf(group, rows)]);
  });
  const shown = lines.map(([name, ...cells], i) => [lines[i - 1]?.[0] === name ? "" : name, ...cells]);
  return [line(["simulation", "promised", "found"]), line(["---", "---", "---"]), ...shown.map(line)].join("\n");
}

/** What a group promises; bounds that differ between its figures are listed. */
function boundsOf(rows) {
  const { promise } = rows[0];
  if (promise === null) return "nothing";
  if (promise.kind === "computed") return "the computed number";
  const sides = [
    ["at_least", "≥"],
    ["at_most", "≤"],
  ].flatMap(([key, sign]) => {
    const bounds = [...new Set(rows.map((row) => row.promise[key]).filter((bound) => bound !== undefined))];
    return bounds.length === 0 ? [] : [`${sign} ${bounds.map(number).join(" or ")}`];
  });
  const about =
    promise.kind === "approximate"
      ? ` (nominal ${[...new Set(rows.map((row) => number(row.promise.nominal)))].join(" or ")})`
      : "";
  return `${sides.join(", ")}${promise.kind === "broken" ? ": not kept" : about}`;
}

function foundOf(rows, topic) {
  const sorted = rows.map(({ observed }) => observed).sort((a, b) => a - b);
  const range = [...new Set([sorted[0], sorted.at(-1)].map(number))].join(" to ");
  const methods = [...new Set(rows.map(({ method }) => method))];
  const which = topic.some(({ method }) => !methods.includes(method)) ? ` (${methods.join("; ")})` : "";
  if (rows[0].promise === null) return `${range}${which}`;
  if (rows[0].promise.kind === "broken") return `**${range}**${which}`;
  const [worst] = rows.toSorted((a, b) => margin(a) - margin(b));
  const nominal = worst.promise.kind === "computed" ? ` for ${number(worst.promise.nominal)}` : "";
  if (rows.length === 1) return `${found(worst)}${nominal}${which}`;
  return `${rows.filter(isKept).length}/${rows.length}, worst ${found(worst)}${nominal}${which}`;
}

/** How far a figure is inside its promise, relative to it; negative: outside. */
function margin({ observed, promise, standard_error: error }) {
  if (promise === null) return 0;
  if (promise.kind === "computed") return -Math.abs(observed - promise.nominal) / (error ?? 1);
  const { at_least: least, at_most: most } = promise;
  return Math.min(least === undefined ? Infinity : observed / least - 1, most ? 1 - observed / most : Infinity);
}

const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

/**
 * Where every method was tried in every setting, the fewer of the two are columns; else each row is a line. Bounds of intervals and sizes
 * stay in results.json.
 */
function table(rows) {
  const methods = [...new Set(rows.map(({ method }) => method))];
  const settings = [...new Set(rows.map(({ setting }) => setting))];
  const same = (group, key) => new Set(group.map((row) => JSON.stringify(row[key]))).size === 1;
  const beside = [...new Set(rows.flatMap((row) => Object.keys(row.beside ?? {})))].filter(
    (name) => !/(^| )(from|to)$|^sound decisions$/.test(name),
  );
  const isGrid = rows.length === methods.length * settings.length && methods.length > 1 && settings.length > 1;
  if (isGrid && beside.length < 2 && same(rows, "promise") && same(rows, "measure")) {
    const [across, down] = methods.length <= settings.length ? ["method", "setting"] : ["setting", "method"];
    const lines = [...new Set(rows.map((row) => row[down]))].map((name) => rows.filter((row) => row[down] === name));
    const figures = [...new Set(rows.map((row) => row[across]))].map((name) => {
      const at = (line) => line.find((row) => row[across] === name);
      return [name, (line) => [at(line).observed, ...beside.map((key) => at(line).beside[key])].map(short).join(" / ")];
    });
    return layout(lines, [[down, ([row]) => row[down]]], figures, beside);
  }
  const cell = (name, [row]) => (row.beside?.[name] === undefined ? "" : number(row.beside[name]));
  return layout(
    rows.map((row) => [row]),
    [...(methods.length > 1 ? [["method", ([{ method }]) => method]] : []), ["setting", ([{ setting }]) => setting]],
    [["found", ([row]) => found(row)], ...beside.map((name) => [name, (line) => cell(name, line)])],
  );
}

const short = (value) => (value < 1 ? String(Number(value.toPrecision(3))) : number(value));

/** Each line of a table is one row or several. What is the same in every line is said once, above it; draws and seeds are in results.json. */
function layout(lines, names, figures, together = []) {
  const about = [
    ["measured", ([{ measure }]) => [measure, ...together].join(" / ")],
    ["promised", ([{ promise }]) => promised(promise)],
  ];
  const isConstant = ([, cell]) => new Set(lines.map(cell)).size === 1;
  const columns = [...names, ...about.filter((column) => !isConstant(column)), ...figures];
  const caption = about
    .filter((column) => isConstant(column) && column[1](lines[0]) !== "nothing")
    .map(([name, cell]) => `${name}: ${cell(lines[0])}`)
    .join("; ");
  return [
    caption === "" ? "" : `${caption[0].toUpperCase()}${caption.slice(1)}.`,
    "",
    line(columns.map(([name]) => name)),
    line(columns.map(() => "---")),
    ...lines.map((one) => line(columns.map(([, cell]) => cell(one)))),
  ].join("\n");
}

function found(row) {
  const error = !row.standard_error ? "" : ` ± ${Number(row.standard_error.toPrecision(2))}`;
  return row.promise?.kind === "broken" ? `**${number(row.observed)}**${error}` : `${number(row.observed)}${error}`;
}

function promised(promise) {
  if (promise === null) return "nothing";
  if (promise.kind === "computed") return `computed: ${number(promise.nominal)}`;
  const { kind, nominal, at_least: least, at_most: most } = promise;
  const bounds = [
    ...(least === undefined ? [] : [`at least ${number(least)}`]),
    ...(most === undefined ? [] : [`at most ${number(most)}`]),
  ].join(", ");
  if (kind === "guaranteed") return bounds;
  return kind === "broken" ? `${bounds}: not kept` : `about ${number(nominal)}, ${bounds}`;
}

/** Counts with thousands separators, shares with four decimals, the smallest with two digits. */
function number(value) {
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en-US");
  if (size > 0 && size < 0.001) return String(Number(value.toPrecision(2)));
  return String(Number(value.toFixed(size >= 10 ? 1 : size > 1 ? 2 : 4)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePage();
