import { useId, useState } from "react";
import type { Figure } from "../../src/core/figure.js";
import type { ReportPage } from "../../src/measures/report-page.js";
import { figureCsv } from "../../src/present/figures/figure-csv.js";
import { usePage } from "../data/page-context.ts";
import { type Chosen, chosenRows } from "../draw/choose-rows.ts";
import { figureFile } from "../draw/figure-file.ts";
import { safeText } from "../draw/value-name.ts";
import { ChartTable } from "./chart-table.tsx";
import { download } from "./download.ts";

/** Where the data of a picture come from: a file that leaves the page still says it. */
function sourceText({ report: { run }, made_by }: ReportPage): string {
  const auditor = run.auditor ? `auditor ${run.auditor}` : "";
  return [run.run_id ? `Run ${run.run_id}` : "Audits of a file", auditor, made_by].filter(Boolean).join(" · ");
}

/** The data behind a picture as a table, and both as files. */
export function ChartTools({ figure, chosen }: { figure: Figure; chosen: Chosen }) {
  const page = usePage();
  const [open, setOpen] = useState(false);
  const tableId = useId();
  const title = safeText(figure.title);
  const rows = chosenRows(figure.rows, chosen);
  const save = (kind: "svg" | "csv") =>
    kind === "svg"
      ? download(
          `${figure.id}.svg`,
          "image/svg+xml",
          figureFile(figure, { document, chosen, source: sourceText(page) }),
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
