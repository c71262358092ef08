import { useEffect, useRef } from "react";
import type { Figure } from "../../src/domain/figure.js";
import { isMissing, type MaybeFigure } from "../../src/figures/missing.js";
import { drawFigure } from "../draw/draw-figure.ts";
import { BY_VARIABLE } from "../draw/palette.ts";
import { Nothing } from "./nothing.tsx";

/** A figure with the finding as its title, its data behind a toggle, and downloads; or why there is none. */
export function Chart({ figure }: { figure: MaybeFigure }) {
  return isMissing(figure) ? <Nothing why={figure.missing} command={figure.command} /> : <Drawn figure={figure} />;
}

function Drawn({ figure }: { figure: Figure }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const svg = drawFigure(figure, { document, width: 720, palette: BY_VARIABLE, interactive: true });
    place.current?.replaceChildren(svg);
  }, [figure]);
  return (
    <figure className="chart" id={`figure-${figure.id}`}>
      <figcaption>
        <h3>{figure.title}</h3>
      </figcaption>
      <div ref={place} className="chart-drawing" />
    </figure>
  );
}
