import { useId, useMemo, useState } from "react";
import type { Figure } from "../../../src/core/figure.js";
import type { ReportPage } from "../../../src/measures/report-page.js";
import { figureCsv, isMissing, type MaybeFigure } from "../../../src/present/figures/missing.js";
import { useMaybePage } from "../../data/page-context.ts";
import { type Chosen, chartModel, chosenRows, distinct } from "../../draw/chart-model.ts";
import { figureFile } from "../../draw/figure-file.ts";
import { columnName, safeText, valueName } from "../../draw/value-text.ts";
import { useQuery, useRoute } from "../../route/use-route.ts";
import { SelectBox } from "../controls/choices.tsx";
import { download } from "../download.ts";
import { Nothing } from "../nothing.tsx";
import { ChartDrawing, type ChartPick } from "./chart-drawing.tsx";
import { ChartTable } from "./chart-table.tsx";

interface ChartProps {
  figure: MaybeFigure;
  /** Makes points selectable. */
  pick?: ChartPick;
}

/** A figure with its finding as the title, its data behind a toggle, and downloads; or why it is missing. */
export function Chart({ figure, pick }: ChartProps) {
  if (isMissing(figure)) return <Nothing why={figure.missing} command={figure.command} />;
  return <DrawnChart key={figure.id} figure={figure} pick={pick} />;
}

function DrawnChart({ figure, pick }: { figure: Figure; pick: ChartPick | undefined }) {
  const { query } = useRoute();
  // Compared as text, so that the chart is redrawn only when the choice changes.
  const asked = JSON.stringify(askedValues(figure, query));
  const { chosen, notes } = useMemo(() => chartModel(figure, JSON.parse(asked)), [figure, asked]);
  const words = [...(figure.caption ? [safeText(figure.caption)] : []), ...notes].join(" ");
  return (
    <figure className="chart" id={`figure-${figure.id}`}>
      <figcaption>{safeText(figure.title)}</figcaption>
      {figure.choose && <ChartChoices figure={figure} chosen={chosen} />}
      <ChartDrawing figure={figure} chosen={chosen} pick={pick} />
      {words && <p className="chart-caption">{words}</p>}
      <ChartTools figure={figure} chosen={chosen} />
    </figure>
  );
}

/** Source of a chart's data, which also appears in downloaded files. */
function sourceText(page: ReportPage | null, { paper }: Figure): string {
  if (!page) return "";
  const { run } = page.report;
  const auditor = run.auditor ? `auditor ${run.auditor}` : "";
  const counterpart = paper ? `counterpart of the paper's ${paperName(paper)}` : "";
  const parts = [run.run_id ? `Run ${run.run_id}` : "Audits of a file", auditor, page.made_by, counterpart];
  return parts.filter(Boolean).join(" · ");
}

/** A chart's data as a table, and both as files. */
function ChartTools({ figure, chosen }: { figure: Figure; chosen: Chosen }) {
  const page = useMaybePage();
  const [open, setOpen] = useState(false);
  const tableId = useId();
  const title = safeText(figure.title);
  const rows = chosenRows(figure.rows, chosen);
  const save = (kind: "svg" | "csv") =>
    kind === "svg"
      ? download(
          `${figure.id}.svg`,
          "image/svg+xml",
          figureFile(figure, { document, chosen, source: sourceText(page, figure) }),
        )
      : download(`${figure.id}.csv`, "text/csv", figureCsv(figure));
  return (
    <>
      <div className="chart-tools">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? tableId : undefined}
          aria-label={`Data of: ${title}`}
          onClick={() => setOpen(!open)}
        >
          Data
        </button>
        <button type="button" aria-label={`SVG of: ${title}`} onClick={() => save("svg")}>
          SVG
        </button>
        <button type="button" aria-label={`CSV of: ${title}`} onClick={() => save("csv")}>
          CSV
        </button>
      </div>
      {open && <ChartTable id={tableId} title={title} rows={rows} all={figure.rows.length} />}
    </>
  );
}

const addressOf = ({ id }: Figure, field: string) => `${id}.${field}`;

/** Choices in the address, as values of the figure's rows. */
function askedValues(figure: Figure, query: URLSearchParams): Chosen {
  const asked = (figure.choose ?? []).flatMap((field) => {
    const text = query.get(addressOf(figure, field));
    const value = distinct(figure.rows, field).find((candidate) => String(candidate) === text);
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(asked);
}

/** A list for each column with a chosen value, which the address holds. */
function ChartChoices({ figure, chosen }: { figure: Figure; chosen: Chosen }) {
  const fields = figure.choose ?? [];
  return (
    <div className="chart-choices">
      {fields.map((field, i) => {
        const before = Object.fromEntries(fields.slice(0, i).map((earlier) => [earlier, chosen[earlier] ?? null]));
        return <Choice key={field} figure={figure} field={field} chosen={chosen} before={before} />;
      })}
    </div>
  );
}

function Choice({ figure, field, chosen, before }: { figure: Figure; field: string; chosen: Chosen; before: Chosen }) {
  const [, setValue] = useQuery(addressOf(figure, field));
  const values = distinct(chosenRows(figure.rows, before), field);
  return (
    <SelectBox
      label={columnName(field)}
      value={String(chosen[field])}
      options={values.map((value) => ({ value: String(value), name: valueName(field, value) }))}
      onChange={setValue}
    />
  );
}

/** "fig:pds_validation D" -> "figure “pds validation” D"; other labels stay unchanged. */
function paperName(label: string): string {
  return label.replace(/\b(fig|tab):([a-z_]+)/g, (_, kind: string, name: string) => {
    return `${kind === "fig" ? "figure" : "table"} “${name.replaceAll("_", " ")}”`;
  });
}
