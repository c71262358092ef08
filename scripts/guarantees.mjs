// Tables of docs/guarantees.md from what the simulations found (test/simulations/results.json). `npm run simulations` ends with this.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../docs/guarantees.md", import.meta.url));
const RESULTS = fileURLToPath(new URL("../test/simulations/results.json", import.meta.url));
const PLACE = /(<!-- simulation: (.+?) -->\n)[\s\S]*?(<!-- \/simulation -->)/g;
/** Enumerated figures have no error but rounding. */
const ROUNDING = 1e-6;

export const readResults = () => JSON.parse(readFileSync(RESULTS, "utf8"));
export const readPage = () => readFileSync(PAGE, "utf8");
export const writePage = () => writeFileSync(PAGE, render(readPage(), readResults()));

export function isKept(row) {
  if (row.promise === null) return Number.isFinite(row.observed);
  const { kind, nominal } = row.promise;
  const { at_least: least, at_most: most } =
    kind === "computed" ? { at_least: nominal, at_most: nominal } : row.promise;
  if (least === undefined && most === undefined) return false;
  const sign = kind === "broken" ? -1 : 1;
  const aboveLeast = least === undefined || row.observed >= least - sign * slack(row, least);
  const belowMost = most === undefined || row.observed <= most + sign * slack(row, most);
  return kind === "broken" ? !(aboveLeast && belowMost) : aboveLeast && belowMost;
}

/** Three standard errors: of the promised share of that many draws, or of the mean. */
function slack({ draws, standard_error: error }, bound) {
  if (draws === null) return ROUNDING;
  return 3 * (error ?? Math.sqrt((bound * (1 - bound)) / draws));
}

export function render(page, results) {
  const topics = new Map();
  for (const row of Object.values(results).flat()) topics.set(row.topic, [...(topics.get(row.topic) ?? []), row]);
  const placed = new Set();
  const rendered = page.replace(PLACE, (_, start, topic, end) => {
    if (!topics.has(topic)) throw new Error(`docs/guarantees.md: no simulation of "${topic}"; run npm run simulations`);
    placed.add(topic);
    return `${start}${table(topics.get(topic))}\n${end}`;
  });
  for (const topic of topics.keys()) {
    if (!placed.has(topic)) throw new Error(`docs/guarantees.md: no place for "${topic}"; add <!-- simulation: … -->`);
  }
  return rendered;
}

/** Where several methods saw the same data under the same promise each is a column, else each row stands for itself. */
function table(rows) {
  const methods = [...new Set(rows.map((row) => row.method))];
  const settings = [...new Set(rows.map((row) => row.setting))];
  const at = (setting, method) => rows.find((row) => row.setting === setting && row.method === method);
  const same = (setting) =>
    new Set(methods.map((method) => JSON.stringify(frame(at(setting, method) ?? { method, draws: 0 })))).size === 1;
  const grid =
    methods.length > 1 && rows.length === methods.length * settings.length && rows.every((row) => !row.beside);
  if (grid && settings.every(same)) {
    return layout(
      settings.map((setting) => at(setting, methods[0])),
      methods.map((method) => [method, ({ setting }) => found(at(setting, method))]),
    );
  }
  const beside = [...new Set(rows.flatMap((row) => Object.keys(row.beside ?? {})))];
  return layout(
    rows,
    [
      ["found", found],
      ...beside.map((name) => [name, (row) => (row.beside?.[name] === undefined ? "" : number(row.beside[name]))]),
    ],
    methods.length > 1 ? [["method", (row) => row.method]] : [],
  );
}

const frame = ({ promise, measure, draws, seed }) => ({ promise, measure, draws, seed });

/** What is the same in every row is said once, above the table. */
function layout(rows, figures, first = []) {
  const about = [
    ["measured", ({ measure }) => measure],
    ["promised", promised],
  ];
  const source = [
    ["draws", ({ draws }) => (draws === null ? "exact" : number(draws))],
    ["seed", ({ seed }) => (seed === null ? "" : `\`${seed}\``)],
  ];
  const constant = ([, cell]) => new Set(rows.map(cell)).size === 1;
  const columns = [
    ...first,
    ["setting", ({ setting }) => setting],
    ...about.filter((column) => !constant(column)),
    ...figures,
    ...source.filter((column) => !constant(column)),
  ];
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    caption(rows[0], about.filter(constant), source.filter(constant)),
    "",
    line(columns.map(([name]) => name)),
    line(columns.map(() => "---")),
    ...rows.map((row) => line(columns.map(([, cell]) => cell(row)))),
  ].join("\n");
}

function caption(row, about, source) {
  const exact = row.draws === null && source.some(([name]) => name === "draws");
  const parts = about.map(([name, cell]) => `${name}: ${cell(row)}`);
  const told = source.map(([name, cell]) => `${name} ${cell(row)}`).filter((text) => !text.endsWith(" "));
  parts.push(exact ? "enumerated, exact" : ["simulation", ...told].join(", "));
  const text = parts.join("; ");
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function found(row) {
  const error = row.standard_error === undefined ? "" : ` ± ${number(row.standard_error)}`;
  return row.promise?.kind === "broken" ? `**${number(row.observed)}**${error}` : `${number(row.observed)}${error}`;
}

function promised({ promise }) {
  if (promise === null) return "nothing";
  if (promise.kind === "computed") return `computed: ${number(promise.nominal)}`;
  const { kind, nominal, at_least: least, at_most: most } = promise;
  const bounds = [
    ...(least === undefined ? [] : [`at least ${number(least)}`]),
    ...(most === undefined ? [] : [`at most ${number(most)}`]),
  ].join(", ");
  if (kind === "guaranteed") return bounds;
  return kind === "broken" ? `${bounds}: not kept` : `about ${number(nominal)} (${bounds})`;
}

/** Counts with thousands separators, shares with up to four decimals, small numbers with two digits. */
function number(value) {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  if (value !== 0 && Math.abs(value) < 0.001) return String(Number(value.toPrecision(2)));
  return String(Number(value.toFixed(Math.abs(value) >= 10 ? 1 : 4)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePage();
