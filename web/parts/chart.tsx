import { useMemo } from "react";
import type { Figure } from "../../src/core/figure.js";
import { isMissing, type MaybeFigure } from "../../src/present/figures/missing.js";
import { planFigure } from "../draw/plan.ts";
import { safeText } from "../draw/value-name.ts";
import { useRoute } from "../route/use-route.ts";
import { askedValues, ChartChoices } from "./chart-choices.tsx";
import { ChartDrawing, type ChartPick } from "./chart-drawing.tsx";
import { ChartTools } from "./chart-tools.tsx";
import { Nothing } from "./nothing.tsx";
import { paperName } from "./paper-name.ts";

interface ChartProps {
  figure: MaybeFigure;
  heading?: "h2" | "h3" | "h4";
  /** Points can be picked. */
  pick?: ChartPick;
}

/** A figure with the finding as its title, its data behind a toggle, and downloads; or why there is none. */
export function Chart({ figure, heading = "h3", pick }: ChartProps) {
  if (isMissing(figure)) return <Nothing why={figure.missing} command={figure.command} />;
  return <DrawnChart key={figure.id} figure={figure} heading={heading} pick={pick} />;
}

interface DrawnChartProps {
  figure: Figure;
  heading: "h2" | "h3" | "h4";
  pick: ChartPick | undefined;
}

function DrawnChart({ figure, heading: Heading, pick }: DrawnChartProps) {
  const { query } = useRoute();
  // What is chosen is compared as text, so that the picture is drawn anew only when it changes.
  const asked = JSON.stringify(askedValues(figure, query));
  const { chosen, notes } = useMemo(() => planFigure(figure, JSON.parse(asked)), [figure, asked]);
  const words = [...(figure.caption ? [safeText(figure.caption)] : []), ...notes].join(" ");
  return (
    <figure className="chart" id={`figure-${figure.id}`}>
      <figcaption>
        <Heading>{safeText(figure.title)}</Heading>
      </figcaption>
      {figure.choose && <ChartChoices figure={figure} chosen={chosen} />}
      <ChartDrawing figure={figure} chosen={chosen} pick={pick} />
      {(words || figure.paper) && (
        <p className="chart-caption">
          {words}
          {figure.paper && <span className="chart-paper"> Counterpart of the paper's {paperName(figure.paper)}.</span>}
        </p>
      )}
      <ChartTools figure={figure} chosen={chosen} />
    </figure>
  );
}
