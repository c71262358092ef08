// Tables of docs/guarantees.md, and of other pages that rows name, from what the simulations found (test/simulations/results.json).
// `npm run simulations` ends with this.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const GUARANTEES = "guarantees";
const pathOf = (name) => fileURLToPath(new URL(`../docs/${name}.md`, import.meta.url));
const RESULTS = fileURLToPath(new URL("../test/simulations/results.json", import.meta.url));
const PLACE = /(<!-- simulation: (.+?) -->\n)[\s\S]*?(<!-- \/simulation -->)/g;
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
  const rendered = page.replace(PLACE, (_, start, topic, end) => {
    if (!topics.has(topic)) throw new Error(`docs/${name}.md: no simulation of "${topic}"; run npm run simulations`);
    placed.add(topic);
    return `${start}${table(topics.get(topic))}\n${end}`;
  });
  for (const topic of topics.keys()) {
    if (!placed.has(topic)) throw new Error(`docs/${name}.md: no place for "${topic}"; add <!-- simulation: … -->`);
  }
  return rendered;
}

/** Where every method was tried in every setting each is a column, under its promise; else each row stands for itself. */
function table(rows) {
  const methods = [...new Set(rows.map(({ method }) => method))];
  const settings = [...new Set(rows.map(({ setting }) => setting))];
  const lines = settings.map((setting) => rows.filter((row) => row.setting === setting));
  const same = (group, key) => new Set(group.map((row) => JSON.stringify(row[key]))).size === 1;
  const full = methods.length > 1 && settings.length > 1 && rows.every(({ beside }) => !beside);
  const grid =
    full && lines.every((line) => line.length === methods.length && same(line, "draws") && same(line, "measure"));
  const oneOfMethod = methods.every((method) =>
    same(
      rows.filter((row) => row.method === method),
      "promise",
    ),
  );
  const oneOfLine = lines.every((line) => same(line, "promise"));
  if (grid && (oneOfMethod || oneOfLine)) {
    const figures = methods.map((method) => {
      const at = (line) => line.find((row) => row.method === method);
      return [oneOfLine ? method : `${method} (${promised(at(lines[0]).promise)})`, (line) => found(at(line))];
    });
    return layout(lines, [], figures, oneOfLine);
  }
  const beside = [...new Set(rows.flatMap((row) => Object.keys(row.beside ?? {})))];
  const cell = (name, [row]) => (row.beside?.[name] === undefined ? "" : number(row.beside[name]));
  return layout(
    rows.map((row) => [row]),
    methods.length > 1 ? [["method", ([{ method }]) => method]] : [],
    [["found", ([row]) => found(row)], ...beside.map((name) => [name, (line) => cell(name, line)])],
  );
}

/** Each line of a table is one row or several. What is the same in every line is said once, above the table. */
function layout(lines, names, figures, withPromise = true) {
  const about = [["measured", ([{ measure }]) => measure]];
  if (withPromise) about.push(["promised", ([{ promise }]) => promised(promise)]);
  const source = [
    ["draws", ([{ draws }]) => (draws === null ? "exact" : number(draws))],
    ["seed", (line) => [...new Set(line.map(({ seed }) => (seed === null ? "" : `\`${seed}\``)))].join(", ")],
  ];
  const constant = ([, cell]) => new Set(lines.map(cell)).size === 1;
  const varies = (column) => !constant(column);
  const setting = ["setting", ([row]) => row.setting];
  const columns = [...names, setting, ...about.filter(varies), ...figures, ...source.filter(varies)];
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    caption(lines[0], about.filter(constant), source.filter(constant)),
    "",
    line(columns.map(([name]) => name)),
    line(columns.map(() => "---")),
    ...lines.map((one) => line(columns.map(([, cell]) => cell(one)))),
  ].join("\n");
}

function caption(line, about, source) {
  const exact = source.some(([name, cell]) => name === "draws" && cell(line) === "exact");
  const told = source.map(([name, cell]) => [name, cell(line)]).filter(([, text]) => text !== "");
  const parts = about.map(([name, cell]) => `${name}: ${cell(line)}`);
  parts.push(exact ? "enumerated, exact" : ["simulation", ...told.map(([name, text]) => `${name} ${text}`)].join(", "));
  const text = parts.join("; ");
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
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
